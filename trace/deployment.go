package trace

import (
	"slices"
	"time"

	"vtsize/facts"
	"vtsize/sizing"
)

// measured is the origin of what a log tells.
func measured(detail string) facts.Origin { return facts.Origin{Kind: facts.Measured, Detail: detail} }

// Deployment is the queue as the log shows it, for sizing and rules. It is
// false where no consumer came to its end, so that nothing was measured. The
// times must be sorted; timeout is the queue's own, where the caller knows it.
//
// Runs are measured from the receive on, with all waiting in the worker: they
// are of a whole step, and no batch multiplies them.
func (q *QueueTally) Deployment(timeout facts.Value[time.Duration]) (*facts.Deployment, bool) {
	n := len(q.Runs)
	if n == 0 || q.Runs[n-1] <= 0 {
		return nil, false
	}
	from := measured("receive to delete in the log")
	sum := 0.0
	for _, d := range q.Runs {
		sum += float64(d)
	}
	at := func(percentile float64) facts.Value[time.Duration] {
		return facts.Known(sizing.Percentile(q.Runs, percentile), from)
	}
	work := facts.Work{
		Basis: facts.Known(facts.PerStep, from), Percentile: 99,
		Stages: facts.Known([]facts.Stage{{Latency: facts.Latency{
			Tail: at(99), P50: at(50), P999: at(99.9), Mean: facts.Known(time.Duration(sum/float64(n)), from), Max: facts.Known(q.Runs[n-1], from),
			Samples: facts.Known(n, from), Method: "nearest rank",
		}}}, from),
		Heartbeat:      q.heartbeat(),
		ReceiveTimeout: q.receiveTimeout(),
	}
	queue := &facts.Queue{ID: q.Name, Name: q.Name, VisibilityTimeout: timeout}
	queue.Consumers = facts.Known([]*facts.Consumer{{ID: "worker", Kind: facts.Worker, Work: work}}, from)
	return &facts.Deployment{Queues: []*facts.Queue{queue}}, true
}

// heartbeat is how consumers extended: the middle of the times between beats,
// and the most common extension. It is not known where long runs did without:
// then it may be there for some of the work only. A log without extensions
// does not tell that there is no heartbeat: changes may not have been logged.
func (q *QueueTally) heartbeat() facts.Value[*facts.Heartbeat] {
	if len(q.gaps) == 0 {
		return facts.Unknown[*facts.Heartbeat](facts.NotDeclared, measured("no extension in the log"))
	}
	interval := sizing.Percentile(q.gaps, 50)
	const beatsFor = 2 // intervals, from which on a run should have extended
	if slices.ContainsFunc(q.still, func(d time.Duration) bool { return d > beatsFor*interval }) {
		return facts.Unknown[*facts.Heartbeat](facts.NotDeclared, measured("some long runs in the log extend and some do not"))
	}
	from := measured("accepted visibility changes in the log")
	var extension time.Duration
	for d, n := range q.extensions {
		if most := q.extensions[extension]; n > most || n == most && d < extension {
			extension = d
		}
	}
	return facts.Known(&facts.Heartbeat{
		Interval: facts.Known(interval, from), Extension: facts.Known(extension, from),
		Threshold: facts.Known[*time.Duration](nil, from),
	}, from)
}

// receiveTimeout is the timeout that every receive asked for, where all asked
// for the same.
func (q *QueueTally) receiveTimeout() facts.Value[*time.Duration] {
	from := measured("timeout_seconds of the receives in the log")
	for d := range q.timeouts {
		if len(q.timeouts) == 1 && d >= 0 {
			return facts.Known(&d, from)
		}
	}
	return facts.Unknown[*time.Duration](facts.NotDeclared, from)
}
