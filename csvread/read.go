// Package csvread reads files of latencies, of many formats and any size, and
// tells their exact nearest-rank percentiles.
//
// Samples are whole nanoseconds; what is finer is rounded up. A file is read
// in chunks by a few workers that count samples in bins of 1/128 of their
// value. The bins that hold the wanted ranks are settled from the samples in
// them: collected at once where a small sample of the file could tell which
// bins they would be, and by a second look at the file where it could not.
// Memory does not grow with the number of rows.
package csvread

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// standard are the percentiles that are always told.
var standard = []float64{50, 90, 95, 99, 99.9}

// Read reads the files that opt names as one set of samples. Errors that wrap
// [UsageError] are requests that cannot be met, those that wrap [NoColumnError]
// or [BadRowsError] files that hold no latencies; all three have a Hint.
func Read(ctx context.Context, opt Options) (*Result, error) {
	if err := opt.complete(); err != nil {
		return nil, err
	}
	e := &engine{ctx: ctx, opt: &opt, ranks: opt.ranks}
	e.windows.every = opt.Worst.seconds()
	e.spill.dir, e.spill.keep = opt.TempDir, opt.tuning.spillKept
	defer e.spill.close()
	res := &Result{Percentile: opt.Percentile}
	for _, name := range opt.Files {
		s, err := openSource(name, opt.Stdin)
		if err != nil {
			return nil, err
		}
		defer s.close()
		if err := e.plan(s, res); err != nil {
			return nil, fmt.Errorf("read latencies from %q: %w", s.name, err)
		}
	}
	if res.Curve != nil {
		return res, nil
	}
	if err := e.firstLook(); err != nil {
		return nil, err
	}
	if err := e.account(res); err != nil {
		return nil, err
	}
	return res, e.tell(res)
}

// complete checks options and fills defaults in.
func (o *Options) complete() error {
	o.tuning.complete()
	if o.Percentile == 0 {
		o.Percentile = 99
	}
	if !(o.Percentile > 0 && o.Percentile < 100) {
		return usage(fmt.Sprintf("percentile %v is not between 0 and 100", o.Percentile), "write p99.9 as 99.9")
	}
	switch o.Worst {
	case "":
		o.Worst = Hour
	case Hour, Day, NoWindows:
	default:
		return usage(fmt.Sprintf("there is no window %q", o.Worst), "windows are hour, day and none")
	}
	if len(o.Files) == 0 {
		return usage("no file of latencies is named", "- reads standard input")
	}
	stdin := 0
	for _, f := range o.Files {
		if f == "-" {
			stdin++
		}
	}
	if stdin > 1 {
		return usage("standard input can be read only once", "")
	}
	return nil
}

// ranks are those that are settled exactly for n samples.
func (o *Options) ranks(n int) (ranks []int) {
	for _, p := range append(slices.Clone(standard), o.Percentile) {
		ranks = append(ranks, Rank(n, p))
	}
	if o.Ranks != nil {
		ranks = append(ranks, o.Ranks(n)...)
	}
	slices.Sort(ranks)
	ranks = slices.Compact(ranks)
	return slices.DeleteFunc(ranks, func(r int) bool { return r < 1 || r > n })
}

// plan finds out how a source is read. A curve is read at once.
func (e *engine) plan(s *source, res *Result) error {
	if err := refusedContent(s.head); err != nil {
		return err
	}
	h := newHead(s.head, len(s.head) < headSize, e.opt)
	f, err := formatOf(h, e.opt.Format)
	if err != nil {
		return err
	}
	switch {
	case f.refuse != nil:
		return f.refuse
	case f.curve != nil:
		return e.planCurve(s, f, res)
	case res.Curve != nil:
		return errMixed
	}
	if s.plan, err = f.plan(h); err != nil {
		return err
	}
	s.plan.format = f
	s.rest()
	e.sources = append(e.sources, s)
	return nil
}

var errMixed = usage("percentiles cannot be put together with other files", "give that file alone")

// account takes over what was noted of the rows of each source.
func (e *engine) account(res *Result) error {
	rows := 0
	for _, s := range e.sources {
		r := &s.rowsRead
		res.Files = append(res.Files, File{Name: s.name, Format: s.plan.format.Name, Basis: s.plan.format.basis, Column: s.plan.column, Unit: s.plan.unit, Samples: r.samples, Bad: r.bad})
		rows += r.samples + r.bad
		res.Bad += r.bad
		for _, b := range r.first {
			if len(res.First) < shownBad {
				res.First = append(res.First, BadRow{File: s.name, Line: r.lineOf(b, s.plan.lines), Text: b.text, Why: b.why})
			}
		}
		if e.opt.Strict && r.bad > 0 {
			return &BadRowsError{Bad: r.bad, Rows: r.samples + r.bad, First: res.First[:1], Strict: true}
		}
		if 2*r.bad > r.samples+r.bad {
			return fmt.Errorf("read %q: %w", s.name, &BadRowsError{Bad: r.bad, Rows: r.samples + r.bad, First: res.First})
		}
		res.noteRows(s)
	}
	if rows == 0 {
		return errNoRows(e.sources)
	}
	return nil
}

// errNoRows says why nothing was read.
func errNoRows(sources []*source) error {
	filtered := 0
	for _, s := range sources {
		filtered += s.filtered
	}
	if filtered > 0 {
		return fmt.Errorf("read %q: none of %d rows is one of those asked for", sources[0].name, filtered)
	}
	return fmt.Errorf("read %q: there are no rows in it", sources[0].name)
}

// noteRows says what was left out of a source, or taken in.
func (res *Result) noteRows(s *source) {
	note := func(n int, text string) {
		if n > 0 {
			res.Notes = append(res.Notes, fmt.Sprintf("%s: "+text, s.name, n))
		}
	}
	note(s.parts, "sub-samples left out, as parts of samples that are there: %d")
	note(s.failed, "failed calls counted among the others, as they hold their message too: %d (--where success=true leaves them out)")
	note(s.noTime, "samples in no window, as their timestamp cannot be read: %d")
	if s.plan.decimalComma {
		res.Notes = append(res.Notes, s.name+": numbers are read with decimal commas")
	}
	if s.sums > 0 && s.sums < s.samples {
		res.Doubts = append(res.Doubts, fmt.Sprintf("%s: rows of JMeter transactions are counted beside the samples that they are the sums of: %d (--where label=NAME takes one kind)", s.name, s.sums))
	}
	if s.timedOut > 0 {
		res.Doubts = append(res.Doubts, fmt.Sprintf("runs cut off at the function timeout, whose work would have taken longer: %d", s.timedOut))
	}
}

// tell settles the wanted ranks, and fills the result with them.
func (e *engine) tell(res *Result) error {
	res.Whole = e.group(e.total, group{kind: whole}, e.counted.whole.probes)
	names := e.classes.names
	perClass := e.opt.ClassColumn != ""
	if perClass && e.classes.over {
		res.Notes = append(res.Notes, fmt.Sprintf("column %q has more than %d values, so it names no classes; only the whole is told", e.opt.ClassColumn, MaxClasses))
		perClass = false
	}
	if perClass {
		for id, name := range names {
			if t := e.counted.classes[id]; t != nil {
				g := e.group(t, group{class, id}, t.own.probes)
				res.Classes = append(res.Classes, Class{name, g})
			}
		}
		slices.SortFunc(res.Classes, func(a, b Class) int { return strings.Compare(a.Name, b.Name) })
	}
	windows := e.windowTargets(res)
	if err := e.settle(); err != nil {
		return err
	}
	byGroup := map[group]*Samples{{kind: whole}: res.Whole}
	for _, c := range res.Classes {
		byGroup[c.Samples.group] = c.Samples
	}
	for _, t := range e.targets {
		if s := byGroup[t.group]; s != nil {
			s.known[int(t.rank)] = time.Duration(t.ns)
		}
	}
	res.looks = e.looks
	e.worst(res, windows)
	res.cutOff()
	return nil
}

// group makes the samples of a group, with targets for its ranks. The probes
// of the first look settle those that were guessed well.
func (e *engine) group(t *tally, g group, probes []*probe) *Samples {
	n := int(t.n())
	s := &Samples{N: n, Mean: time.Duration(t.mean()), Max: time.Duration(t.max), known: map[int]time.Duration{}, above: map[time.Duration]int{}, bins: t, group: g}
	for i, limit := range e.opt.Above {
		p := probes[len(probes)-len(e.opt.Above)+i]
		s.above[limit] = n - int(t.below(p.first)+p.under)
	}
	for _, r := range e.ranks(n) {
		w := &target{group: g, rank: uint64(r)}
		b, below := t.find(w.rank)
		w.lo, w.hi, w.below = binStart(b), binStart(b+1), below
		if r == n {
			w.ns, w.done = t.max, true
		}
		for _, p := range probes {
			if !w.done && p.hi > p.lo {
				w.settle(p, t.below(p.first)+p.under)
			}
		}
		e.targets = append(e.targets, w)
	}
	return s
}
