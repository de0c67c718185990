package csvread

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
)

const (
	// chunkSize is small enough for a chunk to be still in the second-level
	// cache when its rows are read.
	chunkSize = 256 << 10
	// maxRow bounds what one row may hold in memory.
	maxRow = 16 << 20
	// padding follows the rows of a chunk, so that eight bytes can be read
	// at once anywhere in them; as many precede them. It holds no separators
	// and quotes.
	padding = 16
	// maxRows is where the 32-bit counters of a worker might overflow.
	maxRows = 1<<32 - 1
)

// chunk is a run of whole rows.
type chunk struct {
	buf    []byte // padding, the rows, padding
	end    int    // where the rows end in buf
	seq    int    // chunks of a source count from 0
	off    int64  // where the rows begin in the source
	quoted bool   // there are quotes in it
	open   bool   // the source ends within quotes
	last   bool   // nothing follows
}

// feed cuts a source into chunks, and hands them out in order to whichever
// worker asks.
type feed struct {
	ctx    context.Context
	r      io.Reader
	delim  byte
	quotes bool // quotes mean something in this source
	guess  bool // find the end of rows with quotes by looking at the last ones only
	size   int  // of a chunk

	mu    sync.Mutex
	carry []byte // begun row of the last chunk
	off   int64
	seq   int
	err   error
}

// next fills c with the next chunk, reusing its buffer. It reports false at
// the end of the source, or after an error.
func (f *feed) next(c *chunk) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.err = f.ctx.Err()
	}
	if f.err != nil {
		return false
	}
	// A row longer than a chunk may have begun in another worker's buffer.
	if need := padding + max(f.size, 2*len(f.carry)) + 1 + padding; need > len(c.buf) {
		c.buf = make([]byte, need)
	}
	n := padding + copy(c.buf[padding:], f.carry)
	for {
		got, err := io.ReadFull(f.r, c.buf[n:len(c.buf)-padding-1])
		n += got
		last := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !last {
			f.err = err
			return false
		}
		f.split(c, n, last)
		if last {
			f.err = io.EOF
		}
		if c.end > padding || last {
			break
		}
		if n > maxRow {
			f.err = fmt.Errorf("a row is longer than %d MiB (byte %d and on); is a quote opened and never closed?", maxRow>>20, f.off)
			return false
		}
		c.buf = append(c.buf, make([]byte, len(c.buf))...)
	}
	f.carry = append(f.carry[:0], c.buf[c.end:max(n, c.end)]...)
	clear(c.buf[c.end : c.end+padding])
	c.seq, c.off = f.seq, f.off
	f.seq++
	f.off += int64(c.end - padding)
	return c.end > padding
}

// stop ends the feed early: chunks that were handed out are still read.
func (f *feed) stop() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.err = io.EOF
	}
}

// failure gives the error that ended the feed.
func (f *feed) failure() error {
	if errors.Is(f.err, io.EOF) {
		return nil
	}
	return f.err
}

// split finds the end of the last whole row of buf[padding:n]. The last row
// of a source need not have a line break; it gets one.
func (f *feed) split(c *chunk, n int, last bool) {
	rows := c.buf[padding:n]
	c.quoted = f.quotes && bytes.IndexByte(rows, '"') >= 0
	c.open, c.last = false, last
	switch {
	case !c.quoted:
		c.end = bytes.LastIndexByte(rows, '\n') + 1
	case f.guess && !last:
		c.end = likelyRow(rows, f.delim)
	default:
		c.end, c.open, _ = lastRow(rows, f.delim)
	}
	c.end += padding
	c.open = c.open && last
	if last && n > c.end {
		c.buf[n] = '\n'
		c.end = n + 1
	}
}

// lastRow gives the end of the last whole row among rows that have quotes in
// them, and whether a quote is open at the end. A quote opens only where a
// field begins, anywhere else it is an ordinary character. The rows are sound
// where there is no such quote, and fields end with the quote that closes them.
func lastRow(rows []byte, delim byte) (end int, open, sound bool) {
	sound = true
	outside := 0 // where the present run outside of quotes began
	for i := 0; ; {
		q := bytes.IndexByte(rows[i:], '"')
		if q < 0 {
			q = len(rows) - i
		}
		q += i
		if nl := bytes.LastIndexByte(rows[max(outside, i-1):q], '\n'); nl >= 0 {
			end = max(outside, i-1) + nl + 1
		}
		if q == len(rows) {
			return end, false, sound
		}
		i = q + 1
		// Right after a closing quote (q == outside) it is an escaped one.
		if q > 0 && q != outside && rows[q-1] != delim && rows[q-1] != '\n' {
			sound = false
			continue
		}
		closing := bytes.IndexByte(rows[i:], '"')
		if closing < 0 {
			return end, true, sound
		}
		i += closing + 1
		outside = i
		if i < len(rows) && rows[i] != delim && rows[i] != '\n' && rows[i] != '\r' && rows[i] != '"' {
			sound = false
		}
	}
}

const (
	// likelyTail is how much of a chunk is looked at to guess where its last
	// row ends, and likelyTries from how many line breaks on.
	likelyTail  = 8 << 10
	likelyTries = 50
)

// likelyRow guesses the end of the last whole row from the last few: a line
// break is that of a row if what follows is sound. The worker that reads the
// rows finds out whether the guess was right: then the last of them ends
// outside of quotes.
func likelyRow(rows []byte, delim byte) int {
	at := max(len(rows)-likelyTail, 0)
	for range likelyTries {
		nl := bytes.IndexByte(rows[at:], '\n')
		if nl < 0 {
			break
		}
		at += nl + 1
		if end, _, sound := lastRow(rows[at:], delim); sound && end > 0 {
			return at + end
		}
	}
	end, _, _ := lastRow(rows, delim)
	return end
}
