package rules

import (
	"fmt"
	"strings"
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
		effects := p.Consumer.Work.Effects.Need(p, "effects")
		if p.Incomplete() {
			return
		}
		var missing Pass
		var f Finding
		var names []string
		for _, e := range effects {
			key := e.Key.Need(&missing, fmt.Sprintf("idempotency key of %q", e.Name))
			if key != nil || !e.Key.IsKnown() {
				continue
			}
			if names = append(names, fmt.Sprintf("%q", e.Name)); len(names) == 1 {
				f.Origin = e.Key.Origin()
			}
		}
		if len(names) == 0 {
			p.misses = missing.misses
			return
		}
		f.Message = fmt.Sprintf("no idempotency key for %s: a second delivery repeats the effect; make one from what the step means, as the case and the step", strings.Join(names, ", "))
		p.Report(f)
	},
})
