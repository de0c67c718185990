package trace

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"
)

// order is where the events of each message are, once all have been read.
type order struct {
	begin    []uint32 // by message: where its events begin in list
	list     []uint32 // events, message by message
	messages []uint32 // in the order of their first events
	orphans  []uint32 // changes and deletes of no known message

	owner []uint32          // by delivery: its message, or several
	names map[uint32]uint32 // of queues: the name in each spelling
	dead  map[uint32]bool   // queues, by name, that dead letters were received from
}

// several stands for a handle that receives of more than one message have.
const several = ^uint32(0)

// QueueName is the name of a queue given by name, ARN or URL. Queues are told
// apart by it.
func QueueName(s string) string { return s[strings.LastIndexAny(s, "/:")+1:] }

// sorted makes the order, if it is not there.
func (l *Log) sorted() *order {
	if l.order != nil {
		return l.order
	}
	o := &order{names: map[uint32]uint32{}, dead: map[uint32]bool{}}
	l.nameQueues(o)
	n := l.texts.len() + 1
	o.owner = make([]uint32, n)
	for i := range uint32(l.events) {
		if r := l.record(i); r.op == Receive {
			if first := o.owner[r.delivery]; first != 0 && first != r.message {
				o.owner[r.delivery] = several
			} else {
				o.owner[r.delivery] = r.message
			}
		}
	}
	o.begin = make([]uint32, n+1)
	for i := range uint32(l.events) {
		o.begin[o.messageOf(l.record(i))+1]++
	}
	for i := range n {
		o.begin[i+1] += o.begin[i]
	}
	o.list = make([]uint32, l.events)
	next := slices.Clone(o.begin)
	for i := range uint32(l.events) {
		m := o.messageOf(l.record(i))
		o.list[next[m]] = i
		next[m]++
	}
	o.orphans = o.list[o.begin[0]:o.begin[1]]
	l.sortMessages(o)
	l.order = o
	return o
}

// nameQueues finds the name of every queue, however it was spelled.
func (l *Log) nameQueues(o *order) {
	o.names[0] = 0
	name := func(id uint32) uint32 {
		n, ok := o.names[id]
		if !ok {
			n = l.texts.id([]byte(QueueName(l.texts.text(id))))
			o.names[id] = n
		}
		return n
	}
	for i := range uint32(l.events) {
		r := l.record(i)
		queue := name(r.queue)
		if source := name(r.source); r.op == Receive && source != 0 && source != queue {
			o.dead[queue] = true
		}
	}
}

// messageOf is the message that an event belongs to: that of its handle, else
// the one that it names; 0 where it can be joined to none.
func (o *order) messageOf(r *record) uint32 {
	if r.op == Change || r.op == Delete {
		if m := o.owner[r.delivery]; m != 0 && m != several {
			return m
		}
	}
	return r.message
}

func (l *Log) sortMessages(o *order) {
	type first struct {
		start   int64
		message uint32
	}
	var list []first
	for m := 1; m < len(o.begin)-1; m++ {
		events := o.list[o.begin[m]:o.begin[m+1]]
		if len(events) == 0 {
			continue
		}
		start := l.record(events[0]).start
		for _, i := range events[1:] {
			start = min(start, l.record(i).start)
		}
		list = append(list, first{start, uint32(m)})
	}
	slices.SortFunc(list, func(a, b first) int {
		return cmp.Or(cmp.Compare(a.start, b.start), bytes.Compare(l.texts.bytes(a.message), l.texts.bytes(b.message)))
	})
	o.messages = make([]uint32, len(list))
	for i, f := range list {
		o.messages[i] = f.message
	}
}

// compare orders events by time, and those of one time by what they say, so
// that the order of reading has no part in it.
func (l *Log) compare(a, b *record) int {
	if c := cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end), cmp.Compare(a.op, b.op), cmp.Compare(a.count, b.count),
		cmp.Compare(a.timeout, b.timeout), cmp.Compare(a.result, b.result)); c != 0 {
		return c
	}
	for _, pair := range [][2]uint32{{a.delivery, b.delivery}, {a.queue, b.queue}, {a.consumer, b.consumer}, {a.code, b.code},
		{a.source, b.source}, {a.message, b.message}} {
		if pair[0] != pair[1] {
			return bytes.Compare(l.texts.bytes(pair[0]), l.texts.bytes(pair[1]))
		}
	}
	return 0
}

// Selection is what is looked at; empty: everything.
type Selection struct {
	Message string // id
	Queue   string // name, ARN or URL: where a message is from, or was received
}

// Messages goes through the messages in the order of their first events. A
// message is valid until the next one.
func (l *Log) Messages(sel Selection) iter.Seq[*Message] {
	return func(yield func(*Message) bool) {
		o := l.sorted()
		queue := QueueName(sel.Queue)
		b := builder{log: l, order: o}
		for _, id := range o.messages {
			if sel.Message != "" && string(l.texts.bytes(id)) != sel.Message {
				continue
			}
			m := b.build(id)
			if queue != "" && !m.in(queue) {
				continue
			}
			if !yield(m) {
				return
			}
		}
	}
}

// in reports whether the message is from a queue, or was received there.
func (m *Message) in(queue string) bool {
	return QueueName(m.Queue) == queue || slices.ContainsFunc(m.Deliveries, func(d Delivery) bool { return QueueName(d.Queue) == queue })
}

// Orphans counts the calls that no message is known of: accepted deletes, whose
// delivery cannot be told, and others.
func (l *Log) Orphans(sel Selection) (deletes, others int) {
	o := l.sorted()
	if sel.Message != "" {
		return 0, 0
	}
	list := make([]*record, 0, len(o.orphans))
	for _, i := range o.orphans {
		r := l.record(i)
		if sel.Queue == "" || l.texts.text(o.names[r.queue]) == QueueName(sel.Queue) {
			list = append(list, r)
		}
	}
	for _, r := range l.once(list) {
		if r.op == Delete && r.result == resultOK {
			deletes++
		} else {
			others++
		}
	}
	return deletes, others
}

// once sorts events and drops those that stand in the log twice, as where it
// was shipped twice.
func (l *Log) once(list []*record) []*record {
	slices.SortFunc(list, l.compare)
	return slices.CompactFunc(list, func(a, b *record) bool { return *a == *b })
}
