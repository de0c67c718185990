package rules

import (
	"fmt"
	"strings"

	"vtsize/facts"
)

var _ = register(&Rule{
	ID: "VT704", Name: "uncertain-effect-retried", Severity: Warning, Scope: PerConsumer,
	Title: "an effect of unknown outcome is done again",
	Why: "A call that timed out may have had its effect. Doing it again without asking makes a second one, unless the target still knows the key of the first. " +
		"Keys are remembered for a time only, and a redelivery can come hours later.",
	Fix:     "Ask the target what happened before doing it again, and send what stays unclear to a person.",
	Sources: []Source{srcSafeRetries, srcDelete},
	Inputs:  "workload file",
	Run: func(p *Pass) {
		names, place, ok := effectsThat(p, func(e facts.Effect, m facts.Misser) (bool, facts.Origin) {
			way := e.Uncertain.Need(m, fmt.Sprintf("what is done about an unknown outcome of %q", e.Name))
			return way == facts.RetryIt, e.Uncertain.Origin()
		})
		if !ok {
			return
		}
		p.Report(Finding{
			Message: fmt.Sprintf("%s of unknown outcome is done again, though it may have happened; ask the target first", strings.Join(names, ", ")),
			Origin:  place,
		})
	},
})

// effectsThat are the names of the effects that a rule is about, and the place
// of the first. Where there are none, what was not known counts; it reports
// whether there are any.
func effectsThat(p *Pass, about func(facts.Effect, facts.Misser) (bool, facts.Origin)) (names []string, place facts.Origin, ok bool) {
	effects := p.Consumer.Work.Effects.Need(p, "effects")
	if p.Incomplete() {
		return nil, place, false
	}
	var missing Pass
	for _, e := range effects {
		is, origin := about(e, &missing)
		if !is {
			continue
		}
		if names = append(names, fmt.Sprintf("%q", e.Name)); len(names) == 1 {
			place = origin
		}
	}
	if len(names) == 0 {
		p.misses = missing.misses
	}
	return names, place, len(names) > 0
}
