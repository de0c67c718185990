package sizing

import (
	"math"
	"time"
)

// TimeToDeadLetter is about how long a message that always fails takes until
// it moves to the dead-letter queue.
func TimeToDeadLetter(maxReceiveCount int, timeout time.Duration) time.Duration {
	return Times(timeout, maxReceiveCount)
}

// Deliveries is how often a message of the given hold is delivered at least,
// where nothing extends its timeout.
func Deliveries(hold, timeout time.Duration) int {
	if timeout <= 0 {
		return math.MaxInt32
	}
	return max(1, int((hold+timeout-1)/timeout))
}

// MeanHold is the mean time from receive to delete of messages that are held
// together and worked on in rounds, each deleted when it is done.
func MeanHold(countdown, meanStep time.Duration, multiplier int) time.Duration {
	return Sum(countdown, Scale(meanStep, int64(multiplier)+1, 2))
}

// InFlightExpected is the number of messages in flight in ordinary running:
// rate × mean hold (Little's law), and no more than the consumers can hold
// where that is known (held > 0).
func InFlightExpected(rate float64, meanHold time.Duration, held int) float64 {
	n := rate * meanHold.Seconds()
	if held > 0 {
		n = math.Min(n, float64(held))
	}
	return n
}

// InFlightWorst is the number of messages in flight when every consumer dies
// at each message: rate × timeout, with no cap.
func InFlightWorst(rate float64, timeout time.Duration) float64 { return rate * timeout.Seconds() }

// Load is the share of the consumers' capacity that the arrivals take: rate ×
// mean step / slots. At 1 the queue grows without end.
func Load(rate float64, meanStep time.Duration, slots int) float64 {
	if slots <= 0 {
		return math.Inf(1)
	}
	return rate * meanStep.Seconds() / float64(slots)
}
