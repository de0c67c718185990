package simulate

// A moment packs a time and what happens then into one number, so that one
// comparison gives the order: by time, and at the same time by rank.
type moment uint64

// The ranks: what comes first at one and the same nanosecond.
const (
	rankRetention = iota
	rankExpiry
	rankVisible
	rankSend
	rankReady
	rankBeat
	rankEnd
	rankCrash

	rankBits = 3
	never    = moment(1<<64 - 1)
)

func momentAt(ns int64, rank int) moment { return moment(ns)<<rankBits | moment(rank) }

func (m moment) ns() int64 { return int64(m >> rankBits) }
func (m moment) rank() int { return int(m & (1<<rankBits - 1)) }

// alarm is a moment with whom it concerns. Alarms are never taken back: the
// token tells one that still holds from one that time has overtaken.
type alarm struct {
	when  moment
	who   int32 // a message, a delivery or a consumer, by the rank
	token uint32
}

// heap4 is a heap with four children a node: half as deep as a binary one,
// and the children share a cache line.
type heap4 struct{ a []alarm }

func (h *heap4) first() moment {
	if len(h.a) == 0 {
		return never
	}
	return h.a[0].when
}

func (h *heap4) push(x alarm) {
	h.a = append(h.a, x)
	i := len(h.a) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if h.a[parent].when <= x.when {
			break
		}
		h.a[i] = h.a[parent]
		i = parent
	}
	h.a[i] = x
}

func (h *heap4) pop() alarm {
	top := h.a[0]
	last := len(h.a) - 1
	x := h.a[last]
	h.a = h.a[:last]
	if last > 0 {
		h.sink(0, x)
	}
	return top
}

func (h *heap4) sink(i int, x alarm) {
	a := h.a
	for {
		child := 4*i + 1
		if child >= len(a) {
			break
		}
		least := child
		for c := child + 1; c < min(child+4, len(a)); c++ {
			if a[c].when < a[least].when {
				least = c
			}
		}
		if x.when <= a[least].when {
			break
		}
		a[i] = a[least]
		i = least
	}
	a[i] = x
}

// keep drops the alarms that no longer hold.
func (h *heap4) keep(holds func(alarm) bool) {
	kept := h.a[:0]
	for _, x := range h.a {
		if holds(x) {
			kept = append(kept, x)
		}
	}
	h.a = kept
	for i := (len(kept) - 2) / 4; i >= 0 && len(kept) > 1; i-- {
		h.sink(i, kept[i])
	}
}

// ring is a queue in one slice that grows by doubling.
type ring[T any] struct {
	a    []T // its length is a power of two
	head int
	n    int
}

func (r *ring[T]) push(x T) {
	if r.n == len(r.a) {
		grown := make([]T, max(16, 2*len(r.a)))
		for i := range r.n {
			grown[i] = *r.at(i)
		}
		r.a, r.head = grown, 0
	}
	r.a[(r.head+r.n)&(len(r.a)-1)] = x
	r.n++
}

func (r *ring[T]) at(i int) *T { return &r.a[(r.head+i)&(len(r.a)-1)] }

func (r *ring[T]) pop() T {
	x := r.a[r.head]
	r.head = (r.head + 1) & (len(r.a) - 1)
	r.n--
	return x
}

// A track is a ring of alarms that are all set the same time ahead, so they
// come in the order in which they were set: no heap needed.
type track struct{ ring[alarm] }

func (t *track) first() moment {
	if t.n == 0 {
		return never
	}
	return t.a[t.head].when
}

// keep drops the alarms that no longer hold, in place.
func (t *track) keep(holds func(alarm) bool) {
	kept := 0
	for i := range t.n {
		if x := *t.at(i); holds(x) {
			*t.at(kept) = x
			kept++
		}
	}
	t.n = kept
}

// slab is a pool of numbered slots. It grows by chunks, so nothing is ever
// copied and a pointer to a slot stays good.
type slab[T any] struct {
	chunks [][]T
	spare  []int32
	n      int32 // slots that exist
	used   int
}

const (
	chunkBits = 12
	chunkMask = 1<<chunkBits - 1
)

func (s *slab[T]) at(id int32) *T { return &s.chunks[id>>chunkBits][id&chunkMask] }

// take gives a slot, as its last user left it.
func (s *slab[T]) take() int32 {
	s.used++
	if last := len(s.spare) - 1; last >= 0 {
		id := s.spare[last]
		s.spare = s.spare[:last]
		return id
	}
	if s.n&chunkMask == 0 {
		s.chunks = append(s.chunks, make([]T, 1<<chunkBits))
	}
	s.n++
	return s.n - 1
}

func (s *slab[T]) free(id int32) {
	s.used--
	s.spare = append(s.spare, id)
}
