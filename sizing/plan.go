package sizing

import "time"

// Strategy is the way to keep a message hidden long enough.
type Strategy string

// The strategies.
const (
	Fixed         Strategy = "fixed"     // one timeout that outlasts the hold
	WithHeartbeat Strategy = "heartbeat" // a moderate timeout, extended while work goes on
	Split         Strategy = "split"     // smaller batches, or smaller pieces of work
)

const (
	// longestExtension bounds how long a crashed worker's message stays hidden
	// under a heartbeat.
	longestExtension = 300 * time.Second
	// shortestExtension is the shortest with a whole second below its third. A
	// given one that is shorter is not kept.
	shortestExtension = 4 * time.Second
	// longestBatchHold is from where a batch is better received in smaller parts.
	longestBatchHold = 900 * time.Second
)

// Hold is what a plan for a worker is made from.
type Hold struct {
	MessageFloor time.Duration
	StartWait    time.Duration
	Multiplier   int // rounds until the last message held is done
	Basis        Basis
	Ceiling      *Ceiling      // nil: not known
	Rate         float64       // messages per second; 0: not known
	Extension    time.Duration // fixes the extension of the heartbeat; 0: choose it
	RenewsHeld   bool          // the heartbeat starts at the receive, so the queue's timeout need not cover the start wait
}

// Plan is what to set for a worker.
type Plan struct {
	Strategy          Strategy
	VisibilityTimeout time.Duration // min(43,200 s, round_up(1.2 × floor))
	Heartbeat         HeartbeatPlan // for every strategy
	StepDeadline      time.Duration // when the worker should give a step up
}

// QueueTimeout is the timeout to set on the queue under the plan's strategy.
func (p Plan) QueueTimeout() time.Duration {
	if p.Strategy == WithHeartbeat {
		return p.Heartbeat.QueueTimeout
	}
	return p.VisibilityTimeout
}

// PlanWorker chooses a strategy and its numbers.
func PlanWorker(h Hold) Plan {
	p := Plan{VisibilityTimeout: VisibilityTimeout(Sum(h.StartWait, h.MessageFloor), h.Rate)}
	extendTo := min(p.VisibilityTimeout, longestExtension)
	chosen := h.Extension < shortestExtension
	if !chosen {
		extendTo = h.Extension
	}
	p.Strategy = strategy(h, p.VisibilityTimeout, extendTo)
	if p.Strategy == Fixed && chosen {
		extendTo = p.VisibilityTimeout
	}
	wait := h.StartWait
	if h.RenewsHeld {
		wait = 0
	}
	p.Heartbeat = PlanHeartbeat(extendTo, wait, h.Rate)
	p.StepDeadline = stepDeadline(h, p, extendTo)
	return p
}

func strategy(h Hold, timeout, extendTo time.Duration) Strategy {
	fits := Sum(h.StartWait, h.MessageFloor, extendTo) <= SafeTotalHold
	switch {
	case !fits, h.Multiplier > 1 && timeout > longestBatchHold:
		return Split
	case timeout > longestExtension, h.Ceiling != nil && h.Ceiling.Exceeds(timeout):
		return WithHeartbeat
	}
	return Fixed
}

// stepDeadline is above the floor by a margin: 1.2 × where it was built from
// single calls with every attempt used, 2 × where whole steps were measured.
// It is never above the ceiling, nor above what twelve hours leave; and
// without a heartbeat never above what the timeout leaves.
func stepDeadline(h Hold, p Plan, extendTo time.Duration) time.Duration {
	d := Times(h.MessageFloor, 2)
	if h.Basis == PerCall {
		d = WithMargin(h.MessageFloor)
	}
	d = min(RoundUp(d, 0), SafeTotalHold-h.StartWait-extendTo)
	if p.Strategy == Fixed {
		d = min(d, p.VisibilityTimeout-h.StartWait)
	}
	if h.Ceiling != nil && h.Ceiling.IsBounded() {
		d = min(d, h.Ceiling.Bound)
	}
	return max(0, d)
}
