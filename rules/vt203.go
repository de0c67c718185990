package rules

import (
	"fmt"

	"vtsize/sizing"
)

var _ = register(&Rule{
	ID: "VT203", Name: "heartbeat-without-deadline", Severity: Warning, Scope: PerConsumer,
	Title: "a heartbeat with no end renews a hang for ever",
	Why: "Beats from a thread of their own go on while the work hangs: the message is neither done nor delivered to somebody else until the process dies or twelve hours are over. " +
		"On a FIFO queue its whole group waits.",
	Fix:     "Give each step a deadline after which the worker stops the work and its beats.",
	Sources: []Source{srcChangeVisibility, srcVisibility},
	Inputs:  "flags",
	Run: func(p *Pass) {
		h := heartbeat(p)
		if h == nil {
			return
		}
		w := &p.Consumer.Work
		deadline := w.StepDeadline.Need(p, "step deadline")
		if p.Incomplete() || deadline != nil {
			return
		}
		f := Finding{
			Message: fmt.Sprintf("no step deadline: beats keep a message that hangs hidden for up to %s; give the step up after a deadline", sizing.Seconds(sizing.MaxVisibilityTimeout)),
			Origin:  w.StepDeadline.Origin(), Related: []Related{{"the heartbeat", w.Heartbeat.Origin()}},
		}
		if plan, ok := p.Sizing.Plan.Get(); ok && plan.StepDeadline == 0 {
			f.Fix = lessWork(p) + ": the wait for the work leaves no time for it"
		} else if ok {
			f.Recommended, f.Unit = InSeconds(plan.StepDeadline), Seconds
			f.Fix = "stop the work and its beats after " + sizing.Seconds(plan.StepDeadline)
		}
		p.Report(f)
	},
})
