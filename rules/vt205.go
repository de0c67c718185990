package rules

var _ = register(&Rule{
	ID: "VT205", Name: "work-after-lost-lease", Severity: Warning, Scope: PerConsumer,
	Title: "the worker goes on when its message is no longer its own",
	Why: "When a renewal fails, or comes too late, another worker may have received the message. One that goes on all the same does its effects a second time, " +
		"and its delete with the old receipt handle may do nothing.",
	Fix:     "Stop the work when a renewal fails, begin no further effect, and do not delete the message.",
	Sources: []Source{srcChangeVisibility, srcDelete},
	Inputs:  "workload file",
	Run: func(p *Pass) {
		h := heartbeat(p)
		if h == nil {
			return
		}
		if stops := h.StopsWork.Need(p, "whether the work stops when a renewal fails"); p.Incomplete() || stops {
			return
		}
		p.Report(Finding{
			Message: "the work goes on after a failed renewal, when another worker may have the message; stop it before its next effect",
			Origin:  h.StopsWork.Origin(), Related: []Related{{"the heartbeat", p.Consumer.Work.Heartbeat.Origin()}},
		})
	},
})
