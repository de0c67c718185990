package csvread

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
)

// engine looks at all sources as often as it takes to settle what is wanted of
// them. Most often that is once.
type engine struct {
	ctx     context.Context
	opt     *Options
	sources []*source
	lists
	spill spill
	ranks func(n int) []int

	counted *counter
	total   *tally
	targets []*target
	looks   int
}

// lists number the classes and windows that samples fall into.
type lists struct {
	classes classList
	windows windowList
}

// workersFor says how many workers read.
func workersFor(opt *Options) int {
	n := opt.Workers
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	return min(n, 8)
}

// firstLook counts the samples of all sources.
func (e *engine) firstLook() error {
	a, err := e.sample()
	if err != nil {
		return err
	}
	for _, t := range e.opt.Above {
		in := [2]uint64{uint64(max(t, 0)) + 1, uint64(max(t, 0)) + 1}
		a.every = append(a.every, in)
	}
	var counters []*counter
	for range workersFor(e.opt) {
		counters = append(counters, newCounter(&a, &e.classes))
	}
	samples := 0
	for _, s := range e.sources {
		var sinks []sink
		for _, c := range counters {
			c.timed = s.plan.clock >= 0
			c.spill = nil
			if s.at == nil {
				c.spill = &e.spill
			}
			sinks = append(sinks, c)
		}
		f := &feed{ctx: e.ctx, r: s.rows(), delim: s.plan.delim, quotes: s.plan.quotes, size: e.opt.tuning.chunk, off: s.plan.start}
		if err := e.look(s, f, sinks, &e.lists); err != nil {
			return err
		}
		if samples += s.samples; samples > maxRows {
			return fmt.Errorf("%q: there are more than %d samples", s.name, maxRows)
		}
		if e.opt.Strict && s.bad > 0 {
			break
		}
	}
	e.counted = counters[0]
	for _, c := range counters[1:] {
		e.counted.add(c)
	}
	e.total = totalOf(e.counted)
	return nil
}

// totalOf adds up the tallies of all classes.
func totalOf(c *counter) *tally {
	total := &tally{}
	for _, t := range c.classes {
		if t != nil {
			total.add(t)
		}
	}
	return total
}

// look reads the chunks of one source with a worker for each sink.
func (e *engine) look(s *source, chunks chunker, sinks []sink, in *lists) error {
	workers := make([]*worker, len(sinks))
	failures := make([]error, len(sinks))
	var wg sync.WaitGroup
	for i, to := range sinks {
		w := &worker{plan: s.plan, scan: newScanner(s.plan.columns, s.plan.delim), sink: to, batch: new(batch), strict: e.opt.Strict}
		w.classes = &classCache{list: &in.classes}
		if s.plan.clock >= 0 {
			w.clock = &clock{list: &in.windows}
		} else {
			for i := range w.batch.window {
				w.batch.window[i] = noWindow
			}
		}
		workers[i] = w
		wg.Go(func() {
			if failures[i] = w.run(chunks); failures[i] != nil {
				chunks.stop()
			}
		})
	}
	wg.Wait()
	s.rowsRead = rowsRead{}
	for _, w := range workers {
		s.rowsRead.add(&w.rowsRead)
	}
	if err := errors.Join(append(failures, chunks.failure())...); err != nil {
		return fmt.Errorf("read %q: %w", s.name, err)
	}
	return nil
}

// sample takes a guess at where the wanted ranks lie.
func (e *engine) sample() (aims, error) {
	// Pieces of rows may be taken for classes: those must not be counted.
	in := &lists{windows: windowList{every: e.windows.every}}
	none := &aims{}
	counters := []*counter{}
	for range workersFor(e.opt) {
		counters = append(counters, newCounter(none, &in.classes))
	}
	var read, all int64
	for _, s := range e.sources {
		if s.at == nil || s.size < e.opt.tuning.sampleFrom {
			continue
		}
		var sinks []sink
		for _, c := range counters {
			sinks = append(sinks, c)
		}
		chunks := newSampled(e.ctx, s.at, s.plan, s.size, e.opt.tuning.sampleBlock)
		if err := e.look(s, chunks, sinks, in); err != nil {
			return aims{}, err
		}
		read += chunks.bytes
		all += s.size
	}
	if read == 0 {
		return aims{limit: limitFor(0, e.opt.tuning.budget)}, nil
	}
	for _, c := range counters[1:] {
		counters[0].add(c)
	}
	share := float64(read) / float64(all)
	return guess(counters[0], totalOf(counters[0]), share, e.ranks, e.opt.tuning.budget), nil
}

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
	for range workersFor(e.opt) {
		l, p := e.newLooker(open)
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
		t.settle(p, t.below)
	}
	return nil
}

// newLooker makes a looker with a probe for each target; equal ones share it.
func (e *engine) newLooker(open []*target) (*looker, []*probe) {
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
			p = newProbe(t.lo, t.hi, limitFor(len(open), e.opt.tuning.budget))
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
		for _, c := range l.classes {
			c.watch(p)
		}
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
