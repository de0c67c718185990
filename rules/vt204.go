package rules

var _ = register(&Rule{
	ID: "VT204", Name: "heartbeat-without-progress", Severity: Info, Scope: PerConsumer,
	Title: "renewal goes on whether or not the work does",
	Why: "A timer that renews proves that the process lives, not that the work moves. A worker that is stuck in a loop or on a dead connection keeps its message hidden, " +
		"and nobody else can take it.",
	Fix:     "Renew only after something was seen to move: a chunk of a stream, a finished stage, a stored checkpoint.",
	Sources: []Source{srcChangeVisibility, srcVisibility},
	Inputs:  "workload file",
	Run: func(p *Pass) {
		h := heartbeat(p)
		if h == nil {
			return
		}
		if tied := h.Progress.Need(p, "whether renewal is tied to progress"); p.Incomplete() || tied {
			return
		}
		p.Report(Finding{
			Message: "renewal is not tied to progress: a stuck worker keeps its message hidden; renew only when the work has moved",
			Origin:  h.Progress.Origin(), Related: []Related{{"the heartbeat", p.Consumer.Work.Heartbeat.Origin()}},
		})
	},
})
