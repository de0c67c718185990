.PHONY: build test lint bench docs engine

build:
	go build -trimpath -ldflags "-s -w" -o bin/vtsize .

test:
	go test ./...

lint:
	gofmt -l .
	go vet ./...
	go tool -modfile=tools/go.mod staticcheck ./...

bench:
	bench/startup.sh
	bench/simulate.sh
	bench/diagnose.sh

engine:
	go generate ./simpage

docs:
	UPDATE=1 go test . ./report ./rules
