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
		cover, short := uncovered(p, timeout)
		if !short {
			return
		}
		p.Report(tooShort(p, Finding{
			Message:    fmt.Sprintf("visibility timeout %s is below the %s that a message is held at p%v; %s", sizing.Seconds(timeout), sizing.Seconds(cover), s.Percentile, deliveredAgain(p, cover, timeout)),
			Supersedes: []string{"VT102", "VT104", "VT202"},
		}, cover))
	},
})

// uncovered is what the timeout should outlast, where it does not.
func uncovered(p *Pass, timeout time.Duration) (time.Duration, bool) {
	s := p.Sizing
	if s.IsLambda() && coversFunction(p, timeout) {
		return 0, false
	}
	if floor, ok := s.Floor.Get(); ok && !s.IsLambda() && timeout >= floor {
		return 0, false // whatever a heartbeat adds
	}
	cover := s.MustCover.Need(p)
	return cover, !p.Incomplete() && timeout < cover
}

// coversFunction reports whether the timeout outlasts the longest run of the
// function, which ends with the function timeout whatever its latency is.
func coversFunction(p *Pass, timeout time.Duration) bool {
	function, ok1 := p.Consumer.FunctionTimeout.Get()
	wait, ok2 := p.Sizing.WindowWait.Get()
	return ok1 && ok2 && timeout >= function+wait
}

// tooShort completes a finding on a timeout that should outlast cover. No
// timeout is recommended where none is long enough.
func tooShort(p *Pass, f Finding, cover time.Duration) Finding {
	s := p.Sizing
	timeout, _ := s.Timeout.Get()
	f.Current, f.Required, f.Unit = InSeconds(timeout), InSeconds(cover), Seconds
	f.Origin, f.Formula = s.Timeout.Origin(), s.Formula
	f.Related = append(f.Related, latencyPlaces(p)...)
	if d, ok := s.Recommended.Get(); ok {
		if cover <= sizing.MaxVisibilityTimeout {
			f.Recommended = InSeconds(d)
		}
		if f.Fix == "" {
			f.Fix = timeoutAdvice(p, d)
		}
	}
	return f
}

// deliveredAgain tells what a hold beyond the timeout costs.
func deliveredAgain(p *Pass, hold, timeout time.Duration) string {
	if timeout <= 0 {
		return "it is visible again at once"
	}
	n := sizing.Deliveries(hold, timeout)
	text := fmt.Sprintf("such a message is delivered at least %s times", sizing.Number(float64(n)))
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
