package trace_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"vtsize/trace"
)

var zero = time.Date(2026, 11, 27, 10, 0, 0, 0, time.UTC)

func at(seconds float64) time.Time {
	return zero.Add(time.Duration(seconds * float64(time.Second))).Round(time.Microsecond)
}

// eventLines writes events from a short form, one a line:
//
//	receive 0.4-0.5 a count=1 by=worker-1
//	change 5-5.1 a to=30 | failed=AccessDenied
//	delete 9-9.1 a | failed=ReceiptHandleIsInvalid
//
// with the times in seconds and the delivery as third word. message=, queue=
// and source= may be said; the message is m, the queue orders.
func eventLines(t testing.TB, short string) []string {
	t.Helper()
	var out []string
	for line := range strings.SplitSeq(short, "\n") {
		words := strings.Fields(strings.ReplaceAll(line, "|", " "))
		if len(words) == 0 {
			continue
		}
		var from, to float64
		if _, err := fmt.Sscanf(words[1], "%f-%f", &from, &to); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		said := map[string]string{"op": words[0], "message": "m", "queue": "orders", "delivery": words[2], "result": "ok"}
		numbers := map[string]string{}
		for _, w := range words[3:] {
			key, value, _ := strings.Cut(w, "=")
			switch key {
			case "count":
				numbers["receive_count"] = value
			case "to", "for":
				numbers["timeout_seconds"] = value
			case "by":
				said["consumer"] = value
			case "source":
				said["source_queue"] = value
			case "failed":
				said["result"], said["error_code"] = "failed", value
			default:
				said[key] = value
			}
		}
		if words[0] == "send" {
			delete(said, "delivery")
		}
		var b strings.Builder
		const form = time.RFC3339Nano
		fmt.Fprintf(&b, `{"start":%q,"end":%q`, at(from).Format(form), at(to).Format(form))
		for _, k := range []string{"op", "message", "queue", "delivery", "result", "error_code", "consumer", "source_queue"} {
			if said[k] != "" {
				fmt.Fprintf(&b, ",%q:%q", k, said[k])
			}
		}
		for _, k := range []string{"receive_count", "timeout_seconds"} {
			if numbers[k] != "" {
				fmt.Fprintf(&b, ",%q:%s", k, numbers[k])
			}
		}
		out = append(out, b.String()+"}")
	}
	return out
}

func readLines(t testing.TB, lines []string) *trace.Log {
	t.Helper()
	l := trace.NewLog(trace.Options{})
	if err := l.Read("log", strings.NewReader(strings.Join(lines, "\n"))); err != nil {
		t.Fatal(err)
	}
	return l
}

// one is the only message of a log in the short form.
func one(t testing.TB, short string) *trace.Message {
	t.Helper()
	l := readLines(t, eventLines(t, short))
	if l.Bad > 0 {
		t.Fatalf("bad line: %v", l.FirstBad[0])
	}
	var all []*trace.Message
	for m := range l.Messages(trace.Selection{}) {
		all = append(all, m)
	}
	if len(all) != 1 {
		t.Fatalf("%d messages, want one", len(all))
	}
	return all[0]
}

// tell writes what is inferred of a message, to compare it with what is wanted:
// deliveries with the status of their deletes, then expiries.
func tell(m *trace.Message) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s", m.Pattern)
	for i := range m.Deliveries {
		d := &m.Deliveries[i]
		fmt.Fprintf(&b, " %s=%s", d.ID, d.Delete)
		if d.ErrorCode != "" {
			fmt.Fprintf(&b, "(%s)", d.ErrorCode)
		}
	}
	for i := range m.Expiries {
		e := &m.Expiries[i]
		order := "known"
		if !e.OrderKnown {
			order = "unknown"
		}
		reason := string(e.Reason)
		if e.ChangedTo >= 0 {
			reason += fmt.Sprintf("(%d)", e.ChangedTo)
		}
		fmt.Fprintf(&b, "; %s>%s %s %v..%v %s", m.Deliveries[e.After].ID, m.Deliveries[e.Before].ID, reason,
			e.From.Sub(zero).Seconds(), e.To.Sub(zero).Seconds(), order)
	}
	if m.NotObserved > 0 {
		fmt.Fprintf(&b, "; %d not observed", m.NotObserved)
	}
	if m.Duplicates > 0 {
		fmt.Fprintf(&b, "; %d duplicates", m.Duplicates)
	}
	if m.DeadLettered {
		fmt.Fprintf(&b, "; dead-lettered, false %v", m.FalseDeadLetter)
	}
	return b.String()
}
