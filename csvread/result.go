package csvread

import (
	"fmt"
	"io"
	"time"

	"vtsize/facts"
)

// Options say what is read, and what is wanted of it.
type Options struct {
	Files       []string // "-" is standard input; .gz and .zst are told by their content
	Stdin       io.Reader
	Format      string          // one of Formats(); "": told by the file
	Column      string          // of the latencies, by name or by number from 1; "": told by the file
	Unit        string          // ns, us, ms, s, m, h; "": told by the file
	ClassColumn string          // of the kinds of work; "": all is one
	Where       []string        // COLUMN=VALUE: only these rows
	Percentile  float64         // as 99; 0 is 99
	Worst       Window          // "" is Hour
	Strict      bool            // a bad row is an error
	Workers     int             // 0: one for each processor, up to 8
	TempDir     string          // for samples of a pipe; "": the system's
	Above       []time.Duration // how many samples are above these is counted exactly

	// Ranks gives further ranks that are wanted exactly of n samples, as that
	// of an upper confidence bound. It may be nil, and is called for the whole
	// and for each class.
	Ranks func(n int) []int

	tuning tuning
}

// tuning are sizes that tests make small, so that small files take every way.
// A zero is the default.
type tuning struct {
	chunk       int   // bytes of a chunk
	sampleFrom  int64 // bytes of a file of which a sample is taken
	sampleBlock int   // bytes of a piece of a sample
	budget      int   // samples that are collected at once; 0: by the number of classes
	spillKept   int   // bytes of spilled samples that stay in memory
	noStrips    bool  // rows are read one by one
}

func (t *tuning) complete() {
	setDefault(&t.chunk, chunkSize)
	setDefault(&t.sampleFrom, sampleFrom)
	setDefault(&t.sampleBlock, sampleBlock)
	setDefault(&t.spillKept, spillKept)
}

func setDefault[T int | int64](v *T, to T) {
	if *v == 0 {
		*v = to
	}
}

// Result is what files of latencies tell.
type Result struct {
	Files      []File
	Percentile float64

	// Samples of single calls or steps. Whole is nil where the files hold
	// only percentiles.
	Whole   *Samples
	Classes []Class // by name; nil without a class column
	Worst   *Worst  // nil without timestamps
	CutOff  *CutOff // nil where none is seen

	// Curve is what a file of percentiles holds, and ClassCurves its rows of
	// single kinds of work. No confidence and no risk can be told from them.
	Curve       *Curve
	ClassCurves []ClassCurve

	Bad    int      // rows that are no samples
	First  []BadRow // the first of them, at most five
	Notes  []string // what was left out or taken for granted, one a line
	Doubts []string // what may be wrong with the numbers

	looks int // how often the files were read, besides the sample
}

// File says how one file was read.
type File struct {
	Name    string
	Format  string
	Basis   facts.Basis // by the format; "" where only the owner knows
	Column  string
	Unit    string
	Samples int
	Bad     int
}

// BadRow is a row that is no sample.
type BadRow struct {
	File string
	Line int // from 1
	Text string
	Why  string
}

// String gives file:line: why, and the row.
func (b BadRow) String() string {
	return fmt.Sprintf("%s:%d: %s: %q", b.File, b.Line, b.Why, b.Text)
}

// Class is one kind of work.
type Class struct {
	Name    string
	Samples *Samples
}

// Worst is the hour or day with the highest percentile.
type Worst struct {
	Window Window
	Start  time.Time // UTC
	N      int       // samples in it
	Value  time.Duration
	Of     int // windows that were compared
	Left   int // windows with too few samples for the percentile
}

// CutOff is a value at which calls pile up, as they do where a client gives up
// on them: their own time would have been longer.
type CutOff struct {
	At     time.Duration // the timeout that they seem to have hit
	N      int           // samples at it
	Beyond int           // samples above it
}

// Samples are the order statistics of a group of samples.
type Samples struct {
	N    int
	Mean time.Duration // rounded to the nanosecond
	Max  time.Duration

	known map[int]time.Duration
	above map[time.Duration]int
	bins  *tally
	group group
}

// Rank gives the k-th smallest sample, from 1. It is exact for the ranks of
// p50, p90, p95, p99, p99.9 and the wanted percentile, for the maximum and for
// what Options.Ranks asked for. Any other is given as the upper end of its
// bin, at most 1/128 too high, and exact is false.
func (s *Samples) Rank(k int) (d time.Duration, exact bool) {
	if k < 1 || k > s.N {
		return 0, false
	}
	if k == s.N {
		return s.Max, true
	}
	if d, exact = s.known[k]; exact {
		return d, true
	}
	b, _ := s.bins.find(uint64(k))
	return min(time.Duration(binStart(b+1)-1), s.Max), false
}

// At gives the nearest-rank percentile p, as 99.9.
func (s *Samples) At(p float64) (d time.Duration, exact bool) { return s.Rank(Rank(s.N, p)) }

// Above counts the samples longer than t. It is exact for what Options.Above
// named; else it counts all of the bin that t is in, which is at most too many.
func (s *Samples) Above(t time.Duration) (n int, exact bool) {
	if n, exact = s.above[t]; exact {
		return n, true
	}
	if t >= s.Max {
		return 0, true
	}
	return s.N - int(s.bins.below(bin(uint64(max(t, 0))))), false
}

// Bar is a bin of a histogram.
type Bar struct {
	From, To time.Duration // To itself is outside
	N        int
}

// Bars gives the bins that have samples in them, in order. A bin is at most
// 1/128 of its value wide.
func (s *Samples) Bars() (bars []Bar) {
	for i, n := range s.bins.bins {
		if b := s.bins.first + uint(i); n > 0 {
			bars = append(bars, Bar{time.Duration(binStart(b)), time.Duration(min(binStart(b+1), longest)), int(n)})
		}
	}
	return bars
}
