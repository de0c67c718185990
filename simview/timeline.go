package simview

import (
	"fmt"
	"io"
	"strings"
	"time"

	"vtsize/simulate"
	"vtsize/sizing"
)

// Lines of a timeline that are shown at its beginning and at its end; what is
// between them is counted.
const (
	firstLines = 36
	lastLines  = 8
)

// ReplayText writes a replay for a person: what was asked, the timeline, the
// lanes of the consumers and the bill.
func ReplayText(w io.Writer, r simulate.ReplayResult) error {
	var b strings.Builder
	wrap(&b, "one message: "+scenario(r.Input))
	b.WriteString("\n")
	writeTimeline(&b, r)
	b.WriteString("\n")
	writeLanes(&b, r)
	b.WriteString("\n")
	writeBill(&b, r)
	_, err := io.WriteString(w, b.String())
	return err
}

// scenario says in one line what was replayed.
func scenario(in simulate.ReplayInput) string {
	parts := []string{
		"visibility timeout " + sizing.Seconds(in.VisibilityTimeout),
		"step " + sizing.Seconds(in.Step),
	}
	add := func(on bool, format string, args ...any) {
		if on {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	add(in.Heartbeat.Interval > 0, "a beat every %s extends to %s", sizing.Seconds(in.Heartbeat.Interval), sizing.Seconds(in.ExtendTo()))
	add(len(in.LoseBeats) > 0, "the first receive loses %s %s", plural(len(in.LoseBeats), "beat", "beats"), numbers(in.LoseBeats))
	add(in.CrashAfter > 0, "the first worker dies after %s", sizing.Seconds(in.CrashAfter))
	add(in.StepDeadline > 0, "step deadline %s", sizing.Seconds(in.StepDeadline))
	add(in.MaxReceiveCount > 0, "max receive count %d", in.MaxReceiveCount)
	add(in.MaxReceiveCount == 0, "no dead-letter queue")
	add(in.IdempotencyKey, "idempotency key")
	add(in.FIFO, "FIFO queue")
	add(in.StaleDelete == simulate.StaleDeleteRemoves, "a stale delete removes")
	return strings.Join(parts, ", ")
}

func numbers(ns []int) string {
	s := make([]string, len(ns))
	for i, n := range ns {
		s[i] = fmt.Sprint(n)
	}
	return strings.Join(s, ", ")
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// line is one line of the timeline; a run of extensions shares one.
type line struct {
	at   time.Duration
	text string
}

func writeTimeline(b *strings.Builder, r simulate.ReplayResult) {
	lines := timelineOf(r)
	width := len(clock(r.End()))
	for i, l := range lines {
		if len(lines) > firstLines+lastLines && i == firstLines {
			fmt.Fprintf(b, "  %*s  … %s more lines; --format json has every event\n", width, "", sizing.Number(float64(len(lines)-firstLines-lastLines)))
		}
		if len(lines) <= firstLines+lastLines || i < firstLines || i >= len(lines)-lastLines {
			fmt.Fprintf(b, "  %*s  %s\n", width, clock(l.at), l.text)
		}
	}
	if r.Cut {
		fmt.Fprintf(b, "  %*s  … and so on: the replay stops after %s events\n", width, "", sizing.Number(simulate.MaxReplayEvents))
	}
}

func clock(d time.Duration) string { return sizing.Number(d.Seconds()) + " s" }

func timelineOf(r simulate.ReplayResult) []line {
	var lines []line
	effects := 0
	for i := 0; i < len(r.Events); i++ {
		e := r.Events[i]
		if run := extensions(r.Events[i:]); run > 2 {
			last := r.Events[i+run-1]
			lines = append(lines, line{e.At, fmt.Sprintf("%s extends %d times, every %s, the last at %s: hidden until %s", simulate.Consumer(e.Receipt), run,
				clock(r.Input.Heartbeat.Interval), clock(last.At), clock(last.Until))})
			i += run - 1
			continue
		}
		if e.Kind == simulate.Effect {
			effects++
		}
		lines = append(lines, line{e.At, tell(e, r, effects)})
	}
	return lines
}

// extensions counts the extensions of one receipt that follow each other.
func extensions(events []simulate.Event) int {
	n := 0
	for n < len(events) && events[n].Kind == simulate.Extended && events[n].Receipt == events[0].Receipt {
		n++
	}
	return n
}

func tell(e simulate.Event, r simulate.ReplayResult, effects int) string {
	who := simulate.Consumer(e.Receipt)
	switch e.Kind {
	case simulate.Received:
		return fmt.Sprintf("%s receives it: receipt handle h%d, receive count %d, hidden until %s", who, e.Receipt, e.Receipt, clock(e.At+r.Input.VisibilityTimeout))
	case simulate.Expired:
		return fmt.Sprintf("the timeout of h%d ends: visible again", e.Receipt)
	case simulate.Extended:
		return fmt.Sprintf("%s extends: hidden until %s", who, clock(e.Until))
	case simulate.ExtendStale:
		return fmt.Sprintf("%s extends with h%d, which is no longer the latest: nothing is extended", who, e.Receipt)
	case simulate.ExtendRefused:
		return fmt.Sprintf("%s asks for more than 43,200 s from its receive: refused, the old end stands", who)
	case simulate.BeatLost:
		return fmt.Sprintf("%s's beat is lost on the way", who)
	case simulate.Effect:
		return fmt.Sprintf("%s is done: the customer gets reply %d", who, effects)
	case simulate.EffectRefused:
		return fmt.Sprintf("%s is done: its reply is refused, the idempotency key is known", who)
	case simulate.Deleted:
		if isStale(e, r) {
			return fmt.Sprintf("%s deletes with h%d, which is stale: the message goes all the same", who, e.Receipt)
		}
		return fmt.Sprintf("%s deletes with h%d: the message is gone", who, e.Receipt)
	case simulate.DeleteStale:
		return staleDelete(e, r)
	case simulate.Crashed:
		return fmt.Sprintf("%s dies: no delete, and no more beats", who)
	case simulate.GaveUp:
		return fmt.Sprintf("%s gives up at its step deadline: no reply, no delete", who)
	case simulate.DeadLettered:
		return fmt.Sprintf("received %d times already: the message moves to the dead-letter queue", r.Input.MaxReceiveCount)
	case simulate.RetentionOver:
		return fmt.Sprintf("the retention of %s is over: SQS drops the message", sizing.Seconds(r.Input.KeptFor()))
	}
	return string(e.Kind)
}

// isStale reports whether a later receive came before the event.
func isStale(e simulate.Event, r simulate.ReplayResult) bool {
	for _, other := range r.Events {
		if other.Kind == simulate.Received && other.Receipt > e.Receipt {
			return other.At <= e.At
		}
	}
	return false
}

func staleDelete(e simulate.Event, r simulate.ReplayResult) string {
	who := simulate.Consumer(e.Receipt)
	switch {
	case r.DeletedAt != nil && *r.DeletedAt <= e.At, r.DeadLetteredAt != nil && *r.DeadLetteredAt <= e.At:
		return fmt.Sprintf("%s deletes with h%d: there is nothing left to delete", who, e.Receipt)
	case r.Input.FIFO:
		return fmt.Sprintf("%s deletes with h%d: an error, the receipt handle has expired; the message stays", who, e.Receipt)
	}
	return fmt.Sprintf("%s deletes with h%d, which is stale: the message stays", who, e.Receipt)
}

func writeBill(b *strings.Builder, r simulate.ReplayResult) {
	for _, row := range bill(r) {
		fmt.Fprintf(b, "%-9s %s\n", row[0], row[1])
	}
}

// bill is what the message cost, as names and values.
func bill(r simulate.ReplayResult) [][2]string {
	work := fmt.Sprintf("%s done for %s needed", sizing.Seconds(r.Work), sizing.Seconds(r.Useful))
	if wasted := r.Wasted(); wasted > 0 {
		work += fmt.Sprintf("; %s wasted (%.0f %%)", sizing.Seconds(wasted), 100*wasted.Seconds()/r.Work.Seconds())
	}
	rows := [][2]string{{"receives", fmt.Sprint(r.Receives)}, {"effects", effectsText(r)}, {"work", work}}
	if r.Input.FIFO {
		rows = append(rows, [2]string{"group", blocked(r)})
	}
	return append(rows, [2]string{"outcome", outcome(r)})
}

func effectsText(r simulate.ReplayResult) string {
	switch r.Effects {
	case 0:
		return "0: the customer got nothing"
	case 1:
		return "1: the customer got one reply"
	}
	return fmt.Sprintf("%d: the customer got %d %s too many", r.Effects, r.Effects-1, plural(r.Effects-1, "reply", "replies"))
}

// blocked says how long the message kept the rest of its group waiting.
func blocked(r simulate.ReplayResult) string {
	end := r.End()
	for _, at := range []*time.Duration{r.DeletedAt, r.DeadLetteredAt} {
		if at != nil {
			end = *at
		}
	}
	return fmt.Sprintf("no other message of its group is handed out for %s", sizing.Seconds(end))
}

func outcome(r simulate.ReplayResult) string {
	switch {
	case r.DeletedAt != nil:
		return fmt.Sprintf("deleted at %s", clock(*r.DeletedAt))
	case r.FalseDeadLetter():
		return fmt.Sprintf("dead-letter queue at %s, and a false one: the work succeeded", clock(*r.DeadLetteredAt))
	case r.DeadLetteredAt != nil:
		return fmt.Sprintf("dead-letter queue at %s", clock(*r.DeadLetteredAt))
	case r.Cut:
		return fmt.Sprintf("still coming back at %s", clock(r.End()))
	}
	return "dropped by SQS at the end of its retention"
}
