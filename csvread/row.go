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
}

func newScanner(columns []int, delim byte) scanner {
	return scanner{columns: columns, delim: delim, delims: lanes01 * uint64(delim)}
}

// row finds the wanted cells of the row that begins at i, and where the next
// row begins. It reports false where the row has too few columns.
func (s *scanner) row(buf []byte, i int, quoted bool) (next int, ok bool) {
	cell, column := 0, 0
	for _, want := range s.columns {
		for ; column < want; column++ {
			if i = s.skip(buf, i, quoted); buf[i] == '\n' {
				return i + 1, false
			}
			i++
		}
		if quoted && buf[i] == '"' {
			s.cells[cell], i = s.quoted(buf, i)
		} else {
			s.cells[cell].from = i
			i = s.separator(buf, i)
			s.cells[cell].to = i
			s.cells[cell].escaped = false
		}
		cell++
		column++
		if buf[i] == '\n' {
			if to := &s.cells[cell-1].to; *to > s.cells[cell-1].from && buf[*to-1] == '\r' {
				*to--
			}
			return i + 1, cell == len(s.columns)
		}
		i++
	}
	i--
	if !quoted {
		return i + bytes.IndexByte(buf[i:], '\n') + 1, true
	}
	for buf[i] != '\n' {
		i = s.skip(buf, i+1, true)
	}
	return i + 1, true
}

// skip gives the end of the field that begins at i.
func (s *scanner) skip(buf []byte, i int, quoted bool) int {
	if quoted && buf[i] == '"' {
		_, i = s.quoted(buf, i)
		return i
	}
	return s.separator(buf, i)
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
		q := bytes.IndexByte(buf[i:], '"')
		if q < 0 { // only at the end of a source: the quote is never closed
			c.to = len(buf) - padding - 1
			return c, c.to
		}
		i += q
		if buf[i+1] != '"' {
			break
		}
		c.escaped = true
	}
	c.to = i
	return c, s.separator(buf, i+1)
}
