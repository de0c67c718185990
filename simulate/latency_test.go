package simulate

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"
)

func latencies(t *testing.T) map[string]Latency {
	t.Helper()
	empirical, err := Empirical([]time.Duration{3 * second, second, 2 * second, 10 * second})
	if err != nil {
		t.Fatal(err)
	}
	return map[string]Latency{"constant": Constant(45 * second), "exponential": Exponential(12 * second), "lognormal": mustLognormal(t, 12*second, 45*second), "empirical": empirical}
}

// exceeds is the probability of lasting as long as d or longer.
func (l Latency) exceeds(d time.Duration) float64 {
	switch l.shape {
	case exponentialShape:
		return math.Exp(-float64(d) / float64(l.base))
	case lognormalShape:
		return math.Erfc((math.Log(float64(d))-l.mu)/l.sigma/math.Sqrt2) / 2
	case empiricalShape:
		below, _ := slices.BinarySearch(l.samples, d)
		return 1 - float64(below)/float64(len(l.samples))
	}
	if l.base >= d {
		return 1
	}
	return 0
}

// What is drawn has the mean, the quantiles and the tail that are told.
func TestLatencyDraws(t *testing.T) {
	for name, l := range latencies(t) {
		r := rand.New(rand.NewPCG(1, 2))
		const n = 200_000
		draws := make([]time.Duration, n)
		sum, beyond := 0.0, 0
		for i := range draws {
			draws[i] = time.Duration(l.draw(r))
			sum += draws[i].Seconds()
			if draws[i] >= 10*second {
				beyond++
			}
		}
		slices.Sort(draws)
		if got, want := sum/n, l.Mean().Seconds(); math.Abs(got-want) > 0.02*want {
			t.Errorf("%s: mean %v, want %v", name, got, want)
		}
		for _, p := range []float64{0.1, 0.6, 0.99} {
			if got, want := draws[int(p*n)].Seconds(), l.Quantile(p).Seconds(); math.Abs(got-want) > 0.03*want {
				t.Errorf("%s: quantile %v is %v, want %v", name, p, got, want)
			}
		}
		if got, want := float64(beyond)/n, l.exceeds(10*second); math.Abs(got-want) > 0.01 {
			t.Errorf("%s: %v last 10 s or longer, want %v", name, got, want)
		}
	}
}

func TestLognormalGoesThroughItsPercentiles(t *testing.T) {
	l := mustLognormal(t, 12*second, 45*second)
	for p, want := range map[float64]float64{0.5: 12, 0.99: 45} {
		if got := l.Quantile(p).Seconds(); math.Abs(got-want) > 1e-6 {
			t.Errorf("quantile %v is %v, want %v", p, got, want)
		}
	}
	for _, points := range [][2]Point{{{50, second}, {50, 2 * second}}, {{50, 2 * second}, {99, second}}, {{0, second}, {99, 2 * second}}, {{50, 0}, {99, second}}} {
		if _, err := Lognormal(points[0], points[1]); err == nil {
			t.Errorf("%v accepted", points)
		}
	}
	if _, err := Empirical(nil); err == nil {
		t.Error("no samples accepted")
	}
	if _, err := Empirical([]time.Duration{-1}); err == nil {
		t.Error("a negative sample accepted")
	}
}

func TestLatencyJSON(t *testing.T) {
	for name, l := range latencies(t) {
		b, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		var back Latency
		if err := json.Unmarshal(b, &back); err != nil || !reflect.DeepEqual(l, back) {
			t.Errorf("%s: %s becomes %v, %v", name, b, back, err)
		}
	}
	for _, bad := range []string{"{}", "[]", `{"points":[]}`} {
		if err := json.Unmarshal([]byte(bad), new(Latency)); err == nil {
			t.Errorf("%s accepted", bad)
		}
	}
}
