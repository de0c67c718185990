package traceview

import (
	"fmt"
	"io"
	"strings"
	"time"

	"vtsize/report"
	"vtsize/sizing"
	"vtsize/trace"
)

// TextOptions say how the text looks.
type TextOptions struct {
	Show  int  // messages told in full
	All   bool // a message without trouble is told in full, too
	Width int  // columns; 0: 80
	Color bool
}

// Text tells messages and their sum in words.
type Text struct {
	w   io.Writer
	opt TextOptions
	b   strings.Builder

	told  int
	more  int      // messages with trouble that were not told
	quiet []string // one line for each message without trouble
	calm  int
}

// NewText writes to w.
func NewText(w io.Writer, opt TextOptions) *Text {
	if opt.Width <= 0 {
		opt.Width = 80
	}
	opt.Width = max(60, min(opt.Width, 120))
	return &Text{w: w, opt: opt}
}

// The colours of the terminal's own palette.
const (
	bold   = "1"
	dim    = "2"
	red    = "1;31"
	yellow = "1;33"
)

func (t *Text) paint(color, s string) string {
	if !t.opt.Color {
		return s
	}
	return "\x1b[" + color + "m" + s + "\x1b[0m"
}

// column writes a text beside a label.
func (t *Text) column(label, text string, at int) {
	t.b.WriteString(report.Columns(label, text, at, t.opt.Width))
}

// wrap writes a text behind a label of whatever width.
func (t *Text) wrap(label, text string) {
	t.b.WriteString(report.Wrap(label, text, t.opt.Width))
}

func (t *Text) line(text string) { t.wrap("", text) }

func (t *Text) flush() error {
	_, err := io.WriteString(t.w, t.b.String())
	t.b.Reset()
	return err
}

// troubled reports whether there is more to tell of a message than that it was
// received and deleted.
func troubled(m *trace.Message) bool {
	if m.Redelivered() || m.Duplicates > 0 || m.DeadLettered || m.Contradicted || len(m.Unmatched) > 0 {
		return true
	}
	for i := range m.Deliveries {
		if m.Deliveries[i].Delete == trace.FailedDelete {
			return true
		}
	}
	return false
}

// Message tells one message, in full where there is something to it.
func (t *Text) Message(m *trace.Message) error {
	switch {
	case t.opt.All || troubled(m):
		if t.told++; t.told > t.opt.Show {
			t.more++
			return nil
		}
		t.timeline(m)
		return t.flush()
	default:
		if t.calm++; len(t.quiet) < t.opt.Show {
			t.quiet = append(t.quiet, quietLine(m))
		}
	}
	return nil
}

// mostQueues is how many queues are told of if nothing is the matter with them.
const mostQueues = 10

// quietLine tells a message without trouble in a line.
func quietLine(m *trace.Message) string {
	name := "message " + report.Escape(m.ID) + ": "
	if len(m.Deliveries) == 0 {
		return name + "sent, no receive in the log"
	}
	d := &m.Deliveries[0]
	if hold, ok := d.Hold(); ok {
		return name + "deleted after " + sizing.Seconds(hold.Round(time.Millisecond))
	}
	return name + "received, no delete in the log"
}

// End sums up.
func (t *Text) End(a *Answer) error {
	t.quietOnes()
	skipped := 0
	for _, q := range a.Queues {
		if len(a.Queues) > mostQueues && q.Redelivered == 0 {
			skipped++
			continue
		}
		if err := t.queue(q); err != nil {
			return err
		}
	}
	if skipped > 0 {
		t.line(fmt.Sprintf("and %d queues without redelivery: --queue tells of one", skipped))
	}
	for _, n := range notes(a) {
		t.wrap("note: ", n)
	}
	for _, b := range a.Log.FirstBad {
		t.wrap(t.paint(yellow, "bad line")+": ", report.Escape(b.String()))
	}
	if more := a.Log.Bad - len(a.Log.FirstBad); more > 0 {
		t.line(fmt.Sprintf("and %d more bad lines", more))
	}
	if a.Report != nil {
		t.line(report.Summary(a.Report))
	}
	t.line(lastLine(a))
	return t.flush()
}

// quietOnes lists what is left over of the number of messages to show.
func (t *Text) quietOnes() {
	if t.more > 0 {
		t.line(fmt.Sprintf("%s %s with trouble not told here: --show N tells more of them, --message ID one, --format json all",
			sizing.Number(float64(t.more)), plural(t.more, "message")))
		t.b.WriteString("\n")
	}
	room := max(0, t.opt.Show-t.told)
	for _, line := range t.quiet[:min(room, len(t.quiet))] {
		t.line(line)
	}
	if left := t.calm - min(room, len(t.quiet)); left > 0 {
		t.line(fmt.Sprintf("%s %s without trouble", sizing.Number(float64(left)), plural(left, "message")))
	}
	if t.calm > 0 {
		t.b.WriteString("\n")
	}
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// lastLine counts everything.
func lastLine(a *Answer) string {
	t := a.Tally
	text := fmt.Sprintf("%s %s, %s %s: %s delivered again", sizing.Number(float64(t.Messages)), plural(t.Messages, "message"),
		sizing.Number(float64(a.Log.Events())), plural(a.Log.Events(), "event"), sizing.Number(float64(t.Redelivered)))
	if why := reasons(t.ByReason); why != "" {
		text += " (" + why + ")"
	}
	return text + fmt.Sprintf(", %d %s, %d false dead %s, %d unmatched %s, %d bad %s", t.Duplicates, plural(t.Duplicates, "duplicate"),
		t.FalseDeadLetters, plural(t.FalseDeadLetters, "letter"), a.UnmatchedDeletes, plural(a.UnmatchedDeletes, "delete"), a.Log.Bad, plural(a.Log.Bad, "line"))
}

// reasons counts redeliveries by their reason, in words.
func reasons(by map[trace.Reason]int) string {
	words := map[trace.Reason]string{trace.Released: "released", trace.LastChanged: "an extension ran out",
		trace.DeleteTooLate: "deleted too late", trace.Expired: "timeout ran out"}
	var out []string
	for _, r := range trace.Reasons {
		if n := by[r]; n > 0 {
			out = append(out, fmt.Sprintf("%s × %s", sizing.Number(float64(n)), words[r]))
		}
	}
	return strings.Join(out, ", ")
}
