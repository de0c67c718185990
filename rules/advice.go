package rules

import (
	"fmt"
	"time"

	"vtsize/sizing"
)

// timeoutAdvice is the change to make for a timeout that should be d, or
// something else with a heartbeat.
func timeoutAdvice(p *Pass, d time.Duration) string {
	plan, ok := p.Sizing.Plan.Get()
	if !ok {
		return setTimeout(p, d)
	}
	switch plan.Strategy {
	case sizing.WithHeartbeat:
		advice := fmt.Sprintf("%s and extend it to %s every %s while the work goes on, for at most %s",
			setTimeout(p, plan.QueueTimeout()), sizing.Seconds(plan.Heartbeat.ExtendTo), sizing.Seconds(plan.Heartbeat.Interval), sizing.Seconds(plan.StepDeadline))
		if plan.VisibilityTimeout != plan.QueueTimeout() {
			advice += "; without a heartbeat, " + setTimeout(p, plan.VisibilityTimeout)
		}
		return advice
	case sizing.Split:
		return lessWork(p) + "; a timeout that covers it all delays every retry as long"
	}
	return setTimeout(p, d)
}

// setTimeout says where the timeout in force is set, and to what.
func setTimeout(p *Pass, d time.Duration) string {
	if own, ok := p.Sizing.Consumer.Work.ReceiveTimeout.Get(); ok && own != nil {
		return "set the visibility timeout given at receive to " + sizing.Seconds(d)
	}
	return "set the visibility timeout to " + sizing.Seconds(d)
}

// latencyPlaces is where the latencies come from.
func latencyPlaces(p *Pass) []Related {
	var out []Related
	stages, _ := p.Sizing.Consumer.Work.Stages.Get()
	for _, st := range stages {
		if d, ok := st.Latency.Tail.Get(); ok {
			what := fmt.Sprintf("p%v %s", p.Sizing.Percentile, sizing.Seconds(d))
			if st.Name != "" {
				what = st.Name + ": " + what
			}
			out = append(out, Related{what, st.Latency.Tail.Origin()})
		}
	}
	return out
}

// lessWork is the advice where no timeout is long enough.
func lessWork(p *Pass) string { return p.Sizing.LessWork() }

// counted is a number of things, as "1 attempt".
func counted(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return sizing.Number(float64(n)) + " " + thing
}
