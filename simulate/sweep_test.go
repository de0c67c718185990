package simulate

import (
	"context"
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
