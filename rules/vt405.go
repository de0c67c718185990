package rules

import (
	"fmt"

	"vtsize/facts"
)

var _ = register(&Rule{
	ID: "VT405", Name: "dead-letter-type-mismatch", Severity: Error, Scope: PerQueue, DeadLetterQueues: true,
	Title: "a FIFO queue and a standard one are paired by a redrive policy",
	Why: "The dead-letter queue of a FIFO queue must be a FIFO queue, and that of a standard queue a standard one. " +
		"AWS refuses the redrive policy, or the dead letters have nowhere to go.",
	Fix:     "Make the dead-letter queue of the same type as its source. The type of a queue cannot be changed: it takes a new queue.",
	Sources: []Source{srcSetAttributes, srcDeadLetter},
	Needs:   []string{"sqs:GetQueueAttributes"},
	Run: func(p *Pass) {
		sources := p.wiring.sources[p.Queue]
		if len(sources) == 0 {
			p.NotApplicable()
			return
		}
		fifo := p.Queue.FIFO.Need(p, "queue type")
		if p.Incomplete() {
			return
		}
		var missing Pass
		for _, source := range sources {
			other := source.FIFO.Need(&missing, "queue type of "+source.Name)
			if !source.FIFO.IsKnown() || other == fifo {
				continue
			}
			p.Report(Finding{
				Message: fmt.Sprintf("%s queue takes the dead letters of %s queue %q, which AWS refuses; use a %s dead-letter queue",
					queueType(fifo), queueType(other), source.Name, queueType(other)),
				Fix:    fmt.Sprintf("make a new %s dead-letter queue for %q; the type of a queue cannot be changed", queueType(other), source.Name),
				Origin: p.Queue.FIFO.Origin(), Related: []Related{{fmt.Sprintf("queue %q", source.Name), source.FIFO.Origin()}, policyPlace(source)},
			})
			return
		}
		p.misses = missing.misses
	},
})

func queueType(fifo bool) string {
	if fifo {
		return "FIFO"
	}
	return "standard"
}

// policyPlace is where the redrive policy of a source stands.
func policyPlace(source *facts.Queue) Related {
	return Related{fmt.Sprintf("redrive policy of %q", source.Name), source.Redrive.Origin()}
}
