package trace

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// Sizes of reading.
const (
	readBuffer = 1 << 20
	maxLine    = 64 << 20 // a file of CloudTrail is one line
	shownBad   = 5
)

// BadLine is a line that is no event.
type BadLine struct {
	File string
	Line int // from 1
	Text string
	Why  string
}

// String gives file:line: why, and the beginning of the line.
func (b BadLine) String() string {
	return fmt.Sprintf("%s:%d: %s: %s", b.File, b.Line, b.Why, b.Text)
}

// StrictError is the first bad line of a log read with Strict.
type StrictError struct{ BadLine }

// Error tells the place and the reason.
func (e *StrictError) Error() string { return e.BadLine.String() }

// Read reads all lines of a stream, compressed with gzip or not. The name
// stands in messages. It may be called for one stream after the other.
func (l *Log) Read(name string, r io.Reader) error {
	l.order = nil
	in := bufio.NewReaderSize(r, readBuffer)
	if magic, _ := in.Peek(2); len(magic) == 2 && magic[0] == 0x1f && magic[1] == 0x8b {
		z, err := gzip.NewReader(in)
		if err != nil {
			return fmt.Errorf("read %q: %w", name, err)
		}
		in = bufio.NewReaderSize(z, readBuffer)
	}
	lines := lineReader{in: in}
	for n := 1; ; n++ {
		line, err := lines.next()
		if len(line) > 0 || lines.tooLong {
			if e := l.line(name, n, line, lines.tooLong); e != nil {
				return e
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read %q: %w after line %d", name, err, n)
		}
	}
}

// line takes in one line.
func (l *Log) line(name string, n int, line []byte, tooLong bool) error {
	if tooLong {
		return l.bad(name, n, line, fmt.Sprintf("the line is longer than %d MB", maxLine>>20))
	}
	var f fields
	if f.scan(line) {
		if why := f.problem(); why != "" {
			return l.bad(name, n, line, why)
		}
		return l.add(&f)
	}
	if line = bytes.TrimSpace(line); len(line) == 0 {
		return nil
	}
	skipped, err := decode(line, l.add)
	l.Skipped += skipped
	switch {
	case errors.Is(err, ErrMemory):
		return err
	case err != nil:
		return l.bad(name, n, line, err.Error())
	}
	return nil
}

// bad counts a line and keeps the first ones.
func (l *Log) bad(name string, n int, line []byte, why string) error {
	const shown = 60
	text := bytes.TrimSpace(line)
	if len(text) > shown {
		text = append(append([]byte{}, text[:shown]...), "..."...)
	}
	b := BadLine{File: name, Line: n, Text: string(text), Why: why}
	if l.opt.Strict {
		return &StrictError{b}
	}
	l.Bad++
	if len(l.FirstBad) < shownBad {
		l.FirstBad = append(l.FirstBad, b)
	}
	return nil
}

// lineReader cuts a stream into lines, which are valid until the next one.
type lineReader struct {
	in      *bufio.Reader
	long    []byte // a line longer than the buffer
	tooLong bool   // the line read last was cut off
}

func (r *lineReader) next() ([]byte, error) {
	r.tooLong = false
	line, err := r.in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err
	}
	r.long = append(r.long[:0], line...)
	for errors.Is(err, bufio.ErrBufferFull) {
		line, err = r.in.ReadSlice('\n')
		if len(r.long)+len(line) > maxLine {
			r.tooLong = true
			continue
		}
		r.long = append(r.long, line...)
	}
	return r.long, err
}
