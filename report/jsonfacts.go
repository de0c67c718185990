package report

import (
	"time"

	"vtsize/facts"
)

// fact writes a value with its origin, or the cause of its being unknown.
func fact[T any](x facts.Value[T], put func(T) any) object {
	v, ok := x.Get()
	if !ok {
		return object{"unknown": x.Cause().String(), "origin": x.Origin().String(), "reason": x.Origin().Reason()}
	}
	return object{"value": put(v), "origin": x.Origin().String(), "kind": string(x.Origin().Kind)}
}

func seconds(d time.Duration) any { return d.Seconds() }
func same[T any](v T) any         { return v }

// orNull writes a nil pointer, known absence, as null.
func orNull[T any](v *T) any {
	if v == nil {
		return nil
	}
	return *v
}

func queueFacts(q *facts.Queue) object {
	out := object{
		"visibility_timeout_seconds": fact(q.VisibilityTimeout, seconds),
		"message_retention_seconds":  fact(q.Retention, seconds),
		"delay_seconds":              fact(q.Delay, seconds),
		"receive_wait_time_seconds":  fact(q.ReceiveWait, seconds),
		"fifo_queue":                 fact(q.FIFO, same[bool]),
	}
	count := facts.Unknown[*int](q.Redrive.Cause(), q.Redrive.Origin())
	target := facts.Unknown[*string](q.Redrive.Cause(), q.Redrive.Origin())
	if r, ok := q.Redrive.Get(); ok && r == nil {
		count, target = facts.Known[*int](nil, q.Redrive.Origin()), facts.Known[*string](nil, q.Redrive.Origin())
	} else if ok {
		count = facts.Map(r.MaxReceiveCount, func(n int) *int { return &n })
		target = facts.Map(r.Target, func(s string) *string { return &s })
	}
	out["max_receive_count"] = fact(count, orNull)
	out["dead_letter_queue"] = fact(target, orNull)
	return out
}

func consumerFacts(c *facts.Consumer) object {
	if c.Kind == facts.Worker {
		return object{}
	}
	return object{
		"function_timeout_seconds":   fact(c.FunctionTimeout, seconds),
		"batch_size":                 fact(c.BatchSize, same[int]),
		"batching_window_seconds":    fact(c.BatchingWindow, seconds),
		"report_batch_item_failures": fact(c.ReportBatchItemFailures, same[bool]),
		"maximum_concurrency":        fact(c.MaximumConcurrency, orNull),
		"reserved_concurrency":       fact(c.ReservedConcurrency, orNull),
		"enabled":                    fact(c.Enabled, same[bool]),
	}
}
