package sizing

import (
	"math"
	"time"
)

// Forever is where products of durations stop growing: a century, beyond any
// limit of SQS and far from overflowing.
const Forever = 100 * 365 * 24 * time.Hour

// Times multiplies a duration by a count; the product ends at [Forever].
func Times(d time.Duration, n int) time.Duration {
	if d <= 0 || n <= 0 {
		return 0
	}
	if d > Forever/time.Duration(n) {
		return Forever
	}
	return d * time.Duration(n)
}

// Sum adds durations; the sum ends at [Forever].
func Sum(ds ...time.Duration) time.Duration {
	var sum time.Duration
	for _, d := range ds {
		if d > Forever-sum {
			return Forever
		}
		sum += d
	}
	return sum
}

// Scale multiplies a duration by a factor, rounding up to the nanosecond.
func Scale(d time.Duration, num, den int64) time.Duration {
	if d <= 0 {
		return 0
	}
	hi := float64(d) * float64(num) / float64(den)
	if hi > float64(Forever) {
		return Forever
	}
	if d > math.MaxInt64/time.Duration(num) {
		return time.Duration(hi)
	}
	return (d*time.Duration(num) + time.Duration(den) - 1) / time.Duration(den)
}

// Basis says what a latency was measured on, and so what multiplies it.
type Basis string

// The bases of a latency.
const (
	PerCall       Basis = "call"
	PerStep       Basis = "step"
	PerInvocation Basis = "invocation"
)

// Stage is one part of a step: calls of the same latency, with waits between
// the attempts.
type Stage struct {
	Name     string
	Latency  time.Duration   // of one attempt (or of the whole, see Basis), at the percentile sized for
	Attempts int             // 1 + retries
	Backoff  []time.Duration // Attempts - 1 waits
}

// Floor is attempts × latency + the waits. Only a latency per call is
// multiplied: in the others the attempts are contained.
func (s Stage) Floor(b Basis) time.Duration {
	if b != PerCall {
		return s.Latency
	}
	return Sum(Times(s.Latency, s.Attempts), Sum(s.Backoff...))
}

// MessageFloor is the time one message takes with every attempt used: the sum
// of its stages, the overhead and the write.
func MessageFloor(b Basis, stages []Stage, overhead, write time.Duration) time.Duration {
	sum := Sum(overhead, write)
	for _, s := range stages {
		sum = Sum(sum, s.Floor(b))
	}
	return sum
}

// Batch is how many messages a consumer holds, and how many of them it works
// on at once.
type Batch struct {
	Size        int  // messages received at once; 0 and 1 are one
	Prefetch    int  // messages held, running ones included; 0: no more than received
	Concurrency int  // messages worked on at once; 0: one, or all where Parallel
	Parallel    bool // all that are held run at once, unless Concurrency says less
	OneGroup    bool // one FIFO message group: serial whatever the concurrency
}

// Held is the number of messages held at once.
func (b Batch) Held() int { return max(1, b.Size, b.Prefetch) }

// Slots is the number of messages worked on at once.
func (b Batch) Slots() int {
	switch {
	case b.OneGroup:
		return 1
	case b.Concurrency > 0:
		return min(b.Concurrency, b.Held())
	case b.Parallel:
		return b.Held()
	}
	return 1
}

// Multiplier is the number of rounds until the last message held is done:
// ceil(held / slots).
func (b Batch) Multiplier() int {
	held, slots := b.Held(), b.Slots()
	return (held + slots - 1) / slots
}

// StartWait is how long the last message is held before work on it starts:
// countdown + (k − 1) × message floor.
func StartWait(countdown time.Duration, multiplier int, messageFloor time.Duration) time.Duration {
	return Sum(countdown, Times(messageFloor, multiplier-1))
}

// WindowWait is how long Lambda's poller may hold a message to fill a batch:
// nothing without a batching window, else the window, and 20 s where traffic
// is low.
func WindowWait(window time.Duration) time.Duration {
	if window <= 0 {
		return 0
	}
	return max(window, LambdaLowTrafficWait)
}
