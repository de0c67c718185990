// Package plot draws distributions of latencies: in a terminal, as SVG and as
// PNG. It only draws what it is given.
package plot

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Histogram is what is drawn: how many samples lie where, on a logarithmic
// scale of time, and marks at durations that matter.
type Histogram struct {
	Title string // "steps.csv, duration_ms: 20,000,000 samples"
	Bars  []Bar  // rising, not overlapping
	Marks []Mark
}

// Bar is a stretch of time and how many samples lie in it.
type Bar struct {
	From, To time.Duration // To itself is outside
	N        int
}

// Mark is a duration that matters.
type Mark struct {
	At    time.Duration
	Label string // "p99", "timeout now"
	Style Style
}

// Style says what a mark is.
type Style uint8

// The styles of marks. Samples beyond a Present one are drawn as late.
const (
	Neutral     Style = iota // a percentile
	Present                  // the timeout that is in force
	Recommended              // the timeout that should be
)

// total counts the samples.
func (h *Histogram) total() (n int) {
	for _, b := range h.Bars {
		n += b.N
	}
	return n
}

// longer counts the samples whose bar begins at or after a duration.
func (h *Histogram) longer(than time.Duration) (n int) {
	for _, b := range h.Bars {
		if b.From >= than {
			n += b.N
		}
	}
	return n
}

// present gives the shortest timeout that is in force.
func (h *Histogram) present() (at time.Duration, ok bool) {
	for _, m := range h.Marks {
		if m.Style == Present && (!ok || m.At < at) {
			at, ok = m.At, true
		}
	}
	return at, ok
}

// span gives the range of time to draw: that of samples and marks with some
// room around, and no narrower than a factor of four.
func (h *Histogram) span() (lo, hi float64) {
	lo, hi = math.Inf(1), 0
	see := func(from, to time.Duration) {
		lo, hi = min(lo, max(float64(from), 1)), max(hi, float64(to), 2)
	}
	for _, b := range h.Bars {
		if b.N > 0 {
			see(b.From, b.To)
		}
	}
	for _, m := range h.Marks {
		if m.At > 0 {
			see(m.At, m.At)
		}
	}
	if hi == 0 {
		lo, hi = 1e6, 1e9 // nothing to draw: from a millisecond to a second
	}
	lo, hi = lo/1.08, hi*1.08
	if hi < 4*lo {
		middle := math.Sqrt(lo * hi)
		lo, hi = middle/2, middle*2
	}
	return lo, hi
}

// columns sorts the samples into n columns of equal width on the scale. Those
// of a bar that covers several columns are shared among them.
func (h *Histogram) columns(lo, hi float64, n int) []float64 {
	counts := make([]float64, n)
	per := float64(n) / math.Log(hi/lo)
	place := func(d time.Duration) float64 {
		return min(max(math.Log(max(float64(d), 1)/lo)*per, 0), float64(n))
	}
	for _, b := range h.Bars {
		from, to := place(b.From), place(b.To)
		if to-from < 1e-9 {
			counts[min(int(from), n-1)] += float64(b.N)
			continue
		}
		for c := int(from); c < n && float64(c) < to; c++ {
			part := min(to, float64(c+1)) - max(from, float64(c))
			counts[c] += float64(b.N) * part / (to - from)
		}
	}
	return counts
}

// ticks gives round durations within a range, most of them 1, 2 and 5 times a
// power of ten, or whole minutes and hours; no more than most.
func ticks(lo, hi float64, most int) (all []time.Duration) {
	for _, ladder := range [][]float64{{1, 2, 5}, {1, 3}, {1}} {
		all = all[:0]
		for p := 1.0; p < 6e10; p *= 10 {
			for _, f := range ladder {
				if d := f * p; d >= lo && d <= hi && d < 6e10 {
					all = append(all, time.Duration(d))
				}
			}
		}
		for _, d := range longTicks[len(ladder)] {
			if float64(d) >= lo && float64(d) <= hi {
				all = append(all, d)
			}
		}
		if len(all) <= most {
			return all
		}
	}
	return all
}

// longTicks are the ticks above a minute, by how dense the ladder is.
var longTicks = map[int][]time.Duration{
	3: {time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 20 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour},
	2: {time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 3 * time.Hour, 12 * time.Hour},
	1: {time.Minute, 10 * time.Minute, time.Hour, 12 * time.Hour},
}

// Duration writes a duration as people do, with three digits that matter at
// most: "83 ms", "1.25 s", "2 min 21 s", "1 h 30 min".
func Duration(d time.Duration) string {
	switch {
	case d < time.Microsecond:
		return strconv.FormatInt(int64(d), 10) + " ns"
	case d < time.Millisecond:
		return digits3(float64(d)/1e3) + " µs"
	case d < time.Second:
		return digits3(float64(d)/1e6) + " ms"
	case d < time.Minute:
		return digits3(float64(d)/1e9) + " s"
	case d < time.Hour:
		d = d.Round(time.Second)
		return two(int64(d/time.Minute), "min", int64(d%time.Minute/time.Second), "s")
	}
	d = d.Round(time.Minute)
	return two(int64(d/time.Hour), "h", int64(d%time.Hour/time.Minute), "min")
}

func two(a int64, unit string, b int64, sub string) string {
	s := strconv.FormatInt(a, 10) + " " + unit
	if b > 0 {
		s += " " + strconv.FormatInt(b, 10) + " " + sub
	}
	return s
}

// digits3 writes a number from 1 to 1000 with three digits that matter.
func digits3(f float64) string {
	decimals := 2
	if f >= 99.95 {
		decimals = 0
	} else if f >= 9.995 {
		decimals = 1
	}
	s := strconv.FormatFloat(f, 'f', decimals, 64)
	if decimals > 0 {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// count writes a number with its thousands set apart.
func count(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// share writes what part of all samples n is.
func share(n, of int) string {
	if n == 0 || of == 0 {
		return "0 %"
	}
	p := 100 * float64(n) / float64(of)
	switch {
	case p < 0.001:
		return "< 0.001 %"
	case p > 99 && n < of:
		return "> 99 %"
	case p >= 10:
		return strconv.FormatFloat(p, 'f', 0, 64) + " %"
	}
	return strconv.FormatFloat(p, 'g', 2, 64) + " %"
}
