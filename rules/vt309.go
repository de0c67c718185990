package rules

import (
	"fmt"
	"time"

	"vtsize/sizing"
)

const (
	farAboveWork   = 5 // times the measured p99.9
	tailPercentile = 99.9
	longTimeout    = 60 * time.Second
)

var _ = register(&Rule{
	ID: "VT309", Name: "function-timeout-far-above-work", Severity: Info, Scope: PerConsumer,
	Title: "the function timeout is far above what runs take",
	Why: "The queue's visibility timeout is set to six times the function timeout, so a function timeout far above the work makes every failed batch wait for it: " +
		"with 900 s for a work of 10 s a retry comes after an hour and a half. A run that hangs is also paid for until the function timeout ends.",
	Fix:     "Lower the function timeout to about twice its p99.9, then the queue's visibility timeout to six times that.",
	Sources: []Source{srcLambdaConfigure, srcLambdaMetrics},
	Needs:   []string{"lambda:ListEventSourceMappings", "lambda:GetFunctionConfiguration", "cloudwatch:GetMetricData"},
	Run: func(p *Pass) {
		if !isMapping(p) {
			return
		}
		function := p.Consumer.FunctionTimeout.Need(p, "function timeout")
		if p.Incomplete() || function <= longTimeout {
			return
		}
		tail := p.Sizing.TailFloor.Need(p)
		if p.Incomplete() || function <= sizing.Times(tail, farAboveWork) {
			return
		}
		samples := p.Sizing.Samples.Need(p, "number of samples")
		if _, enough := sizing.UpperBoundRank(samples, tailPercentile); !enough && !p.Incomplete() {
			p.NotApplicable() // so few runs say nothing of their longest
			return
		}
		d := sizing.RoundUp(sizing.Times(tail, 2), 0)
		window, _ := p.Consumer.BatchingWindow.Get()
		queue := sizing.LambdaTimeout(d, window)
		p.Report(Finding{
			Message: fmt.Sprintf("function timeout %s is more than %d × the p99.9 of %s over %s runs, and six times of it is what delays retries; %s would do",
				sizing.Seconds(function), farAboveWork, sizing.Seconds(tail), sizing.Number(float64(samples)), sizing.Seconds(d)),
			Fix:     fmt.Sprintf("set the function timeout to %s, then the queue's visibility timeout to %s", sizing.Seconds(d), sizing.Seconds(queue)),
			Current: InSeconds(function), Recommended: InSeconds(d), Unit: Seconds,
			Formula: fmt.Sprintf("2 × p99.9 %s = %s, rounded up to %s", sizing.Seconds(tail), sizing.Seconds(sizing.Times(tail, 2)), sizing.Seconds(d)),
			Origin:  p.Consumer.FunctionTimeout.Origin(), Asks: true,
		})
	},
})
