package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"vtsize/assess"
	"vtsize/rules"
	"vtsize/sizing"
)

// numbers are the lines on the timeouts of a queue, one a consumer.
func (p *page) numbers(res rules.QueueResult) []string {
	var out []string
	for _, s := range res.Consumers {
		if s.Consumer.ID == rules.UndeclaredWorker {
			continue
		}
		_, who, _ := strings.Cut(subject(res.Queue, s.Consumer), " → ")
		var parts []string
		if floor, ok := s.Floor.Get(); ok {
			parts = append(parts, fmt.Sprintf("held %s at p%v%s", sizing.Seconds(floor), s.Percentile, samples(s)))
		}
		if d, ok := s.Consumer.FunctionTimeout.Get(); ok && s.IsLambda() {
			parts = append(parts, "function timeout "+sizing.Seconds(d))
		}
		if d, ok := s.Timeout.Get(); ok {
			text := "visibility timeout " + sizing.Seconds(d)
			if to, ok := s.QueueTimeout().Get(); ok && to != d {
				text += " -> " + p.paint(bold, sizing.Seconds(to))
			} else if ok {
				text += ", as recommended"
			}
			parts = append(parts, text)
		}
		if len(parts) > 0 {
			out = append(out, who+": "+strings.Join(parts, ", "))
		}
	}
	return out
}

func samples(s *assess.Sizing) string {
	n, ok := s.Samples.Get()
	if !ok {
		return ""
	}
	return " of " + sizing.Count(n, "sample")
}

// row is one line of a calculation: what, its number, and how it comes about.
type row struct{ name, value, note string }

// calc writes a calculation: the numbers, the plan, what it costs, and what is
// wrong with the present.
func (p *page) calc(d *Document) {
	if len(d.Report.Queues) == 0 {
		return
	}
	s := d.Report.Queues[0].Sizing
	if s.Formula != "" {
		for part := range strings.SplitSeq(s.Formula, "; ") {
			name, text, _ := strings.Cut(part, ": ")
			p.wrap(p.paint(dim, name+": "), text)
		}
		p.line("")
	}
	rows := calcRows(s)
	p.rows(rows)
	p.risks(d)
	for _, w := range s.Warnings {
		p.wrap("note: ", Escape(w))
	}
	if len(s.Warnings) > 0 {
		p.line("")
	}
	for _, f := range d.Report.Findings {
		if f.Formula == s.Formula {
			f.Formula = "" // it stands above
		}
		p.finding(d, f)
	}
	if cmd, ok := setCommand(s); ok && !leftAlone(d.Report) {
		p.line("to set it (vtsize never does):")
		p.line("  aws sqs set-queue-attributes --queue-url \"$QUEUE_URL\" \\")
		p.line("    --attributes " + cmd)
		p.line("")
	}
}

// rows writes names, values and notes in three columns; a value too long for
// its column has the note under it.
func (p *page) rows(rows []row) {
	name, value := 0, 0
	for _, r := range rows {
		name = max(name, visible(r.name))
		if n := visible(r.value); n <= longestValue {
			value = max(value, n)
		}
	}
	for _, r := range rows {
		label := p.paint(bold, r.name) + strings.Repeat(" ", name-visible(r.name)+2)
		if n := visible(r.value); n <= value && r.note != "" {
			p.wrap(label+r.value+strings.Repeat(" ", value-n+2), r.note)
			continue
		}
		p.wrap(label, r.value)
		if r.note != "" {
			p.wrap(strings.Repeat(" ", name+2), r.note)
		}
	}
	if len(rows) > 0 {
		p.line("")
	}
}

// longestValue is the width from which a value has no column of its own.
const longestValue = 24

// leftAlone reports whether a rule says to change nothing.
func leftAlone(r *rules.Report) bool {
	return slices.ContainsFunc(r.Findings, func(f rules.Finding) bool { return f.Rule.ID == "VT801" })
}

// setCommand is the attribute to set, where it is not what the queue has and
// helps.
func setCommand(s *assess.Sizing) (string, bool) {
	d, ok := s.QueueTimeout().Get()
	if !ok {
		return "", false
	}
	if plan, ok := s.Plan.Get(); ok && plan.Strategy == sizing.Split {
		return "", false
	}
	if now, ok := s.Timeout.Get(); ok && now == d {
		return "", false
	}
	if own, ok := s.Consumer.Work.ReceiveTimeout.Get(); ok && own != nil {
		return "", false // the queue's has no effect on this consumer
	}
	return fmt.Sprintf("VisibilityTimeout=%d", int64(d/time.Second)), true
}

func calcRows(s *assess.Sizing) []row {
	var rows []row
	add := func(name, value, note string) { rows = append(rows, row{name, value, note}) }
	duration := func(name string, n assess.Number[time.Duration], note string) {
		if d, ok := n.Get(); ok {
			add(name, sizing.Seconds(d), note)
		}
	}
	if k, ok := s.Multiplier.Get(); ok && k > 1 {
		add("batch", sizing.Number(float64(k))+" rounds", "one after the other")
	}
	duration("floor", s.Floor, fmt.Sprintf("held at p%v with every attempt used%s", s.Percentile, samples(s)))
	if c, ok := s.Ceiling.Get(); ok {
		if c.IsBounded() {
			add("ceiling", sizing.Seconds(c.Bound), "the most one message can take by its own timeouts")
		} else {
			add("ceiling", "unbounded", c.Unbounded)
		}
	}
	if cover, ok := s.MustCover.Get(); ok && !equal(s.MustCover, s.Floor) {
		add("must cover", sizing.Seconds(cover), "what the visibility timeout has to outlast")
	}
	now := "not given"
	if d, ok := s.Timeout.Get(); ok {
		now = sizing.Seconds(d)
	}
	if to, ok := s.QueueTimeout().Get(); ok {
		add("timeout", now+" -> "+sizing.Seconds(to), strategyNote(s))
	} else if s.Timeout.IsKnown() {
		add("timeout", now, "")
	}
	rows = append(rows, planRows(s)...)
	return append(rows, costRows(s)...)
}

func equal(a, b assess.Number[time.Duration]) bool {
	x, ok1 := a.Get()
	y, ok2 := b.Get()
	return ok1 && ok2 && x == y
}

func strategyNote(s *assess.Sizing) string {
	plan, ok := s.Plan.Get()
	if !ok {
		return ""
	}
	switch plan.Strategy {
	case sizing.WithHeartbeat:
		return "with a heartbeat"
	case sizing.Split:
		return "better: " + s.LessWork()
	}
	return "fixed"
}

func planRows(s *assess.Sizing) []row {
	plan, ok := s.Plan.Get()
	if !ok {
		return nil
	}
	h := plan.Heartbeat
	beat := row{"heartbeat", fmt.Sprintf("every %s, extending to %s", sizing.Seconds(h.Interval), sizing.Seconds(h.ExtendTo)),
		fmt.Sprintf("survives %d lost %s; a call that extends must time out sooner", h.LostBeatsSurvived, plural(h.LostBeatsSurvived, "beat"))}
	if plan.StepDeadline == 0 {
		return []row{beat} // the wait for the work leaves nothing of the twelve hours
	}
	return []row{beat, {"step deadline", sizing.Seconds(plan.StepDeadline), "when the worker should give up, and stop the heartbeat"}}
}

// costRows say what the present timeout, else the recommended one, costs.
func costRows(s *assess.Sizing) []row {
	var rows []row
	if d, ok := s.Recovery.Get(); ok {
		rows = append(rows, row{"recovery", sizing.Seconds(d), "until a crashed consumer's message is seen again"})
	}
	if d, ok := s.TimeToDeadLetter.Get(); ok && d != nil {
		rows = append(rows, row{"dead letter", sizing.Seconds(*d), "until a message that always fails is moved"})
	}
	if d, ok := s.Deliveries.Get(); ok && d.AtLeast > 1 {
		text := "at least " + sizing.Number(float64(d.AtLeast))
		if most, ok := d.AtMost.Get(); ok && most != nil {
			text += ", at most " + sizing.Number(float64(*most))
		}
		rows = append(rows, row{"deliveries", text, "of a message held for the floor"})
	}
	if worst, ok := s.InFlight.Worst.Get(); ok {
		text := sizing.Number(worst) + " at worst"
		if expected, ok := s.InFlight.Expected.Get(); ok {
			text = sizing.Number(expected) + " expected, " + text
		}
		share := worst / sizing.InFlightQuota * 100
		rows = append(rows, row{"in flight", text, fmt.Sprintf("%s %% of the quota of %s", sizing.Number(float64(int(share*10))/10), sizing.Number(sizing.InFlightQuota))})
	}
	return rows
}
