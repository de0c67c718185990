package csvread

import (
	"bytes"
	"errors"
	"regexp"
	"unicode/utf8"
)

// jsonArray is how an array of objects, arrays, numbers or texts begins.
var jsonArray = regexp.MustCompile(`^\[\s*[{\["0-9]`)

// refusedContent says why a file is none that can be read, where its first
// bytes tell.
func refusedContent(head []byte) error {
	for _, r := range []struct{ begin, why, next string }{
		{"PK\x03\x04", "it is a zip archive or a spreadsheet", "export it as CSV"},
		{"PAR1", "it is a Parquet file", "export it as CSV"},
		{"SQLite format 3", "it is an SQLite database", "export a table as CSV"},
		{"\xff\xfe", "it is UTF-16 text", "convert it with iconv -f UTF-16 -t UTF-8"},
		{"\xfe\xff", "it is UTF-16 text", "convert it with iconv -f UTF-16 -t UTF-8"},
	} {
		if bytes.HasPrefix(head, []byte(r.begin)) {
			return usage(r.why, r.next)
		}
	}
	text := bytes.TrimLeft(head, " \t\r\n\ufeff")
	if bytes.HasPrefix(text, []byte("{\"")) || bytes.HasPrefix(text, []byte("{\n")) || jsonArray.Match(text) {
		return usage("it is JSON", "turn it into one number a line, as jq -r '.[].duration_ms' does")
	}
	sample := head[:min(len(head), 4096)]
	if bytes.IndexByte(sample, 0) >= 0 {
		return errors.New("it is no text")
	}
	if bytes.IndexByte(head, '\n') < 0 && bytes.IndexByte(head, '\r') >= 0 && utf8.Valid(sample) {
		return usage("its lines end in carriage returns alone", "convert it with tr '\\r' '\\n'")
	}
	return nil
}
