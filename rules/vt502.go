package rules

import (
	"fmt"
	"math"

	"vtsize/facts"
	"vtsize/sizing"
)

const (
	excessShare = 0.01 // of the messages sent
	excessLeast = 20   // messages that were in flight at the edges of the lookback explain as many
)

var _ = register(&Rule{
	ID: "VT502", Name: "redelivery-observed", Severity: Warning, Scope: PerQueue,
	Title: "messages were received more often than once",
	Why: "More receives than messages mean that messages came back: because the work outlasted the visibility timeout, failed, or was throttled. " +
		"Equal numbers of receives and deletes do not prove the contrary, since deletes with a stale receipt handle are counted as deletes.",
	Fix:     "Compare the time that messages are held with the visibility timeout, then look for errors and throttles of the consumer.",
	Sources: []Source{srcSQSMetrics, srcDelete, srcVisibility},
	Needs:   []string{"cloudwatch:GetMetricData", "lambda:ListEventSourceMappings"},
	Run: func(p *Pass) {
		m := &p.Queue.Metrics
		if list, ok := p.Queue.Consumers.Get(); !ok || len(list) == 0 {
			// Looking into a queue receives as well; only a consumer deletes.
			if deleted := m.Deleted.Need(p, "messages deleted"); deleted == 0 && !p.Incomplete() {
				p.Queue.Consumers.Need(p, "consumers")
				if !p.Incomplete() {
					p.NotApplicable()
				}
				return
			}
		}
		sent := m.Sent.Need(p, "messages sent")
		if p.Incomplete() {
			return
		}
		var missing Pass
		e := excessReceives(m, &missing)
		limit := max(excessShare*sent, excessLeast)
		if e.count <= limit {
			p.misses = missing.misses
			return
		}
		f := Finding{
			Current: Count(e.count), Required: Count(math.Floor(limit)), Unit: Messages,
			Formula: e.formula, Origin: m.Received.Origin(),
		}
		f.Message = fmt.Sprintf("%s receives too many for %s messages sent (%s); compare the time they are held with the visibility timeout", sizing.Number(e.count), sizing.Number(sent), e.formula)
		if timeout, ok := timeoutInForce(p).Get(); ok {
			f.Message += " " + sizing.Seconds(timeout)
			f.Related = []Related{{"visibility timeout " + sizing.Seconds(timeout), timeoutInForce(p).Origin()}}
		}
		p.Report(f)
	},
})

// excess is how many receives there were beyond one for every message.
type excess struct {
	count   float64
	formula string
}

// excessReceives is the larger of two counts, and one of them where the other
// is not known: receives without a delete, and receives without a message that
// was sent or already there. What is not known is told to n.
func excessReceives(m *facts.QueueMetrics, n facts.Misser) excess {
	received := m.Received.Need(n, "messages received")
	if !m.Received.IsKnown() {
		return excess{}
	}
	var e excess
	if deleted := m.Deleted.Need(n, "messages deleted"); m.Deleted.IsKnown() {
		e = excess{received - deleted, fmt.Sprintf("%s received − %s deleted", sizing.Number(received), sizing.Number(deleted))}
	}
	sent, start := m.Sent.Need(n, "messages sent"), m.VisibleAtStart.Need(n, "messages visible at the start")
	if m.Sent.IsKnown() && m.VisibleAtStart.IsKnown() && (e.formula == "" || received-sent-start > e.count) {
		e = excess{received - sent - start, fmt.Sprintf("%s received − %s sent − %s there before", sizing.Number(received), sizing.Number(sent), sizing.Number(start))}
	}
	return e
}
