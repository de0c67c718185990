package csvread

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
)

// chunker hands out the chunks of a source.
type chunker interface {
	next(c *chunk) bool
	stop()
	failure() error
}

// reread hands out chunks of a file whose places are known.
type reread struct {
	ctx    context.Context
	r      io.ReaderAt
	quotes bool
	chunks []chunkRead

	mu  sync.Mutex
	err error
}

// next reads the next chunk. Only taking it off the list is serialized.
func (f *reread) next(c *chunk) bool {
	at, ok := f.pop()
	if !ok {
		return false
	}
	if room := padding + at.size + padding; room > len(c.buf) {
		c.buf = make([]byte, room)
	}
	c.end = padding + at.size
	rows := c.buf[padding:c.end]
	n, err := f.r.ReadAt(rows, at.off)
	if n == len(rows)-1 && errors.Is(err, io.EOF) {
		rows[n] = '\n' // as when it was first read
		n++
	}
	if n < len(rows) {
		f.fail(fmt.Errorf("it has changed while it was read: %w", err))
		return false
	}
	clear(c.buf[c.end : c.end+padding])
	c.quoted = f.quotes && bytes.IndexByte(rows, '"') >= 0
	c.seq, c.off, c.open, c.last = at.seq, at.off, false, true
	return true
}

func (f *reread) pop() (at chunkRead, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.err = f.ctx.Err()
	}
	if f.err != nil || len(f.chunks) == 0 {
		return at, false
	}
	at, f.chunks = f.chunks[0], f.chunks[1:]
	return at, true
}

func (f *reread) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err = err
}

func (f *reread) stop() { f.fail(io.EOF) }

func (f *reread) failure() error {
	if errors.Is(f.err, io.EOF) {
		return nil
	}
	return f.err
}

const (
	// sampleFrom is how large a file is of which a sample is taken first:
	// below that, a second look costs nothing that anyone would feel.
	sampleFrom = 4 << 20
	// sampleBlock is the size of one piece of a sample, and sampleShare what
	// part of the file the pieces make in the first round. Each further round
	// doubles the sample.
	sampleBlock  = 8 << 10
	sampleShare  = 24
	sampleRounds = 3
)

// sampled hands out pieces that are spread evenly over a file. They begin and
// end at line breaks, not necessarily at those of rows; that does for a guess.
type sampled struct {
	reread
	bytes  int64 // handed out
	pieces int   // that there are
}

// newSampled makes the pieces of a round: those of the first are evenly spread,
// those of each further one lie in the middle between all before.
func newSampled(ctx context.Context, r io.ReaderAt, p *plan, size int64, block, round int) *sampled {
	blocks := max(size/sampleShare/int64(block), 1)
	from := p.start
	if round > 0 {
		blocks <<= round - 1
		from += (size - p.start) / blocks / 2
	}
	s := &sampled{reread: reread{ctx: ctx, r: r, quotes: p.quotes}}
	s.pieces = int(blocks)
	every := (size - p.start) / blocks
	for i := range blocks {
		s.chunks = append(s.chunks, chunkRead{off: from + i*every, size: block})
	}
	return s
}

func (f *sampled) next(c *chunk) bool {
	for {
		at, ok := f.pop()
		if !ok {
			return false
		}
		if c.buf == nil {
			c.buf = make([]byte, padding+at.size+padding)
		}
		rows := c.buf[padding : padding+at.size]
		n, _ := f.r.ReadAt(rows, at.off) // a real fault shows in the first look
		from := bytes.IndexByte(rows[:n], '\n') + 1
		to := bytes.LastIndexByte(rows[:n], '\n') + 1
		if to <= from {
			continue
		}
		copy(rows, rows[from:to])
		c.end = padding + to - from
		clear(c.buf[c.end : c.end+padding])
		c.quoted, c.last = f.quotes && bytes.IndexByte(rows, '"') >= 0, true
		f.mu.Lock()
		f.bytes += int64(to - from)
		f.mu.Unlock()
		return true
	}
}
