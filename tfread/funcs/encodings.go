package funcs

import (
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// encodingNamed is the encoding of an IANA name, or nil for one that is not
// here: the result is then not known. The tables of the East Asian encodings
// would be a megabyte of the program, for a function that is used for UTF-16.
func encodingNamed(name string) encoding.Encoding {
	switch key := encodingKey(name); key {
	case "utf8":
		return unicode.UTF8
	case "utf16":
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	case "utf16be":
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	case "utf16le":
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	default:
		for _, enc := range charmap.All {
			if named, ok := enc.(interface{ String() string }); ok && encodingKey(named.String()) == key {
				return enc
			}
		}
	}
	return nil
}

// encodingKey makes "ISO-8859-1" and "ISO 8859-1" one name.
func encodingKey(name string) string {
	return strings.NewReplacer("-", "", " ", "", "_", "").Replace(strings.ToLower(name))
}
