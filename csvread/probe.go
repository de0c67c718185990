package csvread

import (
	"math/bits"
	"sync/atomic"
)

// probe looks at the samples of one group that lie in an interval. It collects
// them as long as they are few. Where they are many, it counts them in finer
// cells, of which only the one that holds the wanted rank has to be looked at
// again; and mostly not even that one, as clocks are coarse and all samples in
// a cell are then the same.
type probe struct {
	lo, hi uint64 // hi itself is outside
	first  uint   // the bin of lo
	under  uint64 // samples in that bin, below lo
	room   *room
	blocks [][]uint64 // of samples; only the last has room
	shift  uint
	cells  []cell // nil while samples are collected
}

// cell is a part of a probe's interval.
type cell struct {
	ns    uint64 // the first sample in it
	n     uint32
	mixed bool // not all samples are equal
}

// pool is what the probes of all workers may hold, together.
type pool struct {
	slabs atomic.Int64 // that are left
	cells int          // of a probe that counts
}

// newPool shares a budget of samples, of eight bytes, among so many probes.
func newPool(samples, probes int) *pool {
	p := &pool{cells: min(max(samples/2/max(probes, 1), 4), 1<<15)}
	p.slabs.Store(int64(samples / slabSize))
	return p
}

// slab gives a slab; nil where there is no room.
func (p *pool) slab() []uint64 {
	if p.slabs.Add(-1) < 0 {
		return nil
	}
	return make([]uint64, slabSize)
}

// room is what the probes of one worker hold. Samples are kept in blocks, as it
// cannot be told beforehand which probe will have how many.
type room struct {
	pool    *pool
	counted bool // bins count the same samples
	slab    []uint64
	free    [][]uint64
	all     []uint64 // of the probe that was last asked
}

const (
	// blockSize is how many samples are in a block, slabSize how many are
	// allocated at once.
	blockSize = 64
	slabSize  = 16 * blockSize
	// mostBlocks is how many of them one probe collects.
	mostBlocks = 1 << 18 / blockSize
)

// block gives an empty block; nil where there is no room.
func (r *room) block() (b []uint64) {
	if n := len(r.free); n > 0 {
		b, r.free = r.free[n-1], r.free[:n-1]
		return b[:0]
	}
	if len(r.slab) == 0 {
		if r.slab = r.pool.slab(); r.slab == nil {
			return nil
		}
	}
	b, r.slab = r.slab[:0:blockSize], r.slab[blockSize:]
	return b
}

func newProbe(a aim, in *room) *probe {
	return &probe{lo: a.lo, hi: a.hi, first: bin(min(a.lo, longest)), room: in}
}

// add takes note of a sample in bin b.
func (p *probe) add(ns uint64, b uint) {
	switch {
	case ns < p.lo:
		if b == p.first {
			p.under++
		}
	case ns >= p.hi:
	case p.cells != nil:
		p.count(ns)
	case !p.collect(ns):
		p.divide()
		p.count(ns)
	}
}

// collect keeps a sample, if there is room.
func (p *probe) collect(ns uint64) bool {
	last := len(p.blocks) - 1
	if last < 0 || len(p.blocks[last]) == blockSize {
		if last++; last == mostBlocks {
			return false
		}
		b := p.room.block()
		if b == nil {
			return false
		}
		p.blocks = append(p.blocks, b)
	}
	p.blocks[last] = append(p.blocks[last], ns)
	return true
}

// divide goes over from collecting to counting.
func (p *probe) divide() {
	cells := p.room.pool.cells
	if p.room.counted && p.hi > longest {
		cells = 1 // those of an interval without an end are wider than bins
	}
	p.shift = uint(bits.Len64((p.hi - p.lo - 1) / uint64(cells)))
	p.cells = make([]cell, (p.hi-p.lo-1)>>p.shift+1)
	for _, b := range p.blocks {
		for _, ns := range b {
			p.count(ns)
		}
	}
	p.room.free = append(p.room.free, p.blocks...)
	p.blocks = nil
}

func (p *probe) count(ns uint64) {
	c := &p.cells[(ns-p.lo)>>p.shift]
	if c.n == 0 {
		c.ns = ns
	}
	c.n++
	c.mixed = c.mixed || c.ns != ns
}

// merge takes over what another worker's probe of the same interval found.
func (p *probe) merge(o *probe) {
	p.under += o.under
	if p.cells == nil && o.cells == nil {
		p.blocks = append(p.blocks, o.blocks...)
		return
	}
	if p.cells == nil {
		p.divide()
	}
	for _, b := range o.blocks {
		for _, ns := range b {
			p.count(ns)
		}
	}
	for i, c := range o.cells {
		if c.n == 0 {
			continue
		}
		mine := &p.cells[i]
		if mine.n == 0 {
			mine.ns = c.ns
		}
		mine.n += c.n
		mine.mixed = mine.mixed || c.mixed || mine.ns != c.ns
	}
}

// rank finds the sample of a rank, from 1, among those in the interval. Where
// it can only narrow the interval, it gives what is left and how many of the
// samples in the old interval are below that.
func (p *probe) rank(r uint64) (f found) {
	if p.cells == nil {
		all := p.room.all[:0]
		for _, b := range p.blocks {
			all = append(all, b...)
		}
		p.room.all = all
		if r < 1 || r > uint64(len(all)) {
			return found{}
		}
		return found{ns: nth(all, int(r-1)), state: settled}
	}
	below := uint64(0)
	for i := range p.cells {
		c := &p.cells[i]
		if below+uint64(c.n) < r {
			below += uint64(c.n)
			continue
		}
		if r < 1 {
			break
		}
		if !c.mixed {
			return found{ns: c.ns, state: settled}
		}
		lo := p.lo + uint64(i)<<p.shift
		return found{lo: lo, hi: min(lo+1<<p.shift, p.hi), below: below, state: narrowed}
	}
	return found{}
}

// found is what a probe tells of a rank.
type found struct {
	state         foundState
	ns            uint64 // settled
	lo, hi, below uint64 // narrowed
}

type foundState uint8

const (
	missed foundState = iota
	settled
	narrowed
)

// nth puts the k-th smallest, from 0, in its place and gives it.
func nth(s []uint64, k int) uint64 {
	lo, hi := 0, len(s)-1
	for hi > lo {
		a, b, c := s[lo], s[(lo+hi)/2], s[hi]
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := lo, hi
		for i <= j {
			for s[i] < pivot {
				i++
			}
			for s[j] > pivot {
				j--
			}
			if i <= j {
				s[i], s[j] = s[j], s[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return s[k]
		}
	}
	return s[k]
}

// lookout passes samples to the probes that wait for them.
type lookout struct {
	marks  [numBins/64 + 1]uint64 // the bins that some probe looks at
	probes []*probe
}

// watch adds a probe.
func (l *lookout) watch(p *probe) {
	l.probes = append(l.probes, p)
	last := bin(min(max(p.hi-1, p.lo), longest))
	for w := p.first >> 6; w <= last>>6; w++ {
		mark := ^uint64(0)
		if w == p.first>>6 {
			mark <<= p.first & 63
		}
		if w == last>>6 {
			mark &= 1<<(last&63+1) - 1
		}
		l.marks[w] |= mark
	}
}

func (l *lookout) marked(b uint) bool { return l.marks[b>>6]>>(b&63)&1 != 0 }

// hit tells the probes of a sample in a marked bin.
func (l *lookout) hit(ns uint64, b uint) {
	for _, p := range l.probes {
		p.add(ns, b)
	}
}

// merge takes over what the probes of another worker found.
func (l *lookout) merge(o *lookout) {
	for i, p := range o.probes {
		l.probes[i].merge(p)
	}
}
