package rules

import (
	"fmt"
	"time"

	"vtsize/sizing"
)

// Up to here a timeout delays nobody for long, however short the work is.
const harmlessDelay = 120 * time.Second

var _ = register(&Rule{
	ID: "VT103", Name: "timeout-delays-recovery", Severity: Info, Scope: PerConsumer,
	Title: "a crashed consumer's message waits out a long timeout",
	Why: "When a consumer dies, is throttled or fails without giving the message back, nobody sees the message until the visibility timeout ends. " +
		"A timeout far above the work delays every retry by that much and adds to the messages in flight.",
	Fix:     "Lower the timeout to what the work needs, or give failed messages back at once by setting their visibility timeout to 0.",
	Sources: []Source{srcVisibility, srcChangeVisibility},
	Needs:   []string{"sqs:GetQueueAttributes", "lambda:GetFunctionConfiguration", "cloudwatch:GetMetricData"},
	Run: func(p *Pass) {
		s := p.Sizing
		timeout := s.Timeout.Need(p, "visibility timeout")
		if p.Incomplete() || timeout <= harmlessDelay {
			return
		}
		recommended := s.LongestAdvised().Need(p)
		if p.Incomplete() || timeout <= sizing.Times(recommended, 4) {
			return
		}
		p.Report(Finding{
			Message: fmt.Sprintf("visibility timeout %s is more than 4 × the %s that the work needs; the message of a crashed consumer stays hidden that long, so lower it",
				sizing.Seconds(timeout), sizing.Seconds(recommended)),
			Fix:     timeoutAdvice(p, recommended),
			Current: InSeconds(timeout), Recommended: InSeconds(recommended), Unit: Seconds,
			Origin: s.Timeout.Origin(), Formula: s.Formula, Related: latencyPlaces(p), Asks: true,
		})
	},
})
