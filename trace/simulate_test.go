package trace_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"vtsize/simulate"
	"vtsize/trace"
)

// A replay knows what really happened; its log, without what no consumer can
// see, must lead to the same.
func TestDiagnosesWhatWasSimulated(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	// Whole milliseconds and some more, so that no two things happen at once.
	ms := func(from, to int) time.Duration {
		return time.Duration(from+random.IntN(to-from))*time.Millisecond + time.Duration(random.IntN(999))*time.Microsecond
	}
	seen := map[trace.Reason]int{}
	for range 300 {
		in := simulate.ReplayInput{VisibilityTimeout: ms(5_000, 40_000), Step: ms(1_000, 120_000), MaxReceiveCount: random.IntN(5), FIFO: random.IntN(4) == 0}
		if random.IntN(2) == 0 {
			in.Heartbeat = simulate.Heartbeat{Interval: ms(1_000, 30_000), Extension: time.Duration(3+random.IntN(60)) * time.Second}
			in.LoseBeats = []int{1 + random.IntN(3)}
		}
		if random.IntN(2) == 0 {
			in.CrashAfter = ms(500, 60_000)
		}
		if in.MaxReceiveCount == 0 && in.Heartbeat.Interval == 0 && in.Step > in.VisibilityTimeout {
			in.MaxReceiveCount = 3 // or it would come for days
		}
		if err := in.Validate(); err != nil {
			t.Fatalf("%+v: %v", in, err)
		}
		truth := simulate.Replay(in)
		if len(truth.Events) > 2000 {
			continue
		}
		lines, wants := logOf(truth)
		var got []string
		m := one(t, strings.Join(lines, "\n"))
		for _, e := range m.Expiries {
			seen[e.Reason]++
			got = append(got, fmt.Sprintf("%s %s", m.Deliveries[e.After].ID, e.Reason))
			if !e.OrderKnown && !in.FIFO {
				t.Errorf("an order is unknown that the log tells:\n%s", strings.Join(lines, "\n"))
			}
		}
		if strings.Join(got, "; ") != strings.Join(wants, "; ") || m.NotObserved > 0 || m.Duplicates > 0 {
			t.Fatalf("%+v:\n%s\ngot  %v\nwant %v", in, strings.Join(lines, "\n"), got, wants)
		}
		if m.DeadLettered != (truth.DeadLetteredAt != nil) || m.FalseDeadLetter != truth.FalseDeadLetter() {
			t.Fatalf("%+v:\n%s\ndead-lettered %v, false %v", in, strings.Join(lines, "\n"), m.DeadLettered, m.FalseDeadLetter)
		}
	}
	for _, reason := range []trace.Reason{trace.LastChanged, trace.DeleteTooLate, trace.Expired} {
		if seen[reason] == 0 {
			t.Errorf("no expiry for the reason %s was simulated", reason)
		}
	}
}

// logOf is what the consumers of a replay would have logged, in the short form,
// and the expiries that have to be found.
func logOf(r simulate.ReplayResult) (lines, expiries []string) {
	extended, accepted := map[int]bool{}, map[int]bool{}
	var ended []int // receipts whose timeout ran out and that were followed by another receive
	for _, e := range r.Events {
		add := func(form string, args ...any) {
			at := e.At.Seconds()
			lines = append(lines, fmt.Sprintf(form, append([]any{at, at + 1e-6, e.Receipt}, args...)...))
		}
		refused := ""
		if r.Input.FIFO {
			refused = " failed=InvalidParameterValue"
		}
		switch e.Kind {
		case simulate.Received:
			if e.Receipt > 1 {
				ended = append(ended, e.Receipt-1)
			}
			add("receive %.6f-%.6f r%d count=%d", e.Receipt)
		case simulate.Extended:
			extended[e.Receipt] = true
			add("change %.6f-%.6f r%d to=%d", int(r.Input.ExtendTo().Seconds()))
		case simulate.ExtendStale, simulate.ExtendRefused:
			add("change %.6f-%.6f r%d to=%d failed=InvalidParameterValue", int(r.Input.ExtendTo().Seconds()))
		case simulate.Deleted:
			add("delete %.6f-%.6f r%d")
		case simulate.DeleteStale:
			accepted[e.Receipt] = !r.Input.FIFO
			add("delete %.6f-%.6f r%d%s", refused)
		case simulate.DeadLettered:
			add("receive %.6f-%.6f dead%d count=99 queue=dead source=orders")
		}
	}
	for _, receipt := range ended {
		reason := trace.Expired
		switch {
		case extended[receipt]:
			reason = trace.LastChanged
		case accepted[receipt]:
			reason = trace.DeleteTooLate
		}
		expiries = append(expiries, fmt.Sprintf("r%d %s", receipt, reason))
	}
	return lines, expiries
}
