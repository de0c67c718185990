package csvread

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"sync"
)

// spill keeps samples that cannot be read again, as those of a pipe: the first
// few in memory, the others in a temporary file without a name, so that no end
// of the program leaves it behind.
type spill struct {
	dir  string
	keep int // bytes that stay in memory

	mu     sync.Mutex
	kept   [][]byte
	size   int
	file   *os.File
	out    *bufio.Writer
	blocks int
}

const (
	// spillKept is how many bytes of samples stay in memory.
	spillKept = 8 << 20
	// sampleSize is what one sample takes: its time, class and window.
	sampleSize = 8 + 2 + 2
)

// append writes a batch to the end of a block, after its size.
func (b *batch) append(block []byte) []byte {
	block = binary.LittleEndian.AppendUint32(block, uint32(b.n))
	for i, ns := range b.ns[:b.n] {
		block = binary.LittleEndian.AppendUint64(block, ns)
		block = binary.LittleEndian.AppendUint16(block, b.class[i])
		block = binary.LittleEndian.AppendUint16(block, b.window[i])
	}
	return block
}

// write keeps a block of samples.
func (s *spill) write(block []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil && s.size+len(block) <= s.keep {
		s.kept = append(s.kept, bytes.Clone(block))
		s.size += len(block)
		return nil
	}
	if s.file == nil {
		if err := s.open(); err != nil {
			return fmt.Errorf("keep samples of a pipe for a second look: %w", err)
		}
	}
	if _, err := s.out.Write(block); err != nil {
		return fmt.Errorf("keep samples of a pipe for a second look in %q: %w", s.dirName(), err)
	}
	s.blocks++
	return nil
}

// open makes the temporary file. Where a file in use can be removed it has no
// name from then on; elsewhere close removes it.
func (s *spill) open() error {
	f, err := os.CreateTemp(s.dir, "vtsize-*.samples")
	if err != nil {
		return err
	}
	os.Remove(f.Name())
	s.file = f
	s.out = bufio.NewWriterSize(f, 256<<10)
	return nil
}

func (s *spill) dirName() string {
	if s.dir == "" {
		return os.TempDir()
	}
	return s.dir
}

// replay hands all samples to a sink.
func (s *spill) replay(to sink, stop func() error) error {
	b := new(batch)
	for _, block := range s.kept {
		b.read(block[4:])
		if err := to.take(b); err != nil {
			return err
		}
	}
	if s.file == nil {
		return nil
	}
	if err := s.out.Flush(); err != nil {
		return fmt.Errorf("keep samples of a pipe for a second look in %q: %w", s.dirName(), err)
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	in := bufio.NewReaderSize(s.file, 256<<10)
	block := make([]byte, batchSize*sampleSize)
	for range s.blocks {
		if err := stop(); err != nil {
			return err
		}
		var head [4]byte
		if _, err := io.ReadFull(in, head[:]); err != nil {
			return fmt.Errorf("read kept samples: %w", err)
		}
		n := int(binary.LittleEndian.Uint32(head[:]))
		if _, err := io.ReadFull(in, block[:n*sampleSize]); err != nil {
			return fmt.Errorf("read kept samples: %w", err)
		}
		b.read(block[:n*sampleSize])
		if err := to.take(b); err != nil {
			return err
		}
	}
	return nil
}

// read fills a batch from a block.
func (b *batch) read(block []byte) {
	b.n = len(block) / sampleSize
	for i := range b.ns[:b.n] {
		s := block[i*sampleSize:]
		b.ns[i] = binary.LittleEndian.Uint64(s)
		b.class[i] = binary.LittleEndian.Uint16(s[8:])
		b.window[i] = binary.LittleEndian.Uint16(s[10:])
	}
}

func (s *spill) close() {
	if s.file != nil {
		s.file.Close()
		os.Remove(s.file.Name()) // where it still has a name
	}
}
