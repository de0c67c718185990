package rules

import "fmt"

var _ = register(&Rule{
	ID: "VT304", Name: "batch-without-partial-response", Severity: Warning, Scope: PerConsumer,
	Title: "one failed message brings its whole batch back",
	Why: "Without partial responses a batch succeeds or fails as one: a single bad message makes Lambda leave all of them in the queue. " +
		"The good ones are worked on again, their effects happen again, and they use their receives up beside the bad one until all are dead-lettered.",
	Fix: "Set FunctionResponseTypes to ReportBatchItemFailures, and have the code return the ids of the messages that failed; " +
		"on a FIFO queue stop at the first failure and return it and all that follow.",
	Sources: []Source{srcLambdaErrors, srcCreateMapping},
	Needs:   []string{"lambda:ListEventSourceMappings"},
	Run: func(p *Pass) {
		if !isMapping(p) {
			return
		}
		c := p.Consumer
		if reports, ok := c.ReportBatchItemFailures.Get(); ok && reports {
			return
		}
		if size, ok := c.BatchSize.Get(); ok && size <= 1 {
			return
		}
		size := c.BatchSize.Need(p, "batch size")
		c.ReportBatchItemFailures.Need(p, "partial batch responses")
		if p.Incomplete() {
			return
		}
		p.Report(Finding{
			Message: fmt.Sprintf("batches of up to %d messages without ReportBatchItemFailures: one failure brings them all back; report the failed ones alone", size),
			Origin:  c.ReportBatchItemFailures.Origin(),
			Related: []Related{{fmt.Sprintf("batch size %d", size), c.BatchSize.Origin()}},
		})
	},
})
