package report

import (
	"io"

	"vtsize/assess"
	"vtsize/rules"
)

// Calculation writes the numbers and findings of the first queue of a report,
// as calc shows them, without the lines that end a report.
func Calculation(w io.Writer, d *Document) error {
	p := newPage(d)
	p.calc(d)
	return p.flush(w)
}

// Wrap writes a text behind a label, its further lines under its first word.
func Wrap(label, text string, width int) string {
	p := &page{width: width}
	p.wrap(label, text)
	return p.b.String()
}

// SizingJSON is the SIZING of the published schemas; nil for none.
func SizingJSON(s *assess.Sizing) any {
	if s == nil {
		return nil
	}
	return sizingJSON(s)
}

// FindingsJSON are the findings of the published schemas.
func FindingsJSON(r *rules.Report) any { return each(r.Findings, findingJSON) }
