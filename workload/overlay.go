package workload

import (
	"strings"

	"vtsize/facts"
)

// said reports whether somebody said a value, rather than that a default
// stands for it or that a flag was not given.
func said[T any](x facts.Value[T]) bool {
	o := x.Origin()
	return x.IsKnown() && o.Kind != facts.Default && !(o.Kind == facts.Flag && strings.HasPrefix(o.Detail, "no --"))
}

// over is the value on top where it was said.
func over[T any](base *facts.Value[T], top facts.Value[T]) {
	if said(top) {
		*base = top
	}
}

// under is the value below where nothing is known above it: a default, or the
// cause of its not being known.
func under[T any](top *facts.Value[T], base facts.Value[T]) {
	if !top.IsKnown() && !top.Cause().IsGap() {
		*top = base
	}
}

// Overlay is some work with what was said of it elsewhere on top, value by
// value. Latency and basis go together. Where the top tells only of the client
// of a call, and the base has one latency, both make the stage.
func Overlay(base, top facts.Work) facts.Work {
	w := base
	if said(top.Stages) {
		w.Stages, w.Basis, w.Percentile = joined(base.Stages, top.Stages), top.Basis, top.Percentile
		if !said(top.Basis) && base.Basis.IsKnown() && !latencyKnown(top.Stages) {
			w.Basis = base.Basis
		}
	} else {
		over(&w.Basis, top.Basis)
	}
	over(&w.Overhead, top.Overhead)
	over(&w.Write, top.Write)
	over(&w.Batch, top.Batch)
	over(&w.Handling, top.Handling)
	over(&w.Concurrency, top.Concurrency)
	over(&w.Prefetch, top.Prefetch)
	over(&w.Countdown, top.Countdown)
	over(&w.ReceiveTimeout, top.ReceiveTimeout)
	over(&w.StepDeadline, top.StepDeadline)
	w.Heartbeat = beats(base.Heartbeat, top.Heartbeat)
	over(&w.Unbounded, top.Unbounded)
	over(&w.Consumers, top.Consumers)
	over(&w.UsefulFor, top.UsefulFor)
	over(&w.Effects, top.Effects)
	over(&w.Classes, top.Classes)
	over(&w.OnFailure, top.OnFailure)
	over(&w.Delete, top.Delete)
	over(&w.HandedTo, top.HandedTo)
	over(&w.Practice.Unit, top.Practice.Unit)
	over(&w.Practice.Checkpoints, top.Practice.Checkpoints)
	over(&w.Practice.Tests, top.Practice.Tests)
	over(&w.Practice.MetricsCarry, top.Practice.MetricsCarry)
	return w
}

// beats is a heartbeat with what was said of it elsewhere on top, number by
// number; none, or one where there was none, goes as a whole.
func beats(base, top facts.Value[*facts.Heartbeat]) facts.Value[*facts.Heartbeat] {
	if !said(top) {
		return base
	}
	below, _ := base.Get()
	above, _ := top.Get()
	if below == nil || above == nil {
		return top
	}
	h := *below
	over(&h.Interval, above.Interval)
	over(&h.Extension, above.Extension)
	over(&h.Threshold, above.Threshold)
	over(&h.Renews, above.Renews)
	over(&h.Progress, above.Progress)
	over(&h.StopsWork, above.StopsWork)
	over(&h.AfterDeadline, above.AfterDeadline)
	return facts.Known(&h, top.Origin())
}

func latencyKnown(x facts.Value[[]facts.Stage]) bool {
	stages, _ := x.Get()
	return len(stages) > 0 && stages[0].Latency.Tail.IsKnown()
}

// joined is the top's stages, with the latency of the base's only one where
// the top tells of none.
func joined(base, top facts.Value[[]facts.Stage]) facts.Value[[]facts.Stage] {
	below, _ := base.Get()
	if latencyKnown(top) || len(below) != 1 {
		return top
	}
	stages, _ := top.Get()
	st := stages[0]
	st.Name, st.Latency = below[0].Name, below[0].Latency
	return facts.Known([]facts.Stage{st}, base.Origin())
}

// fill puts defaults, and where things were looked for, below what is known.
func fill(w, base facts.Work) facts.Work {
	if w.Percentile == 0 {
		w.Percentile = base.Percentile
	}
	under(&w.Basis, base.Basis)
	under(&w.Stages, base.Stages)
	under(&w.Overhead, base.Overhead)
	under(&w.Write, base.Write)
	under(&w.Batch, base.Batch)
	under(&w.Handling, base.Handling)
	under(&w.Concurrency, base.Concurrency)
	under(&w.Prefetch, base.Prefetch)
	under(&w.Countdown, base.Countdown)
	under(&w.ReceiveTimeout, base.ReceiveTimeout)
	under(&w.StepDeadline, base.StepDeadline)
	under(&w.Heartbeat, base.Heartbeat)
	under(&w.Unbounded, base.Unbounded)
	under(&w.Consumers, base.Consumers)
	under(&w.UsefulFor, base.UsefulFor)
	under(&w.Effects, base.Effects)
	under(&w.Classes, base.Classes)
	under(&w.OnFailure, base.OnFailure)
	under(&w.Delete, base.Delete)
	under(&w.HandedTo, base.HandedTo)
	under(&w.Practice.Unit, base.Practice.Unit)
	under(&w.Practice.Checkpoints, base.Practice.Checkpoints)
	under(&w.Practice.Tests, base.Practice.Tests)
	under(&w.Practice.MetricsCarry, base.Practice.MetricsCarry)
	return w
}
