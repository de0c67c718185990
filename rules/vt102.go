package rules

import (
	"fmt"

	"vtsize/sizing"
)

var _ = register(&Rule{
	ID: "VT102", Name: "timeout-near-floor", Severity: Warning, Scope: PerConsumer,
	Title: "the visibility timeout leaves no margin above the work",
	Why: "A percentile is what was seen so far: one message in a hundred takes longer than p99, and providers get slower under load. " +
		"A timeout that only just outlasts the hold turns each such message into a second delivery.",
	Fix:     "Set the timeout to 1.2 times the hold, rounded up to a number that people would set.",
	Sources: []Source{srcVisibility, srcSQSTimeouts},
	Needs:   []string{"sqs:GetQueueAttributes", "lambda:GetFunctionConfiguration", "cloudwatch:GetMetricData"},
	Run: func(p *Pass) {
		s := p.Sizing
		timeout := s.Timeout.Need(p, "visibility timeout")
		if p.Incomplete() {
			return
		}
		if s.HeartbeatInTime() || s.IsLambda() && coversFunction(p, timeout) {
			p.NotApplicable()
			return
		}
		cover := s.MustCover.Need(p)
		// At the longest timeout that there is, no more margin can be had.
		if p.Incomplete() || timeout < cover || timeout >= min(sizing.WithMargin(cover), sizing.MaxVisibilityTimeout) {
			return
		}
		p.Report(tooShort(p, Finding{
			Message: fmt.Sprintf("visibility timeout %s is less than 1.2 × the %s that a message is held at p%v; a message somewhat slower is delivered again",
				sizing.Seconds(timeout), sizing.Seconds(cover), s.Percentile),
		}, sizing.WithMargin(cover)))
	},
})
