package rules

import (
	"fmt"

	"vtsize/facts"
	"vtsize/sizing"
)

// amplyReserved is the reserved concurrency up to which a mapping without a
// limit of its own is expected to run into it.
const amplyReserved = 100

// leastReserved is what AWS advises to reserve at least for a function that
// reads a queue.
const leastReserved = 5

var _ = register(&Rule{
	ID: "VT306", Name: "throttling-dead-letters", Severity: Warning, Scope: PerConsumer,
	Title: "mappings may ask for more concurrency than is reserved",
	Why: "Lambda's pollers scale up until their mapping's MaximumConcurrency, whatever the function has reserved. Invocations above the reserved concurrency are throttled: " +
		"the batch waits and comes back when its visibility timeout ends, with its receive count one higher. Throttling alone can so fill a dead-letter queue with messages that never ran.",
	Fix:     "Set MaximumConcurrency on the mappings so that together they ask for no more than the function's reserved concurrency, or reserve more.",
	Sources: []Source{srcLambdaScaling, srcLambdaErrors, srcScalingConfig, srcPollerConfig},
	Needs:   []string{"lambda:ListEventSourceMappings", "lambda:GetFunctionConcurrency", "lambda:GetFunctionConfiguration", "sqs:GetQueueAttributes", "cloudwatch:GetMetricData"},
	Run: func(p *Pass) {
		if !isMapping(p) {
			return
		}
		c := p.Consumer
		if enabled, ok := c.Enabled.Get(); ok && !enabled {
			p.NotApplicable()
			return
		}
		reserved := c.ReservedConcurrency.Need(p, "reserved concurrency")
		if reserved == nil {
			return
		}
		throttles, measured := c.Metrics.Throttles.Get()
		if live := measured || c.ReservedConcurrency.Origin().Kind == facts.AWS; live && throttles == 0 {
			c.Metrics.Throttles.Need(p, "throttles")
			return
		}
		if *reserved == 0 {
			c.Enabled.Need(p, "whether the mapping is enabled")
		}
		var missing Pass
		d := demandOf(c, &missing)
		if missing.Incomplete() && *reserved > 0 && d.sum <= *reserved {
			p.misses = append(p.misses, missing.misses...)
			return
		}
		f := beyondReserved(*reserved, d)
		if f == nil {
			return
		}
		f.Current, f.Unit, f.Origin, f.Related = Count(*reserved), Invocations, c.ReservedConcurrency.Origin(), functionPlaces(c)
		if measured {
			f.Message += fmt.Sprintf(" (%s throttles were measured)", sizing.Number(throttles))
		}
		if why := throttlingCosts(p); why != "" && f.Severity == Warning {
			f.Severity = Error
			f.Message += "; " + why
		}
		f.Message += "; " + f.Fix
		p.Report(*f)
	},
})

// beyondReserved is what is wrong with a reserved concurrency that the mappings
// may ask more than, or nil where they cannot.
func beyondReserved(reserved int, d demand) *Finding {
	least := sizing.LambdaMinConcurrency * d.open // of the limits that can be set
	switch {
	case reserved == 0:
		return &Finding{
			Severity: Error, Required: Count(1), Recommended: Count(leastReserved),
			Message: "reserved concurrency 0 with the mapping enabled, so nothing runs and every receive is used up",
			Fix:     "disable the mapping until the function may run again, or give it concurrency back",
		}
	case d.sum > reserved:
		advised := max(d.sum, leastReserved)
		return &Finding{
			Severity: Warning, Required: Count(d.sum), Recommended: Count(advised),
			Message: fmt.Sprintf("reserved concurrency %d is below the %d invocations that the function's mappings may ask for, so some are throttled", reserved, d.sum),
			Fix:     fmt.Sprintf("reserve %d, or let the mappings ask for less", advised),
		}
	case d.open == 0:
		return nil
	}
	f := &Finding{
		Severity: Warning, Asks: true,
		Message: fmt.Sprintf("reserved concurrency %d and a mapping without MaximumConcurrency, which scales until it is throttled", reserved),
		Fix:     fmt.Sprintf("set MaximumConcurrency on every mapping, together at most %d", reserved),
	}
	if reserved > amplyReserved {
		f.Severity = Info
	}
	if d.sum+least > reserved {
		f.Fix = fmt.Sprintf("reserve at least %d and set MaximumConcurrency on every mapping within it", max(d.sum+least, leastReserved))
	}
	return f
}

// throttlingCosts says why throttling dead-letters at once, or nothing.
func throttlingCosts(p *Pass) string {
	if policy, _ := p.Queue.Redrive.Get(); policy != nil {
		if n, ok := policy.MaxReceiveCount.Get(); ok && n == 1 {
			return "with maxReceiveCount 1 the first throttle dead-letters a message"
		}
	}
	if belowSixTimes(p) {
		return "the visibility timeout, below six times the function timeout, leaves no time to retry"
	}
	return ""
}

// demand is what the mappings of a function may ask for at once.
type demand struct {
	sum  int // of the enabled mappings with a limit
	open int // enabled mappings without one
}

// demandOf adds up what the enabled mappings of a function may ask for. Where
// they could not be listed, the sum is that of this one alone.
func demandOf(c *facts.Consumer, m facts.Misser) demand {
	list := c.Mappings.Need(m, "mappings of the function")
	if !c.Mappings.IsKnown() {
		list = []facts.Mapping{{ID: c.ID, Enabled: c.Enabled, MaximumConcurrency: c.MaximumConcurrency, ProvisionedPollers: c.ProvisionedPollers}}
	}
	var d demand
	for _, mapping := range list {
		if enabled := mapping.Enabled.Need(m, "whether a mapping is enabled"); !enabled {
			continue
		}
		if most, ok := mapping.MaximumConcurrency.Get(); ok && most != nil {
			d.sum += *most
			continue
		}
		if pollers, ok := mapping.ProvisionedPollers.Get(); ok && pollers != nil {
			d.sum += *pollers * sizing.LambdaInvokesPerPoller
			continue
		}
		mapping.MaximumConcurrency.Need(m, "MaximumConcurrency")
		mapping.ProvisionedPollers.Need(m, "provisioned pollers")
		d.open++
	}
	return d
}
