package csvread

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// strip is a run of rows of the plainest kind: without quotes, and each with a
// latency that is written in the usual way. Nearly all rows are, and to read
// them column by column, in short loops, takes the least time.
type strip struct {
	cells [stripColumns][stripRows]bounds
}

const (
	stripRows    = 256
	stripColumns = 3 // the latency, the class and the time
	// mostWait is how many rows are read one by one, at most, before another
	// strip is tried.
	mostWait = 1 << 16
)

// bounds are the offsets of a cell in its chunk.
type bounds struct{ from, to int32 }

// hasStrips reports whether the rows of a plan can be read in strips.
func (p *plan) hasStrips() bool {
	return p.delim < '-' && len(p.columns) <= stripColumns && len(p.filters) == 0 && p.sub.at < 0 && p.failed < 0 && p.sums < 0 && !p.report && p.reader.scale != nil && !p.reader.decimalComma
}

// strip reads rows from i on into the batch, and gives where the next one
// begins and how many there were. There are none if one of them is not plain.
func (w *worker) strip(buf []byte, i, end int) (next, n int) {
	b, p, cells := w.batch, w.plan, &w.cells
	next, n = w.scan.strip(buf, i, end, min(batchSize-b.n, stripRows), cells)
	if n == 0 {
		return i, 0
	}
	ns := b.ns[b.n:][:n]
	for r, c := range cells.cells[p.value][:n] {
		var ok bool
		if ns[r], ok = p.reader.plain(buf, int(c.from), int(c.to)); ok {
			continue
		}
		if ns[r], ok = p.reader.long(buf, int(c.from), int(c.to)); !ok {
			return i, 0
		}
	}
	if p.class >= 0 {
		class := b.class[b.n:][:n]
		for r, c := range cells.cells[p.class][:n] {
			class[r] = w.classes.id(buf, &span{from: int(c.from), to: int(c.to)})
		}
	}
	if p.clock >= 0 {
		window := b.window[b.n:][:n]
		for r, c := range cells.cells[p.clock][:n] {
			window[r] = w.clock.window(buf, int(c.from), int(c.to))
			if window[r] == noWindow {
				w.noTime++
			}
		}
	}
	b.n += n
	w.samples += n
	return next, n
}

// strip finds the cells of up to so many rows, as row does for one. There are
// none if one of them is a comment, is empty or has too few columns.
func (s *scanner) strip(buf []byte, i, end, rows int, in *strip) (next, n int) {
	last := len(s.columns) - 1
	for n < rows && i < end {
		if b := buf[i]; b == '#' || b == '\n' || b == '\r' {
			return i, 0
		}
		column := 0
		for at, want := range s.columns {
			if column < want {
				i = s.skip(buf, i, want-column)
				if buf[i] == '\n' {
					return i, 0
				}
				i++
				column = want
			}
			from := i
			if i = belowHyphen(buf, i); buf[i] != s.delim && buf[i] != '\n' {
				i = s.separator(buf, i)
			}
			in.cells[at][n] = bounds{int32(from), int32(i)}
			if at == last {
				break
			}
			if buf[i] == '\n' {
				return i, 0
			}
			i++
			column++
		}
		if buf[i] != '\n' {
			i += bytes.IndexByte(buf[i:], '\n')
		} else if c := &in.cells[last][n]; c.to > c.from && buf[i-1] == '\r' {
			c.to--
		}
		i++
		n++
	}
	return i, n
}

// belowHyphen finds the next character below a hyphen: in numbers and names,
// that is nothing but separators.
func belowHyphen(buf []byte, i int) int {
	for {
		w := binary.LittleEndian.Uint64(buf[i:])
		// Only the lowest hit is exact, and only that is used.
		if hit := (w - lanes01*'-') &^ w & lanes80; hit != 0 {
			return i + bits.TrailingZeros64(hit)>>3
		}
		i += 8
	}
}
