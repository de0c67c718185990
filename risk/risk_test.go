package risk

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"vtsize/sizing"
)

// exponential is n samples of an exponential distribution, by its quantiles.
func exponential(n int, mean time.Duration) []Atom {
	out := make([]Atom, n)
	for i := range out {
		q := (float64(i) + 0.5) / float64(n)
		out[i] = Atom{time.Duration(-math.Log1p(-q) * float64(mean)), 1}
	}
	return out
}

func of(t *testing.T, m Model) *Risk {
	t.Helper()
	r, err := Of(m)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// near checks that a share is not understated, and overstated no more than by
// what a hold is.
func near(t *testing.T, name string, r *Risk, timeout time.Duration, exact func(time.Duration) float64) {
	t.Helper()
	got := r.At(timeout).Share
	least, most := exact(timeout), exact(timeout-time.Duration(r.Overstated()*float64(timeout)))
	if got < least*(1-1e-9)-1e-12 || got > most*(1+1e-9)+1e-12 {
		t.Errorf("%s, more than %v: %v, want %v to %v", name, timeout, got, least, most)
	}
}

// The sum of k exponential durations is Erlang distributed.
func TestSumOfExponentials(t *testing.T) {
	const mean = time.Second
	samples := exponential(20_000, mean)
	for _, k := range []int{2, 3, 5} {
		r := of(t, Model{Stages: []Stage{{Samples: samples, Attempts: k, Failing: 1}}})
		if r.Holds != 20_000/k {
			t.Errorf("%d calls: %d holds", k, r.Holds)
		}
		for _, at := range []float64{1, 3, 6, 9} {
			erlang := func(x float64) float64 {
				sum, term := 0.0, 1.0
				for i := range k {
					sum += term
					term *= x / float64(i+1)
				}
				return math.Exp(-x) * sum
			}
			got := r.At(time.Duration(at * float64(mean))).Share
			// The quantiles end at the last half sample, and so does the sum.
			if want := erlang(at); math.Abs(got-want) > 0.02*want+2e-4 {
				t.Errorf("%d calls, more than %v s: %v, want %v", k, at, got, want)
			}
		}
	}
}

func TestConstants(t *testing.T) {
	ten := []Atom{{10 * time.Second, 400}}
	waits := []time.Duration{2 * time.Second, 4 * time.Second}
	r := of(t, Model{Stages: []Stage{{Samples: ten, Attempts: 3, Waits: waits, Failing: 1}}, Each: time.Second, Before: 5 * time.Second})
	for at, want := range map[time.Duration]float64{41 * time.Second: 1, 42*time.Second - 1: 1, 42*time.Second + 100*time.Millisecond: 0} {
		if p := r.At(at); p.Share != want || p.Wasted != want || p.Last != want {
			t.Errorf("at %v: %+v, want %v", at, p, want)
		}
	}
	if p := r.At(4 * time.Second); p.Share != 1 {
		t.Errorf("before the work starts: %+v", p)
	}
	if got, ok := r.Smallest(0.05); !ok || got < 42*time.Second || got > 43*time.Second {
		t.Errorf("smallest %v %v", got, ok)
	}
	if r.Holds != 133 {
		t.Errorf("%d holds of 400 samples, three each", r.Holds)
	}
}

// A hold that is one sample and constants is counted, not rounded.
func TestOneSample(t *testing.T) {
	samples := []Atom{{time.Second, 3}, {9 * time.Second, 1}}
	r := of(t, Model{Stages: []Stage{{Samples: samples, Attempts: 1, Failing: 1}}, Each: time.Second, Before: 2 * time.Second})
	for at, want := range map[time.Duration]Point{
		4*time.Second - 1: {Share: 1, Last: 1, Wasted: 1},
		4 * time.Second:   {Share: 0.25, Last: 0.25, Wasted: 0.5}, // 12 s of 3 × 4 s + 12 s
		12 * time.Second:  {},
	} {
		want.Timeout, want.Bound = at, sizing.ShareBound(want.Share*4, 4)
		if got := r.At(at); got != want || r.Overstated() != 0 {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

// The stage with the fewest samples limits what they tell.
func TestHolds(t *testing.T) {
	many, few := []Atom{{time.Second, 9_000}}, []Atom{{time.Second, 900}}
	m := Model{Stages: []Stage{{Samples: many, Attempts: 3, Failing: 1}, {Samples: few, Attempts: 1, Failing: 1}, {Samples: many, Attempts: 1, Failing: 1}}, Rounds: 4}
	r := of(t, m)
	if r.Holds != 225 || r.Needed(0.01) != 12*299 {
		t.Errorf("%d holds, %d needed", r.Holds, r.Needed(0.01))
	}
}

// Attempts that fail with a probability are geometrically many.
func TestGeometricAttempts(t *testing.T) {
	r := of(t, Model{Stages: []Stage{{Samples: []Atom{{time.Second, 1000}}, Attempts: 5, Failing: 0.1}}})
	for k, want := range []float64{1, 0.1, 0.01, 0.001, 0.0001, 0} {
		if got := r.At(time.Duration(k)*time.Second + 100*time.Millisecond).Share; math.Abs(got-want) > 1e-12 {
			t.Errorf("more than %d attempts: %v, want %v", k, got, want)
		}
	}
	r = of(t, Model{Stages: []Stage{{Samples: []Atom{{time.Second, 1000}}, Attempts: 2, Waits: []time.Duration{3 * time.Second}, Failing: 0.5}}})
	if p := r.At(2 * time.Second); p.Share != 0.5 || math.Abs(p.Wasted-5.0/6) > 1e-3 {
		t.Errorf("1 s or 5 s: %+v", p)
	}
}

// The sum of two-valued steps is binomial; messages of a batch are at all its
// places.
func TestBatches(t *testing.T) {
	const k, p = 13, 0.25
	steps := []Atom{{time.Second, 3000}, {2 * time.Second, 1000}}
	binomial := func(n, more int) float64 { // more than so many of n are long
		sum := 0.0
		for i := more + 1; i <= n; i++ {
			c := 1.0
			for j := range i {
				c *= float64(n-j) / float64(j+1)
			}
			sum += c * math.Pow(p, float64(i)) * math.Pow(1-p, float64(n-i))
		}
		return sum
	}
	last := func(t time.Duration) float64 {
		if t < k*time.Second {
			return 1
		}
		return binomial(k, int(t/time.Second)-k)
	}
	each := func(t time.Duration) float64 {
		sum := 0.0
		for i := 1; i <= k; i++ {
			if more := int(t/time.Second) - i; more >= 0 {
				sum += binomial(i, more)
			} else {
				sum++
			}
		}
		return sum / k
	}
	stages := []Stage{{Samples: steps, Attempts: 1, Failing: 1}}
	apart, together := of(t, Model{Stages: stages, Rounds: k}), of(t, Model{Stages: stages, Rounds: k, Together: true})
	for _, s := range []int{5, 14, 16, 19, 22} {
		at := time.Duration(s)*time.Second + 500*time.Millisecond
		near(t, "a message", apart, at, each)
		near(t, "a batch", together, at, last)
		if a, b := apart.At(at).Last, together.At(at).Share; a != b {
			t.Errorf("the last message at %v: %v and %v", at, a, b)
		}
	}
}

// Whatever holds are made of, a simulation comes to the same.
func TestSimulation(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 2))
	for range 6 {
		var samples [2][]Atom
		for i := range samples {
			at := time.Duration(0)
			for range 30 {
				at += time.Duration(rnd.ExpFloat64() * float64(300*time.Millisecond))
				samples[i] = append(samples[i], Atom{at, 1 + rnd.IntN(40)})
			}
		}
		m := Model{
			Stages: []Stage{
				{Samples: samples[0], Attempts: 3, Waits: []time.Duration{200 * time.Millisecond, time.Second}, Failing: 0.3},
				{Samples: samples[1], Attempts: 1, Failing: 1},
			},
			Each: 150 * time.Millisecond, Before: 700 * time.Millisecond, Rounds: 1 + rnd.IntN(6), Together: rnd.IntN(3) == 0,
		}
		simulate(t, rnd, m)
	}
}

func simulate(t *testing.T, rnd *rand.Rand, m Model) {
	const runs = 100_000
	var holds []time.Duration
	for range runs {
		hold := m.Before
		first := len(holds)
		for range m.Rounds {
			hold += m.Each + draw(rnd, m.Stages[0]) + draw(rnd, m.Stages[1])
			holds = append(holds, hold)
		}
		for i := first; m.Together && i < len(holds); i++ {
			holds[i] = hold
		}
	}
	r := of(t, m)
	for _, at := range []time.Duration{4 * time.Second, 9 * time.Second, 20 * time.Second, 40 * time.Second} {
		got := r.At(at)
		count := func(t time.Duration) (share, wasted float64) {
			var late, all float64
			for _, h := range holds {
				all += float64(h)
				if h > t {
					share++
					late += float64(h)
				}
			}
			return share / float64(len(holds)), late / all
		}
		least, wastedLeast := count(at)
		most, wastedMost := count(at - time.Duration(r.Overstated()*float64(at)))
		noise := 5 * math.Sqrt(most/runs)
		if got.Share < least-noise || got.Share > most+noise {
			t.Errorf("%d rounds, more than %v: %v, want %v to %v", m.Rounds, at, got.Share, least, most)
		}
		if noise *= 10; got.Wasted < wastedLeast-noise || got.Wasted > wastedMost+noise+r.Overstated() {
			t.Errorf("%d rounds, wasted at %v: %v, want %v to %v", m.Rounds, at, got.Wasted, wastedLeast, wastedMost)
		}
	}
}

func draw(rnd *rand.Rand, s Stage) (d time.Duration) {
	for a := range s.Attempts {
		if a > 0 && len(s.Waits) > 0 {
			d += s.Waits[a-1]
		}
		n := 0
		for _, at := range s.Samples {
			n += at.N
		}
		i := rnd.IntN(n)
		for _, at := range s.Samples {
			if i -= at.N; i < 0 {
				d += at.At
				break
			}
		}
		if rnd.Float64() >= s.Failing {
			break
		}
	}
	return d
}

// The upper bound holds in 95 of 100 cases, for single samples and for sums
// of them alike.
func TestBoundHolds(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	for _, c := range []struct {
		attempts int
		at, want float64 // what the whole distribution has
	}{
		{1, 4, math.Exp(-4)},
		{2, 7, 8 * math.Exp(-7)},
		{3, 6, 25 * math.Exp(-6)},
	} {
		const runs, n = 200, 300
		held := 0
		for range runs {
			samples := make([]Atom, 0, n)
			at := 0.0
			for i := range n { // order statistics of exponential samples
				at += rnd.ExpFloat64() / float64(n-i)
				samples = append(samples, Atom{time.Duration(at * 1e9), 1})
			}
			r := of(t, Model{Stages: []Stage{{Samples: samples, Attempts: c.attempts, Failing: 1}}})
			if r.At(time.Duration(c.at*1e9)).Bound >= c.want {
				held++
			}
		}
		if held < runs*93/100 {
			t.Errorf("%d attempts: the bound held in %d of %d cases", c.attempts, held, runs)
		}
	}
}

func TestSmallest(t *testing.T) {
	samples := exponential(30_000, 5*time.Second)
	for _, m := range []Model{
		{Stages: []Stage{{Samples: samples, Attempts: 1, Failing: 1}}, Each: time.Second},
		{Stages: []Stage{{Samples: samples, Attempts: 3, Failing: 1}}},
		{Stages: []Stage{{Samples: samples, Attempts: 2, Failing: 0.05}}, Rounds: 4, Before: 3 * time.Second},
	} {
		r := of(t, m)
		for _, share := range []float64{0.3, 0.01, 0.001} {
			at, ok := r.Smallest(share)
			if !ok || at%time.Second != 0 {
				t.Fatalf("%v: %v %v", share, at, ok)
			}
			if got := r.At(at).Bound; got > share {
				t.Errorf("%v: at %v it is %v", share, at, got)
			}
			shorter := at - time.Second - time.Duration(r.Overstated()*float64(at))
			if got := r.At(shorter).Bound; got <= share {
				t.Errorf("%v: %v would do, not only %v", share, shorter, at)
			}
		}
		if _, ok := r.Smallest(1e-6); ok || r.Needed(1e-6) < 2_995_731 {
			t.Errorf("too few samples show one in a million; %d are needed", r.Needed(1e-6))
		}
	}
}

func TestRefused(t *testing.T) {
	few := []Atom{{time.Second, 9}}
	if _, err := Of(Model{Stages: []Stage{{Samples: few, Attempts: 1}}, Rounds: 10}); err == nil {
		t.Error("nine samples tell nothing of ten steps")
	}
	if _, err := Of(Model{Stages: []Stage{{Samples: []Atom{{time.Second, 5000}}, Attempts: 1}}, Rounds: 201}); err == nil {
		t.Error("201 rounded parts")
	}
	if _, err := Of(Model{}); err == nil {
		t.Error("no samples")
	}
	if r := of(t, Model{Stages: []Stage{{Samples: few, Attempts: 1, Failing: 1}}}); r.At(time.Second).Bound != sizing.ShareBound(0, 9) || r.Overstated() != 0 {
		t.Error("a single sample is rounded")
	}
}

func TestDeadLetter(t *testing.T) {
	for _, c := range []struct {
		share    float64
		receives int
		want     float64
	}{{0.1, 3, 0.001}, {0, 5, 0}, {1, 3, 1}, {0.25, 1, 0.25}} {
		if got := DeadLetter(c.share, c.receives); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
