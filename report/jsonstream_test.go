package report

import (
	"bytes"
	"errors"
	"testing"
)

// An object that is written piece by piece has the same text as one that is
// encoded at once.
func TestObjectWriter(t *testing.T) {
	type inner struct {
		A string   `json:"a"`
		B []string `json:"b"`
		C object   `json:"c"`
	}
	items := []inner{{A: "<&>\x01", B: []string{}, C: object{}}, {B: []string{"x", "y\nz"}, C: object{"k": nil, "l": 1.5}}}
	for n := range len(items) + 1 {
		var got, want bytes.Buffer
		o := beginObject(&got)
		o.member("first", items[:n])
		array(o, "second", items[:n], func(i inner) any { return i })
		array(o, "third", []string{"é"}, func(s string) any { return s })
		o.member("last", object{})
		if err := o.end(); err != nil {
			t.Fatal(err)
		}
		err := encodeJSON(&want, struct {
			First  []inner  `json:"first"`
			Second []any    `json:"second"`
			Third  []string `json:"third"`
			Last   object   `json:"last"`
		}{items[:n], each(items[:n], func(i inner) any { return i }), []string{"é"}, object{}})
		if err != nil {
			t.Fatal(err)
		}
		if got.String() != want.String() {
			t.Errorf("%d items: %s\nwant %s", n, got.String(), want.String())
		}
	}
}

// fullDisk takes some bytes, and no more.
type fullDisk struct{ left int }

var errFull = errors.New("no space left on device")

func (f *fullDisk) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestObjectWriterTellsErrors(t *testing.T) {
	for _, left := range []int{0, 5000} {
		o := beginObject(&fullDisk{left: left})
		array(o, "list", make([]string, 1000), func(s string) any { return s })
		if err := o.end(); !errors.Is(err, errFull) {
			t.Errorf("the error is %v", err)
		}
	}
}
