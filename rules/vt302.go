package rules

import (
	"fmt"

	"vtsize/sizing"
)

var _ = register(&Rule{
	ID: "VT302", Name: "timeout-below-six-times", Severity: Warning, Scope: PerConsumer,
	Title: "the visibility timeout leaves Lambda no time to retry",
	Why: "When a function is throttled, Lambda goes on trying to invoke it with the same batch until the messages' visibility timeout would end. " +
		"With a timeout of about one function timeout there is no room for that: the batch comes back, its receive count goes up, " +
		"and messages that never ran end in the dead-letter queue. AWS advises six times the function timeout, plus the batching window.",
	Fix:     "Set the queue's visibility timeout to six times the function timeout plus the batching window; where that is too long, lower the function timeout first.",
	Sources: []Source{srcLambdaConfigure, srcLambdaErrors},
	Needs:   []string{"sqs:GetQueueAttributes", "lambda:ListEventSourceMappings", "lambda:GetFunctionConfiguration", "lambda:GetFunctionConcurrency", "cloudwatch:GetMetricData"},
	Run: func(p *Pass) {
		if !isMapping(p) {
			return
		}
		function := p.Consumer.FunctionTimeout.Need(p, "function timeout")
		if function > sizing.LambdaMaxTimeout {
			p.NotApplicable() // Managed Instances: six times would hide a failed batch for hours
			return
		}
		timeout := p.Sizing.Timeout.Need(p, "visibility timeout")
		if p.Incomplete() {
			return
		}
		if !belowSixTimes(p) {
			p.Consumer.BatchingWindow.Need(p, "batching window")
			return
		}
		window, windowKnown := p.Consumer.BatchingWindow.Get()
		six := sizing.LambdaSixTimes(function, window)
		f := Finding{
			Current: InSeconds(timeout), Required: InSeconds(six), Unit: Seconds,
			Origin: p.Sizing.Timeout.Origin(), Formula: p.Sizing.Formula, Related: functionPlaces(p.Consumer), Supersedes: []string{"VT104"},
		}
		sum := fmt.Sprintf("6 × %s + window %s = %s", sizing.Seconds(function), sizing.Seconds(window), sizing.Seconds(six))
		f.Fix = fmt.Sprintf("set the visibility timeout to %s", sizing.Seconds(six))
		if !windowKnown {
			sum = fmt.Sprintf("6 × %s = %s, and a window that is not known", sizing.Seconds(function), sizing.Seconds(six))
			f.Fix += " plus the batching window"
		}
		if d, ok := p.Sizing.Recommended.Get(); ok {
			f.Recommended = InSeconds(d)
			f.Fix = fmt.Sprintf("set the visibility timeout to %s", sizing.Seconds(d))
		}
		f.Message = fmt.Sprintf("visibility timeout %s is below six times the function timeout (%s), so a throttled batch uses receives up; %s",
			sizing.Seconds(timeout), sum, f.Fix)
		if reserved, ok := neverThrottled(p); ok {
			f.Severity = Info
			f.Fix = "nothing now; " + f.Fix + " when the function is throttled, or before its reserved concurrency is lowered"
			f.Message = fmt.Sprintf("visibility timeout %s is below six times the function timeout (%s); no throttles were measured, and the reserved concurrency of %d covers the mappings",
				sizing.Seconds(timeout), sum, reserved)
		}
		p.Report(f)
	},
})

// belowSixTimes reports whether what is known suffices to say that the timeout
// is below six times the function timeout plus the window; a window that is
// not known counts as none.
func belowSixTimes(p *Pass) bool {
	timeout, ok1 := p.Sizing.Timeout.Get()
	function, ok2 := p.Consumer.FunctionTimeout.Get()
	window, _ := p.Consumer.BatchingWindow.Get()
	return ok1 && ok2 && function <= sizing.LambdaMaxTimeout && timeout < sizing.LambdaSixTimes(function, window)
}

// neverThrottled reports whether the function was measured without throttles
// and has reserved all that its mappings may ask for.
func neverThrottled(p *Pass) (reserved int, ok bool) {
	throttles, measured := p.Consumer.Metrics.Throttles.Get()
	r, known := p.Consumer.ReservedConcurrency.Get()
	if !measured || throttles > 0 || !known || r == nil {
		return 0, false
	}
	var missing Pass
	d := demandOf(p.Consumer, &missing)
	return *r, !missing.Incomplete() && d.open == 0 && d.sum <= *r
}
