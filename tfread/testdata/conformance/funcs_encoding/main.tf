output "a" { value = [base64encode("hi"), base64decode("aGk="), csvdecode("a,b\n1,x\n2,y"), jsondecode("{\"a\":[1,null]}"), jsonencode({ a = [true, null] }), urlencode("a/b c"), yamldecode("- a\n- 1"), textdecodebase64(textencodebase64("é", "UTF-16LE"), "UTF-16LE")] }
output "h" { value = [md5("x"), sha1("x"), sha256("x"), sha512("x"), base64sha256("x"), base64sha512("x"), uuidv5("url", "https://a")] }
output "y" { value = yamlencode({ a = [1, "b"], c = { d = null } }) }
output "gz" { value = base64gunzip(base64gzip("abc")) }
output "ud" { value = urldecode("a%2Fb+c") }
