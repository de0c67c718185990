package simulate

import (
	"context"
	"math"
	"math/bits"
	"time"
)

// Run is what one replication counted. Times are in nanoseconds.
type Run struct {
	Simulated time.Duration // less than asked for where it was interrupted
	Slots     int
	Events    int // sends, receives, beats, expiries, ends of work, moves, drops, crashes

	// Every message sent is in exactly one of these.
	Sent, Deleted, DeadLettered, Dropped int
	WaitingAtEnd, InFlightAtEnd          int // delayed ones wait too

	Receives, Expiries, FirstExpiries            int
	Done, DoneTwice                              int // messages with an effect, and with more than one
	Effects, EffectsRefused, StaleDeletes        int
	Failures, GivenUp, Crashes, FalseDeadLetters int
	Beats, BeatsLost, BeatsStale, BeatsRefused   int
	OverLimit, InFlightPeak, WaitingPeak         int
	Calls, UsefulCalls                           int
	WorkNS, UsefulNS                             float64
	OldestNS                                     int64 // the longest that any waiting message had been in the queue
	Recoveries                                   int
	RecoveryNS                                   float64
	LongestRecoveryNS                            int64
	waits                                        histogram // in the queue, until the first receive
	waitNS, inFlightTime, waitingTime, busyTime  float64
	firstReceives                                int
}

func (r *Run) wait(ns int64) {
	r.firstReceives++
	r.waitNS += float64(ns)
	r.waits.add(ns)
}

func (r *Run) recover(ns int64) {
	r.Recoveries++
	r.RecoveryNS += float64(ns)
	r.LongestRecoveryNS = max(r.LongestRecoveryNS, ns)
}

// histogram counts durations in classes of 1/32 of their power of two: a
// quantile is exact to about 3 %.
type histogram struct {
	counts [64 * subclasses]uint32
	n      int
}

const subclasses = 32

func (h *histogram) add(ns int64) {
	h.counts[class(uint64(max(0, ns)))]++
	h.n++
}

func class(ns uint64) int {
	if ns < subclasses {
		return int(ns)
	}
	exp := bits.Len64(ns) - 6
	return (exp+1)*subclasses + int(ns>>exp) - subclasses
}

// classMiddle is the duration in the middle of a class, in nanoseconds.
func classMiddle(c int) float64 {
	if c < subclasses {
		return float64(c)
	}
	exp := c/subclasses - 1
	return math.Ldexp(float64(c%subclasses+subclasses)+0.5, exp)
}

// quantile is the nearest-rank quantile, in nanoseconds.
func (h *histogram) quantile(p float64) float64 {
	rank := max(1, int(math.Ceil(p*float64(h.n))))
	for c, n := range h.counts {
		if rank -= int(n); rank <= 0 && n > 0 {
			return classMiddle(c)
		}
	}
	return 0
}

// patience is the number of steps between two looks at whether to stop.
const patience = 1 << 14

// simulate runs one replication to its end, or until the context is done.
func (f *fleet) simulate(ctx context.Context) Run {
	for steps := 1; f.step(); steps++ {
		if steps%patience == 0 {
			f.tidy()
			if ctx.Err() != nil {
				f.end = f.now
			}
		}
	}
	f.elapse(f.end)
	f.run.Simulated = time.Duration(f.end)
	for i := range f.messages.n {
		switch m := f.messages.at(i); m.place {
		case placeWaiting, placeDelayed:
			f.run.WaitingAtEnd++
			f.run.OldestNS = max(f.run.OldestNS, f.now-m.sent)
		case placeInFlight:
			f.run.InFlightAtEnd++
		}
	}
	return f.run
}

// step does what comes next. It reports false when that is past the end.
func (f *fleet) step() bool {
	const (
		fromHeap = iota
		fromExpiries
		fromBeats
		fromDelays
		fromRetained
		fromSend
		fromCrash
	)
	next, source := f.heap.first(), fromHeap
	if m := f.expiries.first(); m < next {
		next, source = m, fromExpiries
	}
	if m := f.beats.first(); m < next {
		next, source = m, fromBeats
	}
	if m := f.delays.first(); m < next {
		next, source = m, fromDelays
	}
	if m := f.retained.first(); m < next {
		next, source = m, fromRetained
	}
	if f.nextSend < next {
		next, source = f.nextSend, fromSend
	}
	if f.nextCrash < next {
		next, source = f.nextCrash, fromCrash
	}
	if next == never || next.ns() > f.end {
		return false
	}
	f.elapse(next.ns())
	switch source {
	case fromHeap:
		f.sound(f.heap.pop())
	case fromExpiries:
		f.expiry(f.expiries.pop())
	case fromBeats:
		f.beat(f.beats.pop())
	case fromDelays:
		f.delayOver(f.delays.pop())
	case fromRetained:
		f.drop(f.retained.pop())
	case fromSend:
		f.run.Events++
		f.send()
	case fromCrash:
		f.crash()
	}
	return true
}

func (f *fleet) sound(a alarm) {
	switch a.when.rank() {
	case rankExpiry:
		f.expiry(a)
	case rankReady:
		f.ready(a)
	case rankBeat:
		f.beat(a)
	case rankEnd:
		f.finish(a)
	}
}
