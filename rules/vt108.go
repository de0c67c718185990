package rules

import (
	"fmt"
	"time"

	"vtsize/sizing"
)

var _ = register(&Rule{
	ID: "VT108", Name: "batch-multiplies-hold", Severity: Error, Scope: PerConsumer,
	Title: "the visibility timeout covers one message, not the whole batch",
	Why: "The timeout of every message of a batch, or of a prefetched lot, starts at the receive. Where they are worked on in turn, the last one waits for all before it, " +
		"so it is delivered again while it still waits. Then the work of the others is repeated too.",
	Fix:     "Receive fewer messages at once, work on them in parallel, or renew waiting messages as well; a timeout for the whole batch delays every retry.",
	Sources: []Source{srcReceive, srcVisibility},
	Needs:   []string{"sqs:GetQueueAttributes", "lambda:ListEventSourceMappings", "lambda:GetFunctionConfiguration", "cloudwatch:GetMetricData"},
	Run: func(p *Pass) {
		s := p.Sizing
		timeout := s.Timeout.Need(p, "visibility timeout")
		cover, short := uncovered(p, timeout)
		if !short {
			return
		}
		batch := s.Batch.Need(p)
		message := s.MessageFloor.Need(p)
		before, _ := p.Consumer.Work.Countdown.Get()
		if s.IsLambda() {
			before = s.WindowWait.Need(p)
		}
		one := sizing.Sum(before, message)
		if p.Incomplete() || batch.Multiplier() == 1 || timeout < one {
			return // one message is too much already: VT101 says so
		}
		fits := batch.Slots() * roundsWithin(timeout-before, message)
		f := Finding{
			Message: fmt.Sprintf("visibility timeout %s covers one message (%s) but not %s held at once and %s (%s); receive at most %d at once",
				sizing.Seconds(timeout), sizing.Seconds(one), sizing.Number(float64(batch.Held())), inTurn(batch), sizing.Seconds(cover), fits),
			Fix:        fmt.Sprintf("receive at most %d at once, or %s", fits, timeoutAdviceForBatch(p, cover)),
			Supersedes: []string{"VT101", "VT102", "VT104", "VT202"},
		}
		if mean, ok := s.MeanStep.Get(); ok && sizing.Sum(one, sizing.Times(mean, batch.Multiplier()-1)) <= timeout {
			f.Severity = Warning
			f.Message += "; it covers one slow message among others of mean length"
		}
		p.Report(tooShort(p, f, cover))
	},
})

// roundsWithin is how many messages in turn fit into d, which one does.
func roundsWithin(d, message time.Duration) int { return int(d / max(message, 1)) }

func inTurn(b sizing.Batch) string {
	if n := b.Slots(); n > 1 {
		return fmt.Sprintf("handled %d at a time", n)
	}
	return "handled in turn"
}

// timeoutAdviceForBatch is the other way: to cover the batch as it is.
func timeoutAdviceForBatch(p *Pass, cover time.Duration) string {
	plan, ok := p.Sizing.Plan.Get()
	if d, known := p.Sizing.Recommended.Get(); known && cover <= sizing.MaxVisibilityTimeout && (!ok || plan.Strategy != sizing.Split) {
		return setTimeout(p, d)
	}
	return "work on them in parallel"
}
