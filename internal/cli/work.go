package cli

import (
	"time"

	"vtsize/facts"
	"vtsize/rules"
	"vtsize/workload"
)

// flagOutage is the longest outage to survive, as the flags say it.
type flagOutage struct{ facts.Value[time.Duration] }

func readOutage(r *flagReader) flagOutage { return flagOutage{r.positive("outage")} }

// apply sets the outage: of the flag, else what is there, else the default.
func (o flagOutage) apply(d *facts.Deployment) {
	switch {
	case o.IsKnown():
		d.Outage = o.Value
	case !d.Outage.IsKnown():
		d.Outage = facts.Known(72*time.Hour, facts.Origin{Kind: facts.Default, Detail: "default of --outage"})
	}
}

// declareWork gives the flags of the work to the consumers: those that are
// there, and workers of queues that nothing is mapped to. Latencies that were
// measured stay. Functions get them only where none are measured. Where a
// workload file tells of a queue, only what was said by flags goes on top.
func declareWork(d *facts.Deployment, w work, functions bool, entries map[string]*workload.Entry) {
	wiring := rules.Wire(d)
	for _, q := range d.Queues {
		if rate, ok := w.rate.Get(); ok {
			q.Rate = facts.Known(rate, w.rate.Origin())
		}
		list, ok := q.Consumers.Get()
		if !ok || !w.said {
			continue
		}
		if len(list) == 0 && !wiring.OnlyDeadLetters(q) {
			q.Consumers = facts.Known([]*facts.Consumer{{ID: "worker", Kind: facts.Worker, Work: w.workOn(q)}}, flagOrigin("p99"))
			continue
		}
		for _, c := range list {
			switch {
			case c.Kind != facts.Worker && !functions:
			case entries[q.ID] != nil:
				c.Work = workload.Overlay(c.Work, w.workOn(q))
			default:
				measured := c.Work
				c.Work = w.workOn(q)
				if measured.Stages.IsKnown() && !w.Stages.IsKnown() {
					c.Work.Stages, c.Work.Basis, c.Work.Percentile = measured.Stages, measured.Basis, measured.Percentile
				}
			}
		}
	}
}
