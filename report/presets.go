package report

import (
	"fmt"
	"io"
	"strings"

	"vtsize/sizing"
)

// PresetTable lists the client presets and the consumer frameworks.
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
	p.line("")
	p.line("Consumer frameworks, for framework: in a workload file")
	for _, f := range sizing.Frameworks {
		p.line("")
		p.line(f.Name)
		p.wrap("  ", fmt.Sprintf("%s %s (read %s, from its %s)", f.Title, f.Version, f.Read, f.Sure))
		p.wrap("  ", fmt.Sprintf("timeout at receive: %s; renewal: %s", receiveText(f), renewalText(f.Renewal)))
		if text := holdText(f); text != "" {
			p.wrap("  ", text)
		}
		if f.Note != "" {
			p.wrap("  ", f.Note)
		}
		p.line("  " + f.Source)
	}
	return p.flush(w)
}

// receiveText says which timeout is in force.
func receiveText(f sizing.Framework) string {
	text := "the queue's"
	if f.ReceiveTimeout > 0 {
		text = "its own, " + sizing.Seconds(f.ReceiveTimeout)
	}
	if f.ReceiveNote != "" {
		text += " (" + f.ReceiveNote + ")"
	}
	return text
}

func renewalText(r sizing.Renewal) string {
	if r.Text == "" {
		return string(r.Kind)
	}
	return string(r.Kind) + ", " + r.Text
}

// holdText says how many messages are held and worked on.
func holdText(f sizing.Framework) string {
	var parts []string
	add := func(known bool, format string, args ...any) {
		if known {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	add(f.Batch > 0, "receives %d", f.Batch)
	add(f.Concurrency > 0, "works on %d at once", f.Concurrency)
	add(f.Handling != "", "handled %s", map[string]string{"serial": "one after the other", "parallel": "at once"}[f.Handling])
	add(f.Prefetch > 0, "holds up to %s", sizing.Number(float64(f.Prefetch)))
	add(f.PerSlot > 0, "holds up to %d for each that runs", f.PerSlot)
	add(f.StepLimit > 0, "ends a step after %s", sizing.Seconds(f.StepLimit))
	add(f.ReleasesAtOnce, "releases a failed message at once")
	add(f.DeletesFirst, "deletes the message before the work")
	add(f.OnLoss == sizing.LossContinues, "goes on when a renewal fails")
	return strings.Join(parts, ", ")
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
