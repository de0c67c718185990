package csvread

import (
	"bytes"
	"encoding/binary"
	"math"
	"sync"
	"time"
)

// Window says over what the worst stretch of time is looked for.
type Window string

// The windows. Load comes in hours, and is when providers get slower.
const (
	Hour      Window = "hour"
	Day       Window = "day"
	NoWindows Window = "none"
)

// seconds gives the length of a window.
func (w Window) seconds() int64 {
	if w == Day {
		return 86_400
	}
	return 3_600
}

// MaxWindows is how many hours or days are told apart: 42 days of hours.
const MaxWindows = 1024

// noWindow is the window of a sample whose timestamp could not be read, or
// that came when there were too many windows already.
const noWindow = math.MaxUint16

// windowList numbers the windows that samples fall into, over all sources.
type windowList struct {
	every int64 // seconds

	mu     sync.Mutex
	ids    map[int64]uint16
	starts []int64 // in units of every, since 1970
	over   bool    // there are more than MaxWindows
}

// id numbers a window.
func (l *windowList) id(start int64) uint16 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if id, ok := l.ids[start]; ok {
		return id
	}
	if len(l.starts) == MaxWindows {
		l.over = true
		return noWindow
	}
	if l.ids == nil {
		l.ids = map[int64]uint16{}
	}
	id := uint16(len(l.starts))
	l.ids[start] = id
	l.starts = append(l.starts, start)
	return id
}

// clock finds the window of a timestamp for one worker. Rows mostly come in
// the order of time, so that a timestamp that begins as the last one did is
// in the same window.
type clock struct {
	list   *windowList
	head   uint64 // of the last timestamp
	second uint64 // its next eight bytes, where it is a date
	size   int    // the digits before the dot, where it is a number; else 0
	last   uint16
	lo, hi uint16 // windows since begin
}

// begin forgets what spanned tells.
func (k *clock) begin() {
	if k != nil {
		k.lo, k.hi = noWindow, 0
		k.head = 0 // no text begins so: the first timestamp is read in full
	}
}

// spanned gives the lowest and the highest window since begin.
func (k *clock) spanned() (lo, hi uint16) {
	if k == nil {
		return noWindow, 0
	}
	return k.lo, k.hi
}

// window finds the window of the timestamp buf[from:to].
func (k *clock) window(buf []byte, from, to int) uint16 {
	head := binary.LittleEndian.Uint64(buf[from:])
	n := to - from
	if head == k.head {
		if k.size > 0 {
			if n == k.size || n > k.size && buf[from+k.size] == '.' {
				return k.last
			}
		} else if n >= 16 && binary.LittleEndian.Uint64(buf[from+8:]) == k.second && !offset(buf[from:to]) {
			return k.last
		}
	}
	return k.find(buf, from, to)
}

// offset reports whether a date that is long enough ends in an offset from
// UTC: those are read in full every time.
func offset(b []byte) bool {
	for _, back := range [...]int{6, 5, 3} {
		if c := b[len(b)-back]; (c == '+' || c == '-') && len(b)-back > 10 {
			return true
		}
	}
	return false
}

// besideTime is what may stand around a timestamp in its cell: Langfuse puts it
// in quotes twice, and some put a space behind each comma.
const besideTime = ` "`

// find reads a timestamp in full, and remembers how it begins.
func (k *clock) find(buf []byte, from, to int) uint16 {
	b := bytes.Trim(buf[from:to], besideTime)
	t, size, ok := parseTime(b)
	if !ok {
		return noWindow
	}
	start := t / k.list.every
	if t < 0 && t%k.list.every != 0 {
		start--
	}
	id := k.list.id(start)
	if id == noWindow {
		return id
	}
	k.lo, k.hi = min(k.lo, id), max(k.hi, id)
	// The first eight digits of an epoch of ten or more are hundreds of
	// seconds, the first sixteen characters of a date with the hour at its
	// usual place are its minute: both are within one window.
	switch {
	case size >= 10:
		k.head, k.size, k.last = binary.LittleEndian.Uint64(b[:8]), size, id
	case size == 0 && len(b) >= 16 && b[13] == ':' && !offset(b):
		k.head, k.second, k.size, k.last = binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:]), 0, id
	}
	return id
}

// parseTime reads a timestamp: seconds, milliseconds, microseconds or
// nanoseconds since 1970, told apart by their size, or a date with a time. A
// date without an offset is taken as UTC. It gives whole seconds, and how many
// digits precede the dot where it is a number.
func parseTime(b []byte) (unix int64, digits int, ok bool) {
	n := uint64(0)
	for digits < len(b) && digits < 19 && b[digits] >= '0' && b[digits] <= '9' {
		n = n*10 + uint64(b[digits]-'0')
		digits++
	}
	if digits == len(b) || digits < len(b) && b[digits] == '.' && numeric(b[digits+1:]) {
		if digits < 10 {
			return 0, 0, false // seconds since a start of its own
		}
		n /= pow10[(digits-10)/3*3]
		return int64(n), digits, digits%3 == 1
	}
	unix, ok = parseDate(b)
	return unix, 0, ok
}

// numeric reports whether all of b are digits.
func numeric(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// layouts are the forms of dates besides the one of ISO 8601.
var layouts = []string{"2006-01-02 15:04", "2006/01/02 15:04:05", "2006/01/02 15:04", "2006-01-02", time.RFC3339Nano, time.RFC1123, time.RFC1123Z, "02/Jan/2006:15:04:05 -0700"}

// parseDate reads "2026-11-30T18:42:49.123Z" and what looks like it.
func parseDate(b []byte) (unix int64, ok bool) {
	if len(b) < 10 || len(b) > 40 {
		return 0, false
	}
	if len(b) < 19 || b[4] != '-' || b[7] != '-' || b[13] != ':' || b[16] != ':' || b[10] != 'T' && b[10] != ' ' && b[10] != 't' {
		for _, layout := range layouts {
			if t, err := time.Parse(layout, string(b)); err == nil {
				return t.Unix(), true
			}
		}
		return 0, false
	}
	var f [6]int
	for i, at := range [6][2]int{{0, 4}, {5, 7}, {8, 10}, {11, 13}, {14, 16}, {17, 19}} {
		if !numeric(b[at[0]:at[1]]) {
			return 0, false
		}
		for _, c := range b[at[0]:at[1]] {
			f[i] = f[i]*10 + int(c-'0')
		}
	}
	if f[1] < 1 || f[1] > 12 || f[2] < 1 || f[2] > 31 || f[3] > 23 || f[4] > 59 || f[5] > 60 {
		return 0, false
	}
	east, ok := zone(b[19:])
	t := time.Date(f[0], time.Month(f[1]), f[2], f[3], f[4], f[5], 0, time.UTC)
	return t.Unix() - int64(east), ok
}

// zone reads what follows the seconds: a fraction, and Z, UTC or an offset.
func zone(b []byte) (east int, ok bool) {
	if len(b) > 0 && (b[0] == '.' || b[0] == ',') {
		i := 1
		for i < len(b) && b[i] >= '0' && b[i] <= '9' {
			i++
		}
		b = b[i:]
	}
	for len(b) > 0 && b[0] == ' ' {
		b = b[1:]
	}
	switch s := string(b); {
	case s == "", s == "Z", s == "z", s == "UTC", s == "GMT":
		return 0, true
	case s[0] != '+' && s[0] != '-':
		return 0, false
	}
	h := b[1:]
	if len(h) == 5 && h[2] == ':' {
		h = append(append([]byte{}, h[:2]...), h[3:]...)
	}
	if len(h) == 2 {
		h = append(append([]byte{}, h...), '0', '0')
	}
	if len(h) != 4 || !numeric(h) {
		return 0, false
	}
	east = (int(h[0]-'0')*10+int(h[1]-'0'))*3600 + (int(h[2]-'0')*10+int(h[3]-'0'))*60
	if b[0] == '-' {
		east = -east
	}
	return east, true
}
