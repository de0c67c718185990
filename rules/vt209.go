package rules

import "vtsize/facts"

var _ = register(&Rule{
	ID: "VT209", Name: "no-destination-after-deadline", Severity: Info, Scope: PerConsumer,
	Title: "nobody said where a message goes that is given up",
	Why: "A step that its deadline ends leaves a message that no retry of the same length will finish. With no place to go it comes back, takes as long again, " +
		"and uses its receives up before anybody learns of it.",
	Fix:     "Decide where it goes: leave it to the dead-letter queue, or park it where a person or a slower worker takes it, and say so in after_deadline.",
	Sources: []Source{srcDeadLetter, srcVisibility},
	Inputs:  "workload file",
	Run: func(p *Pass) {
		h := heartbeat(p)
		if h == nil {
			return
		}
		if deadline, known := p.Consumer.Work.StepDeadline.Get(); known && deadline == nil {
			p.NotApplicable() // VT203: it is never given up
			return
		}
		to := h.AfterDeadline.Need(p, "where a message goes after the step deadline")
		if p.Incomplete() || to != facts.NoDestination {
			return
		}
		p.Report(Finding{
			Message: "a message given up at the step deadline has no place to go, and comes back to be given up again; dead-letter it, or park it for a person",
			Origin:  h.AfterDeadline.Origin(), Related: []Related{{"the heartbeat", p.Consumer.Work.Heartbeat.Origin()}},
		})
	},
})
