package csvread

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// reference is what a file tells by the plainest way there is: its decimal
// texts as fractions, sorted.
type reference struct {
	ns      []uint64
	classes map[string][]uint64
	hours   map[int64][]uint64
}

// exactly gives a decimal text in a unit of so many nanoseconds, rounded up.
func exactly(t testing.TB, text string, unit int64) uint64 {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		t.Fatalf("%q is no number", text)
	}
	r.Mul(r, new(big.Rat).SetInt64(unit))
	q, m := new(big.Int).QuoRem(r.Num(), r.Denom(), new(big.Int))
	if m.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	return q.Uint64()
}

// shapes are kinds of numbers that files are full of, and some that are meant
// to be hard: each gives the text of a number in milliseconds.
var shapes = map[string]func(r *rand.Rand, i, n int) string{
	"log-normal": func(r *rand.Rand, _, _ int) string {
		return strconv.FormatFloat(math.Exp(5+r.NormFloat64()), 'f', 3, 64)
	},
	"one value":  func(*rand.Rand, int, int) string { return "83.035" },
	"two values": func(r *rand.Rand, _, _ int) string { return []string{"250", "250.0001"}[r.IntN(2)] },
	"wide":       func(r *rand.Rand, _, _ int) string { return strconv.FormatInt(r.Int64N(9e12), 10) },
	"one bin":    func(r *rand.Rand, _, _ int) string { return "1000." + fmt.Sprintf("%06d", r.IntN(1e6)) },
	"17 digits":  func(r *rand.Rand, _, _ int) string { return strconv.FormatFloat(100*r.ExpFloat64(), 'g', 17, 64) },
	"short decimals": func(r *rand.Rand, _, _ int) string {
		return strconv.FormatFloat(float64(r.IntN(1e6))/1000, 'g', -1, 64)
	},
	"exponents": func(r *rand.Rand, _, _ int) string { return strconv.FormatFloat(r.ExpFloat64(), 'e', 5, 64) },
	"below a nanosecond": func(r *rand.Rand, _, _ int) string {
		return "0.00000" + fmt.Sprintf("%09d", r.IntN(1e9))
	},
	"sorted":       func(_ *rand.Rand, i, _ int) string { return fmt.Sprintf("%d.%03d", i/1000+1, i%1000) },
	"zeros":        func(r *rand.Rand, _, _ int) string { return []string{"0", "0.0", "00000", "1"}[r.IntN(4)] },
	"many digits":  func(r *rand.Rand, _, _ int) string { return fmt.Sprintf("%d.%027d", r.IntN(1e6), r.Int64()) },
	"growing long": func(_ *rand.Rand, i, n int) string { return strconv.FormatFloat(float64(i)*1.25, 'f', i*9/n, 64) },
}

// quoting says what quotes are in a file.
type quoting int

const (
	inside quoting = iota // in cells that are not quoted
	none
	all
)

// makeFile writes n rows of a shape, and its reference.
func makeFile(t testing.TB, r *rand.Rand, shape func(*rand.Rand, int, int) string, n, classes int, quotes quoting) (text []byte, ref *reference) {
	ref = &reference{classes: map[string][]uint64{}, hours: map[int64][]uint64{}}
	var b bytes.Buffer
	b.WriteString("timestamp,class,note,duration_ms")
	b.WriteString(map[bool]string{true: "\r\n", false: "\n"}[quotes == all])
	at := 1_790_000_000.0
	for i := range n {
		at += r.ExpFloat64() * 60
		value := shape(r, i, n)
		class := "class " + strconv.Itoa(r.IntN(classes))
		switch {
		case quotes == all:
			fmt.Fprintf(&b, "\"%.3f\",\"%s\",\"a, \"\"b\"\"\n%d\",\"%s\"\r\n", at, class, i, value)
		case quotes == inside:
			fmt.Fprintf(&b, "%.3f,%s,5\"%d,%s\n", at, class, i, value)
		case i%700 == 699:
			fmt.Fprintf(&b, "# a comment\n\n%.3f,%s,%d,%s\r\n", at, class, i, value)
		default:
			fmt.Fprintf(&b, "%.3f,%s,%d,%s\n", at, class, i, value)
		}
		ns := exactly(t, value, 1e6)
		ref.ns = append(ref.ns, ns)
		ref.classes[class] = append(ref.classes[class], ns)
		hour := int64(at) / 3600
		ref.hours[hour] = append(ref.hours[hour], ns)
	}
	slices.Sort(ref.ns)
	for _, c := range ref.classes {
		slices.Sort(c)
	}
	for _, h := range ref.hours {
		slices.Sort(h)
	}
	return b.Bytes(), ref
}

// check compares samples with their reference.
func check(t *testing.T, name string, s *Samples, want []uint64, p float64, limit time.Duration) {
	t.Helper()
	if s.N != len(want) || uint64(s.Max) != want[len(want)-1] {
		t.Errorf("%s: n %d, max %d; want %d, %d", name, s.N, s.Max, len(want), want[len(want)-1])
		return
	}
	for _, p := range append([]float64{p}, standard...) {
		k := int(math.Ceil(float64(len(want))*p/100 - 1e-9))
		d, exact := s.At(p)
		if !exact || uint64(d) != want[max(k, 1)-1] {
			t.Errorf("%s: p%v is %d (exact: %v); want %d", name, p, d, exact, want[max(k, 1)-1])
		}
	}
	sum, above := new(big.Int), 0
	for _, ns := range want {
		sum.Add(sum, new(big.Int).SetUint64(ns))
		if time.Duration(ns) > limit {
			above++
		}
	}
	sum.Mul(sum, big.NewInt(2)).Add(sum, big.NewInt(int64(len(want))))
	if mean := sum.Div(sum, big.NewInt(2*int64(len(want)))); mean.Int64() != int64(s.Mean) {
		t.Errorf("%s: mean is %d; want %v", name, s.Mean, mean)
	}
	if n, exact := s.Above(limit); !exact || n != above {
		t.Errorf("%s: %d are above %v (exact: %v); want %d", name, n, limit, exact, above)
	}
	total := 0
	for _, b := range s.Bars() {
		total += b.N
	}
	if total != s.N {
		t.Errorf("%s: the histogram has %d samples; want %d", name, total, s.N)
	}
}

// Whatever the way, the numbers are those of the sorted decimal texts.
func TestExactly(t *testing.T) {
	dir := t.TempDir()
	seed := uint64(1)
	for shapeName, shape := range shapes {
		for _, way := range []struct {
			name             string
			workers, classes int
			quotes           quoting
			pipe             bool
			tuning           tuning
		}{
			{name: "at once", workers: 1, classes: 3},
			{name: "no quotes", workers: 1, classes: 3, quotes: none},
			{name: "no quotes, small chunks", workers: 3, classes: 30, quotes: none, tuning: tuning{chunk: 1000}},
			{name: "small chunks", workers: 3, classes: 3, quotes: all, tuning: tuning{chunk: 100}},
			{name: "guessed", workers: 2, classes: 2, quotes: none, tuning: tuning{chunk: 4096, sampleFrom: 1, sampleBlock: 1024}},
			{name: "guessed, no room", workers: 2, classes: 40, quotes: all, tuning: tuning{chunk: 4096, sampleFrom: 1, sampleBlock: 1024, budget: 1}},
			{name: "no room", workers: 8, classes: 5, tuning: tuning{chunk: 333, budget: 1}},
			{name: "pipe", workers: 2, classes: 3, pipe: true, tuning: tuning{chunk: 1000, spillKept: 1}},
			{name: "pipe, no room", workers: 2, classes: 3, quotes: all, pipe: true, tuning: tuning{chunk: 1000, budget: 1, spillKept: 60_000}},
		} {
			t.Run(shapeName+"/"+way.name, func(t *testing.T) {
				seed++
				r := rand.New(rand.NewPCG(seed, 7))
				text, ref := makeFile(t, r, shape, 2500+r.IntN(1000), way.classes, way.quotes)
				limit := time.Duration(ref.ns[r.IntN(len(ref.ns))])
				opt := Options{ClassColumn: "class", Unit: "ms", Percentile: 97.5, Workers: way.workers, Above: []time.Duration{limit}, tuning: way.tuning, TempDir: dir}
				path := filepath.Join(dir, "f.csv")
				if err := os.WriteFile(path, text, 0o600); err != nil {
					t.Fatal(err)
				}
				if way.pipe {
					opt.Stdin, path = bytes.NewReader(text), "-"
				}
				res := mustRead(t, opt, path)
				check(t, "whole", res.Whole, ref.ns, 97.5, limit)
				if len(res.Classes) != way.classes || res.Bad > 0 {
					t.Errorf("%d classes, %d bad rows %v", len(res.Classes), res.Bad, res.First)
				}
				for _, c := range res.Classes {
					check(t, c.Name, c.Samples, ref.classes[c.Name], 97.5, limit)
				}
				checkWorst(t, res.Worst, ref, 97.5)
			})
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.samples")); len(left) > 0 {
		t.Errorf("%v are left behind", left)
	}
}

func checkWorst(t *testing.T, got *Worst, ref *reference, p float64) {
	t.Helper()
	var worst uint64
	var at int64
	for hour, ns := range ref.hours {
		if len(ns) < 40 { // of 100/(100-97.5)
			continue
		}
		if d := ns[Rank(len(ns), p)-1]; d > worst || d == worst && hour < at {
			worst, at = d, hour
		}
	}
	if got == nil || uint64(got.Value) != worst || got.Start.Unix() != at*3600 || got.N != len(ref.hours[at]) {
		t.Errorf("worst is %+v; want %d from %v of %d", got, worst, time.Unix(at*3600, 0).UTC(), len(ref.hours[at]))
	}
}

// A chunk can end anywhere in a row.
func TestEveryChunkBorder(t *testing.T) {
	text := "duration_ms,note\r\n10,\"one\r\ntwo\"\r\n\"20\",five\"inch\r\n30,\"\"\r\n40,\"\"\"q\"\"\"\r\n,empty\r\n50,\"a\"b\",c\r\n60,x"
	for chunk := 1; chunk <= len(text)+1; chunk++ {
		for _, pipe := range []bool{false, true} {
			opt := Options{Workers: 2, tuning: tuning{chunk: chunk, spillKept: 1}}
			path := "-"
			if pipe {
				opt.Stdin = strings.NewReader(text)
			} else {
				path = filepath.Join(t.TempDir(), "f.csv")
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			res := mustRead(t, opt, path)
			p50, _ := res.Whole.At(50)
			if res.Whole.N != 6 || p50 != 30*time.Millisecond || res.Whole.Mean != 35*time.Millisecond {
				t.Errorf("chunk %d: n %d, p50 %v, mean %v, bad %v", chunk, res.Whole.N, p50, res.Whole.Mean, res.First)
			}
			if res.Bad != 1 || res.First[0].Line != 7 {
				t.Errorf("chunk %d: bad rows are %v; want line 7", chunk, res.First)
			}
		}
	}
}

func TestRank(t *testing.T) {
	for n := 1; n < 12_000; n++ {
		// 99.9 percent of n, rounded up, in whole numbers.
		if got, want := Rank(n, 99.9), (n*999+999)/1000; got != want {
			t.Fatalf("p99.9 of %d has rank %d; want %d", n, got, want)
		}
	}
	for _, c := range []struct {
		n    int
		p    float64
		want int
	}{{1, 50, 1}, {2, 50, 1}, {3, 50, 2}, {100, 99, 99}, {101, 99, 100}, {1000, 99.99, 1000}, {10000, 99.99, 9999}, {5, 0.001, 1}, {7, 100, 7}, {math.MaxInt, 50, math.MaxInt/2 + 1}} {
		if got := Rank(c.n, c.p); got != c.want {
			t.Errorf("p%v of %d has rank %d; want %d", c.p, c.n, got, c.want)
		}
	}
}

// A sum of nanoseconds can be more than 64 bits hold.
func TestMeanOfLongTimes(t *testing.T) {
	text := "duration_ms\n" + strings.Repeat("9000000000000\n", 4000)
	res := mustRead(t, Options{Stdin: strings.NewReader(text)}, "-")
	if res.Whole.Mean != 9e18 {
		t.Errorf("mean is %d", res.Whole.Mean)
	}
}

func TestTooManyClasses(t *testing.T) {
	var b strings.Builder
	b.WriteString("id,duration_ms\n")
	for i := range 3000 {
		fmt.Fprintf(&b, "call-number-%d,%d\n", i, i+1)
	}
	path := filepath.Join(t.TempDir(), "f.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	res := mustRead(t, Options{ClassColumn: "id", tuning: tuning{sampleFrom: 1, sampleBlock: 512}}, path)
	if res.looks != 1 {
		t.Errorf("%d looks", res.looks)
	}
	res = mustRead(t, Options{Stdin: strings.NewReader(b.String()), ClassColumn: "id"}, "-")
	if p50, _ := res.Whole.At(50); res.Classes != nil || res.Whole.N != 3000 || p50 != 1500*time.Millisecond {
		t.Errorf("%d classes, n %d, p50 %v", len(res.Classes), res.Whole.N, p50)
	}
	if notes := strings.Join(res.Notes, "\n"); !strings.Contains(notes, "more than 1000 values") {
		t.Errorf("notes are %q", notes)
	}
}

// What stands within quotes may look like rows for longer than anyone looks.
func TestRowsWithinQuotes(t *testing.T) {
	var b strings.Builder
	b.WriteString("id,duration_ms,note\n")
	for i := range 300 {
		fmt.Fprintf(&b, "%d,%d,\"%s\"\n", i, i+1, strings.Repeat("5,5,\"\"x\"\"\n9,9,z\n", i%40))
	}
	path := filepath.Join(t.TempDir(), "f.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, chunk := range []int{64, 200, 1000, 5000} {
		for _, workers := range []int{1, 2, 5} {
			res := mustRead(t, Options{Workers: workers, tuning: tuning{chunk: chunk}}, path)
			if p50, _ := res.Whole.At(50); res.Whole.N != 300 || res.Bad != 0 || p50 != 150*time.Millisecond {
				t.Errorf("chunk %d: n %d, bad %d %v, p50 %v", chunk, res.Whole.N, res.Bad, res.First, p50)
			}
		}
	}
}

// A good guess saves the second look, whatever the order of the rows.
func TestOneLook(t *testing.T) {
	for _, shape := range []string{"log-normal", "sorted", "one value", "two values"} {
		text, _ := makeFile(t, rand.New(rand.NewPCG(3, 9)), shapes[shape], 60_000, 1, none)
		path := filepath.Join(t.TempDir(), "f.csv")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		res := mustRead(t, Options{Worst: NoWindows, tuning: tuning{sampleFrom: 1, sampleBlock: 512}}, path)
		if res.looks != 1 {
			t.Errorf("%s: %d looks", shape, res.looks)
		}
	}
}

// Classes that the sample did not see, and of which there is no room for all
// samples, take one more look and little memory.
func TestClassesThatTheSampleMissed(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(5, 9))
	seen, _ := makeFile(t, r, shapes["log-normal"], 20_000, 1, none)
	first := filepath.Join(dir, "seen.csv")
	if err := os.WriteFile(first, seen, 0o600); err != nil {
		t.Fatal(err)
	}
	missed, ref := makeFile(t, r, shapes["log-normal"], 20_000, 30, none)
	missed = bytes.ReplaceAll(missed, []byte(",class "), []byte(",other "))
	res := mustRead(t, Options{Worst: NoWindows, ClassColumn: "class", Percentile: 97.5, Workers: 2, Above: []time.Duration{time.Second},
		Stdin: bytes.NewReader(missed), tuning: tuning{sampleFrom: 1, sampleBlock: 512, budget: 16_384}}, first, "-")
	if res.looks > 2 {
		t.Errorf("%d looks", res.looks)
	}
	for _, c := range res.Classes[1:] {
		check(t, c.Name, c.Samples, ref.classes["class "+strings.TrimPrefix(c.Name, "other ")], 97.5, time.Second)
	}
	// What a probe of such a class takes when there is no room.
	p := newProbe(everything(0)[0], &room{pool: newPool(smallBudget, 12), counted: true})
	p.divide()
	if len(p.cells) > 1 {
		t.Errorf("it has %d cells", len(p.cells))
	}
}

// With many classes, a larger sample keeps what is collected within bounds. If
// that does not do, classes take a second look, and are as exact.
func TestOneLookAtManyClasses(t *testing.T) {
	const classes = 40
	text, ref := makeFile(t, rand.New(rand.NewPCG(4, 9)), shapes["log-normal"], 80_000, classes, none)
	path := filepath.Join(t.TempDir(), "f.csv")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		budget int
		once   bool
	}{{200_000, true}, {120_000, true}, {2_000, false}} {
		res := mustRead(t, Options{Worst: NoWindows, ClassColumn: "class", Above: []time.Duration{time.Second}, Percentile: 97.5, Workers: 2, tuning: tuning{sampleFrom: 1, sampleBlock: 512, budget: c.budget}}, path)
		if (res.looks == 1) != c.once {
			t.Errorf("with room for %d samples: %d looks", c.budget, res.looks)
		}
		check(t, "whole", res.Whole, ref.ns, 97.5, time.Second)
		if len(res.Classes) != classes {
			t.Errorf("%d classes", len(res.Classes))
		}
		for _, c := range res.Classes {
			check(t, c.Name, c.Samples, ref.classes[c.Name], 97.5, time.Second)
		}
	}
}
