package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
)

// objectWriter writes a JSON object member by member, and arrays in it element
// by element, so that only one of them is in memory at a time. The text is the
// one that encodeJSON writes.
type objectWriter struct {
	w     *bufio.Writer
	began bool
	err   error
	piece bytes.Buffer
}

func beginObject(w io.Writer) *objectWriter { return &objectWriter{w: bufio.NewWriter(w)} }

// member writes a member.
func (o *objectWriter) member(name string, value any) {
	o.name(name)
	o.value(value, "  ")
}

// array writes a member that is an array, of what put makes of each item.
func array[T any](o *objectWriter, name string, items []T, put func(T) any) {
	o.name(name)
	if len(items) == 0 {
		o.write("[]")
		return
	}
	for i, item := range items {
		o.write(separator(i > 0, "[") + "\n    ")
		o.value(put(item), "    ")
	}
	o.write("\n  ]")
}

// each makes the elements of an array at once.
func each[T any](items []T, put func(T) any) []any {
	out := []any{}
	for _, item := range items {
		out = append(out, put(item))
	}
	return out
}

// end closes the object. It gives the first error of all.
func (o *objectWriter) end() error {
	o.write("\n}\n")
	if o.err != nil {
		return o.err
	}
	return o.w.Flush()
}

func (o *objectWriter) name(name string) {
	o.write(separator(o.began, "{") + "\n  ")
	o.began = true
	o.value(name, "")
	o.write(": ")
}

// separator is what precedes a further element, or the first one.
func separator(further bool, first string) string {
	if further {
		return ","
	}
	return first
}

// value writes a value whose further lines are indented by indent.
func (o *objectWriter) value(v any, indent string) {
	if o.err != nil {
		return
	}
	o.piece.Reset()
	e := json.NewEncoder(&o.piece)
	e.SetIndent(indent, "  ")
	e.SetEscapeHTML(false)
	if o.err = e.Encode(v); o.err == nil {
		o.write(string(bytes.TrimSuffix(o.piece.Bytes(), []byte{'\n'})))
	}
}

func (o *objectWriter) write(text string) {
	if o.err == nil {
		_, o.err = o.w.WriteString(text)
	}
}
