package rules

import (
	"fmt"

	"vtsize/sizing"
)

var _ = register(&Rule{
	ID: "VT107", Name: "receive-overrides-timeout", Severity: Info, Scope: PerConsumer,
	Title: "the consumer gives a visibility timeout of its own at receive",
	Why: "A VisibilityTimeout in the ReceiveMessage call holds for the messages of that call, whatever the queue says. " +
		"A later change of the queue's timeout then has no effect on this consumer, and whoever looks at the queue looks at the wrong number.",
	Fix:     "Leave the timeout out of the receive call, or keep in mind that it has to be changed in the consumer; the other rules judge by it.",
	Sources: []Source{srcReceive},
	Needs:   []string{"sqs:GetQueueAttributes"},
	Inputs:  "workload file",
	Run: func(p *Pass) {
		if p.Sizing.IsLambda() {
			p.NotApplicable()
			return
		}
		own := p.Consumer.Work.ReceiveTimeout
		d := own.Need(p, "visibility timeout given at receive")
		if p.Incomplete() || d == nil {
			return
		}
		f := Finding{
			Message: fmt.Sprintf("visibility timeout %s is given at receive, in place of the queue's; change it there, as a change of the queue has no effect on this consumer", sizing.Seconds(*d)),
			Current: InSeconds(*d), Unit: Seconds, Origin: own.Origin(),
		}
		if queue, ok := p.Queue.VisibilityTimeout.Get(); ok {
			f.Related = []Related{{"the queue's visibility timeout " + sizing.Seconds(queue), p.Queue.VisibilityTimeout.Origin()}}
		}
		p.Report(f)
	},
})
