package traceview

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"vtsize/report"
	"vtsize/sizing"
	"vtsize/trace"
)

// item is one line of a timeline.
type item struct {
	at       time.Time
	rank     int // at one and the same moment
	verb     string
	color    string
	text     string
	beat     string // items of one beat may be drawn together
	inferred bool   // no call was made, so that its time is not known
}

const clock = "15:04:05.000"

// mostItems bounds a timeline; its middle is left out.
const mostItems = 120

// timeline tells a message in full: what was called, what is inferred, and
// what it comes to.
func (t *Text) timeline(m *trace.Message) {
	title := "no redelivery"
	switch {
	case len(m.Expiries) > 0:
		title = m.Pattern.Title()
	case m.NotObserved > 0:
		title = "delivered before, outside this log"
	case m.Duplicates > 0:
		title = "at-least-once duplicate"
	}
	color := bold
	if len(m.Expiries) > 0 && m.Pattern != trace.ReleasedMessage {
		color = red
	}
	t.line(fmt.Sprintf("message %s on %s: %s", report.Escape(m.ID), report.Escape(trace.QueueName(m.Queue)), t.paint(color, title)))
	items := together(items(m))
	day := ""
	for i, it := range items {
		if left := len(items) - mostItems; left > 0 && i == mostItems/2 {
			t.wrap("  ", fmt.Sprintf("... %d more ...", left))
		} else if left > 0 && i > mostItems/2 && i < mostItems/2+left {
			continue
		}
		if d := it.at.Format(time.DateOnly); d != day {
			day = d
			t.wrap("  ", t.paint(dim, d+" UTC"))
		}
		when := it.at.Format(clock)
		if it.inferred {
			when = strings.Repeat(" ", len(clock))
		}
		verb := it.verb
		if it.color != "" {
			verb = t.paint(it.color, verb)
		}
		t.column("  "+when+"  "+verb, it.text, 26)
	}
	t.verdict(m)
	t.b.WriteString("\n")
}

// verdict says what is behind it and what to do.
func (t *Text) verdict(m *trace.Message) {
	if m.FalseDeadLetter {
		t.wrap("  dead letter: ", "a false one: a consumer came to its end before the message was moved, so that its work is done")
	}
	if runs := m.Runs(); runs > 1 {
		t.wrap("  work: ", fmt.Sprintf("done %d times, by %s", runs, who(m)))
	}
	if m.Contradicted {
		t.wrap("  clocks: ", "receive counts rise against the clocks of the consumers; some expiry could not be placed")
	}
	if len(m.Expiries) == 0 {
		return
	}
	cause := m.Pattern.Cause()
	if m.Pattern == trace.HeartbeatStopped && onceChanged(m) {
		cause += "; a single change may also be meant, to put a retry off"
	}
	t.wrap("  cause: ", cause)
	t.wrap("  fix: ", m.Pattern.Fix())
}

// onceChanged reports whether no timeout that ran out was changed twice.
func onceChanged(m *trace.Message) bool {
	return !slices.ContainsFunc(m.Expiries, func(e trace.Expiry) bool {
		return e.Reason == trace.LastChanged && len(m.Deliveries[e.After].Changes) > 1
	})
}

// who names the consumers that came to their ends.
func who(m *trace.Message) string {
	const most = 5
	var names []string
	for i := range m.Deliveries {
		d := &m.Deliveries[i]
		name := "delivery " + fmt.Sprint(i+1)
		if d.Consumer != "" {
			name = report.Escape(d.Consumer)
		}
		if d.Completed() && !slices.Contains(names, name) {
			if names = append(names, name); len(names) == most {
				return strings.Join(names, ", ") + " and others"
			}
		}
	}
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

// items are the lines of a timeline in order. A receive stands at its end: it
// may have waited for a message for long.
func items(m *trace.Message) []item {
	var out []item
	for _, c := range m.Sends {
		out = append(out, item{at: c.Start, verb: "sent", text: report.Escape(c.Consumer)})
	}
	last := 0
	for i := range m.Deliveries {
		d := &m.Deliveries[i]
		out = append(out, received(m, i))
		if skipped := gap(m, i, last); skipped > 0 {
			out = append(out, item{at: d.End, rank: 2, verb: "inferred", color: yellow, inferred: true,
				text: fmt.Sprintf("%d %s not observed: told by receive counts, and not in the log", skipped, deliveries(skipped))})
		}
		last = d.Count
		for k := range d.Changes {
			out = append(out, changed(i, d, &d.Changes[k]))
		}
		for k := range d.Deletes {
			out = append(out, deleted(m, i, &d.Deletes[k]))
		}
	}
	for i := range m.Expiries {
		e := &m.Expiries[i]
		text := e.Sentence() + "; between " + moment(e.From, e.To) + " and " + e.To.Format(clock)
		if e.Reason == trace.LastChanged {
			text += ", at about " + moment(e.From.Add(time.Duration(e.ChangedTo)*time.Second), e.To)
		}
		if !e.OrderKnown {
			text += " (order unknown: a call of delivery " + fmt.Sprint(e.After+1) + " overlaps it)"
		}
		out = append(out, item{at: m.Deliveries[e.Before].End, rank: 3, verb: "inferred", color: yellow, inferred: true, text: text})
	}
	for _, c := range m.Unmatched {
		text := "by a handle that no receive of the log has" + by(c.Consumer)
		verb := "deleted"
		if c.Op == trace.Change {
			verb, text = "changed", fmt.Sprintf("to %s, ", sizing.Seconds(c.Timeout))+text
		}
		if !c.OK {
			verb, text = "refused", c.Op.String()+" "+text+": "+code(c.ErrorCode)
		}
		out = append(out, item{at: c.Start, rank: 1, verb: verb, text: text})
	}
	slices.SortStableFunc(out, func(a, b item) int {
		if c := a.at.Compare(b.at); c != 0 {
			return c
		}
		return a.rank - b.rank
	})
	return out
}

// moment is a time of day, with its date where that is not the other's.
func moment(t, other time.Time) string {
	if t.Format(time.DateOnly) != other.Format(time.DateOnly) {
		return t.Format(time.DateOnly + " " + clock)
	}
	return t.Format(clock)
}

func deliveries(n int) string {
	if n == 1 {
		return "delivery"
	}
	return "deliveries"
}

// gap is how many deliveries the counts tell of between delivery i and the one
// before it.
func gap(m *trace.Message, i, last int) int {
	d := &m.Deliveries[i]
	if i > 0 && trace.QueueName(m.Deliveries[i-1].Queue) != trace.QueueName(d.Queue) || i == 0 {
		last = 0
		if d.SourceQueue != "" {
			return 0
		}
	}
	return min(m.NotObserved, max(0, d.Count-last-1))
}

func received(m *trace.Message, i int) item {
	d := &m.Deliveries[i]
	text := fmt.Sprintf("delivery %d", i+1)
	if d.Count > 0 {
		text += fmt.Sprintf(", receive count %d", d.Count)
	}
	text += by(d.Consumer)
	if d.Timeout >= 0 {
		text += ", for " + sizing.Seconds(d.Timeout)
	}
	if d.SourceQueue != "" {
		text += fmt.Sprintf(", from dead-letter queue %s (source %s)", report.Escape(trace.QueueName(d.Queue)), report.Escape(trace.QueueName(d.SourceQueue)))
	}
	if i > 0 && d.Count > 0 && d.Count == m.Deliveries[i-1].Count && d.SourceQueue == m.Deliveries[i-1].SourceQueue {
		text += ": the same count again, an at-least-once duplicate and no timeout"
	}
	return item{at: d.End, rank: 4, verb: "received", text: text}
}

func changed(i int, d *trace.Delivery, c *trace.Call) item {
	it := item{at: c.Start, rank: 5, verb: "extended", text: fmt.Sprintf("delivery %d, to %s from now", i+1, sizing.Seconds(c.Timeout)) + other(d, c)}
	switch {
	case !c.OK:
		it.verb, it.color = "refused", red
		it.text = fmt.Sprintf("change of delivery %d to %s%s: %s; the timer stays as it was", i+1, sizing.Seconds(c.Timeout), other(d, c), code(c.ErrorCode))
	case c.Timeout == 0:
		it.verb, it.text = "released", fmt.Sprintf("delivery %d: visibility timeout set to 0 s", i+1)+other(d, c)
	default:
		it.beat = fmt.Sprintf("delivery %d, to %s", i+1, sizing.Seconds(c.Timeout))
	}
	return it
}

func deleted(m *trace.Message, i int, c *trace.Call) item {
	d := &m.Deliveries[i]
	after := ""
	if hold := c.End.Sub(d.End); hold >= 0 {
		after = " after " + sizing.Seconds(hold.Round(time.Millisecond))
	}
	who := by(c.Consumer)
	if c.Consumer == "" {
		who = by(d.Consumer)
	}
	it := item{at: c.Start, rank: 5, verb: "deleted"}
	switch c.Status {
	case trace.Final:
		it.text = fmt.Sprintf("by delivery %d%s%s: final, the message is gone", i+1, after, who)
	case trace.StaleHandle:
		it.color = yellow
		it.text = fmt.Sprintf("by delivery %d%s%s: accepted, but by a stale handle, which need not delete anything", i+1, after, who)
	default:
		it.verb, it.color = "refused", red
		it.text = fmt.Sprintf("delete by delivery %d%s%s: %s", i+1, after, who, code(c.ErrorCode))
	}
	return it
}

// code is an error code with its meaning.
func code(c string) string {
	if c == "" {
		return trace.Meaning(c)
	}
	return report.Escape(c) + " (" + trace.Meaning(c) + ")"
}

// by names a consumer after something else; nothing where it is not known.
func by(consumer string) string {
	if consumer == "" {
		return ""
	}
	return ", " + report.Escape(consumer)
}

// other names who made a call, where it was not the receiver.
func other(d *trace.Delivery, c *trace.Call) string {
	if c.Consumer == d.Consumer {
		return ""
	}
	return by(c.Consumer)
}

// together makes one line of four and more beats that follow one another.
func together(list []item) []item {
	var out []item
	for i := 0; i < len(list); {
		n := i + 1
		for list[i].beat != "" && n < len(list) && list[n].beat == list[i].beat {
			n++
		}
		if n-i < 4 {
			out = append(out, list[i:n]...)
		} else {
			it := list[i]
			it.text = fmt.Sprintf("%s from each call, %d times, the last at %s", it.beat, n-i, moment(list[n-1].at, it.at))
			out = append(out, it)
		}
		i = n
	}
	return out
}
