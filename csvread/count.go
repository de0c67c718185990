package csvread

import "slices"

// counter is the sink of the first look at all sources: it counts samples by
// class and window, and shows them to the probes that were set by a guess.
type counter struct {
	aims    *aims
	list    *classList
	classes []*tally
	windows []*windowTally
	timed   bool
	whole   []*probe // shared by all classes
	spill   *spill   // nil while a source can be read again
}

// aims are the intervals that the first look collects, as a sample suggests
// them.
type aims struct {
	whole [][2]uint64
	class map[string][][2]uint64
	every [][2]uint64 // of the whole and of each class
	limit int         // of each probe
}

func newCounter(a *aims, list *classList) *counter {
	c := &counter{aims: a, list: list}
	for _, in := range slices.Concat(a.whole, a.every) {
		c.whole = append(c.whole, newProbe(in[0], in[1], a.limit))
	}
	return c
}

// take counts a batch.
func (c *counter) take(b *batch) error {
	for i, ns := range b.ns[:b.n] {
		id := int(b.class[i])
		if id >= len(c.classes) || c.classes[id] == nil {
			c.begin(id)
		}
		c.classes[id].count(ns)
	}
	if c.timed {
		c.time(b)
	}
	if c.spill != nil {
		return c.spill.write(b)
	}
	return nil
}

// begin makes the tally of a class.
func (c *counter) begin(id int) {
	for id >= len(c.classes) {
		c.classes = append(c.classes, nil)
	}
	t := &tally{}
	for _, p := range c.whole {
		t.watch(p)
	}
	for _, in := range slices.Concat(c.aims.class[c.list.name(id)], c.aims.every) {
		t.watch(newProbe(in[0], in[1], c.aims.limit))
	}
	c.classes[id] = t
}

// time counts a batch by window.
func (c *counter) time(b *batch) {
	for i, ns := range b.ns[:b.n] {
		id := int(b.window[i])
		if id == noWindow {
			continue
		}
		for id >= len(c.windows) {
			c.windows = append(c.windows, nil)
		}
		if c.windows[id] == nil {
			c.windows[id] = &windowTally{}
		}
		c.windows[id][windowBin(bin(ns))]++
	}
}

// add takes over what another worker counted.
func (c *counter) add(o *counter) {
	for i, p := range o.whole {
		c.whole[i].merge(p)
	}
	for id, t := range o.classes {
		switch {
		case t == nil:
		case id < len(c.classes) && c.classes[id] != nil:
			mine := c.classes[id]
			mine.add(t)
			for i := len(c.whole); i < len(t.probes); i++ {
				mine.probes[i].merge(t.probes[i])
			}
		default:
			for id >= len(c.classes) {
				c.classes = append(c.classes, nil)
			}
			c.classes[id] = t
			copy(t.probes, c.whole)
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

// looker is the sink of every further look: it only shows samples to probes.
type looker struct {
	classes []*lookout
	windows [][]*probe
}

func (l *looker) take(b *batch) error {
	for i, ns := range b.ns[:b.n] {
		at := bin(ns)
		if c := l.classes[b.class[i]]; c.marked(at) {
			c.hit(ns, at)
		}
		if l.windows == nil || b.window[i] == noWindow {
			continue
		}
		for _, p := range l.windows[b.window[i]] {
			p.add(ns, at)
		}
	}
	return nil
}
