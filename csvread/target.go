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

// settle takes over what a probe tells.
func (t *target) settle(p *probe, below uint64) {
	if t.rank <= below {
		return
	}
	switch f := p.rank(t.rank - below); f.state {
	case settled:
		t.ns, t.done = f.ns, true
	case narrowed:
		t.lo, t.hi, t.below = f.lo, f.hi, below+f.below
	}
}

// budget is how many samples, of eight bytes, the probes of a worker collect.
const budget = 1 << 19

// limitFor shares the budget among so many probes.
func limitFor(probes, budget int) int {
	return min(max(2*budget/max(probes, 1), 8), 1<<16)
}

// guess makes aims from the tallies of a sample: the intervals in which the
// wanted ranks lie unless the sample is off by four standard deviations.
func guess(sample *counter, total *tally, share float64, ranks func(n int) []int, budget int) (a aims) {
	a.whole = guessGroup(total, share, ranks)
	a.class = map[string][][2]uint64{}
	probes := len(a.whole)
	for id, t := range sample.classes {
		if t == nil || id == MaxClasses {
			continue
		}
		in := guessGroup(t, share, ranks)
		a.class[sample.list.name(id)] = in
		probes += len(in)
	}
	a.limit = limitFor(probes, budget)
	return a
}

func guessGroup(t *tally, share float64, ranks func(n int) []int) (intervals [][2]uint64) {
	m := float64(t.n())
	n := m / share
	if m < 64 {
		return nil
	}
	for _, r := range ranks(int(n)) {
		q := min(float64(r)/n, 1)
		margin := 4*math.Sqrt(m*q*(1-q)) + 2
		in := [2]uint64{t.near(q*m - margin), math.MaxInt64 + 1}
		if q*m+margin < m {
			in[1] = t.near(q*m+margin) + 1
		}
		intervals = append(intervals, in)
	}
	slices.SortFunc(intervals, func(a, b [2]uint64) int { return int(int64(a[0]) - int64(b[0])) })
	return slices.Compact(intervals)
}
