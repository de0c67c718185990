package simulate

import (
	"math"
	"time"
)

// What consumers do with what they hold: working, beating, deleting, crashing.

// startWaiting starts what a consumer holds, up to its slots.
func (f *fleet) startWaiting(id int32) {
	c := &f.consumers[id]
	for int(c.running) < f.slots {
		d := c.waiting
		if f.in.FIFO {
			d = f.startable(c)
		}
		if d == nobody {
			return
		}
		c.waiting = f.deliveries.at(d).behind
		c.running++
		f.busy++
		f.start(d)
	}
}

// startable is the first message that waits in a consumer and whose group does
// not run there: a group is worked on in order.
func (f *fleet) startable(c *consumer) int32 {
	for d := c.head; d != nobody; d = f.deliveries.at(d).behind {
		x := f.deliveries.at(d)
		if x.started >= 0 {
			continue
		}
		runs := false
		for o := c.head; o != nobody && !runs; o = f.deliveries.at(o).behind {
			other := f.deliveries.at(o)
			runs = other.started >= 0 && f.messages.at(other.message).group == f.messages.at(x.message).group
		}
		if !runs {
			return d
		}
	}
	return nobody
}

func (f *fleet) start(d int32) {
	x := f.deliveries.at(d)
	x.started = f.now
	work, calls, ok := f.attempts(x)
	x.how, x.calls = succeeds, calls
	if !ok {
		x.how = fails
	}
	if limit := int64(f.in.StepDeadline); limit > 0 && limit < work {
		work, x.how = limit, givesUp
	}
	x.ends = f.now + work
	f.heap.push(alarm{momentAt(x.ends, rankEnd), d, x.token})
	if !f.in.BeatFromHold {
		f.nextBeat(d)
	}
}

// attempts draws the work of one receive: every attempt, and the waits between
// them.
func (f *fleet) attempts(x *delivery) (work int64, calls int32, ok bool) {
	slower := 1.0
	if f.in.LoadFactor > 0 {
		slower += f.in.LoadFactor * float64(f.busy) / float64(f.run.Slots)
	}
	retry := &f.in.Retry
	for n := range max(1, retry.Attempts) {
		attempt := f.messages.at(x.message).work
		if n > 0 || (x.receipt > 1 && !f.in.SlowMessages) {
			attempt = f.in.Latency.draw(f.working)
		}
		if n > 0 && len(retry.Waits) > 0 {
			work += int64(retry.Waits[min(n-1, len(retry.Waits)-1)])
		}
		work += int64(float64(attempt) * slower)
		if retry.FailureRate == 0 || f.mishaps.Float64() >= retry.FailureRate {
			return min(work, int64(longestWork)), int32(n + 1), true
		}
	}
	return min(work, int64(longestWork)), int32(max(1, retry.Attempts)), false
}

// nextBeat sets the next beat, unless the work is over by then.
func (f *fleet) nextBeat(d int32) {
	every := int64(f.in.Heartbeat.Interval)
	if every == 0 {
		return
	}
	x := f.deliveries.at(d)
	if jitter := int64(f.in.BeatJitter); jitter > 0 {
		every += f.mishaps.Int64N(jitter)
		if f.now+every < x.ends {
			f.heap.push(alarm{momentAt(f.now+every, rankBeat), d, x.token})
		}
		return
	}
	if f.now+every < x.ends {
		f.beats.push(alarm{momentAt(f.now+every, rankBeat), d, x.token})
	}
}

func (f *fleet) beat(a alarm) {
	if !f.deliveryAlarmHolds(a) {
		return
	}
	f.run.Events++
	f.run.Beats++
	x := f.deliveries.at(a.who)
	until := f.now + f.extendTo
	switch {
	case f.in.BeatLoss > 0 && f.mishaps.Float64() < f.in.BeatLoss:
		f.run.BeatsLost++
	case !f.owns(x):
		f.run.BeatsStale++
	case until > x.received+longestHold:
		f.run.BeatsRefused++
	default:
		f.hide(x.message, until, false)
	}
	f.nextBeat(a.who)
}

// finish is the end of a step.
func (f *fleet) finish(a alarm) {
	if !f.deliveryAlarmHolds(a) {
		return
	}
	f.run.Events++
	x := f.deliveries.at(a.who)
	work := f.now - x.started
	f.run.WorkNS += float64(work)
	f.run.Calls += int(x.calls)
	switch x.how {
	case succeeds:
		f.effect(x, work)
		f.delete(x)
	case fails:
		f.run.Failures++
	case givesUp:
		f.run.GivenUp++
	}
	id, m := x.consumer, x.message
	f.busy--
	f.consumers[id].running--
	f.unlink(a.who)
	f.leave(m)
	f.startWaiting(id)
	f.poll(id)
	f.match()
}

func (f *fleet) effect(x *delivery, work int64) {
	m := f.messages.at(x.message)
	if m.effects < math.MaxUint16 {
		m.effects++
	}
	switch {
	case m.effects == 1:
		f.run.Done++
		f.run.UsefulNS += float64(work)
		f.run.UsefulCalls += int(x.calls)
		// It succeeded after all: the dead letter was a false one.
		if m.dead {
			f.run.FalseDeadLetters++
		}
	case f.in.IdempotencyKey:
		f.run.EffectsRefused++
		return
	case m.effects == 2:
		f.run.DoneTwice++
	}
	f.run.Effects++
}

func (f *fleet) delete(x *delivery) {
	m := f.messages.at(x.message)
	switch {
	case f.owns(x):
	case f.in.StaleDelete == StaleDeleteRemoves && (m.place == placeInFlight || m.place == placeWaiting):
		if m.place == placeWaiting {
			f.visible--
		}
	default:
		f.run.StaleDeletes++
		return
	}
	f.run.Deleted++
	f.remove(x.message)
}

// unlink takes a delivery out of its consumer's hands.
func (f *fleet) unlink(d int32) {
	x := f.deliveries.at(d)
	c := &f.consumers[x.consumer]
	if x.before == nobody {
		c.head = x.behind
	} else {
		f.deliveries.at(x.before).behind = x.behind
	}
	if x.behind == nobody {
		c.tail = x.before
	} else {
		f.deliveries.at(x.behind).before = x.before
	}
	if c.waiting == d {
		c.waiting = x.behind
	}
	c.held--
	f.freeDelivery(d)
}

func (f *fleet) scheduleCrash() {
	if f.in.CrashRate > 0 {
		gap := float64(time.Hour) / f.in.CrashRate / float64(f.in.Consumers)
		f.nextCrash = momentAt(f.now+int64(min(f.mishaps.ExpFloat64()*gap, float64(maxFor))), rankCrash)
	}
}

// crash ends a consumer with all that it holds. What it held stays hidden.
func (f *fleet) crash() {
	id := int32(f.mishaps.IntN(len(f.consumers)))
	f.scheduleCrash()
	c := &f.consumers[id]
	if c.down {
		return
	}
	f.run.Events++
	f.run.Crashes++
	for d := c.head; d != nobody; {
		x := f.deliveries.at(d)
		behind, m := x.behind, x.message
		if x.started >= 0 {
			f.run.WorkNS += float64(f.now - x.started)
			f.run.Calls += int(x.calls)
			f.busy--
		}
		if f.owns(x) {
			f.messages.at(m).crashed = f.now
		}
		f.unlink(d)
		f.leave(m)
		d = behind
	}
	c.running, c.waiting = 0, nobody
	c.down = true
	c.token++
	f.heap.push(alarm{momentAt(f.now+int64(f.in.Restart), rankReady), id, c.token})
}

// ready is the end of a restart or of the wait after OverLimit.
func (f *fleet) ready(a alarm) {
	c := &f.consumers[a.who]
	if c.token != a.token {
		return
	}
	c.down = false
	f.poll(a.who)
	f.match()
}
