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
		if f.hi-f.lo < t.hi-t.lo { // the bins may tell more already
			t.lo, t.hi, t.below = f.lo, f.hi, below+f.below
		}
	}
	return f.state != missed
}

// Budgets are how many samples, of eight bytes, are collected at once: fewer
// where few classes need few of them.
const (
	smallBudget = 2 << 20
	manyClasses = 64
	bigBudget   = 5 << 20
)

// budget tells how many samples may be collected at once.
func (e *engine) budget(classes int) int {
	switch {
	case e.opt.tuning.budget > 0:
		return e.opt.tuning.budget
	case classes > manyClasses:
		return bigBudget
	}
	return smallBudget
}

// guesser tells from the tallies of a sample where the wanted ranks lie.
type guesser struct {
	share  float64 // of the files that is in the sample
	pieces int     // that the sample is made of
	sigmas float64 // that the sample may be off by
	ranks  func(n int) []int
}

// aims makes aims for the whole and for each class, and tells how many
// intervals they are, and how many samples will be collected.
func (g *guesser) aims(list *classList, sample []*tally) (a *aims, probes, expected int) {
	groups := 1 + len(sample)
	a = &aims{}
	// So that of all ranks together hardly one is missed: a normal distribution
	// has less than exp(-z²/2) beyond z standard deviations.
	g.sigmas = math.Sqrt(2 * math.Log(100*float64(groups*len(g.ranks(1_000_000)))))
	a.whole = g.intervals(totalOf(sample))
	all := slices.Clone(a.whole)
	if !list.over {
		a.class = map[string][]aim{}
		for id, t := range sample {
			in := g.intervals(t)
			a.class[list.name(id)] = in
			all = append(all, in...)
		}
	}
	for _, in := range all {
		expected += in.expected
	}
	return a, len(all), expected
}

// few is how many samples of a group are too few to tell anything of their
// order. All samples of such a group are collected: that cannot be many.
const few = 64

// everything is the aim for a group of which little is known.
func everything(expected int) []aim { return []aim{{0, math.MaxInt64 + 1, expected}} }

// intervals gives those in which the wanted ranks of a group lie, unless the
// sample is off by more than so many standard deviations; where the file is
// sorted it is off by up to a piece of the sample instead.
func (g *guesser) intervals(t *tally) (intervals []aim) {
	m := float64(t.n())
	n := m / g.share
	if m < few {
		return everything(int(n))
	}
	for _, r := range g.ranks(int(n)) {
		q := min(float64(r)/n, 1)
		margin := g.sigmas*math.Sqrt(m*q*(1-q)) + m/float64(g.pieces) + 2
		lo, from := t.near(max(q*m-margin, 1), -1)
		hi, to := uint64(math.MaxInt64+1), m
		if q*m+margin < m {
			hi, to = t.near(q*m+margin, 1)
		}
		intervals = append(intervals, aim{lo, hi, int((to - from) / g.share)})
	}
	return slices.Compact(intervals)
}
