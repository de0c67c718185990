package rules

import (
	"fmt"

	"vtsize/sizing"
)

var _ = register(&Rule{
	ID: "VT504", Name: "fifo-group-blocked", Severity: Warning, Scope: PerQueue,
	Title: "one lost message stops its FIFO group for long",
	Why: "While a message of a FIFO group is in flight, no other message of that group is delivered. A consumer that crashes leaves its message in flight until the visibility timeout ends, " +
		"and all later messages of the group wait behind it.",
	Fix:     "Lower the visibility timeout to what the work needs, with a heartbeat for long work, and make the consumer set it to 0 when it gives a message up.",
	Sources: []Source{srcFIFOLogic, srcVisibility, srcReceive},
	Needs:   []string{"sqs:GetQueueAttributes", "lambda:GetFunctionConfiguration", "cloudwatch:GetMetricData"},
	Run: func(p *Pass) {
		if fifo := p.Queue.FIFO.Need(p, "queue type"); !fifo {
			if !p.Incomplete() {
				p.NotApplicable()
			}
			return
		}
		if p.Sizing == nil {
			p.Queue.Consumers.Need(p, "consumers")
			return
		}
		timeout := p.Sizing.Timeout.Need(p, "visibility timeout")
		recommended := p.Sizing.LongestAdvised().Need(p)
		if p.Incomplete() || timeout <= sizing.Times(recommended, 2) {
			return
		}
		f := Finding{
			Current: InSeconds(timeout), Required: InSeconds(sizing.Times(recommended, 2)), Recommended: InSeconds(recommended), Unit: Seconds,
			Formula: p.Sizing.Formula, Origin: p.Sizing.Timeout.Origin(), Supersedes: []string{"VT103"},
			Fix: "set the visibility timeout to " + sizing.Seconds(recommended),
		}
		f.Message = fmt.Sprintf("visibility timeout %s is more than twice the %s that is needed, and a message lost in a crash stops its group that long; %s",
			sizing.Seconds(timeout), sizing.Seconds(recommended), f.Fix)
		p.Report(f)
	},
})
