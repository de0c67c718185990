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
}

type cached struct {
	head uint64 // the first eight bytes of the name
	size int    // with a one added, so that no name is the zero value
	name []byte
	id   uint16
}

// id numbers the class in a cell. Eight bytes must be readable from its start.
func (k *classCache) id(buf []byte, c *span) uint16 {
	name := buf[c.from:c.to]
	n := len(name)
	head := binary.LittleEndian.Uint64(buf[c.from:])
	h := head
	if n < 8 {
		h = head << uint(64-8*n)
		if n == 0 {
			h = 0
		}
	} else {
		h ^= bits.RotateLeft64(binary.LittleEndian.Uint64(buf[c.to-8:]), 29)
	}
	slot := (h * 0x9E3779B97F4A7C15) >> (64 - cacheBits)
	for probe := 0; probe < 16; probe++ {
		e := &k.entries[(slot+uint64(probe))%cacheSize]
		if e.size == n+1 && e.head == h && (n <= 8 || bytes.Equal(e.name, name)) {
			return e.id
		}
		if e.size == 0 {
			id := k.list.id(c.text(buf))
			if id < MaxClasses {
				*e = cached{head: h, size: n + 1, name: bytes.Clone(name), id: id}
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
