package simulate

import (
	"math/rand/v2"

	"vtsize/sizing"
)

type place uint8

// Where a message is.
const (
	placeNone    place = iota // the slot is free
	placeDelayed              // sent, and not to be received yet
	placeWaiting
	placeInFlight
	placeGone // deleted, dead-lettered or dropped; the slot is kept while something points at it
)

const nobody = int32(-1)

// message is one message that is alive, or that somebody still works on.
type message struct {
	sent     int64 // ns
	hidden   int64 // in flight: until then
	work     int64 // of its first receive, and of all where slow messages stay slow
	crashed  int64 // when its last consumer died, or 0
	number   uint32
	token    uint32 // of the alarm that holds for it
	receives int32
	users    int32 // deliveries and queues that point at the slot
	group    int32
	next     int32 // behind it in its group
	effects  uint16
	place    place
	dead     bool // it moved to the dead-letter queue
}

// delivery is one receive of a message, until its consumer is through with it.
type delivery struct {
	message  int32
	receipt  int32
	consumer int32
	before   int32 // of the same consumer
	behind   int32
	token    uint32
	received int64
	started  int64 // -1: it waits inside the consumer
	ends     int64
	calls    int32
	how      outcome
}

type outcome uint8

// How a step ends.
const (
	succeeds outcome = iota
	fails            // the client used every attempt in vain
	givesUp          // the step deadline
)

// consumer is one worker process and what it holds, in the order of receipt.
type consumer struct {
	head, tail int32
	waiting    int32 // the first that is not started (standard queues)
	held       int32
	running    int32
	polling    bool
	down       bool
	token      uint32
}

// group is a FIFO message group.
type group struct {
	head, tail int32 // waiting messages in the order of sending
	inFlight   int32
	ready      bool
}

// fleet is the state of one replication.
type fleet struct {
	in  *FleetInput
	now int64
	end int64
	run Run

	// Where the time goes ahead: alarms by kind, and the two that are always
	// just one.
	heap                              heap4
	expiries, beats, delays, retained track
	nextSend, nextCrash               moment
	sent                              int

	messages   slab[message]
	deliveries slab[delivery]
	consumers  []consumer
	groups     []group

	waiting ring[int32] // standard: messages; FIFO: groups that are ready
	polling ring[int32]

	alive, inFlight, visible, busy int
	since                          int64 // of the time averages
	quota, slots, held             int
	timeout, extendTo, keptFor     int64
	expires                        bool // the retention can end within the run
	sending, working, mishaps      *rand.Rand
}

func newFleet(in *FleetInput, replication int) *fleet {
	stream := func(purpose uint64) *rand.Rand {
		return rand.New(rand.NewPCG(in.Seed, uint64(replication)<<8|purpose))
	}
	f := &fleet{
		in: in, end: int64(in.For), quota: in.Quota(), slots: in.Batch.Slots(), held: in.Batch.Held(),
		timeout: int64(in.VisibilityTimeout), extendTo: int64(in.ExtendTo()), keptFor: int64(in.KeptFor()),
		sending: stream(1), working: stream(2), mishaps: stream(3),
		consumers: make([]consumer, in.Consumers), groups: make([]group, in.Groups),
		nextSend: never, nextCrash: never,
	}
	f.expires = f.keptFor < f.end
	f.run.Slots = in.Slots()
	for i := range f.consumers {
		f.consumers[i] = consumer{head: nobody, tail: nobody, waiting: nobody}
		f.poll(int32(i))
	}
	for i := range f.groups {
		f.groups[i] = group{head: nobody, tail: nobody}
	}
	f.scheduleSend()
	f.scheduleCrash()
	return f
}

// newMessage takes a free slot. A slot keeps its token, so alarms of the one
// who had it before never hold.
func (f *fleet) newMessage() int32 {
	id := f.messages.take()
	m := f.messages.at(id)
	*m = message{token: m.token + 1, next: nobody}
	return id
}

// leave drops one pointer at the message's slot, which is free when it was the
// last and the message is gone.
func (f *fleet) leave(id int32) {
	m := f.messages.at(id)
	m.users--
	f.freeIfDone(id)
}

func (f *fleet) freeIfDone(id int32) {
	if m := f.messages.at(id); m.users == 0 && m.place == placeGone {
		m.place = placeNone
		f.messages.free(id)
	}
}

func (f *fleet) freeDelivery(id int32) {
	f.deliveries.at(id).token++
	f.deliveries.free(id)
}

// owns reports whether the delivery's receipt handle is the current one of a
// message in flight.
func (f *fleet) owns(d *delivery) bool {
	m := f.messages.at(d.message)
	return m.place == placeInFlight && m.receives == d.receipt
}

// tidy drops alarms that no longer hold once they are many more than what is
// alive. So memory goes with the messages alive, not with those seen.
func (f *fleet) tidy() {
	const slack = 1024
	most := 2*(f.alive+f.deliveries.used) + slack
	if f.expiries.n > most {
		f.expiries.keep(f.messageAlarmHolds)
	}
	if f.retained.n > most {
		f.retained.keep(f.retentionHolds)
	}
	if f.beats.n > most {
		f.beats.keep(f.deliveryAlarmHolds)
	}
	if len(f.heap.a) > 2*most+len(f.consumers) {
		f.heap.keep(f.heapAlarmHolds)
	}
}

func (f *fleet) messageAlarmHolds(a alarm) bool {
	m := f.messages.at(a.who)
	return m.token == a.token && m.place == placeInFlight
}

func (f *fleet) retentionHolds(a alarm) bool {
	m := f.messages.at(a.who)
	return m.place != placeGone && m.place != placeNone && m.number == a.token
}

func (f *fleet) deliveryAlarmHolds(a alarm) bool { return f.deliveries.at(a.who).token == a.token }

func (f *fleet) heapAlarmHolds(a alarm) bool {
	switch a.when.rank() {
	case rankExpiry:
		return f.messageAlarmHolds(a)
	case rankReady:
		return f.consumers[a.who].token == a.token
	}
	return f.deliveryAlarmHolds(a)
}

// elapse moves the clock and adds to the averages over time.
func (f *fleet) elapse(to int64) {
	dt := float64(to - f.since)
	f.run.inFlightTime += dt * float64(f.inFlight)
	f.run.waitingTime += dt * float64(f.visible)
	f.run.busyTime += dt * float64(f.busy)
	f.now, f.since = to, to
}

var longestHold = int64(sizing.MaxVisibilityTimeout)
