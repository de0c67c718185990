package rules

import (
	"fmt"
	"time"

	"vtsize/facts"
	"vtsize/sizing"
)

var _ = register(&Rule{
	ID: "VT202", Name: "heartbeat-missing", Severity: Warning, Scope: PerConsumer,
	Title: "work of no fixed length has no heartbeat",
	Why: "No fixed timeout fits work whose length is not bounded, or whose tail is beyond the timeout: a short one delivers the long runs twice, " +
		"and a long one hides the message of a crashed worker for as long.",
	Fix:     "Extend the visibility timeout with a heartbeat while the work makes progress, up to a step deadline.",
	Sources: []Source{srcVisibility, srcChangeVisibility},
	Needs:   []string{"sqs:GetQueueAttributes"},
	Inputs:  "flags",
	Run: func(p *Pass) {
		s, w := p.Sizing, &p.Consumer.Work
		if s.IsLambda() {
			p.NotApplicable() // a poller does not renew what it received
			return
		}
		timeout := s.Timeout.Need(p, "visibility timeout")
		ceiling, bounded := s.Ceiling.Get()
		if p.Incomplete() || s.Heartbeat != nil || bounded && !ceiling.Exceeds(timeout) {
			return // its own timeouts end the work in time
		}
		unbounded, _ := w.Unbounded.Get()
		tail, known := s.TailFloor.Get()
		longest := longestSeen(w)
		f := Finding{Current: InSeconds(timeout), Unit: Seconds, Origin: s.Timeout.Origin(), Related: latencyPlaces(p)}
		switch {
		case unbounded:
			f.Message = fmt.Sprintf("visibility timeout %s is all that work declared unbounded has; add a heartbeat and a step deadline", sizing.Seconds(timeout))
			f.Related = append(f.Related, Related{"declared unbounded", w.Unbounded.Origin()})
		case known && tail > timeout:
			f.Required = InSeconds(tail)
			f.Message = fmt.Sprintf("visibility timeout %s is below the %s that a message is held at p99.9; add a heartbeat", sizing.Seconds(timeout), sizing.Seconds(tail))
		case longest > timeout:
			f.Required = InSeconds(longest)
			f.Message = fmt.Sprintf("visibility timeout %s is below the %s that the longest call took; add a heartbeat", sizing.Seconds(timeout), sizing.Seconds(longest))
		default:
			if !known {
				w.Unbounded.Need(p, "whether the work is bounded")
			}
			s.TailFloor.Need(p)
			return
		}
		w.Heartbeat.Need(p, "heartbeat")
		if plan, ok := s.Plan.Get(); ok && plan.StepDeadline > 0 {
			f.Fix = fmt.Sprintf("extend the timeout to %s every %s while the work goes on, and give it up after %s",
				sizing.Seconds(plan.Heartbeat.ExtendTo), sizing.Seconds(plan.Heartbeat.Interval), sizing.Seconds(plan.StepDeadline))
		}
		p.Report(f)
	},
})

// longestSeen is the longest of all latencies that were measured.
func longestSeen(w *facts.Work) time.Duration {
	var longest time.Duration
	stages, _ := w.Stages.Get()
	for _, st := range stages {
		if d, ok := st.Latency.Max.Get(); ok {
			longest = max(longest, d)
		}
	}
	return longest
}
