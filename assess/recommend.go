package assess

import (
	"time"

	"vtsize/facts"
	"vtsize/sizing"
)

// recommend says what to set.
func (s *Sizing) recommend() {
	if s.IsLambda() {
		s.recommendLambda()
		return
	}
	s.Plan = calculate(func(n *notes) sizing.Plan { return sizing.PlanWorker(s.toPlan(n)) })
	s.Minimum = calculate(func(n *notes) time.Duration { return s.MustCover.Need(n) })
	s.Recommended = calculate(func(n *notes) time.Duration { return s.Plan.Need(n).VisibilityTimeout })
}

// toPlan is what a plan for a worker is made from.
func (s *Sizing) toPlan(n *notes) sizing.Hold {
	h := sizing.Hold{
		MessageFloor: s.MessageFloor.Need(n),
		StartWait:    s.StartWait.Need(n),
		Multiplier:   s.Multiplier.Need(n),
		Basis:        sizing.Basis(orZero(s.Basis)),
		Rate:         orZero(s.Queue.Rate),
		Extension:    orZero(s.Consumer.Work.Extension),
	}
	if c, ok := s.Ceiling.Get(); ok {
		h.Ceiling = &c
	}
	if s.Heartbeat != nil {
		h.Extension = orZero(s.Heartbeat.Extension)
		h.RenewsHeld = s.renewsHeld()
	}
	return h
}

func (s *Sizing) recommendLambda() {
	function := s.Consumer.FunctionTimeout
	s.Minimum = calculate(func(n *notes) time.Duration { return function.Need(n, "function timeout") })
	s.Recommended = calculate(func(n *notes) time.Duration {
		d := sizing.LambdaTimeout(function.Need(n, "function timeout"), s.Consumer.BatchingWindow.Need(n, "batching window"))
		if cover, ok := s.MustCover.Get(); ok {
			d = max(d, sizing.VisibilityTimeout(cover, orZero(s.Queue.Rate)))
		}
		return d
	})
}

// QueueTimeout is the timeout to set on the queue: that of the heartbeat plan
// where there is a heartbeat or the strategy is one, else the recommended one.
func (s *Sizing) QueueTimeout() Number[time.Duration] {
	if p, ok := s.Plan.Get(); ok {
		if s.HeartbeatInTime() {
			return known(p.Heartbeat.QueueTimeout)
		}
		return known(p.QueueTimeout())
	}
	return s.Recommended
}

// LongestAdvised is the longer of the timeouts that are recommended: the one
// that is long enough alone, and the one under a heartbeat that is there or
// planned, whose extension the owner may have chosen. A longer one only delays
// retries.
func (s *Sizing) LongestAdvised() Number[time.Duration] {
	return calculate(func(n *notes) time.Duration {
		d := max(s.Recommended.Need(n), s.QueueTimeout().Need(n))
		if p, ok := s.Plan.Get(); ok && s.Heartbeat != nil {
			d = max(d, p.Heartbeat.QueueTimeout)
		}
		return d
	})
}

// LessWork is what shortens a hold that no timeout suits: what takes the most
// of it has to go.
func (s *Sizing) LessWork() string {
	message, _ := s.MessageFloor.Get()
	k, _ := s.Multiplier.Get()
	shorter := s.toPlan(new(notes))
	shorter.Extension = 0
	switch {
	case sizing.PlanWorker(shorter).Strategy != sizing.Split:
		return "extend to less with each beat"
	case orZero(s.Consumer.Work.Countdown) > sizing.Times(message, k):
		return "send each message when it is due, by a scheduler, in place of a countdown inside the worker"
	case k > 1:
		return "receive fewer messages at once, or split the work into smaller messages"
	}
	return "split the work into smaller messages"
}

// judged is the timeout that costs are told for: the present one, else the
// recommended one.
func (s *Sizing) judged(n *notes) time.Duration {
	if d, ok := s.Timeout.Get(); ok {
		return d
	}
	if s.Timeout.Cause().IsGap() {
		return s.Timeout.Need(n, "visibility timeout")
	}
	return s.QueueTimeout().Need(n)
}

// costs says what the timeout costs when things go wrong.
func (s *Sizing) costs() {
	s.Recovery = calculate(func(n *notes) time.Duration {
		if s.HeartbeatInTime() {
			return s.Heartbeat.Extension.Need(n, "heartbeat extension")
		}
		return s.judged(n)
	})
	s.TimeToDeadLetter = calculate(func(n *notes) *time.Duration {
		r := s.Queue.Redrive.Need(n, "redrive policy")
		if r == nil {
			return nil
		}
		d := sizing.TimeToDeadLetter(r.MaxReceiveCount.Need(n, "maxReceiveCount"), s.judged(n))
		return &d
	})
	s.Deliveries = calculate(func(n *notes) Deliveries {
		d := Deliveries{AtLeast: 1, AtMost: maxReceives(s.Queue)}
		most, _ := d.AtMost.Get()
		if !s.HeartbeatInTime() {
			hold, timeout := s.held(n), s.judged(n)
			d.AtLeast = sizing.Deliveries(hold, timeout)
			if timeout == 0 && most == nil && len(*n) == 0 {
				// Visible again at once: only a redrive policy ends that.
				n.Miss(facts.Miss{Input: "maxReceiveCount", Cause: facts.NotDeclared, Origin: s.Queue.Redrive.Origin()})
			}
		}
		if most != nil {
			d.AtLeast = min(d.AtLeast, *most)
		}
		return d
	})
	s.InFlight.Worst = calculate(func(n *notes) float64 {
		return sizing.InFlightWorst(s.Queue.Rate.Need(n, "arrival rate"), s.judged(n))
	})
	s.InFlight.Expected = calculate(func(n *notes) float64 {
		k := s.Multiplier.Need(n)
		mean := sizing.MeanHold(orZero(s.Consumer.Work.Countdown), s.MeanStep.Need(n), k)
		if s.IsLambda() {
			mean = sizing.Sum(mean, s.WindowWait.Need(n))
		}
		held := 0
		if c, ok := s.Consumer.Work.Consumers.Get(); ok {
			held = c * s.Batch.Need(n).Held()
		}
		return sizing.InFlightExpected(s.Queue.Rate.Need(n, "arrival rate"), mean, held)
	})
}

// held is how long a message stays in flight at the percentile: for a function
// the window's wait and the run, cut off at its timeout.
func (s *Sizing) held(n *notes) time.Duration {
	if s.IsLambda() {
		return s.MustCover.Need(n)
	}
	return s.Floor.Need(n)
}

// maxReceives is maxReceiveCount, or nil where there is no redrive policy.
func maxReceives(q *facts.Queue) facts.Value[*int] {
	r, ok := q.Redrive.Get()
	if !ok {
		return facts.Unknown[*int](q.Redrive.Cause(), q.Redrive.Origin())
	}
	if r == nil {
		return facts.Known[*int](nil, q.Redrive.Origin())
	}
	return facts.Map(r.MaxReceiveCount, func(n int) *int { return &n })
}

// NeedsMost is the sizing of the consumer that needs the longest timeout, or
// the first where none is known; nil without consumers.
func NeedsMost(all []*Sizing) *Sizing {
	var most *Sizing
	for _, s := range all {
		d, ok := s.Recommended.Get()
		if most == nil {
			most = s
			continue
		}
		if best, known := most.Recommended.Get(); ok && (!known || d > best) {
			most = s
		}
	}
	return most
}
