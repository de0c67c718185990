package simulate

import (
	"math"
	"time"
)

// How messages come to consumers: polling, the in-flight quota, batches.

// afterOverLimit is how long a consumer waits that was refused for the
// in-flight quota.
const afterOverLimit = int64(time.Second)

func (f *fleet) poll(id int32) {
	c := &f.consumers[id]
	if !c.polling && !c.down && f.hasRoom(c) {
		c.polling = true
		f.polling.push(id)
	}
}

// hasRoom reports whether a consumer asks for more: with a prefetch whenever
// it holds fewer, else when the whole batch is done.
func (f *fleet) hasRoom(c *consumer) bool {
	if f.in.Batch.Prefetch > 0 {
		return int(c.held) < f.held
	}
	return c.held == 0
}

// match hands waiting messages to polling consumers.
func (f *fleet) match() {
	for f.waiting.n > 0 && f.polling.n > 0 {
		if f.inFlight >= f.quota {
			if !f.in.ShortPolling {
				return // long polling: the queue looks empty
			}
			f.refuse(f.polling.pop())
			continue
		}
		id := *f.polling.at(0)
		c := &f.consumers[id]
		if c.down || f.receive(id) > 0 {
			f.polling.pop()
			c.polling = false
			f.poll(id)
		}
	}
}

// refuse is the OverLimit error of a short poll.
func (f *fleet) refuse(id int32) {
	c := &f.consumers[id]
	c.polling = false
	f.run.OverLimit++
	f.heap.push(alarm{momentAt(f.now+afterOverLimit, rankReady), id, c.token})
}

// receive is one ReceiveMessage that finds something. It reports how many.
func (f *fleet) receive(id int32) int {
	c := &f.consumers[id]
	want := min(max(1, f.in.Batch.Size), f.held-int(c.held), f.quota-f.inFlight)
	open, n := nobody, 0
	for n < want {
		m, from, ok := f.takeFrom(open)
		if !ok {
			break
		}
		open = from
		f.deliver(m, id)
		n++
	}
	if n > 0 {
		f.startWaiting(id)
	}
	return n
}

func (f *fleet) deliver(id, to int32) {
	m := f.messages.at(id)
	f.run.Events++
	f.run.Receives++
	if m.receives == 0 {
		f.run.wait(f.now - m.sent - int64(f.in.Delay))
	}
	m.receives++
	m.users++
	m.place = placeInFlight
	f.inFlight++
	f.run.InFlightPeak = max(f.run.InFlightPeak, f.inFlight)
	if m.crashed > 0 {
		f.run.recover(f.now - m.crashed)
		m.crashed = 0
	}
	f.hide(id, f.now+f.timeout, true)

	d := f.deliveries.take()
	x := f.deliveries.at(d)
	*x = delivery{message: id, receipt: m.receives, consumer: to, token: x.token, received: f.now, started: -1, ends: math.MaxInt64, behind: nobody}
	c := &f.consumers[to]
	x.before = c.tail
	if c.tail == nobody {
		c.head = d
	} else {
		f.deliveries.at(c.tail).behind = d
	}
	c.tail = d
	if c.waiting == nobody {
		c.waiting = d
	}
	c.held++
	if f.in.BeatFromHold {
		f.nextBeat(d)
	}
}
