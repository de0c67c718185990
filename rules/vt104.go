package rules

import (
	"fmt"
	"time"

	"vtsize/assess"
	"vtsize/facts"
	"vtsize/sizing"
)

var _ = register(&Rule{
	ID: "VT104", Name: "timeout-left-at-default", Severity: Warning, Scope: PerQueue,
	Title: "nobody set the visibility timeout",
	Why: "A queue whose visibility timeout nobody sets gets 30 s. That is short for work that calls a model or another service, " +
		"and a number that nobody chose is not looked at when the work gets slower.",
	Fix:     "Set the visibility timeout in the queue's definition, to a number that comes from what its consumers take.",
	Sources: []Source{srcSetAttributes, srcVisibility},
	Needs:   []string{"sqs:GetQueueAttributes", "lambda:GetFunctionConfiguration"},
	Run: func(p *Pass) {
		timeout := p.Queue.VisibilityTimeout
		if p.wiring.isDeadLetterQueue(p.Queue) || timeout.IsKnown() && timeout.Origin().Kind == facts.AWS {
			p.NotApplicable() // live, the API does not tell a default from a choice
			return
		}
		current := timeout.Need(p, "visibility timeout")
		if p.Incomplete() || timeout.Origin().Kind != facts.Default {
			return
		}
		if list, ok := p.Queue.Consumers.Get(); ok && len(list) == 0 && namedAsDeadLetterQueue(p.Queue) {
			p.Miss(facts.Miss{Input: "whether it is a dead-letter queue, as its name says", Cause: facts.NotDeclared, Origin: p.Queue.Redrive.Origin()})
			return
		}
		most, open := askedOf(p.Sizings)
		f := Finding{Current: InSeconds(current), Unit: Seconds, Origin: timeout.Origin()}
		switch {
		case most != nil && *most > current:
			f.Required, f.Recommended = InSeconds(*most), InSeconds(*most)
			f.Message = fmt.Sprintf("visibility timeout %s is the default that nobody set; what is known of the consumers asks for %s", sizing.Seconds(current), sizing.Seconds(*most))
			f.Fix = "set the visibility timeout to " + sizing.Seconds(*most)
			p.Report(f)
		case most == nil && (len(open) > 0 || len(p.Sizings) == 0):
			f.Severity, f.Asks = Info, true
			f.Message = fmt.Sprintf("visibility timeout %s is the default that nobody set, and nothing is known of what the work takes; set a number on purpose", sizing.Seconds(current))
			p.Report(f)
		default:
			for _, s := range open {
				s.Recommended.Need(p)
			}
		}
	},
})

// askedOf is the longest timeout that a consumer asks of its queue, nil where
// none is known of, and the consumers of which it is not known. A consumer that
// gives a timeout at receive asks nothing, and one with a heartbeat no more
// than the beats need.
func askedOf(all []*assess.Sizing) (most *time.Duration, open []*assess.Sizing) {
	for _, s := range all {
		if own, ok := s.Consumer.Work.ReceiveTimeout.Get(); ok && own != nil {
			continue
		}
		d, ok := s.Recommended.Get()
		if plan, planned := s.Plan.Get(); planned && s.HeartbeatInTime() {
			d = plan.Heartbeat.QueueTimeout
		}
		switch {
		case !ok:
			open = append(open, s)
		case most == nil || d > *most:
			most = &d
		}
	}
	return most, open
}
