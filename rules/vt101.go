package rules

import (
	"fmt"
	"time"

	"vtsize/sizing"
)

var _ = register(&Rule{
	ID: "VT101", Name: "timeout-below-floor", Severity: Error, Scope: PerConsumer,
	Title: "the visibility timeout ends before the work does",
	Why: "A message that is still worked on when its visibility timeout ends is delivered again: the work is done twice, its effects happen twice, " +
		"the late delete uses a stale receipt handle, and after maxReceiveCount receives a message that never failed lands in the dead-letter queue. Nothing reports an error.",
	Fix:     "Set the timeout above the whole hold, or extend it with a heartbeat while the work goes on, and make the effects idempotent in any case.",
	Sources: []Source{srcVisibility, srcReceive, srcDelete},
	Needs:   []string{"sqs:GetQueueAttributes", "lambda:GetFunctionConfiguration", "cloudwatch:GetMetricData"},
	Run: func(p *Pass) {
		s := p.Sizing
		timeout := s.Timeout.Need(p, "visibility timeout")
		if function, ok := p.Consumer.FunctionTimeout.Get(); ok && s.IsLambda() && !p.Incomplete() {
			// The run ends with the function timeout, whatever its latency is.
			if wait, ok := s.WindowWait.Get(); ok && timeout >= function+wait {
				return
			}
		}
		cover := s.MustCover.Need(p)
		if p.Incomplete() || timeout >= cover {
			return
		}
		if cover > sizing.MaxVisibilityTimeout {
			return // no timeout helps: VT105 says so
		}
		f := Finding{
			Message: fmt.Sprintf("visibility timeout %s is below the %s that a message is held at p%v; %s", sizing.Seconds(timeout), sizing.Seconds(cover), s.Percentile, deliveredAgain(p, cover, timeout)),
			Current: InSeconds(timeout), Required: InSeconds(cover), Unit: Seconds,
			Origin: s.Timeout.Origin(), Formula: s.Formula, Supersedes: []string{"VT102", "VT202", "VT104"},
			Related: latencyPlaces(p),
		}
		if d, ok := s.QueueTimeout().Get(); ok {
			f.Recommended = InSeconds(d)
			f.Fix = timeoutAdvice(p, d)
		}
		p.Report(f)
	},
})

// deliveredAgain tells what a hold beyond the timeout costs.
func deliveredAgain(p *Pass, hold, timeout time.Duration) string {
	if timeout <= 0 {
		return "it is visible again at once"
	}
	n := sizing.Deliveries(hold, timeout)
	text := fmt.Sprintf("such a message is delivered at least %d times", n)
	if d, ok := p.Sizing.Deliveries.Get(); ok {
		if most, known := d.AtMost.Get(); known && most != nil {
			n = min(n, *most)
			text = fmt.Sprintf("such a message is delivered %d to %d times", n, *most)
			if n == *most {
				text = fmt.Sprintf("such a message is delivered %d times", n)
			}
			text += " before it is dead-lettered as if it had failed"
			if dead, ok := p.Sizing.TimeToDeadLetter.Get(); ok && dead != nil {
				text += fmt.Sprintf(", %s after its first receive", sizing.Seconds(*dead))
			}
		}
	}
	return text
}

// timeoutAdvice is the change to make for a timeout that is too short.
func timeoutAdvice(p *Pass, d time.Duration) string {
	plan, ok := p.Sizing.Plan.Get()
	if !ok {
		return fmt.Sprintf("set the visibility timeout to %s", sizing.Seconds(d))
	}
	switch plan.Strategy {
	case sizing.WithHeartbeat:
		return fmt.Sprintf("set the visibility timeout to %s and extend it to %s every %s while the work goes on, for at most %s",
			sizing.Seconds(d), sizing.Seconds(plan.Heartbeat.ExtendTo), sizing.Seconds(plan.Heartbeat.Interval), sizing.Seconds(plan.StepDeadline))
	case sizing.Split:
		return "receive fewer messages at once, or split the work into smaller messages; a timeout that covers it all delays every retry as long"
	}
	return fmt.Sprintf("set the visibility timeout to %s", sizing.Seconds(d))
}

// latencyPlaces is where the latencies come from.
func latencyPlaces(p *Pass) []Related {
	var out []Related
	stages, _ := p.Consumer.Work.Stages.Get()
	for _, st := range stages {
		if d, ok := st.Latency.Tail.Get(); ok {
			what := fmt.Sprintf("p%v %s", p.Sizing.Percentile, sizing.Seconds(d))
			if st.Name != "" {
				what = st.Name + ": " + what
			}
			out = append(out, Related{what, st.Latency.Tail.Origin()})
		}
	}
	return out
}
