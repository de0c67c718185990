package rules

import (
	"fmt"

	"vtsize/sizing"
)

var _ = register(&Rule{
	ID: "VT407", Name: "retention-below-outage", Severity: Warning, Scope: PerQueue,
	Title: "messages expire during an outage of the consumer",
	Why: "Retention deletes what was not consumed in time. Such messages are gone: they are never dead-lettered, and no metric counts them. " +
		"A consumer that fails on a Friday evening must find its messages on Monday.",
	Fix:     "Set the retention above the longest outage of a consumer that the queue must survive, with time to work off what piled up.",
	Sources: []Source{srcSetAttributes, srcDeadLetter},
	Needs:   []string{"sqs:GetQueueAttributes"},
	Inputs:  "flags",
	Run: func(p *Pass) {
		outage := p.Deployment.Outage.Need(p, "longest outage to survive")
		retention := p.Queue.Retention.Need(p, "retention")
		if p.Incomplete() || retention >= outage {
			return
		}
		f := Finding{
			Current: InSeconds(retention), Required: InSeconds(outage), Unit: Seconds,
			Origin: p.Queue.Retention.Origin(), Related: []Related{{"longest outage " + sizing.Seconds(outage), p.Deployment.Outage.Origin()}},
		}
		if outage > sizing.MaxRetention {
			f.Fix = fmt.Sprintf("no retention is longer than %s: have something copy the messages to a store that keeps them", sizing.Seconds(sizing.MaxRetention))
		} else {
			d, _ := retentionAbove(timeToDeadLetter(p, new(Pass)), outage)
			f.Recommended = InSeconds(d)
			f.Fix = "set the retention to " + sizing.Seconds(d)
		}
		f.Message = fmt.Sprintf("retention %s is below the outage of %s that the queue is to survive, and expired messages are not dead-lettered; %s",
			sizing.Seconds(retention), sizing.Seconds(outage), f.Fix)
		p.Report(f)
	},
})
