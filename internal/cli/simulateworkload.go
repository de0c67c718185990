package cli

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"vtsize/assess"
	"vtsize/facts"
	"vtsize/report"
	"vtsize/workload"
)

// fromWorkload sets the flags that were not given from what a workload file
// says of a queue, and tells which it set. Without --queue and --workload no
// file is read.
func fromWorkload(c *cli.Context, env Env) error {
	own, err := readOwner(c)
	if err != nil {
		return err
	}
	file, name, err := own.entryFor(c)
	if file == nil {
		return err
	}
	q := &facts.Queue{ID: name, Name: name}
	entry := file.Entry(q)
	w := entry.WorkOn(q, facts.Worker)
	f := &filled{c: c}
	fleet := c.IsSet("rate") || !c.IsSet("step") && entry.Rate.IsKnown() && medianAndTail(w) != ""
	if fleet {
		f.fleet(entry, w)
	} else if !c.IsSet("step") {
		floor, known := assess.Of(q, &facts.Consumer{ID: "worker", Kind: facts.Worker, Work: w}).MessageFloor.Get()
		if !known {
			return &usageError{msg: fmt.Sprintf("%s does not say how long the work for a message of %q takes", file.Name, name), hint: "say it there, or with --step or --latency"}
		}
		f.set("step", floor.String())
	}
	f.both(w)
	if f.err != nil {
		return f.err
	}
	fmt.Fprintln(env.Stderr, report.Escape("vtsize: from "+file.Name+", "+name+": "+strings.Join(f.told, " ")))
	return nil
}

// filled sets flags that were not given.
type filled struct {
	c    *cli.Context
	told []string
	err  error
}

func (f *filled) set(flag, value string) {
	if f.err != nil || f.c.IsSet(flag) {
		return
	}
	f.err = f.c.Set(flag, value)
	f.told = append(f.told, "--"+flag+" "+value)
}

// known sets a flag to a fact that is known.
func known[T any](f *filled, flag string, x facts.Value[T]) {
	if v, ok := x.Get(); ok {
		f.set(flag, fmt.Sprint(v))
	}
}

// given sets a flag to a fact that is known to be there.
func given[T any](f *filled, flag string, x facts.Value[*T]) {
	if v, ok := x.Get(); ok && v != nil {
		f.set(flag, fmt.Sprint(*v))
	}
}

// both sets what holds for one message and for a fleet.
func (f *filled) both(w facts.Work) {
	given(f, "step-deadline", w.StepDeadline)
	if h, ok := w.Heartbeat.Get(); ok && h != nil {
		known(f, "heartbeat", h.Interval)
		if f.c.IsSet("heartbeat") {
			known(f, "extension", h.Extension)
		}
	}
	if keyed(w) && !f.c.IsSet("idempotency-key") {
		f.err = f.c.Set("idempotency-key", "true")
		f.told = append(f.told, "--idempotency-key")
	}
}

// keyed reports whether every effect has an idempotency key.
func keyed(w facts.Work) bool {
	effects, _ := w.Effects.Get()
	for _, e := range effects {
		if key, ok := e.Key.Get(); !ok || key == nil {
			return false
		}
	}
	return len(effects) > 0
}

func (f *filled) fleet(e *workload.Entry, w facts.Work) {
	if rate, ok := e.Rate.Get(); ok {
		f.set("rate", fmt.Sprintf("%g/s", rate))
	}
	known(f, "consumers", w.Consumers)
	if latency := medianAndTail(w); latency != "" && !f.c.IsSet("csv") {
		f.set("latency", latency)
	}
	known(f, "batch", w.Batch)
	known(f, "concurrency", w.Concurrency)
	given(f, "prefetch", w.Prefetch)
}

// medianAndTail is the latency as a fleet takes it, or empty where the file
// does not tell as much, or tells of several stages.
func medianAndTail(w facts.Work) string {
	stages, _ := w.Stages.Get()
	if len(stages) != 1 || w.Percentile != 0 && w.Percentile != 99 {
		return ""
	}
	p50, ok1 := stages[0].Latency.P50.Get()
	p99, ok2 := stages[0].Latency.Tail.Get()
	if !ok1 || !ok2 {
		return ""
	}
	return fmt.Sprintf("p50=%v,p99=%v", p50, p99)
}
