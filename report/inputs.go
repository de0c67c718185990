package report

import (
	"fmt"
	"time"

	"vtsize/facts"
)

// Input is one value that a calculation started from, as a fact of the JSON.
type Input struct {
	Name string
	Fact object
}

// inputs collects what is known; what is not is left out.
type inputs []Input

func input[T any](in *inputs, name string, x facts.Value[T], put func(T) any) {
	if x.IsKnown() {
		*in = append(*in, Input{name, fact(x, put)})
	}
}

// Inputs lists what a calculation started from, for the output of calc.
func Inputs(q *facts.Queue, c *facts.Consumer) []Input {
	var in inputs
	input(&in, "visibility_timeout_seconds", q.VisibilityTimeout, seconds)
	input(&in, "message_retention_seconds", q.Retention, seconds)
	input(&in, "fifo_queue", q.FIFO, same[bool])
	input(&in, "rate_per_second", q.Rate, same[float64])
	if r, ok := q.Redrive.Get(); ok && r != nil {
		input(&in, "max_receive_count", r.MaxReceiveCount, same[int])
	} else {
		input(&in, "max_receive_count", q.Redrive, func(*facts.Redrive) any { return nil })
	}

	input(&in, "function_timeout_seconds", c.FunctionTimeout, seconds)
	input(&in, "batching_window_seconds", c.BatchingWindow, seconds)
	input(&in, "report_batch_item_failures", c.ReportBatchItemFailures, same[bool])
	input(&in, "maximum_concurrency", c.MaximumConcurrency, orNull)
	input(&in, "reserved_concurrency", c.ReservedConcurrency, orNull)

	w := &c.Work
	input(&in, "basis", w.Basis, same[facts.Basis])
	stages, _ := w.Stages.Get()
	for i, st := range stages {
		prefix := ""
		if len(stages) > 1 || st.Name != "" {
			prefix = fmt.Sprintf("stage_%d_", i+1)
		}
		stageInputs(&in, prefix, st)
	}
	input(&in, "write_seconds", w.Write, seconds)
	input(&in, "overhead_seconds", w.Overhead, seconds)
	batch := w.Batch
	if c.Kind == facts.Lambda {
		batch = c.BatchSize
	}
	input(&in, "batch_size", batch, same[int])
	input(&in, "handling", w.Handling, same[facts.Handling])
	input(&in, "concurrency", w.Concurrency, same[int])
	input(&in, "prefetch", w.Prefetch, orNull)
	input(&in, "countdown_seconds", w.Countdown, seconds)
	input(&in, "receive_timeout_seconds", w.ReceiveTimeout, secondsOrNull)
	input(&in, "step_deadline_seconds", w.StepDeadline, secondsOrNull)
	input(&in, "consumers", w.Consumers, same[int])
	extension := w.Extension
	if h, ok := w.Heartbeat.Get(); ok && h != nil {
		input(&in, "heartbeat_interval_seconds", h.Interval, seconds)
		input(&in, "heartbeat_threshold_seconds", h.Threshold, secondsOrNull)
		extension = h.Extension
	} else {
		input(&in, "heartbeat_interval_seconds", w.Heartbeat, func(*facts.Heartbeat) any { return nil })
	}
	input(&in, "extension_seconds", extension, seconds)
	return in
}

func stageInputs(in *inputs, prefix string, st facts.Stage) {
	if st.Name != "" {
		input(in, prefix+"name", facts.Known(st.Name, st.Latency.Tail.Origin()), same[string])
	}
	l := st.Latency
	input(in, prefix+"mean_seconds", l.Mean, seconds)
	input(in, prefix+"p50_seconds", l.P50, seconds)
	input(in, prefix+"p99_seconds", l.Tail, seconds)
	input(in, prefix+"p999_seconds", l.P999, seconds)
	input(in, prefix+"max_seconds", l.Max, seconds)
	input(in, prefix+"samples", l.Samples, same[int])
	input(in, prefix+"attempts", st.Attempts, same[int])
	input(in, prefix+"backoff_seconds", st.Backoff, func(waits []time.Duration) any {
		list := make([]float64, len(waits))
		for i, d := range waits {
			list[i] = d.Seconds()
		}
		return list
	})
	input(in, prefix+"request_timeout_seconds", st.RequestTimeout, secondsOrNull)
}

func secondsOrNull(d *time.Duration) any {
	if d == nil {
		return nil
	}
	return d.Seconds()
}
