package trace

import "slices"

// infer adds what the receives tell: expiries, duplicates, and deliveries that
// the log does not have.
func (b *builder) infer() {
	list := b.m.Deliveries
	for from := 0; from < len(list); {
		to := from + 1
		for to < len(list) && list[to].queue == list[from].queue {
			to++
		}
		b.inferQueue(from, to)
		from = to
	}
	b.m.Pattern = NoPattern
	for _, e := range b.m.Expiries {
		if e.Pattern.weight() > b.m.Pattern.weight() {
			b.m.Pattern = e.Pattern
		}
	}
}

// inferQueue goes through the deliveries of one queue, those with one count
// after those with a smaller one.
func (b *builder) inferQueue(from, to int) {
	var counted []int
	for i := from; i < to; i++ {
		if b.m.Deliveries[i].Count > 0 {
			counted = append(counted, i)
		}
	}
	count := func(i int) int { return b.m.Deliveries[counted[i]].Count }
	slices.SortStableFunc(counted, func(x, y int) int { return b.m.Deliveries[x].Count - b.m.Deliveries[y].Count })
	missing, before := 0, []int(nil)
	for lo := 0; lo < len(counted); {
		hi := lo + 1
		for hi < len(counted) && count(hi) == count(lo) {
			hi++
		}
		b.m.Duplicates += hi - lo - 1
		if lo > 0 {
			missing += count(lo) - count(lo-1) - 1
			b.expiry(before, counted[lo])
		} else if !b.order.dead[b.m.Deliveries[from].queue] {
			missing += count(lo) - 1 // a dead letter brings its count along
		}
		before, lo = counted[lo:hi], hi
	}
	// A receive without a count is one of those that seem to be missing.
	b.m.NotObserved += max(0, missing-(to-from-len(counted)))
}

// expiry adds the one between deliveries of one count and the next. Of several
// earlier ones, the one counts of which most is known, else the latest.
func (b *builder) expiry(earlier []int, later int) {
	var best *Expiry
	for _, i := range earlier {
		if b.m.Deliveries[i].Start.After(b.m.Deliveries[later].End) {
			continue // the clocks say that it came after the redelivery
		}
		e := b.m.expiryOf(i, later)
		if best == nil || slices.Index(Reasons, e.Reason) <= slices.Index(Reasons, best.Reason) {
			best = &e
		}
	}
	if best == nil {
		b.m.Contradicted = true
		return
	}
	b.m.Expiries = append(b.m.Expiries, *best)
}

// expiryOf tells how delivery i ended before delivery j.
func (m *Message) expiryOf(i, j int) Expiry {
	d, next := &m.Deliveries[i], &m.Deliveries[j]
	e := Expiry{After: i, Before: j, Reason: Expired, ChangedTo: none, From: d.Start, To: next.End, OrderKnown: true}
	var anchor *Call
	for k := range d.Changes {
		c := &d.Changes[k]
		switch {
		case !c.OK: // a refused change did nothing to the timer
		case c.End.Before(next.Start):
			anchor = c
		case !c.Start.After(next.End):
			e.OrderKnown = false
		}
	}
	switch {
	case anchor != nil:
		e.Reason, e.ChangedTo, e.From = LastChanged, int(anchor.Timeout.Seconds()), anchor.Start
		if e.ChangedTo == 0 {
			e.Reason = Released
		}
	case slices.ContainsFunc(d.Deletes, func(c Call) bool { return c.OK }):
		e.Reason = DeleteTooLate
	}
	changesKnown := e.OrderKnown
	before, within, after := d.deletesAround(&e, next)
	e.OrderKnown = e.OrderKnown && !within
	e.Pattern = patternOf(&e, before, within || !changesKnown, after)
	return e
}

// deletesAround says where the deletes of a delivery are: accepted before the
// redelivery, not to be ordered, after it.
//
// An accepted delete before the redelivery did come after the timeout: else
// the message would be gone. Of a refused one that cannot be told.
func (d *Delivery) deletesAround(e *Expiry, next *Delivery) (before, within, after bool) {
	for i := range d.Deletes {
		c := &d.Deletes[i]
		switch {
		case c.Start.After(next.End):
			after = true
		case c.End.Before(e.From):
		case c.OK && c.End.Before(next.Start):
			before = true
		default:
			within = true
		}
	}
	return before, within, after
}
