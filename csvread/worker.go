package csvread

import (
	"bytes"
	"errors"
	"slices"
)

// batchSize is how many samples are counted at once: few enough for the first
// levels of the cache.
const batchSize = 2048

// batch is a run of samples that were read and are not counted yet.
type batch struct {
	n      int
	ns     [batchSize]uint64
	class  [batchSize]uint16
	window [batchSize]uint16
}

// sink takes what was read. A batch is only lent to it.
type sink interface{ take(b *batch) error }

// badRow is a row that is no sample.
type badRow struct {
	seq  int // chunk
	line int // within the chunk, from 0
	text string
	why  string
}

// rowsRead is what a worker notes of one source besides the samples.
type rowsRead struct {
	samples  int
	bad      int
	first    []badRow // in order; at most shownBad
	filtered int      // by --where, or as another metric
	parts    int      // sub-samples of other rows
	failed   int      // samples of failed calls
	sums     int      // samples that are the sum of others
	timedOut int      // runs cut off, by what their REPORT line says
	noTime   int      // samples without a timestamp that can be read
	chunks   []chunkRead
}

// shownBad is how many bad rows are shown.
const shownBad = 5

// chunkRead is where a chunk was, for further looks at the source.
type chunkRead struct {
	seq, lines int
	off        int64
	size       int
	from, to   uint16 // the windows of its samples lie between these
}

// worker turns the chunks of a source into batches of samples.
type worker struct {
	plan    *plan
	scan    scanner
	classes *classCache
	clock   *clock
	strict  bool
	sink    sink
	batch   *batch
	cells   strip
	rowsRead

	noStrips bool
}

// run reads chunks until there are none left.
func (w *worker) run(f chunker) error {
	var c chunk
	for f.next(&c) {
		if err := w.chunk(&c); err != nil {
			return err
		}
		if w.strict && w.bad > 0 {
			f.stop()
		}
	}
	return w.flush()
}

// chunk reads the rows of one chunk.
func (w *worker) chunk(c *chunk) error {
	buf := c.buf[:c.end+padding]
	lines := 0
	w.clock.begin()
	strips := !c.quoted && !w.noStrips && w.plan.hasStrips()
	alone, wait := 0, stripRows // rows that are read one by one, now and the next time
	for i := padding; i < c.end; lines++ {
		if w.batch.n == batchSize {
			if err := w.flush(); err != nil {
				return err
			}
		}
		if strips && alone == 0 {
			next, n := w.strip(buf, i, c.end)
			if n > 0 {
				i, lines, wait = next, lines+n-1, stripRows
				continue
			}
			alone, wait = wait, min(2*wait, mostWait)
		}
		alone--
		from := i
		if b := buf[i]; b == '#' || b == '\n' || b == '\r' && buf[i+1] == '\n' {
			i += bytes.IndexByte(buf[i:], '\n') + 1
			continue
		}
		next, ok := w.scan.row(buf, i, c.quoted)
		i = next
		why := "has too few columns"
		if ok {
			why = w.row(buf)
		}
		if why != "" {
			if c.open && next >= c.end {
				why = "opens a quote that is never closed"
			}
			w.badRow(c, from, next, why)
		}
	}
	if w.scan.unclosed && !c.last {
		return errGuess
	}
	if c.quoted {
		lines = bytes.Count(buf[padding:c.end], []byte{'\n'})
	}
	from, to := w.clock.spanned()
	w.chunks = append(w.chunks, chunkRead{seq: c.seq, lines: lines, off: c.off, size: c.end - padding, from: from, to: to})
	return nil
}

// errGuess says that a chunk ended within quotes.
var errGuess = errors.New("a row was taken to end where it does not")

// row makes a sample of the cells that were found. It gives the reason where
// the row is a bad one.
func (w *worker) row(buf []byte) (why string) {
	p := w.plan
	for _, f := range p.filters {
		if !bytes.Equal(bytes.TrimSpace(w.scan.cells[f.at].text(buf)), f.want) {
			w.filtered++
			return ""
		}
	}
	if p.sub.at >= 0 && p.sub.is(w.scan.cells[p.sub.at].text(buf)) {
		w.parts++
		return ""
	}
	ns, ok, why := w.value(buf)
	if !ok {
		return why
	}
	b := w.batch
	b.ns[b.n] = ns
	if p.class >= 0 {
		c := &w.scan.cells[p.class]
		b.class[b.n] = w.classes.id(buf, c)
	}
	if p.clock >= 0 {
		c := &w.scan.cells[p.clock]
		window := w.clock.window(buf, c.from, c.to)
		b.window[b.n] = window
		if window == noWindow {
			w.noTime++
		}
	}
	if p.failed >= 0 && bytes.EqualFold(w.scan.cells[p.failed].text(buf), []byte("false")) {
		w.failed++
	}
	if p.sums >= 0 && bytes.HasPrefix(w.scan.cells[p.sums].text(buf), sumMark) {
		w.sums++
	}
	b.n++
	w.samples++
	return ""
}

// value reads the latency of a row. A row without one is either bad, with the
// reason, or none of those that are looked for.
func (w *worker) value(buf []byte) (ns uint64, ok bool, why string) {
	r := &w.plan.reader
	c := &w.scan.cells[w.plan.value]
	if w.plan.report {
		return w.reported(c.text(buf))
	}
	if !r.decimalComma { // a dot would separate thousands
		if r.scale != nil {
			if ns, ok := r.plain(buf, c.from, c.to); ok {
				return ns, true, ""
			}
			if ns, ok := r.long(buf, c.from, c.to); ok {
				return ns, true, ""
			}
		}
		if ns, ok := withUnit(buf, c.from, c.to); ok {
			return ns, true, ""
		}
	}
	text := c.text(buf)
	ns, why = r.read(text)
	if why == whyNumber && r.header != "" && string(bytes.TrimSpace(text)) == r.header {
		return 0, false, "" // files were put together with their headers
	}
	return ns, why == "", why
}

// badRow notes a row that is no sample.
func (w *worker) badRow(c *chunk, from, next int, why string) {
	w.bad++
	if len(w.first) == shownBad {
		return
	}
	text := bytes.TrimRight(c.buf[from:next], "\r\n")
	const shown = 80
	if len(text) > shown {
		text = append(bytes.Clone(text[:shown]), "..."...)
	}
	line := bytes.Count(c.buf[padding:from], []byte{'\n'})
	w.first = append(w.first, badRow{seq: c.seq, line: line, text: string(text), why: why})
}

// flush hands the batch on.
func (w *worker) flush() error {
	if w.batch.n == 0 {
		return nil
	}
	err := w.sink.take(w.batch)
	w.batch.n = 0
	return err
}

// add puts together what two workers noted of the same source.
func (r *rowsRead) add(o *rowsRead) {
	r.samples += o.samples
	r.bad += o.bad
	r.filtered += o.filtered
	r.parts += o.parts
	r.failed += o.failed
	r.sums += o.sums
	r.timedOut += o.timedOut
	r.noTime += o.noTime
	r.chunks = append(r.chunks, o.chunks...)
	slices.SortFunc(r.chunks, func(a, b chunkRead) int { return a.seq - b.seq })
	r.first = append(r.first, o.first...)
	slices.SortFunc(r.first, func(a, b badRow) int {
		if a.seq != b.seq {
			return a.seq - b.seq
		}
		return a.line - b.line
	})
	r.first = r.first[:min(len(r.first), shownBad)]
}

// lineOf gives the line of a bad row within its source, from 1.
func (r *rowsRead) lineOf(b badRow, before int) int {
	line := before + b.line + 1
	for _, c := range r.chunks {
		if c.seq < b.seq {
			line += c.lines
		}
	}
	return line
}
