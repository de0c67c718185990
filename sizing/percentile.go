package sizing

import (
	"math"
	"time"
)

// Confidence of the upper bounds of percentiles.
const Confidence = 0.95

// NearestRank is the rank (from 1) of a percentile among n sorted samples:
// ceil(percentile/100 × n).
func NearestRank(n int, percentile float64) int {
	// The small slack undoes the error of percentile/100 in binary: 99.9 % of
	// 1,000 is rank 999, not 1,000.
	r := int(math.Ceil(percentile/100*float64(n) - 1e-9*float64(n)))
	return min(n, max(1, r))
}

// Percentile is the nearest-rank percentile of samples sorted in ascending
// order. There must be at least one.
func Percentile(sorted []time.Duration, percentile float64) time.Duration {
	return sorted[NearestRank(len(sorted), percentile)-1]
}

// UpperBoundRank is the rank (from 1) of the sample that is a 95 % upper
// confidence bound of the percentile, by order statistics, with no assumption
// on the distribution. There is none with too few samples.
func UpperBoundRank(n int, percentile float64) (rank int, ok bool) {
	if n < 1 || percentile <= 0 || percentile >= 100 || n < SamplesNeeded(percentile) {
		return 0, false
	}
	p := percentile / 100
	// The smallest r with P(Binomial(n, p) ≤ r − 1) ≥ 0.95.
	lo, hi := 1, n
	for lo < hi {
		r := (lo + hi) / 2
		if binomialCDF(r-1, n, p) >= Confidence {
			hi = r
		} else {
			lo = r + 1
		}
	}
	return lo, true
}

// SamplesNeeded is the smallest number of samples that has a 95 % upper bound
// for the percentile: 299 for p99.
func SamplesNeeded(percentile float64) int {
	return int(math.Ceil(math.Log(1-Confidence) / math.Log(percentile/100)))
}

// binomialCDF is P(Binomial(n, p) ≤ k), by the regularized incomplete beta
// function: I(1−p; n−k, k+1).
func binomialCDF(k, n int, p float64) float64 {
	switch {
	case k < 0:
		return 0
	case k >= n:
		return 1
	}
	return betaInc(float64(n-k), float64(k+1), 1-p)
}

// betaInc is the regularized incomplete beta function, by its continued
// fraction (Lentz), which converges fast on the side of the mean chosen here.
func betaInc(a, b, x float64) float64 {
	if x <= 0 {
		return 0
	}
	if x >= 1 {
		return 1
	}
	if x > (a+1)/(a+b+2) {
		return 1 - betaInc(b, a, 1-x)
	}
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	front := math.Exp(lab-la-lb+a*math.Log(x)+b*math.Log1p(-x)) / a
	const tiny, eps, most = 1e-300, 1e-14, 100_000
	c, d := 1.0, 1-(a+b)*x/(a+1)
	d = 1 / nonzero(d, tiny)
	f := d
	for m := 1.0; m < most; m++ {
		num := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		d = 1 / nonzero(1+num*d, tiny)
		c = nonzero(1+num/c, tiny)
		f *= d * c
		num = -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		d = 1 / nonzero(1+num*d, tiny)
		c = nonzero(1+num/c, tiny)
		delta := d * c
		f *= delta
		if math.Abs(delta-1) < eps {
			break
		}
	}
	return front * f
}

func nonzero(x, tiny float64) float64 {
	if math.Abs(x) < tiny {
		return tiny
	}
	return x
}
