package csvread

import "bytes"

// plan is how the rows of one source are read: which columns are looked at,
// and what they mean.
type plan struct {
	format *format
	dialect
	start  int64 // where the rows begin in the source, after the header
	lines  int   // lines before that
	column string
	unit   string // as the result names it

	columns []int // the columns looked at, ascending, from 0
	value   int   // where each stands among them; -1: there is none
	class   int
	clock   int
	failed  int      // holds "true" for a success
	sums    int      // holds a message that begins with sumMark for a sum of other rows
	filters []filter // rows that do not match are no samples
	sub     subsamples
	reader  reader
	report  bool // the value is a REPORT line within a text
}

// filter keeps the rows whose column has one of some values.
type filter struct {
	at   int // among plan.columns
	want []byte
}

// look adds a column to those that are looked at.
func (p *plan) look(column int) {
	if column < 0 {
		return
	}
	i := 0
	for i < len(p.columns) && p.columns[i] < column {
		i++
	}
	if i < len(p.columns) && p.columns[i] == column {
		return
	}
	p.columns = append(p.columns, 0)
	copy(p.columns[i+1:], p.columns[i:])
	p.columns[i] = column
}

// at finds where a column stands among those that are looked at.
func (p *plan) at(column int) int {
	for i, c := range p.columns {
		if c == column {
			return i
		}
	}
	return -1
}

// subsamples are rows that repeat a part of another row's time, as JMeter's
// redirects do: "login-0" and "login-1" are parts of "login".
type subsamples struct {
	at    int // the column of labels among plan.columns; -1: there are none
	bases map[string]bool
}

// is reports whether a label is that of a part.
func (s *subsamples) is(label []byte) bool {
	dash := bytes.LastIndexByte(label, '-')
	if dash < 0 || dash == len(label)-1 {
		return false
	}
	for _, c := range label[dash+1:] {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s.bases[string(label[:dash])]
}
