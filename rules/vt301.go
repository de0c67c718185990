package rules

import (
	"fmt"
	"time"

	"vtsize/facts"
	"vtsize/sizing"
)

var _ = register(&Rule{
	ID: "VT301", Name: "timeout-below-function-timeout", Severity: Error, Scope: PerConsumer,
	Title: "the visibility timeout is below what the function may take",
	Why: "A function that still runs when the visibility timeout ends has its messages delivered again while it works on them. " +
		"AWS refuses to create or update a mapping whose queue has a lower timeout than the function, yet lets either be changed later. " +
		"The clock starts when Lambda's poller receives, so the wait for a batching window counts as well.",
	Fix:     "Raise the queue's visibility timeout first, then the function's: six times the function timeout plus the batching window.",
	Sources: []Source{srcLambdaConfigure, srcLambdaParameters},
	Needs:   []string{"sqs:GetQueueAttributes", "lambda:ListEventSourceMappings", "lambda:GetFunctionConfiguration"},
	Run: func(p *Pass) {
		if !isMapping(p) {
			return
		}
		timeout := p.Sizing.Timeout.Need(p, "visibility timeout")
		function := p.Consumer.FunctionTimeout.Need(p, "function timeout")
		if p.Incomplete() {
			return
		}
		f := Finding{
			Current: InSeconds(timeout), Unit: Seconds, Origin: p.Sizing.Timeout.Origin(), Formula: p.Sizing.Formula,
			Related: functionPlaces(p.Consumer),
		}
		if d, ok := p.Sizing.Recommended.Get(); ok {
			f.Recommended = InSeconds(d)
			f.Fix = fmt.Sprintf("set the visibility timeout to %s; change the queue before the function or the mapping", sizing.Seconds(d))
		}
		if timeout < function {
			f.Required = InSeconds(function)
			f.Supersedes = []string{"VT101", "VT108", "VT302", "VT104"}
			f.Message = fmt.Sprintf("visibility timeout %s is below the %s timeout of %s; a mapping with these is refused by AWS, and a slow run is delivered again",
				sizing.Seconds(timeout), sizing.Seconds(function), consumerName(p.Consumer))
			p.Report(f)
			return
		}
		wait := p.Sizing.WindowWait.Need(p)
		if p.Incomplete() || timeout >= function+wait {
			return
		}
		f.Severity = Warning
		f.Required = InSeconds(function + wait)
		f.Supersedes = []string{"VT102", "VT302", "VT104"}
		f.Message = fmt.Sprintf("visibility timeout %s is below the function timeout %s plus up to %s of waiting for a batch; a slow run is delivered again",
			sizing.Seconds(timeout), sizing.Seconds(function), sizing.Seconds(wait))
		if floor, ok := p.Sizing.Floor.Get(); ok && min(floor, function)+wait > timeout {
			f.Severity = Error
			f.Supersedes = append(f.Supersedes, "VT101", "VT108")
			f.Message += fmt.Sprintf("; at p%v the run takes %s", p.Sizing.Percentile, sizing.Seconds(min(floor, function)))
		}
		p.Report(f)
	},
})

// isMapping reports whether the consumer is a function behind a mapping; a
// rule about those has nothing to say of workers and pipes.
func isMapping(p *Pass) bool {
	if p.Consumer.Kind != facts.Lambda {
		p.NotApplicable()
		return false
	}
	return true
}

// functionPlaces are the places of a mapping's facts, for related places.
func functionPlaces(c *facts.Consumer) []Related {
	var out []Related
	if d, ok := c.FunctionTimeout.Get(); ok {
		out = append(out, Related{"function timeout " + sizing.Seconds(d), c.FunctionTimeout.Origin()})
	}
	if c.Pos.IsValid() {
		out = append(out, Related{"the mapping", facts.Origin{Kind: facts.File, Pos: c.Pos}})
	}
	if d, ok := c.BatchingWindow.Get(); ok && d > time.Duration(0) {
		out = append(out, Related{"batching window " + sizing.Seconds(d), c.BatchingWindow.Origin()})
	}
	return out
}
