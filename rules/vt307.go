package rules

import (
	"fmt"

	"vtsize/facts"
	"vtsize/sizing"
)

var _ = register(&Rule{
	ID: "VT307", Name: "batch-outlasts-function", Severity: Error, Scope: PerConsumer,
	Title: "a full batch takes longer than the function may run",
	Why: "The function timeout is for the whole batch. Where messages are handled in turn, a full batch takes the time of one message as often as there are messages; " +
		"at the timeout the run is killed, and all of the batch comes back, also what was done already. This shows under load, when batches fill.",
	Fix:     "Make the batches smaller, or handle the messages of a batch in parallel.",
	Sources: []Source{srcLambdaConfigure, srcLambdaParameters, srcCreateFunction},
	Needs:   []string{"lambda:ListEventSourceMappings", "lambda:GetFunctionConfiguration"},
	Inputs:  "flags",
	Run: func(p *Pass) {
		if !isMapping(p) {
			return
		}
		c := p.Consumer
		size := c.BatchSize.Need(p, "batch size")
		if p.Incomplete() || size <= 1 {
			return
		}
		if perInvocation(p) {
			p.Miss(facts.Miss{Input: "latency of one message", Cause: facts.NotDeclared, Origin: p.Sizing.Basis.Origin()})
			return
		}
		function := c.FunctionTimeout.Need(p, "function timeout")
		floor, rounds := p.Sizing.MessageFloor.Need(p), p.Sizing.Multiplier.Need(p)
		total := sizing.Times(floor, rounds)
		if p.Incomplete() || rounds <= 1 || total <= function {
			return
		}
		if c.Work.Handling.Need(p, "batch handling") != facts.Serial {
			return
		}
		f := Finding{
			Current: Count(size), Unit: Messages, Formula: p.Sizing.Formula,
			Origin: c.BatchSize.Origin(), Related: append(functionPlaces(c), latencyPlaces(p)...), Supersedes: []string{"VT303"},
		}
		batch, _ := p.Sizing.Batch.Get()
		if fits := int(function/floor) * batch.Slots(); fits >= 1 {
			f.Required, f.Recommended = Count(fits), Count(fits)
			f.Fix = fmt.Sprintf("set the batch size to at most %d, or handle the messages in parallel", fits)
		} else {
			d, ok := functionTimeoutFor(p, floor)
			f.Required, f.Recommended = Count(1), Count(1)
			f.Fix = "receive one message at a time, and even that does not fit: " + functionTimeoutAdvice(p, d, ok)
		}
		f.Message = fmt.Sprintf("batch size %d handled in turn takes %d × %s = %s at p%v, above the function timeout %s; %s",
			size, rounds, sizing.Seconds(floor), sizing.Seconds(total), p.Sizing.Percentile, sizing.Seconds(function), f.Fix)
		p.Report(f)
	},
})
