package rules

import (
	"fmt"
	"strings"

	"vtsize/facts"
)

var _ = register(&Rule{
	ID: "VT705", Name: "unfenced-effect", Severity: Info, Scope: PerConsumer,
	Title: "a worker that lost its message can still write",
	Why: "A worker that was paused, or cut off from SQS, does not know that its message has gone to another. What it writes then lands on top of what the other wrote, " +
		"and a check in the worker cannot rule that out: it may be paused after the check. Only the target can refuse the older one.",
	Fix:     "Name the expected version in the write, or pass a token that grows with each delivery and have the target refuse a smaller one.",
	Sources: []Source{srcFencing, srcVisibility},
	Inputs:  "workload file",
	Run: func(p *Pass) {
		names, place, ok := effectsThat(p, func(e facts.Effect, m facts.Misser) (bool, facts.Origin) {
			guard := e.Guard.Need(m, fmt.Sprintf("guard of %q", e.Name))
			return guard == facts.NoGuard, e.Guard.Origin()
		})
		if !ok {
			return
		}
		p.Report(Finding{
			Message: fmt.Sprintf("nothing at the target of %s refuses a worker that lost its message; write with an expected version or a fencing token", strings.Join(names, ", ")),
			Origin:  place,
		})
	},
})
