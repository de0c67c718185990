package csvread

import "slices"

// counter is the sink of the first look at all sources: it counts samples by
// class and window, and shows them to the probes that were set by a guess.
type counter struct {
	aims    *aims
	room    *room
	list    *classList
	classes []*tally
	windows []*windowTally
	timed   bool
	whole   lookout // for samples of all classes
	spill   *spill  // nil while a source can be read again
	block   []byte  // what is on its way there

	// The samples of a class wait until they are many: the bins of a thousand
	// classes do not fit into the caches, but those of one do.
	waiting []uint16 // how many of each class
	queue   []uint64
	bins    [queueSize]uint16 // of those that are being counted
}

// aims are the intervals that the first look collects, as a sample suggests
// them.
type aims struct {
	whole []aim
	class map[string][]aim // nil: classes wait for a second look
	every []aim            // of the whole and of each class
	pool  *pool            // for what is collected
}

// classes is how many classes there are, or may be.
func (a *aims) classes() int {
	if a.class == nil {
		return MaxClasses
	}
	return len(a.class)
}

// of gives the aims of a class. One that the sample did not see is small. Those
// above the limit are told nothing of.
func (a *aims) of(class int, list *classList) []aim {
	if a.class == nil || class == MaxClasses {
		return nil
	}
	if in, seen := a.class[list.name(class)]; seen {
		return in
	}
	return everything(0)
}

// aim is an interval, without its end, and how many samples are probably in it.
type aim struct {
	lo, hi   uint64
	expected int
}

func newCounter(a *aims, list *classList) *counter {
	c := &counter{aims: a, list: list, room: &room{pool: a.pool, counted: true}}
	for _, in := range slices.Concat(a.whole, a.every) {
		c.whole.watch(newProbe(in, c.room))
	}
	return c
}

// take counts a batch.
func (c *counter) take(b *batch) error {
	if c.timed {
		c.time(b)
	}
	if c.spill != nil {
		c.block = b.append(c.block[:0])
		if err := c.spill.write(c.block); err != nil {
			return err
		}
	}
	for i, ns := range b.ns[:b.n] {
		id := int(b.class[i])
		if id >= len(c.waiting) {
			c.begin(id)
		}
		n := c.waiting[id]
		c.queue[id*queueSize+int(n)] = ns
		if n++; n == queueSize {
			c.count(id, queueSize)
			n = 0
		}
		c.waiting[id] = n
	}
	return nil
}

// count counts the samples of a class that were waiting for that.
func (c *counter) count(id, n int) {
	samples, bins := c.queue[id*queueSize:][:n], c.bins[:n]
	t := c.classes[id]
	t.count(samples, bins)
	for i, b := range bins {
		if t.own.marked(uint(b)) {
			t.own.hit(samples[i], uint(b))
			if c.whole.marked(uint(b)) {
				c.whole.hit(samples[i], uint(b))
			}
		}
	}
}

// end counts what is still waiting.
func (c *counter) end() {
	for id, n := range c.waiting {
		c.count(id, int(n))
	}
	clear(c.waiting)
}

// drain adds what was counted to the sums of the classes, and begins anew.
func (c *counter) drain(sums []*tally) []*tally {
	c.end()
	for id, t := range c.classes {
		if id == len(sums) {
			sums = append(sums, &tally{})
		}
		sums[id].add(t)
		*t = tally{own: t.own, first: t.first, bins: t.bins}
		clear(t.bins)
	}
	return sums
}

// queueSize is how many samples of a class wait at most.
const queueSize = 512

// begin makes tallies for the classes up to one.
func (c *counter) begin(id int) {
	for next := len(c.waiting); next <= id; next++ {
		t := &tally{own: &lookout{marks: c.whole.marks}}
		for _, in := range slices.Concat(c.aims.of(next, c.list), c.aims.every) {
			t.own.watch(newProbe(in, c.room))
		}
		c.classes = append(c.classes, t)
		c.waiting = append(c.waiting, 0)
		if next*queueSize >= len(c.queue) {
			all := make([]uint64, max(2*len(c.queue), queueSize))
			copy(all, c.queue)
			c.queue = all
		}
	}
}

// time counts a batch by window. Neighbours are mostly in the same one.
func (c *counter) time(b *batch) {
	last := uint16(noWindow)
	var t *windowTally
	for i, ns := range b.ns[:b.n] {
		if id := b.window[i]; id != last {
			last, t = id, c.window(int(id))
		}
		if t != nil {
			t[windowBin(bin(ns))]++
		}
	}
}

// window gives the tally of a window; nil for samples in none.
func (c *counter) window(id int) *windowTally {
	if id == noWindow {
		return nil
	}
	for id >= len(c.windows) {
		c.windows = append(c.windows, nil)
	}
	if c.windows[id] == nil {
		c.windows[id] = &windowTally{}
	}
	return c.windows[id]
}

// add takes over what another worker counted.
func (c *counter) add(o *counter) {
	c.whole.merge(&o.whole)
	for id, t := range o.classes {
		for id >= len(c.classes) {
			c.classes = append(c.classes, nil)
		}
		switch mine := c.classes[id]; {
		case t == nil:
		case mine == nil:
			c.classes[id], o.classes[id] = t, nil
		default:
			mine.add(t)
			mine.own.merge(t.own)
		}
	}
	for id, t := range o.windows {
		for id >= len(c.windows) {
			c.windows = append(c.windows, nil)
		}
		switch {
		case t == nil:
		case c.windows[id] == nil:
			c.windows[id] = t
		default:
			for b, n := range t {
				c.windows[id][b] += n
			}
		}
	}
}
