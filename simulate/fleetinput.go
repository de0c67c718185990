package simulate

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"vtsize/sizing"
)

// Arrivals is the rhythm in which messages are sent.
type Arrivals string

// The rhythms; all have the same mean rate.
const (
	Poisson Arrivals = "poisson"  // independent of each other; the zero value's meaning
	Evenly  Arrivals = "constant" // one every 1/rate
	Bursts  Arrivals = "bursts"   // BurstSize at once, at independent moments
)

// Retry is how a client repeats an attempt that fails.
type Retry struct {
	FailureRate float64         // of one attempt, from 0 to 1
	Attempts    int             // 1 + retries; 0: 1
	Waits       []time.Duration // between attempts; the last one repeats
}

// Cost turns waste into money.
type Cost struct {
	PerHour float64 // of one message's work
	PerCall float64 // of one attempt
}

// FleetInput is a queue, what is sent to it, and all of its consumers.
type FleetInput struct {
	For      time.Duration // simulated, from an empty queue on
	Rate     float64       // messages a second
	Arrivals Arrivals
	Burst    int // messages of one burst
	Messages int // nothing is sent after so many; 0: no such end

	Consumers    int
	Batch        sizing.Batch
	Latency      Latency
	LoadFactor   float64 // work takes 1 + LoadFactor × (busy share of all slots) as long
	SlowMessages bool    // a message's work takes the same time at every receive; else each receive draws anew
	Retry        Retry
	StepDeadline time.Duration // 0: none
	Heartbeat    Heartbeat
	BeatFromHold bool          // beats start at the receive; else when the work starts
	BeatLoss     float64       // share of beats that never arrive
	BeatJitter   time.Duration // a beat comes up to this much later than the interval after the one before
	CrashRate    float64       // crashes of one consumer an hour
	Restart      time.Duration // until a crashed consumer polls again

	VisibilityTimeout time.Duration
	MaxReceiveCount   int           // 0: no dead-letter queue
	Retention         time.Duration // 0: 4 days
	Delay             time.Duration // of every message, before it can be received
	FIFO              bool
	Groups            int // FIFO message groups, equally busy
	InFlightQuota     int // 0: 120,000
	ShortPolling      bool
	IdempotencyKey    bool
	StaleDelete       StaleDelete

	Cost         Cost
	Seed         uint64
	Replications int // 0: 1
}

// Limits of a simulation. They keep a mistyped number from running for hours.
const (
	maxRate         = 1e6
	maxConsumers    = 5_000_000
	maxHeld         = 10_000
	maxReplications = 1000
	maxFor          = 366 * 24 * time.Hour
	maxGroups       = 5_000_000
)

// Validate reports the first value that no queue or fleet can have.
func (in FleetInput) Validate() error {
	switch {
	case !(in.Rate > 0 && in.Rate <= maxRate):
		return fmt.Errorf("rate %v/s is outside 0 to %s/s; give the messages sent a second, as 40/s", in.Rate, sizing.Number(maxRate))
	case in.For <= 0 || in.For > maxFor:
		return fmt.Errorf("a simulated time of %s is outside 0 to a year; give one within, as 24h", sizing.Seconds(in.For))
	case in.Consumers < 1 || in.Consumers > maxConsumers:
		return fmt.Errorf("%d consumers are outside 1 to %s; give how many poll the queue", in.Consumers, sizing.Number(maxConsumers))
	case in.Latency.IsZero() || in.Latency.Mean() <= 0:
		return errors.New("no latency; give the time of one message's work, as p50=12s,p99=45s or constant=45s")
	case in.Replications < 0 || in.Replications > maxReplications:
		return fmt.Errorf("%d replications are outside 1 to %d; 5 to 20 are usual", in.Replications, maxReplications)
	}
	return cmp.Or(in.validateConsumers(), in.Heartbeat.validate(), in.validateBeats(), in.validateQueue())
}

func (in FleetInput) validateConsumers() error {
	b := in.Batch
	switch {
	case b.Size < 0 || b.Prefetch < 0 || b.Concurrency < 0 || b.Held() > maxHeld:
		return fmt.Errorf("a consumer holding %d messages is outside 1 to %s; give a smaller batch or prefetch", b.Held(), sizing.Number(maxHeld))
	case b.Prefetch > 0 && b.Prefetch < b.Size:
		return fmt.Errorf("prefetch %d is below the batch of %d; a consumer holds at least what it receives at once", b.Prefetch, b.Size)
	case in.Burst < 0 || (in.Arrivals == Bursts) != (in.Burst > 0):
		return errors.New("bursts and a burst size belong together; give both, or neither")
	case in.Arrivals != "" && in.Arrivals != Poisson && in.Arrivals != Evenly && in.Arrivals != Bursts:
		return fmt.Errorf("arrivals %q are none of poisson, constant, bursts", in.Arrivals)
	case !(in.LoadFactor >= 0 && in.LoadFactor <= 100):
		return fmt.Errorf("load factor %v is outside 0 to 100; 0.5 makes work half as long again at full load", in.LoadFactor)
	case !isShare(in.Retry.FailureRate):
		return fmt.Errorf("failure rate %v is not a share from 0 to 1", in.Retry.FailureRate)
	case in.Retry.Attempts < 0 || in.Retry.Attempts > 100:
		return fmt.Errorf("%d attempts are outside 1 to 100", in.Retry.Attempts)
	case !(in.CrashRate >= 0 && in.CrashRate <= 3600):
		return fmt.Errorf("crash rate %v/h is outside 0 to 3,600 crashes of a consumer an hour", in.CrashRate)
	case in.Restart < 0 || in.StepDeadline < 0:
		return errors.New("a restart or a step deadline is negative; give a duration")
	case !(in.Cost.PerHour >= 0) || !(in.Cost.PerCall >= 0):
		return errors.New("a cost is negative; give an amount of money")
	}
	return nil
}

func (in FleetInput) validateBeats() error {
	switch {
	case in.Heartbeat.Interval == 0 && (in.BeatLoss != 0 || in.BeatJitter != 0):
		return errors.New("beats are lost or late but there is no heartbeat; give its interval")
	case in.Heartbeat.Interval > in.For:
		return fmt.Errorf("a heartbeat every %s never comes within the simulated %s; give a shorter interval or a longer time", sizing.Seconds(in.Heartbeat.Interval), sizing.Seconds(in.For))
	case !isShare(in.BeatLoss):
		return fmt.Errorf("beat loss %v is not a share from 0 to 1", in.BeatLoss)
	case in.BeatJitter < 0 || in.BeatJitter > maxFor:
		return errors.New("beat jitter is negative or above a year; give a duration")
	}
	return nil
}

func (in FleetInput) validateQueue() error {
	one := ReplayInput{VisibilityTimeout: in.VisibilityTimeout, Step: time.Second, MaxReceiveCount: in.MaxReceiveCount,
		FIFO: in.FIFO, StaleDelete: in.StaleDelete, Retention: in.Retention}
	switch {
	case in.Delay < 0 || in.Delay > maxDelay:
		return fmt.Errorf("delay %s is outside SQS's 0 to 900 s", sizing.Seconds(in.Delay))
	case in.FIFO != (in.Groups > 0) || in.Groups > maxGroups:
		return errors.New("a FIFO queue and its number of message groups belong together; give both, or neither")
	case in.InFlightQuota < 0:
		return errors.New("the in-flight quota is negative; give a number of messages")
	}
	return one.Validate()
}

// maxDelay is the largest DelaySeconds of SQS:
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SetQueueAttributes.html,
// read 2026-11-30.
const maxDelay = 900 * time.Second

func isShare(x float64) bool { return x >= 0 && x <= 1 }

// ExtendTo is what a beat asks for: the extension, or the visibility timeout.
func (in FleetInput) ExtendTo() time.Duration {
	if in.Heartbeat.Extension > 0 {
		return in.Heartbeat.Extension
	}
	return in.VisibilityTimeout
}

// KeptFor is the retention in force.
func (in FleetInput) KeptFor() time.Duration { return ReplayInput{Retention: in.Retention}.KeptFor() }

// Quota is the in-flight quota in force.
func (in FleetInput) Quota() int {
	if in.InFlightQuota > 0 {
		return in.InFlightQuota
	}
	return sizing.InFlightQuota
}

// Slots is the number of messages that the fleet works on at once.
func (in FleetInput) Slots() int { return in.Consumers * in.Batch.Slots() }

// Runs is the number of replications.
func (in FleetInput) Runs() int { return max(1, in.Replications) }

// Events estimates how many events a simulation takes: three a message, and
// its beats.
func (in FleetInput) Events() float64 {
	sent := in.Rate * in.For.Seconds()
	if in.Messages > 0 {
		sent = min(sent, float64(in.Messages))
	}
	each := 3.0
	if in.Heartbeat.Interval > 0 {
		each += in.Latency.Mean().Seconds() / in.Heartbeat.Interval.Seconds()
	}
	return sent * each * float64(in.Runs())
}
