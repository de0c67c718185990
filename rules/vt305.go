package rules

import (
	"fmt"

	"vtsize/sizing"
)

var _ = register(&Rule{
	ID: "VT305", Name: "few-receives-for-lambda", Severity: Warning, Scope: PerConsumer,
	Title: "maxReceiveCount is low for a queue behind a function",
	Why: "A throttled invocation counts as a receive like a failed one, so with few receives a short burst of throttling dead-letters messages that never ran. " +
		"AWS advises a maxReceiveCount of at least 5 for queues that a function reads.",
	Fix:     "Set maxReceiveCount to 5 or more in the queue's redrive policy.",
	Sources: []Source{srcLambdaConfigure, srcLambdaErrors},
	Needs:   []string{"sqs:GetQueueAttributes", "lambda:ListEventSourceMappings"},
	Run: func(p *Pass) {
		if !isMapping(p) {
			return
		}
		policy := p.Queue.Redrive.Need(p, "redrive policy")
		if policy == nil {
			return
		}
		n := policy.MaxReceiveCount.Need(p, "maxReceiveCount")
		if p.Incomplete() || n >= sizing.LambdaMinReceives {
			return
		}
		fix := receivesAdvice(p, sizing.LambdaMinReceives)
		p.Report(Finding{
			Message: fmt.Sprintf("maxReceiveCount %d is below the %d that AWS advises for a function: throttling alone can dead-letter messages; %s", n, sizing.LambdaMinReceives, fix),
			Fix:     fix,
			Current: Count(n), Required: Count(sizing.LambdaMinReceives), Recommended: Count(sizing.LambdaMinReceives), Unit: Receives,
			Origin: policy.MaxReceiveCount.Origin(),
		})
	},
})

// receivesAdvice is to set maxReceiveCount to n, and the retention where the
// messages would otherwise expire before they are dead-lettered.
func receivesAdvice(p *Pass, n int) string {
	text := fmt.Sprintf("set maxReceiveCount to %d", n)
	timeout, ok1 := timeoutInForce(p).Get()
	retention, ok2 := p.Queue.Retention.Get()
	if total := sizing.TimeToDeadLetter(n, timeout); ok1 && ok2 && total >= retention {
		text += fmt.Sprintf(" and the retention above %s, the time that as many receives take", sizing.Seconds(total))
	}
	return text
}
