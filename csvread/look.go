package csvread

import (
	"errors"
	"slices"
)

// settle looks at the sources until every target is settled.
func (e *engine) settle() error {
	for e.looks = 1; ; e.looks++ {
		open := slices.DeleteFunc(slices.Clone(e.targets), func(t *target) bool { return t.done })
		if len(open) == 0 {
			return nil
		}
		if err := e.lookAgain(open); err != nil {
			return err
		}
	}
}

// lookAgain looks at the intervals of the open targets.
func (e *engine) lookAgain(open []*target) error {
	var lookers []*looker
	var probes [][]*probe
	classes := len(e.counted.classes)
	workers := e.workers(classes)
	in := newPool(e.budget(classes), len(open)*workers)
	for range workers {
		l, p := e.newLooker(open, &room{pool: in})
		lookers, probes = append(lookers, l), append(probes, p)
	}
	var sinks []sink
	for _, l := range lookers {
		sinks = append(sinks, l)
	}
	for _, s := range e.sources {
		if s.at == nil {
			continue
		}
		kept := s.rowsRead
		chunks := &reread{ctx: e.ctx, r: s.at, quotes: s.plan.quotes, chunks: chunksFor(kept.chunks, open)}
		err := e.look(s, chunks, sinks, &e.lists)
		s.rowsRead = kept
		if err != nil {
			return err
		}
	}
	if err := e.spill.replay(lookers[0], e.ctx.Err); err != nil {
		return err
	}
	for i, t := range open {
		p := probes[0][i]
		if t.probe != p { // the first of those that share a probe merges it
			for _, other := range probes[1:] {
				p.merge(other[i])
			}
			for j := i; j < len(open); j++ {
				if probes[0][j] == p {
					open[j].probe = p
				}
			}
		}
		before := t.hi - t.lo
		if !t.settle(p, t.below) || !t.done && t.hi-t.lo >= before {
			return errChanged
		}
	}
	return nil
}

// errChanged says that a sample is gone that was there at the first look.
var errChanged = errors.New("read latencies: a file has changed while it was read")

// errNotThere says that a row, class or window is missing that was there, or is
// there and was not.
var errNotThere = errors.New("it has changed while it was read")

// newLooker makes a looker with a probe for each target; equal ones share it.
func (e *engine) newLooker(open []*target, in *room) (*looker, []*probe) {
	type key struct {
		group
		lo, hi uint64
	}
	l := &looker{}
	for range len(e.counted.classes) {
		l.classes = append(l.classes, &lookout{})
	}
	known := map[key]*probe{}
	var probes []*probe
	for _, t := range open {
		k := key{t.group, t.lo, t.hi}
		p := known[k]
		if p == nil {
			p = newProbe(aim{lo: t.lo, hi: t.hi}, in)
			known[k] = p
			l.watch(t.group, p, len(e.windows.starts))
		}
		probes = append(probes, p)
	}
	return l, probes
}

// watch shows a probe the samples of a group.
func (l *looker) watch(g group, p *probe, windows int) {
	switch g.kind {
	case whole:
		l.whole.watch(p)
	case class:
		l.classes[g.id].watch(p)
	case window:
		if l.windows == nil {
			l.windows = make([][]*probe, windows)
		}
		l.windows[g.id] = append(l.windows[g.id], p)
	}
}

// chunksFor gives the chunks that can hold samples of the targets: where only
// windows are open, those with samples in them.
func chunksFor(all []chunkRead, open []*target) []chunkRead {
	for _, t := range open {
		if t.group.kind != window {
			return slices.Clone(all)
		}
	}
	var some []chunkRead
	for _, c := range all {
		for _, t := range open {
			if id := uint16(t.group.id); c.from <= id && id <= c.to {
				some = append(some, c)
				break
			}
		}
	}
	return some
}

// looker is the sink of every further look: it only shows samples to probes.
type looker struct {
	whole   lookout
	classes []*lookout
	windows [][]*probe
}

func (l *looker) take(b *batch) error {
	for i, ns := range b.ns[:b.n] {
		at := bin(ns)
		if l.whole.marked(at) {
			l.whole.hit(ns, at)
		}
		if int(b.class[i]) >= len(l.classes) {
			return errNotThere
		}
		if c := l.classes[b.class[i]]; c.marked(at) {
			c.hit(ns, at)
		}
		if l.windows == nil || b.window[i] == noWindow {
			continue
		}
		if int(b.window[i]) >= len(l.windows) {
			return errNotThere
		}
		for _, p := range l.windows[b.window[i]] {
			p.add(ns, at)
		}
	}
	return nil
}
