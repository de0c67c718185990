package csvread

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// maxColumns is how many columns of a row can be looked at.
const maxColumns = 16

// span is a cell of a row, as offsets into its chunk.
type span struct {
	from, to int
	escaped  bool // there are doubled quotes in it
}

// text gives what stands in a cell.
func (c span) text(buf []byte) []byte {
	if !c.escaped {
		return buf[c.from:c.to]
	}
	return bytes.ReplaceAll(buf[c.from:c.to], []byte(`""`), []byte(`"`))
}

// scanner finds the cells of rows.
type scanner struct {
	columns []int
	delim   byte
	delims  uint64 // delim in every lane
	cells   [maxColumns]span
	// unclosed says that a quote was never closed: where other rows follow,
	// the end of the chunk was taken to be where it is not.
	unclosed bool
}

func newScanner(columns []int, delim byte) scanner {
	return scanner{columns: columns, delim: delim, delims: lanes01 * uint64(delim)}
}

// row finds the wanted cells of the row that begins at i, and where the next
// row begins. It reports false where the row has too few columns.
func (s *scanner) row(buf []byte, i int, quoted bool) (next int, ok bool) {
	column, last := 0, len(s.columns)-1
	for n, want := range s.columns {
		cell := &s.cells[n%maxColumns]
		if column < want {
			if quoted {
				i = s.skipQuoted(buf, i, want-column)
			} else {
				i = s.skip(buf, i, want-column)
			}
			if buf[i] == '\n' {
				return i + 1, false
			}
			i++
			column = want
		}
		from := i
		if quoted && buf[i] == '"' {
			*cell, i = s.quoted(buf, i)
		} else {
			i = s.separator(buf, i)
			*cell = span{from: from, to: i}
		}
		column++
		if buf[i] == '\n' {
			if cell.to > cell.from && buf[cell.to-1] == '\r' {
				cell.to--
			}
			return i + 1, n == last
		}
		i++
	}
	i--
	if !quoted {
		return i + bytes.IndexByte(buf[i:], '\n') + 1, true
	}
	for buf[i] != '\n' {
		i = s.skipQuoted(buf, i+1, 1)
	}
	return i + 1, true
}

// skip gives the end of the n-th field from i on, or the line break before it.
func (s *scanner) skip(buf []byte, i, n int) int {
	const low = ^uint64(lanes80)
	for {
		w := binary.LittleEndian.Uint64(buf[i:])
		d := w ^ s.delims
		b := w ^ lanes01*'\n'
		// Every hit is exact here, so that they can be counted.
		lines := ^((b&low + low) | b | low)
		hits := ^((d&low + low) | d | low) | lines
		if c := bits.OnesCount64(hits); c < n && lines == 0 {
			n -= c
			i += 8
			continue
		}
		for ; hits != 0; hits &= hits - 1 {
			at := i + bits.TrailingZeros64(hits)>>3
			if n--; n == 0 || buf[at] == '\n' {
				return at
			}
		}
		i += 8
	}
}

// skipQuoted is skip where fields may be quoted.
func (s *scanner) skipQuoted(buf []byte, i, n int) int {
	for ; ; i++ {
		if buf[i] == '"' {
			_, i = s.quoted(buf, i)
		} else {
			i = s.separator(buf, i)
		}
		if n--; n == 0 || buf[i] == '\n' {
			return i
		}
	}
}

// separator finds the next delimiter or line break. There always is one, as
// the last row of a chunk has a line break.
func (s *scanner) separator(buf []byte, i int) int {
	for {
		w := binary.LittleEndian.Uint64(buf[i:])
		d := w ^ s.delims
		n := w ^ lanes01*'\n'
		// Only the lowest hit is exact, and only that is used.
		if hit := ((d-lanes01)&^d | (n-lanes01)&^n) & lanes80; hit != 0 {
			return i + bits.TrailingZeros64(hit)>>3
		}
		i += 8
	}
}

// quoted reads the quoted field that begins at i. What follows the closing
// quote up to the separator does not belong to the cell.
func (s *scanner) quoted(buf []byte, i int) (c span, end int) {
	c.from = i + 1
	for i = c.from; ; i += 2 {
		if i = quote(buf, i); i < 0 {
			s.unclosed = true
			c.to = len(buf) - padding - 1
			return c, c.to
		}
		if buf[i+1] != '"' {
			break
		}
		c.escaped = true
	}
	c.to = i
	if next := buf[i+1]; next == s.delim || next == '\n' {
		return c, i + 1
	}
	return c, s.separator(buf, i+1)
}

// quote finds the next quote among the rows of a chunk; -1: there is none.
func quote(buf []byte, i int) int {
	for ; i < len(buf)-padding; i += 8 {
		w := binary.LittleEndian.Uint64(buf[i:]) ^ lanes01*'"'
		if hit := (w - lanes01) &^ w & lanes80; hit != 0 {
			return i + bits.TrailingZeros64(hit)>>3
		}
	}
	return -1
}
