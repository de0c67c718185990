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
	cacheBits = 11 // at most half of the entries are taken
	cacheSize = 1 << cacheBits
)

// classCache remembers the numbers of classes for one worker, so that the list
// is asked once for each class.
type classCache struct {
	list    *classList
	entries [cacheSize]cached
	names   [cacheSize][]byte // of the entries, where their words do not tell all
}

// cached is an entry. Up to sixteen bytes, the words and the size are the whole
// name, and nothing else has to be fetched from memory to compare it.
type cached struct {
	first, last uint64 // the first and the last eight bytes of the name
	size        uint32 // with a one added, so that no name is the zero value
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
	slot := ((first ^ bits.RotateLeft64(last, 29)) * 0x9E3779B97F4A7C15) >> (64 - cacheBits)
	for probe := range uint64(16) {
		at := (slot + probe) % cacheSize
		e := &k.entries[at]
		if e.first == first && e.last == last && int(e.size) == n+1 && (n <= 16 || bytes.Equal(k.names[at], name)) {
			return e.id
		}
		if e.size == 0 {
			id := k.list.id(c.text(buf))
			if id < MaxClasses {
				*e = cached{first: first, last: last, size: uint32(n) + 1, id: id}
				k.names[at] = bytes.Clone(name)
			}
			return id
		}
	}
	return k.list.id(c.text(buf))
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
