package simulate

import (
	"fmt"
	"math"
	"time"

	"vtsize/sizing"
)

// Recommended is the value of a dial that package sizing recommends for the
// fleet, and how it is reached. It reports false where there is none.
func (in FleetInput) Recommended(d Dial) (value float64, why string, ok bool) {
	switch d.Name {
	case "visibility-timeout":
		t, why := in.recommendedTimeout()
		return t.Seconds(), why, true
	case "heartbeat":
		interval := sizing.Interval(in.ExtendTo())
		return interval.Seconds(), fmt.Sprintf("%s, less than a third of the extension of %s, so that two lost beats are survived",
			sizing.Seconds(interval), sizing.Seconds(in.ExtendTo())), true
	case "consumers":
		n := math.Ceil(in.Rate * in.meanStep().Seconds() / float64(in.Batch.Slots()) / mostLoad)
		return n, fmt.Sprintf("%s consumers are busy %.0f %% of the time where no work is done twice", sizing.Number(n), 100*mostLoad), true
	}
	return 0, "", false
}

// mostLoad is the share of their capacity from which queues grow long.
const mostLoad = 0.8

// meanStep is the mean work of one receive, retries included.
func (in FleetInput) meanStep() time.Duration {
	attempts, q := float64(max(1, in.Retry.Attempts)), in.Retry.FailureRate
	calls := attempts
	if q < 1 {
		calls = (1 - math.Pow(q, attempts)) / (1 - q)
	}
	return time.Duration(float64(in.Latency.Mean()) * calls)
}

// recommendedTimeout covers the whole hold at p99 with every attempt used or,
// under a heartbeat, the wait before the first beat and two lost ones.
func (in FleetInput) recommendedTimeout() (time.Duration, string) {
	stage := sizing.Stage{Latency: in.Latency.Quantile(0.99), Attempts: max(1, in.Retry.Attempts)}
	for n := range stage.Attempts - 1 {
		if waits := in.Retry.Waits; len(waits) > 0 {
			stage.Backoff = append(stage.Backoff, waits[min(n, len(waits)-1)])
		}
	}
	message := sizing.MessageFloor(sizing.PerCall, []sizing.Stage{stage}, 0, 0)
	wait := sizing.StartWait(0, in.Batch.Multiplier(), message)
	if interval := in.Heartbeat.Interval; interval > 0 {
		if in.BeatFromHold {
			wait = 0
		}
		t := min(sizing.MaxVisibilityTimeout, sizing.RoundUp(sizing.Sum(wait, sizing.Times(interval, 3), time.Second), in.Rate))
		return t, fmt.Sprintf("%s of waiting + 3 × %s between beats + 1 s, rounded up to %s", sizing.Seconds(wait), sizing.Seconds(interval), sizing.Seconds(t))
	}
	floor := sizing.Sum(wait, message)
	t := sizing.VisibilityTimeout(floor, in.Rate)
	return t, fmt.Sprintf("1.2 × %s that a message is held at p99, rounded up to %s", sizing.Seconds(floor.Round(time.Millisecond)), sizing.Seconds(t))
}
