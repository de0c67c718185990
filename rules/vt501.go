package rules

import (
	"fmt"
	"math"

	"vtsize/facts"
	"vtsize/sizing"
)

var _ = register(&Rule{
	ID: "VT501", Name: "in-flight-near-quota", Severity: Warning, Scope: PerQueue,
	Title: "the messages in flight come near the quota",
	Why: "About 120,000 messages of a queue can be in flight. Beyond that nothing more is received, though the queue is full of messages: " +
		"a short poll gets an OverLimit error, a long poll an empty answer, which looks like an idle queue. " +
		"A long visibility timeout makes it likelier, since every message of a crashed consumer stays in flight until it ends.",
	Fix:     "Hold messages for a shorter time, lower the visibility timeout (with a heartbeat for long work), or spread the load over more queues.",
	Sources: []Source{srcQuotas, srcVisibility, srcChangeVisibility},
	Needs:   []string{"sqs:GetQueueAttributes", "cloudwatch:GetMetricData"},
	Inputs:  "flags",
	Run: func(p *Pass) {
		var missing Pass
		f := usualInFlight(p, &missing)
		if f == nil {
			f = worstInFlight(p, &missing)
		}
		if f == nil {
			p.misses = missing.misses
			return
		}
		f.Unit = Messages
		f.Message += fmt.Sprintf(" the quota of %s, where %s; %s", sizing.Number(sizing.InFlightQuota), overLimit(p.Queue), fewerInFlight(p))
		p.Report(*f)
	},
})

// usualInFlight judges what was observed and what is expected. One of the two
// suffices: what was observed needs no expectation.
func usualInFlight(p *Pass, m *Pass) *Finding {
	observed, seen := p.Queue.Metrics.NotVisibleMax.Get()
	f := Finding{Current: Count(observed), Origin: p.Queue.Metrics.NotVisibleMax.Origin()}
	what := "were in flight at most"
	expected, known := 0.0, false
	if p.Sizing != nil {
		expected, known = p.Sizing.InFlight.Expected.Get()
	}
	if known && (!seen || expected > observed) {
		f.Current, f.Origin, what = Count(expected), p.Queue.Rate.Origin(), "are expected in flight"
	}
	if !seen && !known {
		p.Queue.Metrics.NotVisibleMax.Need(m, "messages in flight")
		return nil
	}
	share := f.Current.Value / sizing.InFlightQuota
	switch {
	case share >= 0.95:
		f.Severity = Error
	case share >= 0.80:
		f.Severity = Warning
	case share >= 0.50:
		f.Severity, f.Asks = Info, true
	default:
		return nil
	}
	f.Required = Count(sizing.InFlightQuota / 2)
	f.Message = fmt.Sprintf("%s messages %s, %s of", sizing.Number(f.Current.Value), what, percent(share))
	return &f
}

// worstInFlight judges what is in flight when every consumer dies.
func worstInFlight(p *Pass, m *Pass) *Finding {
	rate := p.Queue.Rate.Need(m, "arrival rate")
	force := timeoutInForce(p)
	timeout := force.Need(m, "visibility timeout")
	worst := sizing.InFlightWorst(rate, timeout)
	if worst <= sizing.InFlightQuota {
		return nil
	}
	f := &Finding{
		Severity: Info, Asks: true, Current: Count(worst), Required: Count(sizing.InFlightQuota), Origin: force.Origin(),
		Formula: fmt.Sprintf("%s/s × %s = %s", sizing.Number(rate), sizing.Seconds(timeout), sizing.Number(worst)),
		Related: []Related{{fmt.Sprintf("arrival rate %s/s", sizing.Number(rate)), p.Queue.Rate.Origin()}},
	}
	f.Message = fmt.Sprintf("%s messages would be in flight when the consumers die at work (%s), above", sizing.Number(worst), f.Formula)
	return f
}

// percent writes a share, as "83.3 %".
func percent(share float64) string { return sizing.Number(math.Round(1000*share)/10) + " %" }

// fewerInFlight is what lowers the number of messages in flight. Behind a
// function the visibility timeout cannot be lowered alone.
func fewerInFlight(p *Pass) string {
	if p.Sizing != nil && p.Sizing.IsLambda() {
		return "make the runs shorter and lower the function timeout and with it the visibility timeout, or spread the load over more queues"
	}
	return "hold messages for a shorter time, lower the visibility timeout with a heartbeat for long work, or spread the load over more queues"
}

// overLimit says how a consumer meets the quota.
func overLimit(q *facts.Queue) string {
	if fifo, ok := q.FIFO.Get(); ok && fifo {
		return "a receive gets nothing and no error"
	}
	wait, ok := q.ReceiveWait.Get()
	switch {
	case ok && wait > 0:
		return "a long poll gets nothing, as from an empty queue"
	case ok:
		return "a short poll gets an OverLimit error"
	}
	return "a short poll gets an OverLimit error, a long poll nothing, as from an empty queue"
}
