package rules

import "vtsize/facts"

var _ = register(&Rule{
	ID: "VT703", Name: "deleted-before-result", Severity: Error, Scope: PerConsumer,
	Title: "the message is deleted before its work is done",
	Why: "A deleted message does not come back. Where the worker fails after the delete, the work is lost, and no retry, no dead-letter queue and no metric tells of it. " +
		"Deleting early is safe only where a durable store has taken the work over and has confirmed that.",
	Fix:     "Delete the message once the result is valid and stored; or hand the work over to a durable store first, and name it in handed_to.",
	Sources: []Source{srcDelete, srcVisibility},
	Inputs:  "workload file",
	Run: func(p *Pass) {
		deletes := p.Consumer.Work.Delete
		if p.Sizing.IsLambda() && !deletes.IsKnown() {
			p.NotApplicable() // its poller deletes what the function returned for
			return
		}
		when := deletes.Need(p, "when the message is deleted")
		if p.Incomplete() || when != facts.BeforeResult {
			return
		}
		if store := p.Consumer.Work.HandedTo.Need(p, "store that took the work over"); p.Incomplete() || store != nil {
			return
		}
		p.Report(Finding{
			Message: "the message is deleted before its result is there, so a worker that fails then loses the work; delete it afterwards, or hand it to a durable store first",
			Origin:  deletes.Origin(),
			// Nothing is held while the work is done: no timeout is too short for it.
			Supersedes: []string{"VT101", "VT102", "VT106", "VT108", "VT202"},
		})
	},
})
