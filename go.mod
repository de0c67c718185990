module vtsize

go 1.26.0
