package risk

import (
	"math"
	"slices"
	"sort"
	"time"

	"vtsize/sizing"
)

// gridSize is how many steps of equal width lie between 0 and a timeout.
const gridSize = 4096

// grid is a measure of durations up to a limit: p[i] is that of i steps. All
// that is longer is kept as one number.
type grid struct {
	p    []float64
	over float64
}

// constant is the measure of one certain duration.
func constant(steps int) grid {
	g := grid{p: make([]float64, gridSize)}
	g.put(steps, 1)
	return g
}

func (g *grid) put(steps int, p float64) {
	if steps < 0 || steps >= len(g.p) {
		g.over += p
		return
	}
	g.p[steps] += p
}

// total is the measure of all durations.
func (g grid) total() float64 {
	sum := g.over
	for _, p := range g.p {
		sum += p
	}
	return sum
}

// plus is the measure of sums of independent durations; it is fastest where
// g holds few of them. What is beyond the limit is added up from its small
// parts, and not taken as what is left of 1, which would lose its digits.
func (g grid) plus(h grid) grid {
	n := len(g.p)
	out := grid{p: make([]float64, n), over: g.over * h.total()}
	tail := make([]float64, n+1) // of h from a step on, with what is beyond
	tail[n] = h.over
	for i := n - 1; i >= 0; i-- {
		tail[i] = tail[i+1] + h.p[i]
	}
	for i, x := range g.p {
		if x == 0 {
			continue
		}
		to := out.p[i:]
		for j, y := range h.p[:n-i] {
			to[j] += x * y
		}
		out.over += x * tail[n-i]
	}
	return out
}

// and adds measures up.
func (g grid) and(h grid, weight float64) grid {
	out := grid{p: make([]float64, len(g.p)), over: g.over + weight*h.over}
	for i, p := range g.p {
		out.p[i] = p + weight*h.p[i]
	}
	return out
}

// steps rounds a duration up to steps of a width.
func steps(d, width time.Duration) int {
	n := (d + width - 1) / width
	return int(min(n, math.MaxInt32))
}

// sum is how long messages are held, on a grid that ends at a timeout.
type sum struct {
	before   time.Duration
	width    time.Duration // of a step
	last     grid          // the last message of a batch
	all      grid          // all messages of a batch put together
	messages float64       // that are in it
	mean     float64       // hold of a message in steps, from the start of the work on
}

// add adds up the parts of holds, on a grid that ends at the timeout.
func (r *Risk) add(timeout time.Duration) *sum {
	m := &r.model
	limit := max(timeout-m.Before, 1)
	out := &sum{before: m.Before, width: (limit + gridSize - 2) / (gridSize - 1)}
	step, mean := stepOf(m, out.width)
	last, all := step, step
	for bit := highest(m.Rounds) >> 1; bit > 0; bit >>= 1 {
		// From the sum of n steps, and from the sums of 1 to n of them put
		// together, to those of twice as many, and of one more.
		all = all.and(last.plus(all), 1)
		last = last.plus(last)
		if m.Rounds&bit != 0 {
			last = step.plus(last)
			all = all.and(last, 1)
		}
	}
	out.last, out.all, out.messages, out.mean = last, all, float64(m.Rounds), mean*float64(m.Rounds+1)/2
	if m.Together {
		out.all, out.messages, out.mean = last, 1, mean*float64(m.Rounds)
	}
	return out
}

// point reads the risk at a timeout.
func (s *sum) point(timeout time.Duration) Point {
	if timeout < s.before {
		return Point{Share: 1, Last: 1, Wasted: 1}
	}
	first := int((timeout-s.before)/s.width) + 1 // the first step beyond
	out := Point{Share: clip(s.all.beyond(first) / s.messages), Last: clip(s.last.beyond(first))}
	if out.Share == 0 {
		return out
	}
	within, inTime := 0.0, 0.0
	for i, p := range s.all.p[:first] {
		within += p
		inTime += p * float64(i)
	}
	before := float64(s.before)
	inTime = (before*within + inTime*float64(s.width)) / s.messages
	out.Wasted = clip(1 - inTime/(before+s.mean*float64(s.width)))
	return out
}

// clip undoes what rounding added.
func clip(p float64) float64 { return min(1, max(0, p)) }

// least is the smallest timeout on the grid under which the bound of the share
// of messages that are held for longer is small enough.
func (s *sum) least(most float64, bound func(float64) float64) (time.Duration, bool) {
	beyond := make([]float64, len(s.all.p)+1) // the step and all further ones
	beyond[len(s.all.p)] = s.all.over
	for i, p := range slices.Backward(s.all.p) {
		beyond[i] = beyond[i+1] + p
	}
	i := sort.Search(len(s.all.p), func(i int) bool { return bound(clip(beyond[i+1]/s.messages)) <= most })
	return s.before + time.Duration(i)*s.width, i < len(s.all.p)
}

// beyond is the measure from a step on.
func (g grid) beyond(from int) float64 {
	sum := g.over
	for i := len(g.p) - 1; i >= from; i-- {
		sum += g.p[i]
	}
	return sum
}

// stepOf is the measure of the work for one message, and its mean in steps of
// the grid, wherever the grid ends.
func stepOf(m *Model, width time.Duration) (grid, float64) {
	each := steps(m.Each, width)
	out, mean := constant(each), float64(each)
	for _, s := range m.Stages {
		call, callMean := callOf(s.Samples, width)
		stage := grid{p: make([]float64, gridSize)}
		calls, used := constant(0), 1.0
		for a := 1; a <= s.Attempts; a++ {
			calls = call.plus(calls)
			ends := used
			if a < s.Attempts {
				ends = used * (1 - s.Failing)
			}
			used -= ends
			if ends == 0 {
				continue
			}
			waits := steps(sizing.Sum(s.Waits[:min(a-1, len(s.Waits))]...), width)
			stage = stage.and(constant(waits).plus(calls), ends)
			mean += ends * (float64(a)*callMean + float64(waits))
		}
		out = out.plus(stage)
	}
	return out, mean
}

// callOf is the measure of one call, and its mean in steps.
func callOf(samples []Atom, width time.Duration) (grid, float64) {
	g := grid{p: make([]float64, gridSize)}
	n, sum := 0, 0.0
	for _, a := range samples {
		n += a.N
	}
	for _, a := range samples {
		k := steps(a.At, width)
		share := float64(a.N) / float64(n)
		g.put(k, share)
		sum += share * float64(k)
	}
	return g, sum
}

// highest is the highest bit that is set.
func highest(n int) int {
	bit := 1
	for bit<<1 <= n {
		bit <<= 1
	}
	return bit
}
