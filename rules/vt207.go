package rules

import (
	"fmt"
	"time"

	"vtsize/sizing"
)

var _ = register(&Rule{
	ID: "VT207", Name: "hold-outlives-usefulness", Severity: Warning, Scope: PerConsumer,
	Title: "work is still done or retried when it is of no use any more",
	Why: "An answer has a time after which nobody wants it. Work that may last longer, or retries that go on for longer, act on an intention that has lapsed, " +
		"and take the capacity of work that still matters.",
	Fix:     "End the step before its business deadline, check the deadline at each receive, and let fewer or faster retries lead to the dead-letter queue.",
	Sources: []Source{srcVisibility, srcDeadLetter},
	Needs:   []string{"sqs:GetQueueAttributes"},
	Inputs:  "workload file",
	Run: func(p *Pass) {
		s, useful := p.Sizing, p.Consumer.Work.UsefulFor
		deadline := useful.Need(p, "business deadline")
		if p.Incomplete() {
			return
		}
		if deadline == nil {
			p.NotApplicable()
			return
		}
		f := Finding{Required: InSeconds(*deadline), Unit: Seconds, Origin: useful.Origin()}
		hold, bounded, known := longestHold(p)
		dead, deadKnown := s.TimeToDeadLetter.Get()
		switch {
		case known && !bounded:
			f.Message = fmt.Sprintf("business deadline %s, and nothing bounds how long a message is held; end the step before the deadline", sizing.Seconds(*deadline))
		case known && *deadline < hold:
			f.Current = InSeconds(hold)
			f.Message = fmt.Sprintf("business deadline %s is over before a message held for up to %s is done; end the step sooner", sizing.Seconds(*deadline), sizing.Seconds(hold))
		case deadKnown && dead != nil && *deadline < *dead:
			f.Current = InSeconds(*dead)
			f.Message = fmt.Sprintf("business deadline %s is over before retries end, which take %s until the dead-letter queue; check the deadline at each receive", sizing.Seconds(*deadline), sizing.Seconds(*dead))
			f.Related = []Related{{"maxReceiveCount", p.Queue.Redrive.Origin()}, {"visibility timeout", s.Timeout.Origin()}}
		default:
			switch {
			case known:
			case s.IsLambda():
				p.Consumer.FunctionTimeout.Need(p, "function timeout")
				s.WindowWait.Need(p)
			default:
				s.Floor.Need(p)
			}
			s.TimeToDeadLetter.Need(p)
			return
		}
		p.Report(f)
	},
})

// longestHold is the longest time from receive to delete that the consumer's
// own timeouts allow, or what it takes at the percentile where those are not
// known. It reports whether there is a bound, and whether anything is known.
func longestHold(p *Pass) (hold time.Duration, bounded, known bool) {
	s := p.Sizing
	if s.IsLambda() {
		function, ok1 := p.Consumer.FunctionTimeout.Get()
		wait, ok2 := s.WindowWait.Get()
		return sizing.Sum(function, wait), true, ok1 && ok2
	}
	wait, ok1 := s.StartWait.Get()
	ceiling, ok2 := s.Ceiling.Get()
	if ok1 && ok2 {
		return sizing.Sum(wait, ceiling.Bound), ceiling.IsBounded(), true
	}
	floor, ok := s.Floor.Get()
	return floor, true, ok
}
