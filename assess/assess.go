package assess

import (
	"fmt"
	"time"

	"vtsize/facts"
	"vtsize/sizing"
)

// Sizing is the arithmetic for one consumer of one queue.
type Sizing struct {
	Queue    *facts.Queue
	Consumer *facts.Consumer

	Basis      facts.Value[facts.Basis]
	Percentile float64 // that the latencies stand for, as 99
	Samples    facts.Value[int]

	Batch        Number[sizing.Batch]
	Multiplier   Number[int]
	MessageFloor Number[time.Duration]
	StartWait    Number[time.Duration]
	Floor        Number[time.Duration]
	TailFloor    Number[time.Duration] // the floor with p99.9 in place of the percentile
	MeanStep     Number[time.Duration]
	Ceiling      Number[sizing.Ceiling]
	WindowWait   Number[time.Duration]
	MustCover    Number[time.Duration] // what the timeout has to outlast

	Timeout   facts.Value[time.Duration] // in force: the queue's, or that given at receive
	Heartbeat *facts.Heartbeat           // nil: none, or none declared

	Minimum     Number[time.Duration] // smallest timeout that is not refused or too short
	Recommended Number[time.Duration] // visibility timeout
	Plan        Number[sizing.Plan]   // for workers

	Recovery         Number[time.Duration] // until a crashed consumer's message is seen again
	TimeToDeadLetter Number[*time.Duration]
	Deliveries       Number[Deliveries]
	InFlight         InFlight

	Formula  string
	Warnings []string
}

// Deliveries is how often a message at the floor is delivered.
type Deliveries struct {
	AtLeast int
	AtMost  facts.Value[*int] // maxReceiveCount; nil: no redrive policy, so until it expires
}

// InFlight is the number of messages in flight.
type InFlight struct {
	Expected Number[float64]
	Worst    Number[float64]
}

// IsLambda reports whether the consumer is an event source mapping.
func (s *Sizing) IsLambda() bool { return s.Consumer.Kind == facts.Lambda }

// HeartbeatInTime reports whether there is a heartbeat whose first beat comes
// before the timeout in force ends, and later ones before the extension ends.
func (s *Sizing) HeartbeatInTime() bool {
	if s.Heartbeat == nil {
		return false
	}
	interval, ok1 := s.Heartbeat.Interval.Get()
	extension, ok2 := s.Heartbeat.Extension.Get()
	wait, ok3 := s.LeaseWait().Get()
	timeout, ok4 := s.Timeout.Get()
	if t, _ := s.Heartbeat.Threshold.Get(); t != nil && sizing.ThresholdTries(*t, interval) == 0 {
		return false
	}
	return ok1 && ok2 && ok3 && interval < extension && (!ok4 || wait+interval < timeout)
}

// Of does the arithmetic for one consumer.
func Of(q *facts.Queue, c *facts.Consumer) *Sizing {
	s := &Sizing{Queue: q, Consumer: c, Basis: c.Work.Basis, Percentile: c.Work.Percentile}
	if s.Percentile == 0 {
		s.Percentile = 99
	}
	s.Timeout = q.VisibilityTimeout
	if own, ok := c.Work.ReceiveTimeout.Get(); ok && own != nil {
		s.Timeout = facts.Known(*own, c.Work.ReceiveTimeout.Origin())
	}
	s.Heartbeat, _ = c.Work.Heartbeat.Get()
	s.samples()
	s.hold()
	s.ceiling()
	s.mustCover()
	s.recommend()
	s.costs()
	s.doubts()
	s.Formula = s.formula()
	return s
}

// samples takes the smallest number of samples of the stages: the weakest
// percentile decides.
func (s *Sizing) samples() {
	stages, ok := s.Consumer.Work.Stages.Get()
	if !ok || len(stages) == 0 {
		s.Samples = facts.Unknown[int](s.Consumer.Work.Stages.Cause(), s.Consumer.Work.Stages.Origin())
		return
	}
	s.Samples = stages[0].Latency.Samples
	for _, st := range stages[1:] {
		n, ok := st.Latency.Samples.Get()
		if least, known := s.Samples.Get(); !ok || known && n < least {
			s.Samples = st.Latency.Samples
		}
	}
}

// hold is how long a message is held: the floors of DESIGN.
func (s *Sizing) hold() {
	w := &s.Consumer.Work
	s.Batch = s.batch()
	s.Multiplier = calculate(func(n *notes) int { return s.Batch.Need(n).Multiplier() })
	tail := func(l facts.Latency) facts.Value[time.Duration] { return l.Tail }
	s.MessageFloor = s.messageFloor(fmt.Sprintf("p%v latency", s.Percentile), tail)
	s.StartWait = calculate(func(n *notes) time.Duration {
		k := s.Multiplier.Need(n)
		if k == 1 {
			return orZero(w.Countdown) // whatever a message takes
		}
		return sizing.StartWait(orZero(w.Countdown), k, s.MessageFloor.Need(n))
	})
	s.Floor = calculate(func(n *notes) time.Duration { return sizing.Sum(s.StartWait.Need(n), s.MessageFloor.Need(n)) })
	p999 := s.messageFloor("p99.9 latency", func(l facts.Latency) facts.Value[time.Duration] { return l.P999 })
	s.TailFloor = calculate(func(n *notes) time.Duration {
		m := p999.Need(n)
		return sizing.Sum(sizing.StartWait(orZero(w.Countdown), s.Multiplier.Need(n), m), m)
	})
	s.MeanStep = calculate(func(n *notes) time.Duration {
		sum := sizing.Sum(orZero(w.Overhead), orZero(w.Write))
		for _, st := range w.Stages.Need(n, "latency") {
			sum = sizing.Sum(sum, st.Latency.Mean.Need(n, "mean latency"))
		}
		return sum
	})
}

// messageFloor is the time of one message, with the latency that pick takes.
func (s *Sizing) messageFloor(input string, pick func(facts.Latency) facts.Value[time.Duration]) Number[time.Duration] {
	w := &s.Consumer.Work
	return calculate(func(n *notes) time.Duration {
		list := w.Stages.Need(n, input)
		if !w.Stages.IsKnown() {
			return 0
		}
		basis := w.Basis.Need(n, "basis of the latency")
		stages := make([]sizing.Stage, 0, len(list))
		for _, st := range list {
			stage := sizing.Stage{Name: st.Name, Latency: pick(st.Latency).Need(n, input), Attempts: 1}
			if basis == facts.PerCall {
				stage.Attempts = st.Attempts.Need(n, "attempts")
				if stage.Attempts > 1 {
					stage.Backoff = st.Backoff.Need(n, "backoff")
				}
			}
			stages = append(stages, stage)
		}
		return sizing.MessageFloor(sizing.Basis(basis), stages, orZero(w.Overhead), orZero(w.Write))
	})
}

// batch is how many messages are held and run at once. What nobody declared
// counts as one message at a time; a gap stays a gap.
func (s *Sizing) batch() Number[sizing.Batch] {
	w := &s.Consumer.Work
	if basis, ok := w.Basis.Get(); ok && basis == facts.PerInvocation {
		return known(sizing.Batch{Size: 1})
	}
	return calculate(func(n *notes) sizing.Batch {
		size := w.Batch
		if s.IsLambda() {
			size = s.Consumer.BatchSize
		}
		b := sizing.Batch{Size: gapOr(n, size, "batch size", 1)}
		if p := gapOr(n, w.Prefetch, "prefetch", nil); p != nil {
			b.Prefetch = *p
		}
		if b.Held() == 1 {
			return b
		}
		b.Concurrency = gapOr(n, w.Concurrency, "concurrency", 0)
		b.Parallel = gapOr(n, w.Handling, "batch handling", facts.Serial) == facts.Parallel
		b.OneGroup = gapOr(n, s.Queue.FIFO, "queue type", false)
		return b
	})
}

// gapOr is the value, or the assumption where nobody declared it; a value that
// a reader could not tell is missing.
func gapOr[T any](n *notes, x facts.Value[T], input string, assumed T) T {
	if v, ok := x.Get(); ok {
		return v
	}
	if x.Cause().IsGap() {
		return x.Need(n, input)
	}
	return assumed
}

func orZero[T any](x facts.Value[T]) T {
	v, _ := x.Get()
	return v
}

// ceiling is the most one message can take by its own timeouts.
func (s *Sizing) ceiling() {
	w := &s.Consumer.Work
	s.Ceiling = calculate(func(n *notes) sizing.Ceiling {
		if orZero(w.Unbounded) {
			return sizing.Ceiling{Unbounded: "the work is declared unbounded"}
		}
		var clients []sizing.Client
		for _, st := range w.Stages.Need(n, "latency") {
			c := sizing.Client{
				Attempts:       st.Attempts.Need(n, "attempts"),
				RequestTimeout: st.RequestTimeout.Need(n, "request timeout"),
				Waits:          orZero(st.Backoff),
			}
			if r, ok := st.RetryAfter.Get(); ok {
				c.RetryAfter = sizing.RetryAfter(r)
			}
			clients = append(clients, c)
		}
		return sizing.CeilingOf(clients, orZero(w.Overhead), orZero(w.Write))
	})
	if d, ok := w.StepDeadline.Get(); ok && d != nil {
		s.limitCeiling(*d)
	}
	if d, ok := s.Consumer.FunctionTimeout.Get(); ok && s.IsLambda() {
		s.limitCeiling(d)
	}
}

// limitCeiling applies something that ends the work after d, whatever the
// clients do.
func (s *Sizing) limitCeiling(d time.Duration) {
	c, ok := s.Ceiling.Get()
	if !ok {
		c = sizing.Ceiling{Bound: d}
	}
	s.Ceiling = known(c.LimitedTo(d))
}

// renewsHeld reports whether the worker renews every message from the receive
// on, waiting ones included.
func (s *Sizing) renewsHeld() bool {
	return s.Heartbeat != nil && orZero(s.Heartbeat.Renews) == facts.RenewsHeld
}

// LeaseWait is how long a message is held before its heartbeat starts.
func (s *Sizing) LeaseWait() Number[time.Duration] {
	if s.renewsHeld() {
		return known(time.Duration(0))
	}
	return s.StartWait
}

func (s *Sizing) mustCover() {
	s.WindowWait = calculate(func(n *notes) time.Duration {
		return sizing.WindowWait(s.Consumer.BatchingWindow.Need(n, "batching window"))
	})
	switch {
	case s.IsLambda():
		s.MustCover = calculate(func(n *notes) time.Duration {
			hold := min(s.Floor.Need(n), s.Consumer.FunctionTimeout.Need(n, "function timeout"))
			return sizing.Sum(s.WindowWait.Need(n), hold)
		})
	case s.HeartbeatInTime(), s.Heartbeat != nil && !(s.Heartbeat.Interval.IsKnown() && s.Heartbeat.Extension.IsKnown()):
		// A heartbeat of unknown numbers may cover everything or nothing.
		s.MustCover = calculate(func(n *notes) time.Duration {
			s.Heartbeat.Extension.Need(n, "heartbeat extension")
			return sizing.Sum(s.LeaseWait().Need(n), s.Heartbeat.Interval.Need(n, "heartbeat interval"))
		})
	default:
		s.MustCover = s.Floor
	}
}
