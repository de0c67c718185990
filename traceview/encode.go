package traceview

import (
	"bytes"
	"encoding/json"
	"strconv"
	"time"
	"unicode/utf8"
)

// encoder writes indented JSON piece by piece. Logs have millions of messages:
// this is three times as fast as marshalling each and indenting it.
type encoder struct {
	b     []byte
	depth int
	first bool // nothing stands in the present object or list yet
}

// next begins a value in a list, or a key.
func (e *encoder) next() {
	if !e.first {
		e.b = append(e.b, ',')
	}
	e.newline()
	e.first = false
}

func (e *encoder) newline() {
	e.b = append(e.b, '\n')
	for range e.depth {
		e.b = append(e.b, "  "...)
	}
}

func (e *encoder) open(c byte) {
	e.b = append(e.b, c)
	e.depth++
	e.first = true
}

func (e *encoder) close(c byte) {
	e.depth--
	if !e.first {
		e.newline()
	}
	e.b = append(e.b, c)
	e.first = false
}

func (e *encoder) key(name string) {
	e.next()
	e.b = append(append(append(e.b, '"'), name...), `": `...)
}

func (e *encoder) int(n int) { e.b = strconv.AppendInt(e.b, int64(n), 10) }

func (e *encoder) bool(v bool) { e.b = strconv.AppendBool(e.b, v) }

func (e *encoder) null() { e.b = append(e.b, "null"...) }

func (e *encoder) time(t time.Time) {
	e.b = append(t.AppendFormat(append(e.b, '"'), time.RFC3339Nano), '"')
}

// string writes a text; what needs escapes is left to the standard library.
func (e *encoder) string(s string) {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			quoted, err := plainJSON(s)
			if err == nil { // a text always has an encoding
				e.b = append(e.b, quoted...)
			}
			return
		}
	}
	e.b = append(append(append(e.b, '"'), s...), '"')
}

// orNull writes a text, or null for none.
func (e *encoder) orNull(s string) {
	if s == "" {
		e.null()
		return
	}
	e.string(s)
}

// any writes a value by the standard library, at the present depth.
func (e *encoder) any(v any) error {
	plain, err := plainJSON(v)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, plain, string(bytes.Repeat([]byte("  "), e.depth)), "  "); err != nil {
		return err
	}
	e.b = append(e.b, b.Bytes()...)
	return nil
}

// plainJSON is JSON with <, > and & as they are.
func plainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	j := json.NewEncoder(&b)
	j.SetEscapeHTML(false)
	err := j.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}
