package csvread

import (
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// Rank gives the nearest rank of a percentile, as 99.9, among n samples: the
// smallest rank, from 1, that at least so many percent of the samples do not
// exceed. It counts with the decimal digits of the percentile, since
// multiplying with 0.999 in floating point is one off for some n.
func Rank(n int, percentile float64) int {
	text := strconv.FormatFloat(percentile, 'f', -1, 64)
	whole, fraction, _ := strings.Cut(text, ".")
	part, err := strconv.ParseUint(whole+fraction, 10, 64)
	if err != nil || len(fraction) > 16 || percentile >= 100 {
		return n
	}
	of := 100 * pow10[len(fraction)]
	hi, lo := bits.Mul64(uint64(n), part)
	if hi >= of {
		return n
	}
	rank, rest := bits.Div64(hi, lo, of)
	if rest > 0 {
		rank++
	}
	return int(max(rank, 1))
}

// target is a rank that is wanted of a group of samples.
type target struct {
	group group
	rank  uint64
	// The sample lies from lo to before hi, and so many of the group's
	// samples are below lo.
	lo, hi, below uint64
	ns            uint64
	done          bool
	probe         *probe // of the present look
}

// group names the samples that a rank is wanted of.
type group struct {
	kind groupKind
	id   int // of the class or window
}

type groupKind uint8

const (
	whole groupKind = iota
	class
	window
)

// settle takes over what a probe tells. It reports whether that was anything.
func (t *target) settle(p *probe, below uint64) bool {
	if t.rank <= below {
		return false
	}
	f := p.rank(t.rank - below)
	switch f.state {
	case settled:
		t.ns, t.done = f.ns, true
	case narrowed:
		t.lo, t.hi, t.below = f.lo, f.hi, below+f.below
	}
	return f.state != missed
}

// budget is how many samples, of eight bytes, the probes of a worker collect.
const budget = 1 << 20

// manyClasses is from where on twice the budget is used.
const manyClasses = 64

// guesser tells from the tallies of a sample where the wanted ranks lie.
type guesser struct {
	share   float64 // of the files that is in the sample
	pieces  int     // that the sample is made of
	workers int
	budget  int // of each
	ranks   func(n int) []int
}

// aims makes aims for the whole and for each class. Where classes are so many
// that more samples would be collected than there is room for, they have to
// wait for the second look.
func (g *guesser) aims(sample *counter, total *tally) *aims {
	a := &aims{}
	var expected, all float64
	a.whole, expected = g.intervals(total)
	a.class = map[string][][2]uint64{}
	probes := len(a.whole)
	all = expected
	for id, t := range sample.classes {
		if t == nil || id == MaxClasses {
			continue
		}
		in, n := g.intervals(t)
		a.class[sample.list.name(id)] = in
		probes += len(in)
		all += n
	}
	a.budget = g.budget
	if len(a.class) > manyClasses {
		a.budget *= 2
	}
	if all > 0.8*float64(a.budget*g.workers) {
		a.class, probes = nil, len(a.whole)
	}
	a.probes = probes
	return a
}

// intervals gives those in which the wanted ranks of a group lie, unless the
// sample is off by more than four standard deviations; where the file is
// sorted it is off by up to a piece of the sample instead. It also says how
// many samples of the files lie in them.
func (g *guesser) intervals(t *tally) (intervals [][2]uint64, expected float64) {
	m := float64(t.n())
	n := m / g.share
	if m < 64 {
		return nil, 0
	}
	for _, r := range g.ranks(int(n)) {
		q := min(float64(r)/n, 1)
		margin := 4*math.Sqrt(m*q*(1-q)) + m/float64(g.pieces) + 2
		lo, from := t.near(max(q*m-margin, 1), -1)
		hi, to := uint64(math.MaxInt64+1), m
		if q*m+margin < m {
			hi, to = t.near(q*m+margin, 1)
		}
		intervals = append(intervals, [2]uint64{lo, hi})
		expected += (to - from) / g.share
	}
	return slices.Compact(intervals), expected
}
