package simulate

// What the queue does: sending, hiding, expiring, handing out, dropping.

func (f *fleet) scheduleSend() {
	if f.in.Messages > 0 && f.sent >= f.in.Messages {
		f.nextSend = never
		return
	}
	gap := 1e9 / f.in.Rate
	switch f.in.Arrivals {
	case Evenly:
		// By multiplication, so that no error of rounding adds up.
		f.nextSend = momentAt(int64(float64(f.sent)*gap), rankSend)
		return
	case Bursts:
		gap *= float64(f.in.Burst)
	}
	f.nextSend = momentAt(f.now+int64(f.sending.ExpFloat64()*gap), rankSend)
}

func (f *fleet) send() {
	n := 1
	if f.in.Arrivals == Bursts {
		n = f.in.Burst
	}
	for range n {
		if f.in.Messages > 0 && f.sent >= f.in.Messages {
			break
		}
		f.sent++
		f.sendOne()
	}
	f.scheduleSend()
	f.match()
}

func (f *fleet) sendOne() {
	f.run.Sent++
	f.alive++
	id := f.newMessage()
	m := f.messages.at(id)
	m.sent, m.number, m.place = f.now, uint32(f.sent), placeDelayed
	m.work = f.in.Latency.draw(f.working)
	if f.in.FIFO {
		m.group = int32(f.sending.IntN(len(f.groups)))
	}
	if f.expires {
		f.retained.push(alarm{momentAt(f.now+f.keptFor, rankRetention), id, m.number})
	}
	if f.in.Delay > 0 {
		m.users++
		f.delays.push(alarm{momentAt(f.now+int64(f.in.Delay), rankVisible), id, 0})
		return
	}
	f.show(id)
}

// show makes a message one that can be received.
func (f *fleet) show(id int32) {
	m := f.messages.at(id)
	m.place = placeWaiting
	m.users++
	f.visible++
	f.run.WaitingPeak = max(f.run.WaitingPeak, f.visible)
	if f.in.FIFO {
		f.queueInGroup(id)
		return
	}
	f.waiting.push(id)
}

// queueInGroup puts a message where it belongs by the order of sending: a new
// one at the end, one that comes back near the front.
func (f *fleet) queueInGroup(id int32) {
	m := f.messages.at(id)
	g := &f.groups[m.group]
	switch {
	case g.head == nobody:
		g.head, g.tail, m.next = id, id, nobody
	case f.messages.at(g.tail).number < m.number:
		f.messages.at(g.tail).next, m.next, g.tail = id, nobody, id
	case m.number < f.messages.at(g.head).number:
		m.next, g.head = g.head, id
	default:
		before := g.head
		for f.messages.at(f.messages.at(before).next).number < m.number {
			before = f.messages.at(before).next
		}
		m.next, f.messages.at(before).next = f.messages.at(before).next, id
	}
	f.readyGroup(m.group)
}

func (f *fleet) readyGroup(id int32) {
	if g := &f.groups[id]; g.inFlight == 0 && g.head != nobody && !g.ready {
		g.ready = true
		f.waiting.push(id)
	}
}

// takeFrom takes the next message that can be received: on a FIFO queue of the
// open group as long as it has one. It reports the group, to go on with.
func (f *fleet) takeFrom(open int32) (id, from int32, ok bool) {
	if !f.in.FIFO {
		for f.waiting.n > 0 {
			if id := f.waiting.pop(); f.handOut(id) {
				return id, nobody, true
			}
		}
		return nobody, nobody, false
	}
	for {
		if open == nobody {
			if f.waiting.n == 0 {
				return nobody, nobody, false
			}
			open = f.waiting.pop()
			f.groups[open].ready = false
		}
		g := &f.groups[open]
		for g.head != nobody {
			id := g.head
			g.head = f.messages.at(id).next
			if f.handOut(id) {
				g.inFlight++
				return id, open, true
			}
		}
		open = nobody
	}
}

// handOut takes a message off the waiting ones. It reports false where there
// is nothing to receive: it was dropped while it waited, or this is one
// receive too many and it moves to the dead-letter queue.
func (f *fleet) handOut(id int32) bool {
	m := f.messages.at(id)
	if m.place == placeGone {
		f.leave(id)
		return false
	}
	f.visible--
	f.run.OldestNS = max(f.run.OldestNS, f.now-m.sent)
	if f.in.MaxReceiveCount > 0 && int(m.receives) >= f.in.MaxReceiveCount {
		f.run.Events++
		f.run.DeadLettered++
		m.dead = true
		if m.effects > 0 {
			f.run.FalseDeadLetters++
		}
		f.remove(id)
		f.leave(id)
		return false
	}
	m.users--
	return true
}

// remove ends a message's life in the queue.
func (f *fleet) remove(id int32) {
	m := f.messages.at(id)
	if m.place == placeInFlight {
		f.inFlight--
		f.releaseGroup(m.group)
	}
	m.place = placeGone
	f.alive--
}

func (f *fleet) releaseGroup(id int32) {
	if f.in.FIFO {
		f.groups[id].inFlight--
		f.readyGroup(id)
	}
}

// hide sets until when a message is in flight. The alarm that is set may come
// early, and is then set again; only one that would come late is replaced.
func (f *fleet) hide(id int32, until int64, first bool) {
	m := f.messages.at(id)
	sooner := until < m.hidden
	m.hidden = until
	switch {
	case first:
		m.token++
		f.expiries.push(alarm{momentAt(until, rankExpiry), id, m.token})
	case sooner:
		m.token++
		f.heap.push(alarm{momentAt(until, rankExpiry), id, m.token})
	}
}

func (f *fleet) expiry(a alarm) {
	if !f.messageAlarmHolds(a) {
		return
	}
	m := f.messages.at(a.who)
	if m.hidden > f.now {
		f.heap.push(alarm{momentAt(m.hidden, rankExpiry), a.who, a.token})
		return
	}
	f.run.Events++
	f.run.Expiries++
	if m.receives == 1 {
		f.run.FirstExpiries++
	}
	f.inFlight--
	f.show(a.who)
	f.releaseGroup(m.group)
	f.match()
}

// drop is the end of a message's retention, wherever it is.
func (f *fleet) drop(a alarm) {
	if !f.retentionHolds(a) {
		return
	}
	m := f.messages.at(a.who)
	f.run.Events++
	f.run.Dropped++
	if m.place == placeWaiting {
		f.visible--
		f.run.OldestNS = max(f.run.OldestNS, f.now-m.sent)
	}
	f.remove(a.who)
	f.freeIfDone(a.who)
	// What is dropped waits at the front, as a rule: it would take memory
	// until a consumer came for it.
	for !f.in.FIFO && f.waiting.n > 0 && f.messages.at(*f.waiting.at(0)).place == placeGone {
		f.leave(f.waiting.pop())
	}
	f.match()
}

func (f *fleet) delayOver(a alarm) {
	m := f.messages.at(a.who)
	m.users--
	if m.place == placeGone {
		f.freeIfDone(a.who)
		return
	}
	f.run.Events++
	f.show(a.who)
	f.match()
}
