package report

import (
	"fmt"
	"io"
	"strings"

	"vtsize/sizing"
)

// PresetTable lists the client presets.
func PresetTable(w io.Writer) error {
	p := newPage(&Document{})
	for _, s := range sizing.Presets {
		p.line(s.Name)
		p.wrap("  ", fmt.Sprintf("%s %s (read %s): %d %s%s", s.Title, s.Version, s.Read, s.Attempts, plural(s.Attempts, "attempt"), waitsText(s)))
		p.wrap("  ", fmt.Sprintf("request timeout: %s; Retry-After: %s; one logical call: %s", requestTimeoutText(s.RequestTimeout), RetryAfterText(s.RetryAfter), ceilingText(s)))
		if s.Note != "" {
			p.wrap("  ", s.Note)
		}
		p.line("  " + s.Source)
	}
	return p.flush(w)
}

func waitsText(s sizing.Preset) string {
	if len(s.Waits) == 0 {
		return ""
	}
	texts := make([]string, len(s.Waits))
	for i, d := range s.Waits {
		texts[i] = sizing.Seconds(d)
	}
	return ", waits up to " + strings.Join(texts, ", ")
}

func requestTimeoutText(t sizing.RequestTimeout) string {
	switch {
	case t.None:
		return "none"
	case t.Unknown != "":
		return t.Unknown
	}
	return sizing.Seconds(t.Bound)
}

// RetryAfterText says how a client follows a Retry-After header.
func RetryAfterText(r sizing.RetryAfter) string {
	switch {
	case !r.Obeyed:
		return "not followed"
	case r.Above > 0:
		return "followed up to " + sizing.Seconds(r.Above) + " above its own wait"
	case r.Cap != nil:
		return "followed up to " + sizing.Seconds(*r.Cap)
	}
	return "followed whatever its length"
}

func ceilingText(s sizing.Preset) string {
	c, known := s.Ceiling()
	switch {
	case !known:
		return "not known"
	case !c.IsBounded():
		return "unbounded"
	case c.Note != "":
		return "up to " + sizing.Seconds(c.Bound) + "; " + c.Note
	}
	return "up to " + sizing.Seconds(c.Bound)
}
