package awsfetch

import (
	"bytes"
	_ "embed"
)

//go:embed demo.json
var demo []byte

// Demo is a snapshot to try things on, of a book store's three queues:
// "orders", whose agent steps outlast the default timeout; "classify", with
// which nothing is wrong; and "invoices", a Lambda consumer with several
// faults. All of it is made up, in an account that AWS uses in examples.
func Demo() *Snapshot {
	s, err := Load(bytes.NewReader(demo))
	if err != nil {
		panic("awsfetch: the built-in demo: " + err.Error()) // a test loads it
	}
	return s
}
