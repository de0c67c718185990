package trace

import (
	"bytes"
	"hash/maphash"
)

// table gives every distinct text a number from 1 on; 0 is the empty text. It
// holds no pointers to single texts, so that tens of millions of them cost the
// garbage collector nothing: some 14 bytes each beside the text itself.
type table struct {
	seed   maphash.Seed
	slots  []uint32 // numbers by hash, 0 where free; a power of two of them
	where  []uint64 // of text n-1: block<<32 | offset
	blocks [][]byte // of texts, each with its length in two bytes before it
}

const blockSize = 1 << 20

func newTable() *table { return &table{seed: maphash.MakeSeed(), slots: make([]uint32, 1024)} }

// id is the number of a text of at most [maxText] bytes.
func (t *table) id(text []byte) uint32 {
	if len(text) == 0 {
		return 0
	}
	n, slot := t.find(text)
	if n != 0 {
		return n
	}
	t.where = append(t.where, t.store(text))
	n = uint32(len(t.where))
	t.slots[slot] = n
	if len(t.where) > len(t.slots)/8*5 {
		t.grow()
	}
	return n
}

// find gives the number of a text, or 0 and the free slot where it belongs.
func (t *table) find(text []byte) (n uint32, slot int) {
	mask := len(t.slots) - 1
	slot = int(maphash.Bytes(t.seed, text)) & mask
	for t.slots[slot] != 0 && !bytes.Equal(t.bytes(t.slots[slot]), text) {
		slot = (slot + 1) & mask
	}
	return t.slots[slot], slot
}

func (t *table) store(text []byte) uint64 {
	last := len(t.blocks) - 1
	if last < 0 || len(t.blocks[last])+2+len(text) > blockSize {
		t.blocks = append(t.blocks, make([]byte, 0, blockSize))
		last++
	}
	b := t.blocks[last]
	at := uint64(last)<<32 | uint64(len(b))
	t.blocks[last] = append(append(b, byte(len(text)), byte(len(text)>>8)), text...)
	return at
}

func (t *table) grow() {
	t.slots = make([]uint32, 2*len(t.slots))
	mask := len(t.slots) - 1
	for i := range t.where {
		slot := int(maphash.Bytes(t.seed, t.bytes(uint32(i+1)))) & mask
		for t.slots[slot] != 0 {
			slot = (slot + 1) & mask
		}
		t.slots[slot] = uint32(i + 1)
	}
}

// bytes is the text of a number. It stays in the table and must not be changed.
func (t *table) bytes(n uint32) []byte {
	if n == 0 {
		return nil
	}
	at := t.where[n-1]
	b := t.blocks[at>>32][uint32(at):]
	length := int(b[0]) | int(b[1])<<8
	return b[2 : 2+length : 2+length]
}

// text is a copy of the text of a number.
func (t *table) text(n uint32) string { return string(t.bytes(n)) }

// len is the number of texts; numbers go from 1 to len.
func (t *table) len() int { return len(t.where) }

// size is the memory in use, in bytes.
func (t *table) size() int {
	return len(t.blocks)*blockSize + 8*cap(t.where) + 4*len(t.slots)
}
