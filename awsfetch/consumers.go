package awsfetch

import (
	"fmt"
	"math"
	"slices"
	"time"

	"vtsize/facts"
)

// ReportBatchItemFailures is the only response type there is.
const partialResponses = "ReportBatchItemFailures"

// consumers are the Lambda mappings of a queue. Where there is none and a step
// metric was given, the worker it measures.
func (c *converter) consumers(q *Queue) facts.Value[[]*facts.Consumer] {
	return value(q.Mappings, actionListEventSourceMappings, func(mappings []Mapping) facts.Value[[]*facts.Consumer] {
		o := fromAWS(actionListEventSourceMappings)
		consumers := []*facts.Consumer{}
		for _, m := range mappings {
			consumers = append(consumers, c.lambda(q, m))
		}
		if len(consumers) == 0 && len(q.StepMetrics) > 0 {
			worker := &facts.Consumer{ID: "worker", Kind: facts.Worker, Work: c.stepWork(q)}
			return facts.Known([]*facts.Consumer{worker}, o)
		}
		return facts.Known(consumers, o)
	})
}

// lambda is the consumer of one mapping.
func (c *converter) lambda(q *Queue, m Mapping) *facts.Consumer {
	o := fromAWS(actionListEventSourceMappings)
	f := c.snapshot.function(m.Function)
	if f == nil {
		f = &Function{ARN: m.Function}
	}
	consumer := &facts.Consumer{
		ID: m.UUID, Kind: facts.Lambda, Function: m.Function,
		BatchSize:               number(m.BatchSize, 10, o),
		BatchingWindow:          facts.Map(number(m.WindowSeconds, 0, o), seconds),
		ReportBatchItemFailures: facts.Known(slices.Contains(m.ResponseTypes, partialResponses), o),
		MaximumConcurrency:      facts.Known(m.MaximumConcurrency, o),
		ProvisionedPollers:      pollers(m),
		Enabled:                 enabled(m),
		FunctionTimeout: value(f.Configuration, actionGetFunctionConfiguration, func(cfg Configuration) facts.Value[time.Duration] {
			return facts.Map(known(cfg.TimeoutSeconds, fromAWS(actionGetFunctionConfiguration)), seconds)
		}),
		ReservedConcurrency: value(f.Concurrency, actionGetFunctionConcurrency, func(r Concurrency) facts.Value[*int] {
			return facts.Known(r.Reserved, fromAWS(actionGetFunctionConcurrency))
		}),
		Mappings: value(f.Mappings, actionListEventSourceMappings, sqsMappings),
	}
	consumer.Work = c.invocationWork(q, f, m, consumer)
	if len(q.StepMetrics) > 0 {
		consumer.Work = c.stepWork(q)
	}
	consumer.Work.Batch = consumer.BatchSize
	consumer.Metrics = c.functionMetrics(f, m)
	return consumer
}

func seconds(n int) time.Duration { return time.Duration(n) * time.Second }

// number is a setting that AWS always tells; where one did not, the default
// that the API documents applies.
// https://docs.aws.amazon.com/lambda/latest/api/API_CreateEventSourceMapping.html (read 2026-11-30)
func number(p *int, otherwise int, o facts.Origin) facts.Value[int] {
	if p == nil {
		return facts.Known(otherwise, awsDefault)
	}
	return known(p, o)
}

// known is a setting that has no default.
func known(p *int, o facts.Origin) facts.Value[int] {
	switch {
	case p == nil:
		return facts.Unknown[int](facts.NoData, o)
	case *p < 0 || *p > math.MaxInt32:
		return facts.Unknown[int](facts.Unreadable, o)
	}
	return facts.Known(*p, o)
}

// pollers is the most pollers in provisioned mode, 200 where it is not said.
// https://docs.aws.amazon.com/lambda/latest/api/API_ProvisionedPollerConfig.html (read 2026-11-30)
func pollers(m Mapping) facts.Value[*int] {
	o := fromAWS(actionListEventSourceMappings)
	switch {
	case m.Pollers == nil:
		return facts.Known[*int](nil, o)
	case m.Pollers.Maximum == nil:
		most := 200
		return facts.Known(&most, awsDefault)
	}
	return facts.Known(m.Pollers.Maximum, o)
}

// enabled: a mapping that is being made or changed goes on reading.
func enabled(m Mapping) facts.Value[bool] {
	o := fromAWS(actionListEventSourceMappings)
	switch m.State {
	case "Enabled", "Enabling", "Creating", "Updating":
		return facts.Known(true, o)
	case "Disabled", "Disabling", "Deleting":
		return facts.Known(false, o)
	case "":
		return facts.Unknown[bool](facts.NoData, o)
	}
	return facts.Unknown[bool](facts.Unreadable, o)
}

// sqsMappings are those that take their concurrency as SQS mappings do.
func sqsMappings(all []Mapping) facts.Value[[]facts.Mapping] {
	o := fromAWS(actionListEventSourceMappings)
	kept := []facts.Mapping{}
	for _, m := range all {
		if isSQS(m.EventSource) {
			kept = append(kept, facts.Mapping{ID: m.UUID, Enabled: enabled(m),
				MaximumConcurrency: facts.Known(m.MaximumConcurrency, o), ProvisionedPollers: pollers(m)})
		}
	}
	return facts.Known(kept, o)
}

// invocationWork is what the Duration metric tells of the work.
func (c *converter) invocationWork(q *Queue, f *Function, m Mapping, consumer *facts.Consumer) facts.Work {
	w := facts.Work{Basis: facts.Known(facts.PerInvocation, measured), Percentile: 99}
	series := chooseResource(f, "Duration")
	if len(series) == 0 {
		return w
	}
	if f := denied(series); f != nil {
		w.Stages = failed[[]facts.Stage](f)
		return w
	}
	latency := latencyOf(series, time.Millisecond, "AWS/Lambda Duration")
	latency.Doubts = append(latency.Doubts, c.blurred(q, f, m, latency, consumer)...)
	w.Stages = facts.Known([]facts.Stage{{Latency: latency}}, measured)
	return w
}

// blurred says why durations may be those of other work, or cut off.
func (c *converter) blurred(q *Queue, f *Function, m Mapping, l facts.Latency, consumer *facts.Consumer) []string {
	var doubts []string
	if name, _ := parseFunction(f.ARN); name.qualifier != "" && !hasOwnNumbers(f) {
		doubts = append(doubts, fmt.Sprintf("there are no numbers of %q alone: these are of all versions of the function", name.qualified()))
	}
	longest, ok := l.Max.Get()
	if timeout, known := consumer.FunctionTimeout.Get(); ok && known && longest >= timeout-timeout/100 {
		doubts = append(doubts, fmt.Sprintf("the longest invocations were cut off at the function timeout of %s: how long they would have taken is not known", hours(timeout)))
	}
	if others, _ := otherTriggers(f, m).Get(); len(others) > 0 {
		doubts = append(doubts, fmt.Sprintf("%d other event sources invoke the function too, and are in the same numbers", len(others)))
	}
	received, ok := total(q.Metrics, "NumberOfMessagesReceived").Get()
	if n, known := l.Samples.Get(); ok && known && float64(n) > 1.01*received+20 {
		doubts = append(doubts, fmt.Sprintf("%d invocations are more than the %.0f messages received: something else invokes the function too", n, received))
	}
	return doubts
}

// otherTriggers are the event sources but this queue whose invocations are in
// the same numbers: those of the same version or alias where it has its own,
// else all of the function. What invokes it by a call (API Gateway, SNS,
// EventBridge) has no mapping and cannot be seen here.
func otherTriggers(f *Function, m Mapping) facts.Value[[]string] {
	return value(f.Mappings, actionListEventSourceMappings, func(all []Mapping) facts.Value[[]string] {
		others := []string{}
		for _, other := range all {
			if other.EventSource == m.EventSource || other.EventSource == "" || hasOwnNumbers(f) && other.Function != m.Function {
				continue
			}
			if !slices.Contains(others, other.EventSource) {
				others = append(others, other.EventSource)
			}
		}
		slices.Sort(others)
		return facts.Known(others, fromAWS(actionListEventSourceMappings))
	})
}

func (c *converter) functionMetrics(f *Function, m Mapping) facts.FunctionMetrics {
	return facts.FunctionMetrics{
		Lookback:      c.snapshot.lookback(),
		Errors:        total(chooseResource(f, "Errors"), "Errors"),
		Throttles:     total(chooseResource(f, "Throttles"), "Throttles"),
		OtherTriggers: otherTriggers(f, m),
	}
}

// stepWork is what the custom metrics of a queue tell, one stage for each.
func (c *converter) stepWork(q *Queue) facts.Work {
	w := facts.Work{Percentile: 99}
	var stages []facts.Stage
	for _, m := range q.StepMetrics {
		w.Basis = facts.Known(facts.Basis(m.Basis), facts.Origin{Kind: facts.Flag, Detail: "--basis"})
		if f := denied(m.Series); f != nil {
			w.Stages = failed[[]facts.Stage](f)
			return w
		}
		stage := facts.Stage{Latency: latencyOf(m.Series, units[m.Unit], m.Namespace+" "+m.Name)}
		if len(q.StepMetrics) > 1 {
			stage.Name = m.Name
		}
		stages = append(stages, stage)
	}
	w.Stages = facts.Known(stages, measured)
	return w
}
