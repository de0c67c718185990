package tfread

import "strings"

func nest(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }

func contains(s, part string) bool { return strings.Contains(s, part) }
