package csvread

import "math/bits"

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
	keys   []uint64
	shift  uint
	cells  []cell
}

// cell is a part of a probe's interval.
type cell struct {
	ns    uint64 // the first sample in it
	n     uint32
	mixed bool // not all samples are equal
}

// room is what the probes of one worker may hold, together.
type room struct {
	keys  int // samples that can still be collected
	cells int // of a probe that counts
}

// mostKeys is how many samples one probe collects.
const mostKeys = 1 << 18

// newRoom shares a budget of samples, of eight bytes, among so many probes.
func newRoom(budget, probes int) *room {
	return &room{keys: budget, cells: min(max(budget/max(probes, 1), 4), 1<<15)}
}

func newProbe(lo, hi uint64, in *room) *probe {
	return &probe{lo: lo, hi: hi, first: bin(min(lo, longest)), room: in}
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
	case len(p.keys) < mostKeys && p.room.keys > 0:
		p.keys = append(p.keys, ns)
		p.room.keys--
	default:
		p.divide()
		p.count(ns)
	}
}

// divide goes over from collecting to counting.
func (p *probe) divide() {
	p.shift = uint(bits.Len64((p.hi - p.lo - 1) / uint64(p.room.cells)))
	p.cells = make([]cell, (p.hi-p.lo-1)>>p.shift+1)
	for _, k := range p.keys {
		p.count(k)
	}
	p.room.keys += len(p.keys)
	p.keys = nil
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
		p.keys = append(p.keys, o.keys...)
		return
	}
	if p.cells == nil {
		p.divide()
	}
	for _, k := range o.keys {
		p.count(k)
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
		if r < 1 || r > uint64(len(p.keys)) {
			return found{}
		}
		return found{ns: nth(p.keys, int(r-1)), state: settled}
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
	for b := p.first; b <= bin(min(max(p.hi-1, p.lo), longest)); b++ {
		l.marks[b>>6] |= 1 << (b & 63)
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
