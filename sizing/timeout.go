package sizing

import "time"

// Margin is what a timeout is set above the floor: 1.2 ×, as a fraction.
const (
	MarginNum = 6
	MarginDen = 5
)

// inFlightWatch is the in-flight number from which the smallest recommended
// timeout goes down from 30 s to 10 s: 80 % of the quota.
const inFlightWatch = InFlightQuota * 80 / 100

// RoundUp rounds a duration up to a number that people would set: up to 1 min
// to a multiple of 10 s, up to 10 min of 60 s, up to 1 h of 300 s, above of
// 900 s. It is at least 30 s, or at least 10 s where rate (messages per
// second) × 30 s alone would come near the in-flight quota.
func RoundUp(d time.Duration, rate float64) time.Duration {
	least := 30 * time.Second
	if rate*least.Seconds() > inFlightWatch {
		least = 10 * time.Second
	}
	d = max(d, least)
	var step time.Duration
	switch {
	case d <= time.Minute:
		step = 10 * time.Second
	case d <= 10*time.Minute:
		step = time.Minute
	case d <= time.Hour:
		step = 5 * time.Minute
	default:
		step = 15 * time.Minute
	}
	return (d + step - 1) / step * step
}

// WithMargin is 1.2 × d.
func WithMargin(d time.Duration) time.Duration { return Scale(d, MarginNum, MarginDen) }

// VisibilityTimeout is the recommended timeout for a floor:
// min(43,200 s, round_up(1.2 × floor)). Rate is in messages per second.
func VisibilityTimeout(floor time.Duration, rate float64) time.Duration {
	return min(MaxVisibilityTimeout, RoundUp(WithMargin(floor), rate))
}

// LambdaSixTimes is what AWS advises for a mapping: six times the function
// timeout, plus the batching window.
func LambdaSixTimes(function, window time.Duration) time.Duration {
	return Sum(Times(function, LambdaTimeoutFactor), window)
}

// LambdaTimeout is the recommended timeout of a queue behind a function: six
// times the function timeout plus the window, and never below what the window
// and the function can take. Above 900 s (Managed Instances) six times would
// hide a failed batch for hours: there it is round_up(1.2 × (function timeout
// + window)).
func LambdaTimeout(function, window time.Duration) time.Duration {
	least := Sum(function, WindowWait(window))
	if function > LambdaMaxTimeout {
		return min(MaxVisibilityTimeout, max(least, RoundUp(WithMargin(Sum(function, window)), 0)))
	}
	return min(MaxVisibilityTimeout, max(least, LambdaSixTimes(function, window)))
}
