package rules

import (
	"fmt"

	"vtsize/sizing"
)

var _ = register(&Rule{
	ID: "VT106", Name: "retries-outlast-timeout", Severity: Warning, Scope: PerConsumer,
	Title: "nothing ends the work before the visibility timeout does",
	Why: "The defaults of SDKs allow minutes: several attempts, each with a request timeout of its own, and the waits between. When the remote side hangs, " +
		"the worker goes on long after its message was delivered to somebody else, and both do the work.",
	Fix:     "Give the work an end below the visibility timeout, by a step deadline or by request timeouts and attempts that add up to less; or extend the timeout with a heartbeat.",
	Sources: []Source{srcVisibility, srcChangeVisibility},
	Needs:   []string{"sqs:GetQueueAttributes"},
	Inputs:  "flags",
	Run: func(p *Pass) {
		s, w := p.Sizing, &p.Consumer.Work
		if s.IsLambda() {
			p.NotApplicable()
			return
		}
		timeout := s.Timeout.Need(p, "visibility timeout")
		ceiling, known := s.Ceiling.Get()
		if p.Incomplete() || s.Heartbeat != nil || known && !ceiling.Exceeds(timeout) {
			return
		}
		s.Ceiling.Need(p)
		w.Heartbeat.Need(p, "heartbeat")
		w.StepDeadline.Need(p, "step deadline")
		if p.Incomplete() {
			return
		}
		f := Finding{
			Severity: Warning, Current: InSeconds(timeout), Unit: Seconds, Origin: s.Timeout.Origin(),
			Supersedes: []string{"VT202"}, Related: clientPlaces(p),
		}
		longest := "has no bound (" + ceiling.Unbounded + ")"
		if ceiling.IsBounded() {
			f.Required = InSeconds(ceiling.Bound)
			longest = "can last " + sizing.Seconds(ceiling.Bound) + " by its own timeouts"
		}
		f.Message = fmt.Sprintf("visibility timeout %s ends before the work has to, which %s; set a step deadline or a heartbeat", sizing.Seconds(timeout), longest)
		unbounded, _ := w.Unbounded.Get()
		if tail, ok := s.TailFloor.Get(); ok && !unbounded && sizing.Times(tail, 3) < timeout {
			// Possible, and so far not near.
			f.Severity, f.Supersedes = Info, nil
			f.Message += fmt.Sprintf("; at p99.9 a message is held for %s", sizing.Seconds(tail))
		}
		if plan, ok := s.Plan.Get(); ok && plan.StepDeadline == 0 {
			f.Fix = lessWork(p) + ": the wait for the work leaves no time for it"
		} else if ok {
			f.Fix = fmt.Sprintf("give a step up after %s, and retry it by a new receive", sizing.Seconds(plan.StepDeadline))
			if plan.Strategy == sizing.WithHeartbeat {
				f.Fix += fmt.Sprintf("; while it runs, extend the timeout to %s every %s", sizing.Seconds(plan.Heartbeat.ExtendTo), sizing.Seconds(plan.Heartbeat.Interval))
			}
		}
		p.Report(f)
	},
})

// clientPlaces is where attempts and request timeouts come from.
func clientPlaces(p *Pass) []Related {
	var out []Related
	stages, _ := p.Consumer.Work.Stages.Get()
	for _, st := range stages {
		attempts, _ := st.Attempts.Get()
		if d, ok := st.RequestTimeout.Get(); ok && d != nil {
			out = append(out, Related{fmt.Sprintf("request timeout %s, %s", sizing.Seconds(*d), counted(attempts, "attempt")), st.RequestTimeout.Origin()})
		}
	}
	return out
}
