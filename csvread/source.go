package csvread

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// headSize is how much of a source is looked at to tell its format.
const headSize = 256 << 10

// source is one file of latencies.
type source struct {
	name string
	head []byte
	plan *plan
	rowsRead

	at     io.ReaderAt // nil where it can be read only once
	size   int64
	stream io.Reader // what follows head
	path   string    // of a compressed file, which can be opened again
	closes []func() error
}

// openSource opens a file, or standard input for "-", and uncompresses it.
func openSource(name string, stdin io.Reader) (*source, error) {
	s := &source{name: name}
	in := stdin
	if name == "-" {
		s.name = "standard input"
		if stdin == nil {
			return nil, errors.New("read standard input: there is none")
		}
	} else {
		f, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("read latencies: %w", err)
		}
		in = f
		s.closes = append(s.closes, f.Close)
	}
	err := s.regular(in)
	isFile := s.at != nil && name != "-"
	if err == nil {
		err = s.begin(in)
	}
	if isFile && s.at == nil {
		s.path = name
	}
	if err != nil {
		s.close()
		return nil, fmt.Errorf("read %q: %w", s.name, err)
	}
	return s, nil
}

// regular finds out whether what is read is a file that can be read again.
func (s *source) regular(in io.Reader) error {
	f, ok := in.(*os.File)
	if !ok {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.IsDir() {
		return errors.New("it is a directory")
	}
	if !info.Mode().IsRegular() {
		return nil
	}
	if at, err := f.Seek(0, io.SeekCurrent); err == nil && at == 0 {
		s.at, s.size = f, info.Size()
	}
	return nil
}

// begin reads the head, through a decompressor where there is need of one.
func (s *source) begin(in io.Reader) error {
	magic := make([]byte, 4)
	n, err := io.ReadFull(in, magic)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	whole := io.MultiReader(bytes.NewReader(magic[:n]), in)
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(whole)
		if err != nil {
			return fmt.Errorf("uncompress: %w", err)
		}
		s.at, whole = nil, uncompressed{z}
		s.closes = append(s.closes, z.Close)
	case bytes.HasPrefix(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(whole, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(32<<20))
		if err != nil {
			return fmt.Errorf("uncompress: %w", err)
		}
		s.at, whole = nil, uncompressed{z}
		s.closes = append(s.closes, func() error { z.Close(); return nil })
	}
	s.head = make([]byte, headSize)
	n, err = io.ReadFull(whole, s.head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	s.head, s.stream = s.head[:n], whole
	return nil
}

// uncompressed is what a decompressor gives. Where the compressed bytes end too
// early it fails with the error that io.ReadFull has for the end of any source.
type uncompressed struct{ io.Reader }

func (u uncompressed) Read(p []byte) (int, error) {
	n, err := u.Reader.Read(p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("uncompress: it ends too early, as if it had been cut off")
	}
	return n, err
}

// rest lets go of what told the format: of many files that would be most of the
// memory. It is opened again for its rows.
func (s *source) rest() {
	switch {
	case s.at != nil:
		s.head, s.stream = nil, nil
	case s.path != "":
		s.close()
	}
}

// rows gives the source from the first row on.
func (s *source) rows() (io.Reader, error) {
	if s.at != nil {
		return io.NewSectionReader(s.at, s.plan.start, s.size-s.plan.start), nil
	}
	if s.stream == nil {
		again, err := openSource(s.path, nil)
		if err != nil {
			return nil, err
		}
		s.head, s.stream, s.closes = again.head, again.stream, again.closes
	}
	return io.MultiReader(bytes.NewReader(s.head[min(s.plan.start, int64(len(s.head))):]), s.stream), nil
}

// close gives everything back. It is of files that were only read, so that
// nothing can be lost by it.
func (s *source) close() {
	for i := len(s.closes) - 1; i >= 0; i-- {
		s.closes[i]()
	}
	s.head, s.stream, s.closes = nil, nil, nil
}
