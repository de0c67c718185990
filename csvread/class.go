package csvread

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"sync"
)

// MaxClasses is how many classes get a table of their own. Above that, only
// the whole is told: a column of so many values is an id, not a kind of work.
const MaxClasses = 1000

// classList numbers the classes of all sources, in the order of their first
// sample.
type classList struct {
	mu    sync.Mutex
	ids   map[string]uint16
	names []string
	over  bool // there are more than MaxClasses
}

// id numbers a class. Those above the limit share one number.
func (l *classList) id(name []byte) uint16 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if id, ok := l.ids[string(name)]; ok {
		return id
	}
	if len(l.names) > MaxClasses {
		l.over = true
		return MaxClasses
	}
	if l.ids == nil {
		l.ids = map[string]uint16{}
	}
	id := uint16(len(l.names))
	l.ids[string(name)] = id
	l.names = append(l.names, string(name))
	l.over = len(l.names) > MaxClasses
	return id
}

const (
	indexBits = 13 // at most an eighth of the places is taken
	indexSize = 1 << indexBits
)

// classCache remembers the numbers of classes for one worker, so that the list
// is asked once for each class.
type classCache struct {
	list  *classList
	index [indexSize]uint16 // of entries, from 1; 0 is a free place
	known []cached
	names [][]byte // of the entries, where their words do not tell all
}

// cached is an entry. Up to sixteen bytes, the words and the size are the whole
// name, and nothing else has to be fetched from memory to compare it.
type cached struct {
	first, last uint64 // the first and the last eight bytes of the name
	size        int32
	id          uint16
}

// id numbers the class in a cell. Eight bytes must be readable from its start.
func (k *classCache) id(buf []byte, c *span) uint16 {
	name := buf[c.from:c.to]
	n := len(name)
	first, last := binary.LittleEndian.Uint64(buf[c.from:]), uint64(0)
	switch {
	case n == 0:
		first = 0
	case n < 8:
		first <<= uint(64 - 8*n)
	default:
		last = binary.LittleEndian.Uint64(buf[c.to-8:])
	}
	slot := ((first ^ bits.RotateLeft64(last, 29)) * 0x9E3779B97F4A7C15) >> (64 - indexBits)
	for {
		at := int(k.index[slot]) - 1
		if at < 0 {
			break
		}
		e := &k.known[at]
		if e.first == first && e.last == last && int(e.size) == n && (n <= 16 || bytes.Equal(k.names[at], name)) {
			return e.id
		}
		slot = (slot + 1) % indexSize
	}
	id := k.list.id(c.text(buf))
	if len(k.known) < MaxClasses {
		k.known = append(k.known, cached{first: first, last: last, size: int32(n), id: id})
		k.names = append(k.names, bytes.Clone(name))
		k.index[slot] = uint16(len(k.known))
	}
	return id
}

// name gives the name of a class.
func (l *classList) name(id int) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if id < len(l.names) {
		return l.names[id]
	}
	return ""
}
