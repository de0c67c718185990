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
		f := Finding{Current: Count(*reserved), Unit: Invocations, Origin: c.ReservedConcurrency.Origin(), Related: functionPlaces(c)}
		if *reserved == 0 {
			c.Enabled.Need(p, "whether the mapping is enabled")
			f.Severity, f.Required, f.Recommended = Error, Count(1), Count(leastReserved)
			f.Fix = "disable the mapping until the function may run again, or give it concurrency back"
			f.Message = "reserved concurrency 0 with the mapping enabled: every receive is throttled, and each uses a receive up; " + f.Fix
			p.Report(f)
			return
		}
		var missing Pass
		d := demandOf(c, &missing)
		switch {
		case d.sum > *reserved:
			advised := max(d.sum, leastReserved)
			f.Severity, f.Required, f.Recommended = Warning, Count(d.sum), Count(advised)
			f.Fix = fmt.Sprintf("reserve %d, or let the mappings ask for less", advised)
			f.Message = fmt.Sprintf("reserved concurrency %d is below the %d invocations that the function's mappings may ask for", *reserved, d.sum)
		case missing.Incomplete():
			p.misses = append(p.misses, missing.misses...)
			return
		case d.unlimited:
			f.Severity, f.Asks = Warning, true
			if *reserved > amplyReserved {
				f.Severity = Info
			}
			f.Fix = fmt.Sprintf("set MaximumConcurrency on every mapping, together at most %d", *reserved)
			if least := sizing.LambdaMinConcurrency * d.mappings; d.sum+least > *reserved {
				f.Fix = fmt.Sprintf("reserve at least %d and set MaximumConcurrency on every mapping within it", max(d.sum+least, leastReserved))
			}
			f.Message = fmt.Sprintf("reserved concurrency %d and a mapping without MaximumConcurrency, which scales until it is throttled", *reserved)
		default:
			return
		}
		if measured {
			f.Message += fmt.Sprintf(", as it was %s times", sizing.Number(throttles))
		}
		if why := throttlingCosts(p); why != "" && f.Severity == Warning {
			f.Severity = Error
			f.Message += "; " + why
		}
		f.Message += "; " + f.Fix
		p.Report(f)
	},
})

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
	sum       int  // of the enabled mappings with a limit
	mappings  int  // enabled ones without one
	unlimited bool // there are such
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
		d.mappings++
		d.unlimited = true
	}
	return d
}
