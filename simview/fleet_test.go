package simview

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"vtsize/simulate"
)

func busyFleet(t *testing.T) simulate.FleetInput {
	t.Helper()
	l, err := simulate.Lognormal(simulate.Point{Percentile: 50, At: 12 * second}, simulate.Point{Percentile: 99, At: 45 * second})
	if err != nil {
		t.Fatal(err)
	}
	return simulate.FleetInput{For: time.Hour, Rate: 4, Consumers: 100, Latency: l, VisibilityTimeout: 30 * second, MaxReceiveCount: 5, CrashRate: 0.2,
		Seed: 1, Replications: 3, Cost: simulate.Cost{PerHour: 2}}
}

func sweepOf(t *testing.T, in simulate.FleetInput, dial string, values ...float64) Sweep {
	t.Helper()
	d, ok := simulate.DialNamed(dial)
	if !ok {
		t.Fatalf("no dial %s", dial)
	}
	return Sweep{SweepResult: simulate.Sweep(context.Background(), in, d, values), Recommended: 60, Why: "1.2 × 45 s, rounded up"}
}

// narrow fails where a line is wider than a terminal.
func narrow(t *testing.T, text string) {
	t.Helper()
	for line := range strings.SplitSeq(text, "\n") {
		if n := utf8.RuneCountInString(line); n > textWidth {
			t.Errorf("a line of %d columns: %s", n, line)
		}
	}
}

func contains(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestFleetText(t *testing.T) {
	var b bytes.Buffer
	if err := FleetText(&b, simulate.Fleet(context.Background(), busyFleet(t))); err != nil {
		t.Fatal(err)
	}
	narrow(t, b.String())
	contains(t, b.String(), "4 messages/s to 100 consumers for 60 min", "95 % confidence", "seed 1", "messages with more than one effect", "cost of what is wasted")
}

func TestFleetTextOfNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var b bytes.Buffer
	if err := FleetText(&b, simulate.Fleet(ctx, busyFleet(t))); err != nil {
		t.Fatal(err)
	}
	contains(t, b.String(), "interrupted before anything was found")
}

func TestFleetJSON(t *testing.T) {
	in := busyFleet(t)
	in.CrashRate = 0
	r := simulate.Fleet(context.Background(), in)
	var b bytes.Buffer
	if err := FleetJSON(&b, r); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Schema  string
		Seed    int
		Metrics map[string]*struct {
			Mean float64
			Low  *float64 `json:"low_95"`
		}
		Totals map[string]int
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Schema != FleetSchema || got.Seed != 1 || len(got.Metrics) != len(simulate.Metrics) {
		t.Errorf("%+v", got)
	}
	if m := got.Metrics["duplicate_rate"]; m == nil || m.Mean <= 0 || m.Low == nil || *m.Low >= m.Mean {
		t.Errorf("duplicate_rate %+v", m)
	}
	if got.Metrics["recovery_mean_seconds"] != nil {
		t.Error("a recovery without a crash")
	}
	if got.Totals["sent"] != r.Runs[0].Sent+r.Runs[1].Sent+r.Runs[2].Sent {
		t.Errorf("totals %v", got.Totals)
	}
}

func TestSweep(t *testing.T) {
	s := sweepOf(t, busyFleet(t), "visibility-timeout", 15, 30, 60, 120, 600)
	var text, js, svg bytes.Buffer
	for _, err := range []error{SweepText(&text, s), SweepJSON(&js, s), SweepSVG(&svg, s)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	narrow(t, text.String())
	contains(t, text.String(), "60 s", "recommended", "▆", "1.2 × 45 s")
	contains(t, svg.String(), "recommended: 60 s", `class="curve one"`, `class="curve two"`, `class="range-one"`, "recovery after a crash")
	if err := xml.Unmarshal(svg.Bytes(), new(struct{})); err != nil {
		t.Error(err)
	}
	var got struct {
		Schema      string
		Recommended float64
		Points      []struct {
			Value       float64
			Recommended bool
			Metrics     map[string]json.RawMessage
		}
	}
	if err := json.Unmarshal(js.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Schema != SweepSchema || got.Recommended != 60 || len(got.Points) != 5 || !got.Points[2].Recommended || got.Points[1].Recommended || len(got.Points[0].Metrics) == 0 {
		t.Errorf("%+v", got)
	}
}

func TestSweepOfConsumersShowsTheQueue(t *testing.T) {
	var svg bytes.Buffer
	if err := SweepSVG(&svg, sweepOf(t, busyFleet(t), "consumers", 60, 80, 120)); err != nil {
		t.Fatal(err)
	}
	contains(t, svg.String(), "time in queue, p99")
}

// With an idempotency key there are no duplicates to weigh; what is left is
// work done in vain.
func TestSweepWithAKeyShowsTheExpiries(t *testing.T) {
	in := busyFleet(t)
	in.IdempotencyKey = true
	s := sweepOf(t, in, "visibility-timeout", 20, 60)
	var text, svg bytes.Buffer
	if err := SweepText(&text, s); err != nil {
		t.Fatal(err)
	}
	if err := SweepSVG(&svg, s); err != nil {
		t.Fatal(err)
	}
	contains(t, text.String(), "expiries", "▆")
	contains(t, svg.String(), "receives whose timeout ended")
}

func TestSignificant(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 5.3183: "5.318", 53.183: "53.18", 531.83: "531.8", 5318.3: "5,318", 0.0123: "0.012", 0.0001: "< 0.001", 1234567: "1,234,567"} {
		if got := significant(x); got != want {
			t.Errorf("significant(%v) = %q, want %q", x, got, want)
		}
	}
}
