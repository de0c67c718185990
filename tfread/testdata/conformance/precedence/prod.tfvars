f="file"
g="file"
