package rules

import "vtsize/facts"

var _ = register(&Rule{
	ID: "VT401", Name: "no-dead-letter-queue", Severity: Warning, Scope: PerQueue,
	Title: "failed messages have nowhere to go",
	Why: "Without a redrive policy a message that always fails is delivered again and again until its retention ends, takes work each time, " +
		"and is then deleted without a trace.",
	Fix:     "Add a dead-letter queue and a redrive policy with a maxReceiveCount of 5 or so, and alarm on the queue's depth.",
	Sources: []Source{srcDeadLetter},
	Needs:   []string{"sqs:GetQueueAttributes"},
	Run: func(p *Pass) {
		if p.wiring.isDeadLetterQueue(p.Queue) {
			p.NotApplicable()
			return
		}
		policy := p.Queue.Redrive.Need(p, "redrive policy")
		if p.Incomplete() || policy != nil {
			return
		}
		if namedAsDeadLetterQueue(p.Queue) {
			// Nothing here wires it, so its name is all that says what it is.
			p.Miss(facts.Miss{Input: "whether it is a dead-letter queue, as its name says", Cause: facts.NotDeclared, Origin: p.Queue.Redrive.Origin()})
			return
		}
		p.Report(Finding{
			Message: "no redrive policy: a message that always fails is received until it expires; add a dead-letter queue",
			Origin:  p.Queue.Redrive.Origin(),
		})
	},
})
