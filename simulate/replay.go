package simulate

import (
	"container/heap"
	"slices"
	"time"

	"vtsize/sizing"
)

// EventKind names what happened, as it stands in the JSON output.
type EventKind string

// What can happen to a message.
const (
	Received      EventKind = "receive"
	Extended      EventKind = "extend"
	ExtendStale   EventKind = "extend_stale"   // a beat with the handle of an earlier receive: it extends nothing
	ExtendRefused EventKind = "extend_refused" // a beat that would take the total past 43,200 s
	BeatLost      EventKind = "beat_lost"      // a beat that never reached SQS
	Expired       EventKind = "expire"
	Effect        EventKind = "effect"
	EffectRefused EventKind = "effect_refused" // the idempotency key was known already
	Deleted       EventKind = "delete"
	DeleteStale   EventKind = "delete_stale" // a delete with the handle of an earlier receive, or of a message that is gone
	Crashed       EventKind = "crash"
	GaveUp        EventKind = "deadline" // the worker's own step deadline
	DeadLettered  EventKind = "dead_letter"
	RetentionOver EventKind = "retention_over" // SQS drops the message for its age
)

// Event is one line of a timeline.
type Event struct {
	At      time.Duration // from the first receive
	Kind    EventKind
	Receipt int           // the receive it belongs to, from 1; 0: the queue's own doing
	Until   time.Duration // Extended: hidden until then
}

// Consumer names the worker of a receive: A for the first, B for the second.
// A consumer that is always polling is free for every receive, so each receive
// has its own.
func Consumer(receipt int) string {
	var name []byte
	for n := receipt; n > 0; n = (n - 1) / 26 {
		name = append(name, byte('A'+(n-1)%26))
	}
	slices.Reverse(name)
	return string(name)
}

// ReplayResult is what became of the message and what it cost.
type ReplayResult struct {
	Input          ReplayInput
	Events         []Event
	Receives       int
	Effects        int            // that the customer saw
	DeletedAt      *time.Duration // nil: it was not
	DeadLetteredAt *time.Duration // nil: it was not
	Work           time.Duration  // of all consumers
	Useful         time.Duration  // one step, if the effect happened at all
	Cut            bool           // the replay stopped at MaxReplayEvents; more would follow
}

// FalseDeadLetter reports whether the message is in the dead-letter queue
// although its work succeeded.
func (r ReplayResult) FalseDeadLetter() bool { return r.DeadLetteredAt != nil && r.Effects > 0 }

// Wasted is the work beyond what was needed.
func (r ReplayResult) Wasted() time.Duration { return r.Work - r.Useful }

// End is the moment of the last event.
func (r ReplayResult) End() time.Duration {
	if len(r.Events) == 0 {
		return 0
	}
	return r.Events[len(r.Events)-1].At
}

// Replay follows one message until nothing more can happen to it. The input
// must be valid.
func Replay(in ReplayInput) ReplayResult {
	r := &replay{in: in, result: ReplayResult{Input: in}}
	r.schedule(in.KeptFor(), timer{what: retentionTimer})
	r.receive(0)
	for len(r.timers) > 0 && !r.result.Cut {
		t := heap.Pop(&r.timers).(timer)
		r.fire(t)
		r.result.Cut = len(r.result.Events) >= MaxReplayEvents
	}
	if r.effectDone {
		r.result.Useful = in.Step
	}
	return r.result
}

type timerKind int

// In the order in which they fire at one moment.
const (
	retentionTimer timerKind = iota
	expiryTimer
	beatTimer
	endTimer
)

type timer struct {
	at      time.Duration
	what    timerKind
	seq     int // keeps the order of scheduling among equals
	receipt int
	beat    int // number of the beat, from 1
}

type timers []timer

func (q timers) Len() int { return len(q) }
func (q timers) Less(i, j int) bool {
	a, b := q[i], q[j]
	switch {
	case a.at != b.at:
		return a.at < b.at
	case a.what != b.what:
		return a.what < b.what
	}
	return a.seq < b.seq
}
func (q timers) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *timers) Push(x any)   { *q = append(*q, x.(timer)) }
func (q *timers) Pop() any {
	last := len(*q) - 1
	t := (*q)[last]
	*q = (*q)[:last]
	return t
}

// worker is the consumer of one receive.
type worker struct {
	received time.Duration
	ends     time.Duration
	how      EventKind // Effect, Crashed or GaveUp
}

type replay struct {
	in         ReplayInput
	result     ReplayResult
	timers     timers
	seq        int
	workers    []worker // of receipt i+1
	hidden     time.Duration
	gone       bool // deleted, dead-lettered or dropped
	effectDone bool
}

func (r *replay) schedule(at time.Duration, t timer) {
	t.at, t.seq = at, r.seq
	r.seq++
	heap.Push(&r.timers, t)
}

func (r *replay) log(at time.Duration, kind EventKind, receipt int) {
	r.result.Events = append(r.result.Events, Event{At: at, Kind: kind, Receipt: receipt})
}

// receive hands the message to the next consumer, or moves it to the
// dead-letter queue where that would be one receive too many.
func (r *replay) receive(now time.Duration) {
	if r.in.MaxReceiveCount > 0 && r.result.Receives == r.in.MaxReceiveCount {
		r.log(now, DeadLettered, 0)
		r.gone, r.result.DeadLetteredAt = true, &now
		return
	}
	r.result.Receives++
	receipt := r.result.Receives
	r.log(now, Received, receipt)
	r.hide(now+r.in.VisibilityTimeout, receipt)
	w := worker{received: now, ends: now + r.in.Step, how: Effect}
	if d := r.in.StepDeadline; d > 0 && d < r.in.Step {
		w.ends, w.how = now+d, GaveUp
	}
	if receipt == 1 && r.in.CrashAfter > 0 && now+r.in.CrashAfter <= w.ends {
		w.ends, w.how = now+r.in.CrashAfter, Crashed
	}
	r.workers = append(r.workers, w)
	r.schedule(w.ends, timer{what: endTimer, receipt: receipt})
	r.scheduleBeat(now, receipt, 1)
}

func (r *replay) hide(until time.Duration, receipt int) {
	r.hidden = until
	r.schedule(until, timer{what: expiryTimer, receipt: receipt})
}

// scheduleBeat makes the next beat come, unless the worker's step is over by
// then: whoever ends stops beating first.
func (r *replay) scheduleBeat(now time.Duration, receipt, number int) {
	every := r.in.Heartbeat.Interval
	if every > 0 && now+every < r.workers[receipt-1].ends {
		r.schedule(now+every, timer{what: beatTimer, receipt: receipt, beat: number})
	}
}

func (r *replay) holds(receipt int) bool { return !r.gone && receipt == r.result.Receives }

func (r *replay) fire(t timer) {
	switch t.what {
	case retentionTimer:
		if !r.gone {
			r.log(t.at, RetentionOver, 0)
			r.gone = true
		}
	case expiryTimer:
		if r.holds(t.receipt) && r.hidden == t.at {
			r.log(t.at, Expired, t.receipt)
			r.receive(t.at)
		}
	case beatTimer:
		r.beat(t)
		r.scheduleBeat(t.at, t.receipt, t.beat+1)
	case endTimer:
		r.end(t)
	}
}

func (r *replay) beat(t timer) {
	until := t.at + r.in.ExtendTo()
	switch {
	case t.receipt == 1 && slices.Contains(r.in.LoseBeats, t.beat):
		r.log(t.at, BeatLost, t.receipt)
	case !r.holds(t.receipt):
		r.log(t.at, ExtendStale, t.receipt)
	case until > r.workers[t.receipt-1].received+sizing.MaxVisibilityTimeout:
		r.log(t.at, ExtendRefused, t.receipt)
	default:
		r.result.Events = append(r.result.Events, Event{At: t.at, Kind: Extended, Receipt: t.receipt, Until: until})
		r.hide(until, t.receipt)
	}
}

// end is the end of a worker's step: its effect and its delete, or a crash or
// a deadline, which delete nothing.
func (r *replay) end(t timer) {
	w := r.workers[t.receipt-1]
	r.result.Work += t.at - w.received
	if w.how != Effect {
		r.log(t.at, w.how, t.receipt)
		return
	}
	if r.in.IdempotencyKey && r.effectDone {
		r.log(t.at, EffectRefused, t.receipt)
	} else {
		r.log(t.at, Effect, t.receipt)
		r.effectDone = true
		r.result.Effects++
	}
	removes := r.in.StaleDelete == StaleDeleteRemoves && !r.gone
	if !r.holds(t.receipt) && !removes {
		r.log(t.at, DeleteStale, t.receipt)
		return
	}
	r.log(t.at, Deleted, t.receipt)
	r.gone, r.result.DeletedAt = true, &t.at
}
