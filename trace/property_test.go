package trace_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"vtsize/trace"
)

// randomLog makes a log of a few messages with everything that may happen to
// them, and what may not, such as clocks that run against the counts.
func randomLog(t testing.TB, random *rand.Rand) []string {
	t.Helper()
	var b strings.Builder
	for m := range 1 + random.IntN(5) {
		for range random.IntN(12) {
			from := float64(random.IntN(60))
			span := fmt.Sprintf("%v-%v", from, from+[]float64{0, 0.1, 1, 20}[random.IntN(4)])
			handle := fmt.Sprintf("h%d", random.IntN(6)+m*random.IntN(6))
			message := fmt.Sprintf("message=m%d", m)
			end := []string{"", " failed=NoResponse"}[random.IntN(2)] + []string{"", fmt.Sprintf(" by=w%d", random.IntN(3))}[random.IntN(2)]
			switch random.IntN(8) {
			case 0:
				fmt.Fprintf(&b, "send %s - %s\n", span, message)
			case 1, 2, 3:
				count := []string{"", fmt.Sprintf(" count=%d", 1+random.IntN(4))}[min(1, random.IntN(5))]
				queue := []string{"", "", "", " queue=dead source=orders"}[random.IntN(4)]
				fmt.Fprintf(&b, "receive %s %s %s%s%s\n", span, handle, message, count, queue)
			case 4, 5:
				fmt.Fprintf(&b, "change %s %s %s to=%d%s\n", span, handle, message, 15*random.IntN(3), end)
			default:
				fmt.Fprintf(&b, "delete %s %s %s%s\n", span, handle, message, end)
			}
		}
	}
	return eventLines(t, b.String())
}

// all keeps a copy of every message and its sum.
func all(l *trace.Log) (messages []string, sum string) {
	t := trace.NewTally()
	for m := range l.Messages(trace.Selection{}) {
		t.Add(m)
		messages = append(messages, fmt.Sprintf("%s %s %s %+v %+v", m.ID, m.Queue, tell(m), m.Sends, m.Unmatched))
	}
	deletes, others := l.Orphans(trace.Selection{})
	sum = fmt.Sprintf("%+v %v %d %d", t.Counts, t.Holds(), deletes, others)
	for _, q := range t.Sorted() {
		sum += fmt.Sprintf("; %+v", *q)
	}
	return messages, sum
}

func TestShufflingChangesNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		lines := randomLog(t, random)
		messages, sum := all(readLines(t, lines))
		// A log that was shipped twice says the same, but for that.
		for _, again := range [][]string{lines, slices.Concat(lines, lines)} {
			shuffled := slices.Clone(again)
			random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
			gotMessages, gotSum := all(readLines(t, shuffled))
			if !reflect.DeepEqual(messages, gotMessages) {
				t.Fatalf("of\n%s\n\ngot  %s\nwant %s", strings.Join(shuffled, "\n"), strings.Join(gotMessages, "\n     "), strings.Join(messages, "\n     "))
			}
			if len(again) == len(lines) && sum != gotSum {
				t.Fatalf("of\n%s\n\ngot  %s\nwant %s", strings.Join(shuffled, "\n"), gotSum, sum)
			}
		}
	}
}

// Every receive is in exactly one delivery, every expiry between two of them
// with rising counts, and its window is one.
func TestDeliveriesArePartitions(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		lines := randomLog(t, random)
		received := map[string]int{}
		for _, line := range lines {
			if strings.Contains(line, `"op":"receive"`) {
				received[between(line, `"message":"`, `"`)+" "+between(line, `"delivery":"`, `"`)]++
			}
		}
		for m := range readLines(t, lines).Messages(trace.Selection{}) {
			for i := range m.Deliveries {
				key := m.ID + " " + m.Deliveries[i].ID
				if received[key] == 0 {
					t.Fatalf("delivery %s of no receive, or told twice, in\n%s", key, strings.Join(lines, "\n"))
				}
				delete(received, key)
			}
			for _, e := range m.Expiries {
				after, before := m.Deliveries[e.After], m.Deliveries[e.Before]
				if after.Count >= before.Count || trace.QueueName(after.Queue) != trace.QueueName(before.Queue) || e.To.Before(e.From) {
					t.Fatalf("expiry %+v between %+v and %+v", e, after, before)
				}
			}
			if (m.Pattern != trace.NoPattern) != slices.ContainsFunc(m.Expiries, func(e trace.Expiry) bool { return e.Pattern != trace.NoPattern }) {
				t.Fatalf("pattern %s with expiries %+v", m.Pattern, m.Expiries)
			}
		}
		if len(received) > 0 {
			t.Fatalf("receives in no delivery: %v, in\n%s", received, strings.Join(lines, "\n"))
		}
	}
}

func between(s, open, end string) string {
	_, rest, _ := strings.Cut(s, open)
	text, _, _ := strings.Cut(rest, end)
	return text
}
