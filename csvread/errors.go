package csvread

import "fmt"

// UsageError is a request that cannot be met as it was made: a column or a
// unit that is not there, or that has to be named.
type UsageError struct {
	Why  string
	Next string // what to do, where it is known
}

// Error says why the request cannot be met.
func (e *UsageError) Error() string { return e.Why }

// Hint says what to do next; it may be empty.
func (e *UsageError) Hint() string { return e.Next }

func usage(why, next string) error { return &UsageError{Why: why, Next: next} }

// NoColumnError is a file without latencies.
type NoColumnError struct {
	Columns string // those that it has; "": it is empty
	Why     string // what it is instead, where that is known
}

// Error lists the columns.
func (e *NoColumnError) Error() string {
	switch {
	case e.Columns == "":
		return e.Why
	case e.Why != "":
		return fmt.Sprintf("%s; columns are %s", e.Why, e.Columns)
	}
	return fmt.Sprintf("no column holds latencies; columns are %s", e.Columns)
}

// Hint says how a column is named, where one may be there.
func (e *NoColumnError) Hint() string {
	if e.Why != "" {
		return ""
	}
	return "name the column with --column NAME or its number, and its unit with --unit"
}

// BadRowsError is a file with more bad rows than can be passed over.
type BadRowsError struct {
	Bad, Rows int
	First     []BadRow
	Strict    bool
}

// Error shows the first bad row. The others are in First, for those who have more
// than a line for them.
func (e *BadRowsError) Error() string {
	text := fmt.Sprintf("%d of %d rows are no latencies, which is more than half", e.Bad, e.Rows)
	if e.Strict {
		text = "a row is no latency"
	}
	if len(e.First) > 0 {
		text += "; " + e.First[0].String()
	}
	return text
}

// Hint says what may be the matter.
func (e *BadRowsError) Hint() string {
	if e.Strict {
		return "without --strict, bad rows are counted and left out"
	}
	return "name the column with --column, or the format with --csv-format"
}
