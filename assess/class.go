package assess

import "vtsize/facts"

// Alone is the arithmetic for one class of work on a queue of its own, with
// the same consumer. Where a step has several stages, the class's latency is
// taken to be that of the whole step.
func (s *Sizing) Alone(c facts.Class) *Sizing {
	own := *s.Consumer
	stage := facts.Stage{}
	if stages, _ := own.Work.Stages.Get(); len(stages) == 1 {
		stage = stages[0]
	} else {
		own.Work.Basis = facts.Known(facts.PerStep, c.Latency.Tail.Origin())
	}
	stage.Latency = c.Latency
	own.Work.Stages = facts.Known([]facts.Stage{stage}, c.Latency.Tail.Origin())
	return Of(s.Queue, &own)
}
