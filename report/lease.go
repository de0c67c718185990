package report

import (
	"io"

	"vtsize/facts"
	"vtsize/lease"
)

// Lease writes a renewal policy as text for a runbook. Width is in columns; 0
// is 80.
func Lease(w io.Writer, p *lease.Policy, notes []string, width int) error {
	out := newPage(&Document{Width: width})
	out.line("Renewal policy of queue " + Escape(p.Queue))
	out.line("")
	for _, c := range p.Clauses {
		out.wrap("", c.Question)
		out.wrap("    ", c.Answer)
		if at := saidAt(c.From); at != "" {
			out.wrap("    ", "said in "+at)
		}
	}
	for _, d := range p.Doubts {
		out.line("")
		out.wrap("warning: ", d)
	}
	if len(notes) > 0 {
		out.line("")
	}
	for _, n := range notes {
		out.wrap("note: ", Escape(n))
	}
	return out.flush(w)
}

// saidAt is the place where somebody said something; a default has none.
func saidAt(o facts.Origin) string {
	if o.Kind == facts.Declared {
		return Escape(o.String())
	}
	return ""
}
