package csvread

import (
	"slices"
	"sync"
)

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
}

// aims are the intervals that the first look collects, as a sample suggests
// them.
type aims struct {
	whole          [][2]uint64
	class          map[string][][2]uint64
	every          [][2]uint64 // of the whole and of each class
	budget, probes int

	mu    sync.Mutex
	spare []*tally // that the sample no longer needs
}

func newCounter(a *aims, list *classList) *counter {
	c := &counter{aims: a, list: list, room: newRoom(a.budget, a.probes)}
	for _, in := range slices.Concat(a.whole, a.every) {
		c.whole.watch(newProbe(in[0], in[1], c.room))
	}
	return c
}

// take counts a batch.
func (c *counter) take(b *batch) error {
	classes := b.class[:b.n]
	for i, ns := range b.ns[:b.n] {
		id := int(classes[i])
		if id >= len(c.classes) || c.classes[id] == nil {
			c.begin(id)
		}
		t, at := c.classes[id], bin(ns)
		t.count(ns, at)
		if c.whole.marked(at) {
			c.whole.hit(ns, at)
		}
		if t.own != nil && t.own.marked(at) {
			t.own.hit(ns, at)
		}
	}
	if c.timed {
		c.time(b)
	}
	if c.spill != nil {
		c.block = b.append(c.block[:0])
		return c.spill.write(c.block)
	}
	return nil
}

// begin makes the tally of a class.
func (c *counter) begin(id int) {
	for id >= len(c.classes) {
		c.classes = append(c.classes, nil)
	}
	t := c.aims.tally()
	if own := slices.Concat(c.aims.class[c.list.name(id)], c.aims.every); len(own) > 0 {
		t.own = &lookout{}
		for _, in := range own {
			t.own.watch(newProbe(in[0], in[1], c.room))
		}
	}
	c.classes[id] = t
}

// tally gives an empty tally: they are large, and the sample left some.
func (a *aims) tally() *tally {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := len(a.spare)
	if n == 0 {
		return &tally{}
	}
	t := a.spare[n-1]
	a.spare = a.spare[:n-1]
	*t = tally{}
	return t
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
			if t.own != nil {
				mine.own.merge(t.own)
			}
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
