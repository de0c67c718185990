package simulate

import (
	"context"
	"math"
	"reflect"
	"testing"
	"time"
)

func TestBetween(t *testing.T) {
	d, _ := DialNamed("visibility-timeout")
	got, err := d.Between(30, 480, 5, 54, 1000)
	if want := []float64{30, 54, 60, 120, 240, 480}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
	got, _ = d.Between(0, 4, 10)
	if want := []float64{0, 1, 2, 3, 4}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for name, c := range map[string]struct {
		from, to float64
		n        int
	}{
		"swapped": {60, 30, 5}, "the same": {30, 30, 5}, "a million points": {30, 60, 1_000_000}, "one point": {30, 60, 1}, "past twelve hours": {30, 43_201, 5}, "negative": {-1, 5, 5},
	} {
		if values, err := d.Between(c.from, c.to, c.n); err == nil {
			t.Errorf("%s: %v", name, values)
		}
	}
}

// A point of a sweep is the same simulation as one alone.
func TestSweepPointsAreFleets(t *testing.T) {
	in := hard()
	in.For, in.Replications, in.Rate, in.Batch.Prefetch = time.Hour, 2, 10, 0
	for _, d := range Dials {
		values := []float64{2, 3}
		r := Sweep(context.Background(), in, d, values)
		for i, x := range values {
			alone := in
			d.Set(&alone, x)
			if want := Fleet(context.Background(), alone); !reflect.DeepEqual(r.Results[i].Runs, want.Runs) {
				t.Errorf("%s = %v differs within a sweep", d.Name, x)
			}
		}
		if reflect.DeepEqual(r.Results[0].Runs, r.Results[1].Runs) {
			t.Errorf("%s turns nothing", d.Name)
		}
	}
}

func TestRecommended(t *testing.T) {
	in := quiet()
	in.Latency, in.Rate, in.Consumers = mustLognormal(t, 12*second, 45*second), 40, 900
	get := func(name string) float64 {
		d, _ := DialNamed(name)
		value, why, ok := in.Recommended(d)
		if ok != (why != "") {
			t.Errorf("%s: %v, %q", name, ok, why)
		}
		return value
	}
	if got := get("visibility-timeout"); got != 60 { // 1.2 × 45 = 54
		t.Errorf("timeout %v", got)
	}
	if got := get("consumers"); got != math.Ceil(40*in.Latency.Mean().Seconds()/0.8) {
		t.Errorf("consumers %v", got)
	}
	in.Retry = Retry{FailureRate: 0.5, Attempts: 3, Waits: []time.Duration{2 * second, 4 * second}}
	if got := get("visibility-timeout"); got != 180 { // 1.2 × (3 × 45 + 6) = 169.2
		t.Errorf("timeout with retries %v", got)
	}
	in.Batch.Size = 10
	if got := get("visibility-timeout"); got != 1800 { // 1.2 × 1,410 = 1,692
		t.Errorf("timeout with batches %v", got)
	}
	in.Heartbeat, in.BeatFromHold, in.VisibilityTimeout = Heartbeat{Interval: 10 * second}, true, 30*second
	if got := get("visibility-timeout"); got != 40 { // 31
		t.Errorf("timeout with beats %v", got)
	}
	if got := get("heartbeat"); got != 9 {
		t.Errorf("heartbeat %v", got)
	}
	if got := get("batch"); got != 0 {
		t.Errorf("batch %v", got)
	}
}
