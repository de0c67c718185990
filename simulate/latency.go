package simulate

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"vtsize/sizing"
)

// Latency is how long one attempt at a message's work takes, as a
// distribution. The zero value is none.
type Latency struct {
	shape   shape
	base    time.Duration   // constant: the value; exponential: the mean
	points  [2]Point        // lognormal: the percentiles it goes through
	mu      float64         // lognormal: of the logarithm of nanoseconds
	sigma   float64         // lognormal
	samples []time.Duration // empirical, in ascending order
}

type shape int

const (
	noLatency shape = iota
	constantShape
	exponentialShape
	lognormalShape
	empiricalShape
)

// longestWork is where a drawn duration ends: no message lives longer.
const longestWork = sizing.MaxRetention

// Constant is always d.
func Constant(d time.Duration) Latency { return Latency{shape: constantShape, base: d} }

// Exponential has the given mean.
func Exponential(mean time.Duration) Latency { return Latency{shape: exponentialShape, base: mean} }

// Point is one percentile of a latency, as p99 = 45 s.
type Point struct {
	Percentile float64 // above 0, below 100
	At         time.Duration
}

// Lognormal is the lognormal distribution through two percentiles: the usual
// shape of remote calls, with a long tail on one side.
func Lognormal(a, b Point) (Latency, error) {
	if a.Percentile > b.Percentile {
		a, b = b, a
	}
	switch {
	case a.Percentile <= 0 || b.Percentile >= 100 || a.Percentile == b.Percentile:
		return Latency{}, errors.New("a lognormal latency needs two different percentiles between 0 and 100, as p50=12s,p99=45s")
	case a.At <= 0 || b.At <= a.At:
		return Latency{}, fmt.Errorf("p%v of %s is not above p%v of %s; the higher percentile takes longer", b.Percentile, sizing.Seconds(b.At), a.Percentile, sizing.Seconds(a.At))
	}
	za, zb := normalQuantile(a.Percentile/100), normalQuantile(b.Percentile/100)
	la, lb := math.Log(float64(a.At)), math.Log(float64(b.At))
	sigma := (lb - la) / (zb - za)
	return Latency{shape: lognormalShape, points: [2]Point{a, b}, mu: la - sigma*za, sigma: sigma}, nil
}

// Empirical draws from measured samples, each as likely as the others.
func Empirical(samples []time.Duration) (Latency, error) {
	if len(samples) == 0 {
		return Latency{}, errors.New("no samples to draw latencies from; give a file that has some")
	}
	sorted := slices.Clone(samples)
	slices.Sort(sorted)
	if sorted[0] < 0 {
		return Latency{}, fmt.Errorf("a latency of %s is negative; give a file of durations", sizing.Seconds(sorted[0]))
	}
	return Latency{shape: empiricalShape, samples: sorted}, nil
}

// Spec writes the latency as --latency takes it. One drawn from samples has no
// such form.
func (l Latency) Spec() (spec string, ok bool) {
	switch l.shape {
	case constantShape:
		return "constant=" + Flag(l.base), true
	case exponentialShape:
		return "exponential=" + Flag(l.base), true
	case lognormalShape:
		return fmt.Sprintf("p%v=%s,p%v=%s", l.points[0].Percentile, Flag(l.points[0].At), l.points[1].Percentile, Flag(l.points[1].At)), true
	}
	return "", false
}

// Flag writes a duration as the command line takes it, in seconds, exactly.
func Flag(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + "s"
}

// IsZero reports whether there is no latency.
func (l Latency) IsZero() bool { return l.shape == noLatency }

// Mean is the expected duration.
func (l Latency) Mean() time.Duration {
	switch l.shape {
	case lognormalShape:
		return clamp(math.Exp(l.mu + l.sigma*l.sigma/2))
	case empiricalShape:
		sum := 0.0
		for _, s := range l.samples {
			sum += float64(s)
		}
		return clamp(sum / float64(len(l.samples)))
	}
	return l.base
}

// Quantile is the duration that a share p of all stays within, 0 < p < 1.
func (l Latency) Quantile(p float64) time.Duration {
	switch l.shape {
	case exponentialShape:
		return clamp(-math.Log1p(-p) * float64(l.base))
	case lognormalShape:
		return clamp(math.Exp(l.mu + l.sigma*normalQuantile(p)))
	case empiricalShape:
		return sizing.Percentile(l.samples, 100*p)
	}
	return l.base
}

// String says what is drawn from.
func (l Latency) String() string {
	switch l.shape {
	case constantShape:
		return "always " + sizing.Seconds(l.base)
	case exponentialShape:
		return "exponential, mean " + sizing.Seconds(l.base)
	case lognormalShape:
		return fmt.Sprintf("lognormal, p%v %s, p%v %s", l.points[0].Percentile, sizing.Seconds(l.points[0].At), l.points[1].Percentile, sizing.Seconds(l.points[1].At))
	case empiricalShape:
		return fmt.Sprintf("drawn from %s samples, p50 %s, p99 %s", sizing.Number(float64(len(l.samples))), sizing.Seconds(l.Quantile(0.5)), sizing.Seconds(l.Quantile(0.99)))
	}
	return "none"
}

func (l *Latency) draw(r *rand.Rand) int64 {
	switch l.shape {
	case exponentialShape:
		return int64(clamp(r.ExpFloat64() * float64(l.base)))
	case lognormalShape:
		return int64(clamp(math.Exp(l.mu + l.sigma*r.NormFloat64())))
	case empiricalShape:
		return int64(l.samples[r.IntN(len(l.samples))])
	}
	return int64(l.base)
}

func clamp(ns float64) time.Duration {
	if ns >= float64(longestWork) {
		return longestWork
	}
	return time.Duration(ns)
}

func normalQuantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }
