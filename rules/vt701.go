package rules

import (
	"fmt"
	"strings"

	"vtsize/facts"
)

var _ = register(&Rule{
	ID: "VT701", Name: "no-idempotency-key", Severity: Warning, Scope: PerConsumer,
	Title: "an effect has no idempotency key",
	Why: "SQS delivers at least once, whatever the visibility timeout: a message can come twice even within it. " +
		"An effect on the outside (a reply, an invoice, a write) without a key by which the receiver refuses the second one then happens twice.",
	Fix:     "Give every effect a key made from what the step means, as the case and the step, and have the receiving side refuse the second use.",
	Sources: []Source{srcVisibility, srcReceive, srcDelete},
	Inputs:  "workload file",
	Run: func(p *Pass) {
		names, place, ok := effectsThat(p, func(e facts.Effect, m facts.Misser) (bool, facts.Origin) {
			key := e.Key.Need(m, fmt.Sprintf("idempotency key of %q", e.Name))
			return key == nil && e.Key.IsKnown(), e.Key.Origin()
		})
		if !ok {
			return
		}
		p.Report(Finding{
			Message: fmt.Sprintf("no idempotency key for %s: a second delivery repeats the effect; make one from what the step means, as the case and the step", strings.Join(names, ", ")),
			Origin:  place,
		})
	},
})
