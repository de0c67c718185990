package sizing

import (
	"math"
	"math/rand/v2"
	"testing"
	"testing/quick"
	"time"
)

func TestRoundUp(t *testing.T) {
	for _, c := range []struct {
		in   float64
		rate float64
		want float64
	}{
		{0, 0, 30}, {30, 0, 30}, {30.1, 0, 40}, {60, 0, 60}, {60.5, 0, 120}, {600, 0, 600}, {601, 0, 900},
		{3600, 0, 3600}, {3601, 0, 4500}, {43_000, 0, 43_200},
		// 3,200/s × 30 s = 96,000: not above it; 3,201/s is.
		{1, 3_200, 30}, {1, 3_201, 10}, {12, 3_201, 20},
	} {
		if got := RoundUp(seconds(c.in), c.rate); got != seconds(c.want) {
			t.Errorf("RoundUp(%v s, %v/s) = %v, want %v s", c.in, c.rate, got, c.want)
		}
	}
}

func TestMultiplier(t *testing.T) {
	for _, c := range []struct {
		b    Batch
		want int
	}{
		{Batch{}, 1},
		{Batch{Size: 10}, 10},
		{Batch{Size: 10, Parallel: true}, 1},
		{Batch{Size: 10, Parallel: true, Concurrency: 4}, 3},
		{Batch{Size: 1, Prefetch: 8, Concurrency: 2}, 4},
		{Batch{Size: 10, Concurrency: 10, OneGroup: true}, 10},
	} {
		if got := c.b.Multiplier(); got != c.want {
			t.Errorf("%+v: multiplier %d, want %d", c.b, got, c.want)
		}
	}
}

func TestLambdaTimeout(t *testing.T) {
	for _, c := range []struct{ function, window, want float64 }{
		{60, 0, 360},
		{60, 30, 390},
		{3, 1, 23}, // low traffic waits 20 s whatever the window: 3 + 20 is more than 6 × 3 + 1
		{900, 300, 5700},
		{5400, 300, 7200}, // 1.2 × 5,700 = 6,840
	} {
		if got := LambdaTimeout(seconds(c.function), seconds(c.window)); got != seconds(c.want) {
			t.Errorf("function %v s, window %v s: %v, want %v s", c.function, c.window, got, c.want)
		}
	}
}

// FACTS: openai python 3 × 600 + 2 × 120 = 2,040 s; boto legacy 5 × 60 + 15 =
// 315 s; LangChain JS 7 × 600 + 126 = 4,326 s; openai-go has no timeout.
func TestPresetCeilings(t *testing.T) {
	for name, want := range map[string]float64{
		"openai-python": 2040, "botocore-legacy": 315, "langchain-openai-js": 4326, "openai-node": 1920, "openai-node-v6": 1801.5,
	} {
		p, ok := PresetNamed(name)
		if !ok {
			t.Fatalf("no preset %s", name)
		}
		c, known := p.Ceiling()
		if !known || !c.IsBounded() || c.Bound != seconds(want) {
			t.Errorf("%s: ceiling %+v, want %v s", name, c, want)
		}
	}
	if p, _ := PresetNamed("openai-go"); p.RequestTimeout.Bound != 0 || !p.RequestTimeout.None {
		t.Error("openai-go has no request timeout")
	}
	if p, _ := PresetNamed("vercel-ai"); p.RequestTimeout.Unknown == "" {
		t.Error("vercel-ai leaves the timeout to the provider")
	}
	for _, p := range Presets {
		if len(p.Waits) != p.Attempts-1 {
			t.Errorf("%s: %d waits for %d attempts", p.Name, len(p.Waits), p.Attempts)
		}
		if p.Source == "" || p.Version == "" || p.Read == "" {
			t.Errorf("%s: no source, version or date", p.Name)
		}
	}
}

func TestPlanStrategies(t *testing.T) {
	unbounded, low, high := Ceiling{Unbounded: "none"}, Ceiling{Bound: 55 * time.Second}, Ceiling{Bound: 2040 * time.Second}
	for _, c := range []struct {
		name     string
		hold     Hold
		want     Strategy
		deadline float64
	}{
		{"short and bounded", Hold{MessageFloor: 45 * time.Second, Multiplier: 1, Basis: PerCall, Ceiling: &low}, Fixed, 55},
		{"ceiling above the timeout", Hold{MessageFloor: 141 * time.Second, Multiplier: 1, Basis: PerCall, Ceiling: &high}, WithHeartbeat, 180},
		{"unbounded", Hold{MessageFloor: 2 * time.Second, Multiplier: 1, Basis: PerCall, Ceiling: &unbounded}, WithHeartbeat, 30},
		{"whole steps measured", Hold{MessageFloor: 400 * time.Second, Multiplier: 1, Basis: PerStep}, WithHeartbeat, 900},
		{"long batch", Hold{MessageFloor: 141 * time.Second, StartWait: 1269 * time.Second, Multiplier: 10, Basis: PerCall}, Split, 180},
		{"past twelve hours", Hold{MessageFloor: 43_000 * time.Second, Multiplier: 1, Basis: PerCall}, Split, 42_895},
	} {
		p := PlanWorker(c.hold)
		if p.Strategy != c.want || p.StepDeadline != seconds(c.deadline) {
			t.Errorf("%s: %s, deadline %v; want %s, %v s", c.name, p.Strategy, p.StepDeadline, c.want, c.deadline)
		}
	}
}

func TestUpperBoundRank(t *testing.T) {
	if n := SamplesNeeded(99); n != 299 {
		t.Errorf("p99 needs %d samples, want 299", n)
	}
	if _, ok := UpperBoundRank(298, 99); ok {
		t.Error("298 samples bound p99")
	}
	if r, ok := UpperBoundRank(299, 99); !ok || r != 299 {
		t.Errorf("299 samples: rank %d, %v; want the largest", r, ok)
	}
	// Against the sum of the binomial probabilities, term by term.
	for _, n := range []int{300, 473, 1000, 5000} {
		for _, pct := range []float64{50, 90, 99} {
			want := naiveRank(n, pct/100)
			if r, ok := UpperBoundRank(n, pct); !ok || r != want {
				t.Errorf("n %d, p%v: rank %d, want %d", n, pct, r, want)
			}
		}
	}
	if r, ok := UpperBoundRank(20_000_000, 99); !ok || r < 19_800_000 || r > 19_801_500 {
		// Normal approximation: 19,800,000 + 1.645 × 445.
		t.Errorf("20 million samples: rank %d", r)
	}
}

func naiveRank(n int, p float64) int {
	lgN, _ := math.Lgamma(float64(n + 1))
	var cdf float64
	for k := 0; k <= n; k++ {
		a, _ := math.Lgamma(float64(k + 1))
		b, _ := math.Lgamma(float64(n - k + 1))
		cdf += math.Exp(lgN - a - b + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
		if cdf >= Confidence {
			return k + 1
		}
	}
	return n
}

func TestNearestRank(t *testing.T) {
	for _, c := range []struct {
		n    int
		p    float64
		want int
	}{{1, 99, 1}, {100, 99, 99}, {101, 99, 100}, {1000, 99.9, 999}, {10, 50, 5}, {299, 99, 297}, {10, 100, 10}, {10, 0, 1}} {
		if got := NearestRank(c.n, c.p); got != c.want {
			t.Errorf("NearestRank(%d, %v) = %d, want %d", c.n, c.p, got, c.want)
		}
	}
}

// A larger latency, more attempts or a larger batch never give a smaller timeout.
func TestMonotone(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		s := Stage{Latency: time.Duration(r.Int64N(int64(20_000 * time.Second))), Attempts: 1 + r.IntN(8)}
		b := Batch{Size: 1 + r.IntN(10), Concurrency: r.IntN(5)}
		timeout := func(s Stage, b Batch) time.Duration {
			mf := MessageFloor(PerCall, []Stage{s}, 0, 0)
			return VisibilityTimeout(Sum(StartWait(0, b.Multiplier(), mf), mf), 0)
		}
		base := timeout(s, b)
		longer, more, larger := s, s, b
		longer.Latency += time.Duration(r.Int64N(int64(time.Hour)))
		more.Attempts++
		larger.Size += r.IntN(10)
		for _, got := range []time.Duration{timeout(longer, b), timeout(more, b), timeout(s, larger)} {
			if got < base {
				t.Fatalf("%+v %+v: %v after %v", s, b, got, base)
			}
		}
		if base > MaxVisibilityTimeout || base < 30*time.Second {
			t.Fatalf("timeout %v out of range", base)
		}
	}
}

func TestSaturates(t *testing.T) {
	if err := quick.Check(func(d int64, n int) bool {
		p := Times(time.Duration(d), n)
		return p >= 0 && p <= Forever
	}, nil); err != nil {
		t.Error(err)
	}
	if Times(Forever, 1000) != Forever || Sum(Forever, Forever) != Forever || Scale(Forever, 6, 5) != Forever {
		t.Error("does not end at Forever")
	}
}

func TestFormat(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                         "0 s",
		136500 * time.Millisecond: "136.5 s",
		1800 * time.Second:        "1,800 s (30 min)",
		43_200 * time.Second:      "43,200 s (12 h)",
		345_600 * time.Second:     "345,600 s (4 d)",
		-5 * time.Second:          "-5 s",
	} {
		if got := Seconds(d); got != want {
			t.Errorf("Seconds(%d) = %q, want %q", d, got, want)
		}
	}
}
