package rules

import (
	"fmt"
	"time"

	"vtsize/facts"
	"vtsize/sizing"
)

// atOnce is the longest release that gives an outage no time to pass: a second
// is the smallest unit that SQS takes.
const atOnce = time.Second

var _ = register(&Rule{
	ID: "VT208", Name: "release-without-backoff", Severity: Warning, Scope: PerConsumer,
	Title: "failed messages are released at once, with no growing wait",
	Why: "A visibility timeout set to 0 after a failure makes the message available in the same moment. While a dependency is down, every receive fails, " +
		"and a message uses all its receives up long before the outage ends: it is dead-lettered for a fault that was not its own.",
	Fix:     "Release with a wait that grows with the receive count, so that all receives together outlast the outage.",
	Sources: []Source{srcChangeVisibility, srcDeadLetter},
	Needs:   []string{"sqs:GetQueueAttributes"},
	Inputs:  "workload file",
	Run: func(p *Pass) {
		after := p.Consumer.Work.OnFailure.Need(p, "what is done with a failed message")
		if after == nil {
			return // its timeout runs out, and that is the wait
		}
		release := after.Release.Need(p, "release of a failed message")
		if p.Incomplete() || release == nil || *release > atOnce {
			return
		}
		if backoff := after.Backoff.Need(p, "backoff of a failed message"); p.Incomplete() || backoff != facts.NoBackoff {
			return
		}
		policy := p.Queue.Redrive.Need(p, "redrive policy")
		if policy == nil {
			return // it is tried again until it expires
		}
		receives := policy.MaxReceiveCount.Need(p, "maxReceiveCount")
		step := p.Sizing.MessageFloor.Need(p)
		outage := p.Deployment.Outage.Need(p, "longest outage to survive")
		used := sizing.Times(sizing.Sum(step, *release), receives)
		if p.Incomplete() || used >= outage {
			return
		}
		p.Report(Finding{
			Message: fmt.Sprintf("a failed message is released after %s: its %d receives are used up within %s, and the outage to survive is %s; let the wait grow with the receive count",
				sizing.Seconds(*release), receives, sizing.Seconds(used), sizing.Seconds(outage)),
			Formula: fmt.Sprintf("%d × (%s + %s) = %s", receives, sizing.Seconds(step), sizing.Seconds(*release), sizing.Seconds(used)),
			Current: InSeconds(used), Required: InSeconds(outage), Unit: Seconds,
			Origin: after.Release.Origin(),
			Related: []Related{
				{fmt.Sprintf("maxReceiveCount %d", receives), policy.MaxReceiveCount.Origin()},
				{"outage to survive " + sizing.Seconds(outage), p.Deployment.Outage.Origin()},
			},
		})
	},
})
