package rules

import (
	"fmt"
	"time"

	"vtsize/sizing"
)

// nearFunctionTimeout is the share of the function timeout from which a
// measured latency is cut off by it: 9/10, as a fraction.
const nearFunctionTimeoutNum, nearFunctionTimeoutDen = 9, 10

var _ = register(&Rule{
	ID: "VT303", Name: "function-timeout-cuts-step", Severity: Error, Scope: PerConsumer,
	Title: "the function timeout cuts the work off",
	Why: "A run that reaches the function timeout is killed in the middle of its work: the whole batch is delivered again when the visibility timeout ends, " +
		"and the same message is killed again. What was done before the cut is paid for and, without an idempotency key, done twice.",
	Fix:     "Raise the queue's visibility timeout and then the function timeout, or do less in one run.",
	Sources: []Source{srcLambdaErrors, srcLambdaMetrics, srcCreateFunction},
	Needs:   []string{"lambda:ListEventSourceMappings", "lambda:GetFunctionConfiguration", "cloudwatch:GetMetricData"},
	Run: func(p *Pass) {
		if !isMapping(p) {
			return
		}
		function := p.Consumer.FunctionTimeout.Need(p, "function timeout")
		floor := p.Sizing.MessageFloor.Need(p)
		if p.Incomplete() {
			return
		}
		f := Finding{
			Current: InSeconds(function), Unit: Seconds, Formula: p.Sizing.Formula,
			Origin: p.Consumer.FunctionTimeout.Origin(), Related: latencyPlaces(p),
		}
		if perInvocation(p) {
			if !cutOff(floor, function) {
				return
			}
			f.Message = fmt.Sprintf("function timeout %s cuts runs off: their measured p%v is %s, and what took longer is not in it", sizing.Seconds(function), p.Sizing.Percentile, sizing.Seconds(floor))
		} else {
			if function >= floor {
				return
			}
			f.Required = InSeconds(floor)
			f.Message = fmt.Sprintf("function timeout %s is below the %s that one message takes at p%v", sizing.Seconds(function), sizing.Seconds(floor), p.Sizing.Percentile)
		}
		d, ok := functionTimeoutFor(p, floor)
		if ok {
			f.Recommended = InSeconds(d)
		}
		f.Fix = functionTimeoutAdvice(p, d, ok)
		f.Message += "; " + f.Fix
		p.Report(f)
	},
})

// cutOff reports whether a measured latency is so close to the function timeout
// that longer runs were cut off and are not in it.
func cutOff(measured, function time.Duration) bool {
	return measured >= sizing.Scale(function, nearFunctionTimeoutNum, nearFunctionTimeoutDen)
}

// functionTimeoutFor is the function timeout to advise for a run that takes
// floor. It reports false where the largest there is does not help.
func functionTimeoutFor(p *Pass, floor time.Duration) (time.Duration, bool) {
	function, _ := p.Consumer.FunctionTimeout.Get()
	most := sizing.LambdaMaxTimeout
	if function > most {
		most = sizing.LambdaManagedMaxTimeout
	}
	d := min(most, sizing.RoundUp(sizing.WithMargin(floor), 0))
	if perInvocation(p) {
		return d, d > function && !cutOff(floor, d)
	}
	return d, d >= floor
}

// functionTimeoutAdvice is what to do about a function timeout that is too
// short; a longer one needs a queue that allows it first.
func functionTimeoutAdvice(p *Pass, d time.Duration, helps bool) string {
	if size, ok := p.Consumer.BatchSize.Get(); !helps && ok && size > 1 && perInvocation(p) {
		return fmt.Sprintf("receive fewer than %d messages at once: no longer function timeout covers them", size)
	}
	if !helps {
		return "split the work into smaller steps, or hand it to a workflow: no longer function timeout covers it"
	}
	text := fmt.Sprintf("set the function timeout to %s", sizing.Seconds(d))
	window, _ := p.Consumer.BatchingWindow.Get()
	queue := sizing.LambdaTimeout(d, window)
	if timeout, ok := p.Sizing.Timeout.Get(); !ok || timeout < queue {
		text = fmt.Sprintf("set the queue's visibility timeout to %s, then the function timeout to %s", sizing.Seconds(queue), sizing.Seconds(d))
	}
	return text
}
