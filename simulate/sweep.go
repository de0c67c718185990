package simulate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"vtsize/sizing"
)

// Dial is what a sweep turns.
type Dial struct {
	Name     string // as on the command line
	Duration bool   // its values are seconds; else they are whole numbers
	Least    float64
	Most     float64
	Set      func(*FleetInput, float64)
}

// Dials are what can be swept.
var Dials = []Dial{
	{"visibility-timeout", true, 0, sizing.MaxVisibilityTimeout.Seconds(), func(in *FleetInput, x float64) { in.VisibilityTimeout = inSeconds(x) }},
	{"heartbeat", true, 1, sizing.MaxVisibilityTimeout.Seconds(), func(in *FleetInput, x float64) { in.Heartbeat.Interval = inSeconds(x) }},
	{"consumers", false, 1, maxConsumers, func(in *FleetInput, x float64) { in.Consumers = int(x) }},
	{"batch", false, 1, maxHeld, func(in *FleetInput, x float64) { in.Batch.Size = int(x) }},
}

// DialNamed finds a dial by its name.
func DialNamed(name string) (Dial, bool) {
	for _, d := range Dials {
		if d.Name == name {
			return d, true
		}
	}
	return Dial{}, false
}

func inSeconds(x float64) time.Duration { return time.Duration(math.Round(x * float64(time.Second))) }

// SweepCrashRate is what a sweep assumes where nothing is said of crashes, in
// crashes of a consumer an hour: without any it could not show what a longer
// timeout costs.
const SweepCrashRate = 0.01

// MaxSweepPoints is the largest number of points of a sweep.
const MaxSweepPoints = 200

// Between gives n values from one end to the other, each the same factor above
// the one before, in whole seconds or numbers; the same value never twice.
// Extra values that lie between the ends are put in.
func (d Dial) Between(from, to float64, n int, extra ...float64) ([]float64, error) {
	switch {
	case n < 2 || n > MaxSweepPoints:
		return nil, fmt.Errorf("%d points are outside 2 to %d; 12 show a curve", n, MaxSweepPoints)
	case from > to:
		return nil, errors.New("the ends are swapped; the smaller one comes first")
	case from == to:
		return nil, errors.New("both ends are the same; leave the sweep out, or give two ends")
	case from < d.Least || to > d.Most:
		return nil, fmt.Errorf("%s goes from %s to %s", d.Name, sizing.Number(d.Least), sizing.Number(d.Most))
	}
	low := max(from, 1) // there is no factor from 0
	values := []float64{}
	if from < low {
		values = append(values, from)
	}
	for i := range n {
		values = append(values, math.Round(low*math.Pow(to/low, float64(i)/float64(n-1))))
	}
	for _, x := range extra {
		if x > from && x < to {
			values = append(values, x)
		}
	}
	slices.Sort(values)
	return slices.Compact(values), nil
}

// SweepResult is a series of simulations that differ in one value.
type SweepResult struct {
	Dial        Dial
	Values      []float64
	Results     []FleetResult // of each value
	Interrupted bool
}

// Sweep simulates the input once for each value of the dial. All of them share
// the seed, so the same messages come at the same times and take the same work:
// what differs is the dial's doing.
func Sweep(ctx context.Context, in FleetInput, d Dial, values []float64) SweepResult {
	ins := make([]FleetInput, len(values))
	for i, x := range values {
		ins[i] = in
		d.Set(&ins[i], x)
	}
	r := SweepResult{Dial: d, Values: values, Results: fleets(ctx, ins)}
	for _, one := range r.Results {
		r.Interrupted = r.Interrupted || one.Interrupted
	}
	return r
}
