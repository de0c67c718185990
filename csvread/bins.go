package csvread

import (
	"math"
	"math/bits"
)

// Log-linear bins: each power of two is cut into 128 equal parts, so that a
// bin is at most 1/128 of its value wide, and those in use stay in the cache.
const (
	binBits = 7
	numBins = (63-binBits)<<binBits + 1<<binBits
)

// bin gives the bin of a number of nanoseconds below 2^63.
func bin(ns uint64) uint {
	e := uint(max(bits.Len64(ns), binBits+1) - binBits - 1)
	return e<<binBits + uint(ns>>e)
}

// binStart gives the lowest number in a bin; that of the bin after the last is
// above all that are read.
func binStart(b uint) uint64 {
	if b < 2<<binBits {
		return uint64(b)
	}
	e := b>>binBits - 1
	return uint64(b-e<<binBits) << e
}

// tally counts the samples of one class that one worker read. It has bins only
// around those that are in use: a thousand of them are to fit into the caches.
type tally struct {
	own          *lookout // for samples of this class
	max          uint64
	sumHi, sumLo uint64   // of nanoseconds: 64 bits hold only 292 years
	first        uint     // the bin that bins begins with
	bins         []uint32 // of whole powers of two
}

// count adds samples, and tells their bins.
func (t *tally) count(samples []uint64, bins []uint16) {
	hi, lo, top := t.sumHi, t.sumLo, t.max
	for i, ns := range samples {
		b := bin(ns)
		bins[i] = uint16(b)
		if b-t.first >= uint(len(t.bins)) {
			t.reach(b, b)
		}
		t.bins[b-t.first]++
		var carry uint64
		lo, carry = bits.Add64(lo, ns, 0)
		hi += carry
		top = max(top, ns)
	}
	t.sumHi, t.sumLo, t.max = hi, lo, top
}

// reach makes bins for those from lo to hi, and one power of two more on each
// side, so that it is seldom called.
func (t *tally) reach(lo, hi uint) {
	const octave = 1 << binBits
	if len(t.bins) > 0 {
		lo, hi = min(lo, t.first+octave), max(hi, t.last()-octave)
	}
	first := max(lo&^(octave-1), octave) - octave
	bins := make([]uint32, min(hi|(octave-1)+octave+1, numBins)-first)
	if len(t.bins) > 0 {
		copy(bins[t.first-first:], t.bins)
	}
	t.first, t.bins = first, bins
}

// last is the last bin.
func (t *tally) last() uint { return t.first + uint(len(t.bins)) - 1 }

// in counts the samples in a bin.
func (t *tally) in(b uint) uint64 {
	if b-t.first >= uint(len(t.bins)) {
		return 0
	}
	return uint64(t.bins[b-t.first])
}

// add adds what another worker counted.
func (t *tally) add(o *tally) {
	if len(o.bins) == 0 {
		return
	}
	if len(t.bins) == 0 || o.first < t.first || o.last() > t.last() {
		t.reach(o.first, o.last())
	}
	into := t.bins[o.first-t.first:]
	for b, n := range o.bins {
		into[b] += n
	}
	t.max = max(t.max, o.max)
	var carry uint64
	t.sumLo, carry = bits.Add64(t.sumLo, o.sumLo, 0)
	t.sumHi += o.sumHi + carry
}

// n counts the samples.
func (t *tally) n() (n uint64) {
	for _, c := range t.bins {
		n += uint64(c)
	}
	return n
}

// mean rounds to the nearest nanosecond.
func (t *tally) mean() uint64 {
	n := t.n()
	if n == 0 {
		return 0
	}
	lo, carry := bits.Add64(t.sumLo, n/2, 0)
	mean, _ := bits.Div64(t.sumHi+carry, lo, n)
	return mean
}

// below counts the samples in the bins before one.
func (t *tally) below(b uint) (n uint64) {
	if b <= t.first {
		return 0
	}
	for _, c := range t.bins[:min(b-t.first, uint(len(t.bins)))] {
		n += uint64(c)
	}
	return n
}

// find gives the bin that holds a rank, from 1 to n, and how many samples are
// in the bins before it.
func (t *tally) find(rank uint64) (b uint, below uint64) {
	for b, c := range t.bins {
		if below+uint64(c) >= rank {
			return t.first + uint(b), below
		}
		below += uint64(c)
	}
	return numBins, below
}

// near gives a value that the sample at a place surely does not fall below
// (side -1), or above (side 1), as far as the bins can tell, and the place of
// that value. Where neighbouring bins hold about as many samples, those of a
// bin are taken to be spread over it; else a clock may be so coarse that they
// are all in one spot.
func (t *tally) near(place, side float64) (ns uint64, at float64) {
	const slack = 0.35 // of a bin: three equal steps of a clock in it do
	b, below := t.find(uint64(place))
	n := float64(t.in(b))
	part := (1 + side) / 2
	if b > 0 && b < numBins-1 && alike(n, float64(t.in(b-1))) && alike(n, float64(t.in(b+1))) {
		part = min(max((place-float64(below))/n+side*slack, 0), 1)
	}
	from, to := binStart(b), binStart(b+1)
	return from + uint64(float64(to-from)*part), float64(below) + n*part
}

// alike reports whether neither number is more than twice the other.
func alike(a, b float64) bool { return a <= 2*b && b <= 2*a }

// Windows have coarser bins, and only from a microsecond to ten hours: there
// are many of them, and a further look at the file settles what they leave
// open.
const (
	windowLow  = 256
	windowBins = 2242
)

// windowTally counts the samples that fall into one window.
type windowTally [windowBins]uint32

// windowBin gives the bin of a window's tally for a bin.
func windowBin(b uint) uint {
	return min(max(b>>1, windowLow)-windowLow, windowBins-1)
}

// windowStart gives the lowest number in a bin of a window's tally.
func windowStart(b uint) uint64 {
	switch {
	case b == 0:
		return 0
	case b >= windowBins:
		return math.MaxInt64 + 1
	}
	return binStart((b + windowLow) << 1)
}

// find gives the bin that holds a rank, and how many samples are before it.
func (t *windowTally) find(rank uint64) (b uint, below uint64) {
	for b, c := range t {
		if below+uint64(c) >= rank {
			return uint(b), below
		}
		below += uint64(c)
	}
	return windowBins, below
}

// n counts the samples.
func (t *windowTally) n() (n uint64) {
	for _, c := range t {
		n += uint64(c)
	}
	return n
}
