package rules

import (
	"fmt"

	"vtsize/facts"
	"vtsize/sizing"
)

// workerReceives is the maxReceiveCount to advise where no function reads the
// queue: it survives a crash and a restart.
const workerReceives = 3

var _ = register(&Rule{
	ID: "VT404", Name: "one-strike-dead-letter", Severity: Warning, Scope: PerQueue,
	Title: "the first hiccup dead-letters a message",
	Why: "With a maxReceiveCount of 1 every crash, deployment, throttle or slow run sends the message to the dead-letter queue, though nothing is wrong with it. " +
		"Dead letters then no longer tell failures, and each has to be moved back by hand.",
	Fix:     "Set maxReceiveCount to 3 or more, to 5 or more where a function reads the queue. Work that must not run twice needs an idempotency key instead: delivery is at least once in any case.",
	Sources: []Source{srcDeadLetter, srcLambdaConfigure},
	Needs:   []string{"sqs:GetQueueAttributes"},
	Run: func(p *Pass) {
		policy := p.Queue.Redrive.Need(p, "redrive policy")
		if policy == nil {
			return
		}
		n := policy.MaxReceiveCount.Need(p, "maxReceiveCount")
		if p.Incomplete() || n > 1 {
			return
		}
		want := workerReceives
		for _, c := range consumers(p.Queue) {
			if c.Kind == facts.Lambda {
				want = sizing.LambdaMinReceives
			}
		}
		fix := receivesAdvice(p, want)
		p.Report(Finding{
			Message: fmt.Sprintf("maxReceiveCount %d dead-letters a message after one crash, deployment or throttle; %s", n, fix),
			Fix:     fix,
			Current: Count(n), Required: Count(2), Recommended: Count(want), Unit: Receives,
			Origin: policy.MaxReceiveCount.Origin(), Supersedes: []string{"VT305"},
		})
	},
})
