package rules

import (
	"fmt"
	"strings"

	"vtsize/facts"
	"vtsize/sizing"
)

var _ = register(&Rule{
	ID: "VT308", Name: "mapping-refused-by-aws", Severity: Error, Scope: PerConsumer,
	Title: "AWS refuses the mapping with these settings",
	Why: "Some settings of an event source mapping exclude each other or depend on the queue's type. The plan shows nothing of it: " +
		"CreateEventSourceMapping is refused in the middle of a deployment.",
	Fix: "Keep to the limits: batches above 10 need a batching window of at least 1 s; a FIFO queue takes batches of up to 10 and no window; " +
		"a window is at most 300 s; MaximumConcurrency is 2 to 1,000 and excludes provisioned pollers.",
	Sources: []Source{srcCreateMapping, srcLambdaParameters, srcScalingConfig, srcPollerConfig, srcLambdaScaling},
	Needs:   []string{"lambda:ListEventSourceMappings", "sqs:GetQueueAttributes"},
	Run: func(p *Pass) {
		if !isMapping(p) {
			return
		}
		refused := refusals(p)
		if len(refused) == 0 {
			needMapping(p)
			return
		}
		f := Finding{Origin: refused[0].Origin}
		var texts []string
		for _, r := range refused {
			texts = append(texts, r.Message)
		}
		f.Message = "AWS refuses the mapping: " + strings.Join(texts, "; ")
		f.Related = append(refused[1:], functionPlaces(p.Consumer)...)
		p.Report(f)
	},
})

// refusals are the reasons for which AWS refuses a mapping, as far as its
// settings are known.
func refusals(p *Pass) []Related {
	c := p.Consumer
	var out []Related
	refuse := func(o facts.Origin, format string, args ...any) {
		out = append(out, Related{fmt.Sprintf(format, args...), o})
	}
	size, sizeKnown := c.BatchSize.Get()
	window, windowKnown := c.BatchingWindow.Get()
	fifo, _ := p.Queue.FIFO.Get()
	switch {
	case sizeKnown && (size < 1 || size > sizing.LambdaMaxBatch):
		refuse(c.BatchSize.Origin(), "batch size %d is outside 1 to %s", size, sizing.Number(sizing.LambdaMaxBatch))
	case fifo && size > sizing.LambdaMaxBatchFIFO:
		refuse(c.BatchSize.Origin(), "batch size %d is above %d, the most for a FIFO queue", size, sizing.LambdaMaxBatchFIFO)
	case size > sizing.LambdaMaxBatchNoWindow && windowKnown && window <= 0:
		refuse(c.BatchSize.Origin(), "batch size %d needs a batching window of at least 1 s, as all above %d", size, sizing.LambdaMaxBatchNoWindow)
	}
	switch {
	case fifo && window > 0:
		refuse(c.BatchingWindow.Origin(), "batching window %s on a FIFO queue, which takes none", sizing.Seconds(window))
	case window > sizing.LambdaMaxWindow:
		refuse(c.BatchingWindow.Origin(), "batching window %s is above %s", sizing.Seconds(window), sizing.Seconds(sizing.LambdaMaxWindow))
	}
	most, _ := c.MaximumConcurrency.Get()
	pollers, _ := c.ProvisionedPollers.Get()
	if most != nil && (*most < sizing.LambdaMinConcurrency || *most > sizing.LambdaMaxConcurrency) {
		refuse(c.MaximumConcurrency.Origin(), "MaximumConcurrency %d is outside %d to %s", *most, sizing.LambdaMinConcurrency, sizing.Number(sizing.LambdaMaxConcurrency))
	}
	if pollers != nil && *pollers < sizing.LambdaMinProvisionedPoll {
		refuse(c.ProvisionedPollers.Origin(), "at most %d provisioned pollers, where %d is the least", *pollers, sizing.LambdaMinProvisionedPoll)
	}
	if most != nil && pollers != nil {
		refuse(c.MaximumConcurrency.Origin(), "MaximumConcurrency and provisioned pollers exclude each other")
	}
	return out
}

// needMapping misses the settings that could still make AWS refuse a mapping.
func needMapping(p *Pass) {
	c := p.Consumer
	size := c.BatchSize.Need(p, "batch size")
	window := c.BatchingWindow.Need(p, "batching window")
	if size > sizing.LambdaMaxBatchFIFO || window > 0 {
		p.Queue.FIFO.Need(p, "queue type")
	}
	c.MaximumConcurrency.Need(p, "MaximumConcurrency")
	c.ProvisionedPollers.Need(p, "provisioned pollers")
}
