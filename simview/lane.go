package simview

import (
	"time"

	"vtsize/simulate"
)

// lane is what one consumer did with its receive.
type lane struct {
	receipt int
	from    time.Duration // the receive
	owned   time.Duration // until then its receipt handle was the message's current one
	to      time.Duration // the end of its work
	events  []simulate.Event
}

// stale reports whether the consumer worked on after it had lost the message.
func (l lane) stale() bool { return l.to > l.owned }

// hold is a stretch of time in which the message was hidden for one receive.
type hold struct {
	receipt  int
	from, to time.Duration
}

// lanesOf sorts the events of a replay by consumer, and into the message's
// own story.
func lanesOf(r simulate.ReplayResult) (lanes []lane, holds []hold) {
	current := -1 // index of the lane that has the message
	release := func(at time.Duration) {
		if current >= 0 {
			lanes[current].owned = min(lanes[current].owned, at)
			holds = append(holds, hold{lanes[current].receipt, lanes[current].from, at})
			current = -1
		}
	}
	end := r.End()
	for _, e := range r.Events {
		switch e.Kind {
		case simulate.Received:
			lanes = append(lanes, lane{receipt: e.Receipt, from: e.At, owned: end, to: end})
			current = len(lanes) - 1
		case simulate.Expired, simulate.Deleted, simulate.DeadLettered, simulate.RetentionOver:
			release(e.At)
		}
		if e.Receipt == 0 {
			continue
		}
		l := &lanes[e.Receipt-1]
		l.events = append(l.events, e)
		switch e.Kind {
		case simulate.Effect, simulate.EffectRefused, simulate.Crashed, simulate.GaveUp:
			l.to = e.At
		}
	}
	release(end)
	for i := range lanes {
		lanes[i].owned = min(lanes[i].owned, lanes[i].to)
	}
	return lanes, holds
}
