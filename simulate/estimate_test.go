package simulate

import (
	"math"
	"testing"
	"time"
)

func TestNothingSeenHasAnUpperBound(t *testing.T) {
	in := quiet()
	in.Replications, in.For = 2, time.Hour
	r := fleetOf(t, in)
	want := 3 / float64(r.Runs[0].Sent+r.Runs[1].Sent)
	if e := estimate(t, r, "dead_letter_rate"); e.Mean != 0 || e.Low != 0 || e.High != want {
		t.Errorf("%+v, want up to %v", e, want)
	}
}

func TestEstimate(t *testing.T) {
	r := FleetResult{Runs: []Run{{Deleted: 1}, {Deleted: 3}}}
	m := Metric{Of: func(r *Run, _ *FleetInput) float64 { return float64(r.Deleted) }}
	if e := r.Estimate(m); e.Mean != 2 || math.Abs(e.High-14.706) > 1e-9 || math.Abs(e.Low+10.706) > 1e-9 || e.N != 2 {
		t.Errorf("%+v", e)
	}
	r.Runs = r.Runs[:1]
	if e := r.Estimate(m); e.Mean != 1 || e.HasInterval() {
		t.Errorf("%+v", e)
	}
}

func TestAveragesGoToTheEnd(t *testing.T) {
	in := quiet()
	in.Arrivals, in.Messages, in.Latency, in.For = Evenly, 1, Constant(100*second), 50*second
	if e := estimate(t, fleetOf(t, in), "in_flight_mean"); e.Mean != 1 {
		t.Errorf("%v in flight on average, want 1", e.Mean)
	}
}

func TestStudentT(t *testing.T) {
	// Student's t, 97.5 %: tables give 2.042 for 30, 2.009 for 50, 1.984 for 100.
	for freedom, want := range map[int]float64{1: 12.706, 4: 2.776, 30: 2.042, 50: 2.009, 100: 1.984} {
		if got := studentT(freedom); math.Abs(got-want) > 0.001 {
			t.Errorf("t of %d: %v, want %v", freedom, got, want)
		}
	}
}
