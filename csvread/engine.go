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

// workers says how many workers read files with so many classes. Each has tables
// of its own: 64 MB are to be enough for 64 classes, and 128 MB for a thousand,
// which is how many there may be where that is not known.
func (e *engine) workers(classes int) int {
	most := 8
	switch {
	case e.opt.Workers > 0:
		return min(e.opt.Workers, most)
	case e.opt.ClassColumn == "":
	case classes <= manyClasses:
		most = 6
	default:
		most = 3
	}
	return min(runtime.GOMAXPROCS(0), most)
}

// firstLook counts the samples of all sources. Where all of them can be read
// again, the ends of quoted rows may be guessed: if one proves wrong, it all
// begins anew without guesses.
func (e *engine) firstLook() error {
	again := !slices.ContainsFunc(e.sources, func(s *source) bool { return s.at == nil })
	err := e.count(again)
	if errors.Is(err, errGuess) {
		e.lists = lists{windows: windowList{every: e.windows.every}}
		err = e.count(false)
	}
	return err
}

// count counts the samples of all sources.
func (e *engine) count(guess bool) error {
	a, err := e.sample()
	if err != nil {
		return err
	}
	for _, t := range e.opt.Above {
		over := uint64(max(t, 0)) + 1
		a.every = append(a.every, aim{lo: over, hi: over})
	}
	var counters []*counter
	for range e.workers(a.classes()) {
		counters = append(counters, newCounter(a, &e.classes))
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
		rows, err := s.rows()
		if err != nil {
			return err
		}
		f := &feed{ctx: e.ctx, r: rows, delim: s.plan.delim, quotes: s.plan.quotes, guess: guess, size: e.opt.tuning.chunk, off: s.plan.start}
		if err := e.look(s, f, sinks, &e.lists); err != nil {
			return err
		}
		if s.at == nil {
			s.close()
		}
		if s.at != nil && f.off < s.size && !(e.opt.Strict && s.bad > 0) {
			return fmt.Errorf("read %q: %w", s.name, errNotThere)
		}
		if samples += s.samples; samples > maxRows {
			return fmt.Errorf("%q: there are more than %d samples", s.name, maxRows)
		}
		if e.opt.Strict && s.bad > 0 {
			break
		}
	}
	for _, c := range counters {
		c.end()
	}
	e.counted = counters[0]
	for _, c := range counters[1:] {
		e.counted.add(c)
	}
	e.total = totalOf(e.counted.classes)
	return nil
}

// totalOf adds up the tallies of all classes.
func totalOf(classes []*tally) *tally {
	total := &tally{}
	for _, t := range classes {
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
		w := &worker{plan: s.plan, scan: newScanner(s.plan.columns, s.plan.delim), sink: to, batch: new(batch), strict: e.opt.Strict, noStrips: e.opt.tuning.noStrips}
		if s.plan.class >= 0 {
			w.classes = &classCache{list: &in.classes}
		}
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

// sample takes a guess at where the wanted ranks lie. Where classes are so many
// that there is no room for all samples that might have those ranks, a larger
// sample narrows it down; and if that does not do, classes wait for the second
// look.
func (e *engine) sample() (*aims, error) {
	// Pieces of rows may be taken for classes: those must not be counted.
	in := &lists{windows: windowList{every: e.windows.every}}
	var counters []*counter
	var sinks []sink
	for range e.workers(MaxClasses) {
		c := newCounter(&aims{}, &in.classes)
		counters, sinks = append(counters, c), append(sinks, c)
	}
	g := guesser{ranks: e.ranks}
	var sums []*tally
	var read, all int64
	for round := range sampleRounds {
		all = 0
		for _, s := range e.sources {
			if s.at == nil || s.size < e.opt.tuning.sampleFrom {
				continue
			}
			chunks := newSampled(e.ctx, s.at, s.plan, s.size, e.opt.tuning.sampleBlock, round)
			if err := e.look(s, chunks, sinks, in); err != nil {
				return nil, err
			}
			read += chunks.bytes
			all += s.size
			g.pieces += chunks.pieces
		}
		if read == 0 {
			break
		}
		for _, c := range counters {
			sums = c.drain(sums)
		}
		g.share = float64(read) / float64(all)
		a, probes, expected := g.aims(&in.classes, sums)
		budget := e.budget(len(a.class))
		if expected > budget-budget/8 {
			if round < sampleRounds-1 {
				continue
			}
			a.class, probes = nil, len(a.whole)
		}
		a.pool = newPool(budget, probes*e.workers(a.classes()))
		return a, nil
	}
	return &aims{pool: newPool(e.budget(0), 1)}, nil
}
