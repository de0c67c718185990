package sizing

import "math"

// ShareBound is the 95 % upper confidence bound of a share, of which seen in n
// samples were of the kind (Clopper and Pearson): the largest share under
// which so few would be seen with a probability of 5 %. Seen need not be
// whole, as where the share was calculated. Without samples it is 1.
//
// https://doi.org/10.1093/biomet/26.4.404
func ShareBound(seen float64, n int) float64 {
	if n < 1 || seen >= float64(n) {
		return 1
	}
	seen = max(seen, 0)
	lo, hi := seen/float64(n), 1.0
	for range 200 {
		p := (lo + hi) / 2
		if p <= lo || p >= hi {
			break // as near as numbers come
		}
		// P(Binomial(n, p) ≤ seen) falls as p rises.
		if betaInc(float64(n)-seen, seen+1, 1-p) > 1-Confidence {
			lo = p
		} else {
			hi = p
		}
		if hi-lo <= 1e-12*hi {
			break
		}
	}
	return hi
}

// SeenWithin is the largest whole number that may be seen in n samples so that
// [ShareBound] is at most share; there is none with too few samples.
func SeenWithin(share float64, n int) (seen int, ok bool) {
	if ShareBound(0, n) > share {
		return 0, false
	}
	lo, hi := 0, n // lo is within, hi is not, unless every share is
	if share >= 1 {
		return n, true
	}
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; ShareBound(float64(mid), n) <= share {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo, true
}

// SamplesToShow is the smallest number of samples, none of them of the kind,
// whose [ShareBound] is at most share: 29,956 for 1e-4.
func SamplesToShow(share float64) int {
	return int(math.Ceil(math.Log(1-Confidence) / math.Log1p(-share)))
}
