package sizing

import (
	"math"
	"testing"
)

func TestShareBound(t *testing.T) {
	near := func(got, want float64) bool { return math.Abs(got-want) <= 1e-9*want }
	for _, n := range []int{1, 2, 10, 299, 2_000, 1_000_000} {
		// With k = 0, n - 1 and n the binomial sum has one term or all but one.
		for _, c := range []struct{ seen, want float64 }{
			{0, -math.Expm1(math.Log(0.05) / float64(n))},
			{float64(n - 1), math.Pow(0.95, 1/float64(n))},
			{float64(n), 1},
		} {
			if got := ShareBound(c.seen, n); !near(got, c.want) {
				t.Errorf("%v of %d: %v, want %v", c.seen, n, got, c.want)
			}
		}
	}
	for _, c := range []struct {
		seen float64
		n    int
	}{{1, 10}, {3, 50}, {20, 2_000}, {190, 200}} {
		p := ShareBound(c.seen, c.n)
		sum := 0.0
		for k := 0.0; k <= c.seen; k++ {
			a, _ := math.Lgamma(float64(c.n) + 1)
			b, _ := math.Lgamma(k + 1)
			d, _ := math.Lgamma(float64(c.n) - k + 1)
			sum += math.Exp(a - b - d + k*math.Log(p) + (float64(c.n)-k)*math.Log1p(-p))
		}
		if math.Abs(sum-0.05) > 1e-9 {
			t.Errorf("%v of %d: so few are seen with %v, want 0.05", c.seen, c.n, sum)
		}
	}
	// The upper end of the two-sided 90 % interval of Clopper and Pearson's tables.
	if got := ShareBound(1, 10); math.Abs(got-0.394163) > 1e-6 {
		t.Errorf("1 of 10: %v", got)
	}
	if ShareBound(0, 0) != 1 || ShareBound(-1, 10) != ShareBound(0, 10) {
		t.Error("nothing seen")
	}
}

// Between whole numbers the bound rises all the way.
func TestShareBoundRises(t *testing.T) {
	last := 0.0
	for seen := 0.0; seen < 50; seen += 0.1 {
		p := ShareBound(seen, 50)
		if p < last {
			t.Fatalf("%v of 50: %v after %v", seen, p, last)
		}
		last = p
	}
}

func TestSeenWithin(t *testing.T) {
	for _, n := range []int{1, 30, 299, 2_995, 29_956, 400_000} {
		for _, share := range []float64{1e-5, 1e-4, 1e-3, 0.01, 0.2, 0.99, 1} {
			k, ok := SeenWithin(share, n)
			if ok != (n >= SamplesToShow(share)) {
				t.Errorf("%v in %d: %v, though %d samples are needed", share, n, ok, SamplesToShow(share))
			}
			if !ok {
				continue
			}
			if ShareBound(float64(k), n) > share || k < n && ShareBound(float64(k+1), n) <= share {
				t.Errorf("%v in %d: %d", share, n, k)
			}
		}
	}
}

// The bound of a percentile by order statistics and that of the share above it
// are the same statement.
func TestShareBoundAgreesWithOrderStatistics(t *testing.T) {
	for _, n := range []int{299, 1_000, 24_621} {
		for _, percentile := range []float64{50, 90, 99} {
			rank, ok := UpperBoundRank(n, percentile)
			k, showable := SeenWithin(1-percentile/100, n)
			if !ok || !showable || n-rank != k {
				t.Errorf("p%v of %d: rank %d, but %d may be above it", percentile, n, rank, k)
			}
		}
	}
}
