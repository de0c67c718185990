package rules

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"vtsize/assess"
	"vtsize/sizing"
)

// quiet is the share of excess receives up to which redelivery is what any
// queue shows.
const quiet = 0.001

var _ = register(&Rule{
	ID: "VT801", Name: "nothing-to-do", Severity: Info, Scope: PerQueue, Last: true,
	Title: "the queue is well as it is",
	Why: "Where the work takes less than a third of the visibility timeout and messages are hardly ever received twice, " +
		"heartbeats, longer timeouts and workflow engines only add parts that can fail.",
	Fix:     "Leave the queue alone, and look again when the work or the load changes.",
	Sources: []Source{srcVisibility, srcSQSMetrics},
	Needs:   []string{"sqs:GetQueueAttributes", "lambda:ListEventSourceMappings", "lambda:GetFunctionConfiguration", "cloudwatch:GetMetricData"},
	Run: func(p *Pass) {
		if slices.ContainsFunc(p.Found, func(f Finding) bool { return f.Severity >= Warning || f.Asks }) {
			return
		}
		if len(p.Sizings) == 0 {
			p.Queue.Consumers.Need(p, "consumers")
			return
		}
		var evidence []string
		for _, s := range p.Sizings {
			hold := heldFor(p, s)
			timeout := s.Timeout.Need(p, "visibility timeout")
			if p.Incomplete() || hold >= timeout/3 {
				return
			}
			evidence = append(evidence, shareText(s, hold, timeout))
		}
		redelivered, ok := redeliveryText(p)
		if !ok {
			return
		}
		p.Report(Finding{
			Message: strings.Join(append(evidence, redelivered), ", ") + "; leave it alone",
			Origin:  queuePlace(p.Queue),
		})
	},
})

// heldFor is how long a message stays in flight at the percentile, the wait
// for a batching window included.
func heldFor(p *Pass, s *assess.Sizing) time.Duration {
	hold := s.Floor.Need(p)
	if s.IsLambda() {
		hold = sizing.Sum(hold, s.WindowWait.Need(p))
	}
	return hold
}

// shareText says how much of the timeout the work takes.
func shareText(s *assess.Sizing, hold, timeout time.Duration) string {
	text := fmt.Sprintf("p%v %s", s.Percentile, sizing.Seconds(hold))
	if n, ok := s.Samples.Get(); ok {
		text += " of " + sizing.Count(n, "sample")
	}
	return fmt.Sprintf("%s is %s of the visibility timeout %s", text, percent(hold.Seconds()/timeout.Seconds()), sizing.Seconds(timeout))
}

// redeliveryText says what was measured of redelivery, and what was not. It
// reports false where there was too much.
func redeliveryText(p *Pass) (string, bool) {
	m := &p.Queue.Metrics
	var missing Pass
	e := excessReceives(m, &missing)
	sent, known := m.Sent.Get()
	if !known || e.formula == "" {
		return "redelivery was not measured", true
	}
	text := fmt.Sprintf("excess receives were %s of %s messages", sizing.Number(max(0, e.count)), sizing.Number(sent))
	if missing.Incomplete() {
		text += fmt.Sprintf(" (%s was not measured)", missing.misses[0].Input)
	}
	return text, e.count <= quiet*sent
}
