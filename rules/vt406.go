package rules

import (
	"fmt"

	"vtsize/facts"
	"vtsize/sizing"
)

var _ = register(&Rule{
	ID: "VT406", Name: "dead-letters-without-failures", Severity: Warning, Scope: PerQueue,
	Title: "messages are dead-lettered though nothing failed",
	Why: "Dead letters from a function without errors and without throttles did not fail: they were received maxReceiveCount times because the work outlasted the visibility timeout. " +
		"Each was probably worked on several times, with success.",
	Fix:     "Compare the function's latency with the visibility timeout, raise the timeout, and look for effects that happened more than once before moving the dead letters back.",
	Sources: []Source{srcVisibility, srcLambdaErrors, srcSQSMetrics, srcLambdaMetrics},
	Needs:   []string{"sqs:GetQueueAttributes", "lambda:ListEventSourceMappings", "cloudwatch:GetMetricData"},
	Run: func(p *Pass) {
		policy := p.Queue.Redrive.Need(p, "redrive policy")
		if policy == nil {
			return
		}
		target := policy.Target.Need(p, "dead-letter queue")
		if p.Incomplete() {
			return
		}
		letters := p.wiring.letters[p.Queue]
		if letters == nil {
			p.Miss(facts.Miss{Input: "depth of the dead-letter queue " + target, Cause: facts.NotCollected, Origin: policy.Target.Origin()})
			return
		}
		depth := letters.Metrics.Visible.Need(p, "depth of the dead-letter queue")
		if p.Incomplete() || depth.Max <= depth.First || hasFailures(p) || p.Incomplete() {
			return
		}
		if n := len(p.wiring.sources[letters]); n > 1 {
			p.Miss(facts.Miss{Input: fmt.Sprintf("which of the %d queues the dead letters are from", n), Cause: facts.NotDeclared, Origin: letters.Metrics.Visible.Origin()})
			return
		}
		f := Finding{
			Message: fmt.Sprintf("%s messages were dead-lettered while the consumers had no errors and no throttles: slow, not failed", sizing.Number(depth.Max-depth.First)),
			Current: Count(depth.Max - depth.First), Required: Count(0), Unit: Messages,
			Origin: letters.Metrics.Visible.Origin(),
		}
		if timeout, ok := timeoutInForce(p).Get(); ok {
			f.Message += fmt.Sprintf("; compare their latency with the visibility timeout %s", sizing.Seconds(timeout))
			f.Related = []Related{{"visibility timeout " + sizing.Seconds(timeout), timeoutInForce(p).Origin()}}
		}
		p.Report(f)
	},
})

// hasFailures reports whether a consumer of the queue failed or was throttled,
// or may have told failures by partial responses, which no metric counts.
func hasFailures(p *Pass) bool {
	p.Queue.Consumers.Need(p, "consumers")
	var missing Pass
	for _, c := range consumers(p.Queue) {
		partial := c.Kind == facts.Lambda && c.ReportBatchItemFailures.Need(&missing, "partial batch responses")
		if partial || c.Metrics.Errors.Need(&missing, "errors") > 0 || c.Metrics.Throttles.Need(&missing, "throttles") > 0 {
			return true
		}
	}
	p.misses = append(p.misses, missing.misses...)
	return false
}
