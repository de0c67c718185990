package rules

import (
	"fmt"
	"math"
	"time"

	"vtsize/facts"
	"vtsize/sizing"
)

// busy is the load from which a queue has no room for a bad hour.
const busy = 0.8

var _ = register(&Rule{
	ID: "VT505", Name: "cannot-keep-up", Severity: Error, Scope: PerConsumer,
	Title: "the consumers cannot keep up with the arrivals",
	Why: "Where arrivals take all that the consumers can do, the queue grows without end and messages expire unread, whatever the visibility timeout is. " +
		"Close to that every slow hour of a provider leaves a backlog that takes days to work off.",
	Fix:     "Add consumers or concurrency, or make the steps shorter.",
	Sources: []Source{srcQuotas, srcLambdaScaling, srcSQSMetrics},
	Needs:   []string{"lambda:ListEventSourceMappings", "lambda:GetFunctionConcurrency", "cloudwatch:GetMetricData"},
	Inputs:  "flags",
	Run: func(p *Pass) {
		if enabled, ok := p.Consumer.Enabled.Get(); ok && !enabled || p.Consumer.Kind == facts.Pipe {
			p.NotApplicable()
			return
		}
		if len(p.Sizings) > 1 {
			p.Miss(facts.Miss{Input: "share of the arrivals among the consumers", Cause: facts.NotDeclared, Origin: p.Queue.Consumers.Origin()})
			return
		}
		rate := p.Queue.Rate.Need(p, "arrival rate")
		mean := p.Sizing.MeanStep.Need(p)
		units, each := capacity(p)
		load := sizing.Load(rate, mean, units*each)
		if p.Incomplete() || units == 0 || load < busy {
			return // nothing reserved is for VT306
		}
		if p.Sizing.IsLambda() && !perInvocation(p) && p.Consumer.BatchSize.Need(p, "batch size") > 1 {
			p.Consumer.Work.Handling.Need(p, "batch handling") // in parallel it might do
		}
		needed := slotsFor(rate, mean)
		f := Finding{
			Severity: Warning, Current: Count(units * each), Required: Count(needed), Unit: Slots,
			Formula: fmt.Sprintf("%s/s × mean %s / %d slots = %s", sizing.Number(rate), sizing.Seconds(mean), units*each, sizing.Number(load)),
			Origin:  p.Queue.Rate.Origin(),
		}
		if load >= 1 {
			f.Severity = Error
		}
		more := (needed + each - 1) / each
		f.Fix = fmt.Sprintf("run at least %d processes in place of %d, or shorten the steps", more, units)
		if p.Sizing.IsLambda() {
			f.Fix = fmt.Sprintf("allow at least %d invocations at once in place of %d, or shorten the runs", more, units)
		}
		f.Message = fmt.Sprintf("%s messages/s take %s of what %d slots can do (%s); %s", sizing.Number(rate), percent(load), units*each, f.Formula, f.Fix)
		p.Report(f)
	},
})

// slotsFor is the smallest number of slots that leaves a load below busy.
func slotsFor(rate float64, mean time.Duration) int {
	return int(math.Floor(rate*mean.Seconds()/busy)) + 1
}

// perInvocation reports whether the latencies are those of whole runs.
func perInvocation(p *Pass) bool {
	basis, _ := p.Sizing.Basis.Get()
	return basis == facts.PerInvocation
}

// capacity is how many processes or invocations run at once, and how many
// messages each works on. Where that depends, it is what would suit best: a
// queue is not said to grow without need.
func capacity(p *Pass) (units, each int) {
	c := p.Consumer
	if !p.Sizing.IsLambda() {
		batch := p.Sizing.Batch.Need(p)
		concurrency, _ := c.Work.Concurrency.Get()
		return c.Work.Consumers.Need(p, "number of consumer processes"), max(batch.Slots(), concurrency)
	}
	if perInvocation(p) {
		return concurrencyLimit(p), max(1, c.BatchSize.Need(p, "batch size"))
	}
	return concurrencyLimit(p), p.Sizing.Batch.Need(p).Slots()
}

// concurrencyLimit is how many invocations of the function the mapping may run
// at once, by the lowest limit that is known.
func concurrencyLimit(p *Pass) int {
	c := p.Consumer
	limit := math.MaxInt
	if most, _ := c.MaximumConcurrency.Get(); most != nil {
		limit = *most
	}
	if pollers, _ := c.ProvisionedPollers.Get(); pollers != nil {
		limit = min(limit, *pollers*sizing.LambdaInvokesPerPoller)
	}
	if reserved, _ := c.ReservedConcurrency.Get(); reserved != nil {
		limit = min(limit, *reserved)
	}
	if limit < math.MaxInt {
		return limit
	}
	c.MaximumConcurrency.Need(p, "MaximumConcurrency")
	c.ReservedConcurrency.Need(p, "reserved concurrency")
	p.Miss(facts.Miss{Input: "concurrency that the account leaves to the function", Cause: facts.NotDeclared, Origin: c.ReservedConcurrency.Origin()})
	return 1
}
