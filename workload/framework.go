package workload

import (
	"time"

	"vtsize/facts"
	"vtsize/sizing"
)

// fromFramework fills in what a framework does by itself and the file does not
// say.
func fromFramework(w facts.Work, f sizing.Framework, e *Entry, q *facts.Queue) facts.Work {
	o := facts.Origin{Kind: facts.Default, Detail: "default of " + f.Name + " " + f.Version, Pos: e.Framework.Origin().Pos}
	// A timeout of its own is in force whatever the queue says, so it counts
	// as said: VT107 tells of it.
	if f.ReceiveTimeout > 0 {
		timeout := f.ReceiveTimeout
		ifUnsaid(&w.ReceiveTimeout, &timeout, o)
	} else {
		ifUnsaid(&w.ReceiveTimeout, nil, o)
	}
	ifNot0(&w.Batch, f.Batch, o)
	ifNot0(&w.Concurrency, f.Concurrency, o)
	ifNot0(&w.Handling, facts.Handling(f.Handling), o)
	// How many are held says nothing as long as it is not known how many run.
	if slots, ok := w.Concurrency.Get(); ok && f.PerSlot > 0 {
		held := slots * f.PerSlot
		ifUnsaid(&w.Prefetch, &held, o)
	} else if ok && f.Prefetch > 0 {
		ifUnsaid(&w.Prefetch, &f.Prefetch, o)
	}
	if f.StepLimit > 0 {
		ifUnsaid(&w.StepDeadline, &f.StepLimit, o)
	}
	if f.DeletesFirst {
		ifUnsaid(&w.Delete, facts.BeforeResult, o)
		ifUnsaid(&w.HandedTo, nil, o)
	}
	if f.ReleasesAtOnce {
		// It renews no message that it has given back.
		ifUnsaid(&w.OnFailure, &facts.OnFailure{Release: facts.Known(new(time.Duration), o), Backoff: facts.Known(facts.NoBackoff, o), StopsBeats: facts.Known(true, o)}, o)
	}
	renewal(&w, f, e, q, o)
	return w
}

// renewal is the heartbeat of the framework, where the file has none of its
// own; of one that the file has, what the framework is known to do.
func renewal(w *facts.Work, f sizing.Framework, e *Entry, q *facts.Queue, o facts.Origin) {
	if h, ok := w.Heartbeat.Get(); ok {
		if h != nil && f.OnLoss == sizing.LossContinues && !h.StopsWork.IsKnown() {
			own := *h
			own.StopsWork = facts.Known(false, o)
			w.Heartbeat = facts.Known(&own, w.Heartbeat.Origin())
		}
		return
	}
	if f.Renewal.Kind == sizing.NoRenewal || f.Renewal.Kind == sizing.OptIn && !e.ownBeats {
		w.Heartbeat = facts.Known[*facts.Heartbeat](nil, o)
		return
	}
	h := &facts.Heartbeat{Progress: facts.Known(false, o), Threshold: facts.Known[*time.Duration](nil, o)}
	not(&h.Interval, o)
	not(&h.Extension, o)
	not(&h.Renews, o)
	not(&h.StopsWork, o)
	not(&h.AfterDeadline, o)
	if f.OnLoss == sizing.LossContinues {
		h.StopsWork = facts.Known(false, o)
	}
	if f.Renewal.Held {
		h.Renews = facts.Known(facts.RenewsHeld, o)
	}
	timeout, known := q.VisibilityTimeout.Get()
	if own, ok := w.ReceiveTimeout.Get(); ok && own != nil {
		timeout, known = *own, true
	}
	if f.Renewal.Rule != nil && known {
		beats := f.Renewal.Rule(timeout)
		h.Interval, h.Extension = facts.Known(beats.Interval, o), facts.Known(beats.Extension, o)
		if beats.Threshold > 0 {
			h.Threshold = facts.Known(&beats.Threshold, o)
		}
	}
	w.Heartbeat = facts.Known(h, o)
}

// ifUnsaid sets a default where the file says nothing.
func ifUnsaid[T any](x *facts.Value[T], v T, o facts.Origin) {
	if !x.IsKnown() {
		*x = facts.Known(v, o)
	}
}

// ifNot0 sets a default that is known of the framework.
func ifNot0[T comparable](x *facts.Value[T], v T, o facts.Origin) {
	var zero T
	if v != zero {
		ifUnsaid(x, v, o)
	}
}
