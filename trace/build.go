package trace

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// builder puts messages together, one after the other, in the same memory.
type builder struct {
	log     *Log
	order   *order
	m       Message
	records []*record
	byID    []handle // of the deliveries, sorted
}

// handle says which delivery a receipt handle belongs to.
type handle struct {
	id    uint32
	index int
}

// build tells the message of an id.
func (b *builder) build(id uint32) *Message {
	l, o := b.log, b.order
	b.records = b.records[:0]
	events := o.list[o.begin[id]:o.begin[id+1]]
	for _, i := range events {
		b.records = append(b.records, l.record(i))
	}
	b.records = l.once(b.records)
	b.m = Message{
		ID: l.texts.text(id), Deliveries: b.m.Deliveries[:0], Expiries: b.m.Expiries[:0], Sends: b.m.Sends[:0], Unmatched: b.m.Unmatched[:0],
		Repeated: len(events) - len(b.records),
	}
	b.receives()
	b.sortDeliveries()
	b.calls()
	b.deletes()
	b.deadLetter()
	b.infer()
	return &b.m
}

// receives makes a delivery of every receipt handle. A handle that was received
// twice, as FIFO queues give it to a repeated request, is one delivery.
func (b *builder) receives() {
	t := b.log.texts
	list := b.m.Deliveries
	for _, r := range b.records {
		if r.op == Receive {
			list = append(list, Delivery{
				ID: t.text(r.delivery), Queue: t.text(r.queue), SourceQueue: t.text(r.source), Consumer: t.text(r.consumer),
				Count: max(0, int(r.count)), Timeout: time.Duration(r.timeout) * time.Second, Start: moment(r.start), End: moment(r.end),
				Delete: NoDelete, handle: r.delivery, queue: b.order.names[r.queue],
			})
		}
	}
	if len(list) > 1 {
		slices.SortStableFunc(list, func(x, y Delivery) int { return cmp.Compare(x.handle, y.handle) })
		last := 0
		for _, d := range list[1:] {
			if k := &list[last]; d.handle == k.handle {
				k.End, k.Count = later(k.End, d.End), max(k.Count, d.Count)
				continue
			}
			last++
			list[last] = d
		}
		list = list[:last+1]
	}
	b.m.Deliveries = list
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// sortDeliveries puts the deliveries of a queue together, the source before a
// dead-letter queue, and orders them by receive count: SQS counts, while clocks
// of several machines may differ. Where a count is not told, time has to do.
func (b *builder) sortDeliveries() {
	list := b.m.Deliveries
	type group struct {
		dead    bool
		first   time.Time
		counted bool
	}
	groups := map[uint32]*group{}
	for i := range list {
		d := &list[i]
		g := groups[d.queue]
		if g == nil {
			g = &group{dead: b.order.dead[d.queue], first: d.End, counted: true}
			groups[d.queue] = g
		}
		if d.End.Before(g.first) {
			g.first = d.End
		}
		g.counted = g.counted && d.Count > 0
	}
	slices.SortFunc(list, func(x, y Delivery) int {
		g, h := groups[x.queue], groups[y.queue]
		if x.queue != y.queue {
			return cmp.Or(boolCompare(g.dead, h.dead), g.first.Compare(h.first), strings.Compare(QueueName(x.Queue), QueueName(y.Queue)))
		}
		byCount := 0
		if g.counted {
			byCount = cmp.Compare(x.Count, y.Count)
		}
		return cmp.Or(byCount, x.End.Compare(y.End), x.Start.Compare(y.Start), cmp.Compare(x.Count, y.Count), strings.Compare(x.ID, y.ID))
	})
	b.byID = b.byID[:0]
	for i := range list {
		b.byID = append(b.byID, handle{list[i].handle, i})
	}
	slices.SortFunc(b.byID, func(x, y handle) int { return cmp.Compare(x.id, y.id) })
}

func boolCompare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// calls gives sends, changes and deletes their places, by the receipt handle
// alone: never by time.
func (b *builder) calls() {
	t := b.log.texts
	for _, r := range b.records {
		if r.op == Receive {
			continue
		}
		c := Call{Op: r.op, Start: moment(r.start), End: moment(r.end), OK: r.result != resultFailed,
			ErrorCode: t.text(r.code), Consumer: t.text(r.consumer), Timeout: time.Duration(r.timeout) * time.Second}
		i, known := slices.BinarySearchFunc(b.byID, r.delivery, func(h handle, id uint32) int { return cmp.Compare(h.id, id) })
		switch {
		case r.op == Send:
			b.m.Sends = append(b.m.Sends, c)
		case !known || r.delivery == 0:
			c.Status = UnmatchedHandle
			if !c.OK {
				c.Status = FailedDelete
			}
			b.m.Unmatched = append(b.m.Unmatched, c)
		case r.op == Change:
			d := &b.m.Deliveries[b.byID[i].index]
			d.Changes = append(d.Changes, c)
		default:
			d := &b.m.Deliveries[b.byID[i].index]
			d.Deletes = append(d.Deletes, c)
		}
	}
}

// deletes says what the deletes came to. Only the handle of the latest receive
// is sure to delete.
func (b *builder) deletes() {
	list := b.m.Deliveries
	for i := range list {
		d := &list[i]
		for k := range d.Deletes {
			c := &d.Deletes[k]
			switch {
			case !c.OK:
				c.Status = FailedDelete
				if d.Delete == NoDelete || d.Delete == FailedDelete {
					d.Delete, d.ErrorCode = FailedDelete, c.ErrorCode
				}
			case i == len(list)-1:
				c.Status = Final
				d.Delete, d.ErrorCode = Final, ""
			default:
				c.Status = StaleHandle
				d.Delete, d.ErrorCode = StaleHandle, ""
			}
		}
	}
}

// deadLetter finds the queue that the message belongs to, and whether it was
// moved to a dead-letter queue: only a receive there tells of it.
func (b *builder) deadLetter() {
	source, worked := "", false
	for i := range b.m.Deliveries {
		d := &b.m.Deliveries[i]
		if d.SourceQueue != "" && QueueName(d.SourceQueue) != QueueName(d.Queue) {
			b.m.DeadLettered, source = true, d.SourceQueue
			continue
		}
		worked = worked || d.Completed()
	}
	b.m.FalseDeadLetter = b.m.DeadLettered && worked
	b.m.Queue = source
	for _, r := range b.records {
		if r.queue != 0 && (source == "" || !b.order.dead[b.order.names[r.queue]]) {
			b.m.Queue = b.log.texts.text(r.queue)
			return
		}
	}
}
