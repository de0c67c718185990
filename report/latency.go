package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"vtsize/assess"
	"vtsize/csvread"
	"vtsize/facts"
	"vtsize/plot"
	"vtsize/risk"
	"vtsize/sizing"
)

// Latencies is what files of latencies told, and what came of it.
type Latencies struct {
	*csvread.Result
	UpperBound bool // sized by the upper bound of the percentile
	Classes    []ClassSizing
	Marks      []plot.Mark // timeouts to show among the samples
	Risks      []Risk      // of each consumer that they are of
}

// ClassSizing is what a kind of work would need on a queue of its own.
type ClassSizing struct {
	Name   string
	Sizing *assess.Sizing
}

// Risk is how likely messages of one consumer outlast its timeout.
type Risk struct {
	Queue    *facts.Queue
	Consumer *facts.Consumer
	Why      string // why nothing is told; the rest is empty then

	Samples    int           // of single latencies
	Holds      int           // independent holds that the samples make
	Overstated float64       // by how much of its length a hold may be, by rounding
	Assumes    []string      // what is taken for granted
	CutAt      time.Duration // the longest hold that a function timeout allows; 0: none

	Present     *risk.Point // nil: no timeout was given
	Recommended *risk.Point // without a heartbeat; nil: the same, or not known
	Unaided     bool        // a heartbeat is advised instead of that
	Rate        *float64    // messages per second
	Receives    *int        // maxReceiveCount
	Limit       *RiskLimit  // nil: not asked for
}

// RiskLimit is the timeout that keeps second deliveries to a share.
type RiskLimit struct {
	Share   float64
	Timeout time.Duration
	Shown   bool // else the samples are too few, and Needed are needed
	Needed  int
}

// Percentiles are the ones that are always told.
var Percentiles = []float64{50, 90, 95, 99, 99.9}

// UpperBound is the 95 % upper confidence bound of a percentile; none where
// there are too few samples, or the reader was not asked for it.
func UpperBound(s *csvread.Samples, percentile float64) (time.Duration, bool) {
	rank, ok := sizing.UpperBoundRank(s.N, percentile)
	if !ok {
		return 0, false
	}
	return s.Rank(rank)
}

// Histogram is the picture of the samples. There are none where the files hold
// only percentiles.
func (l *Latencies) Histogram() plot.Histogram {
	h := plot.Histogram{Title: l.title(), Marks: l.Marks}
	if d, ok := l.at(l.Percentile); ok {
		h.Marks = append([]plot.Mark{{At: d, Label: fmt.Sprintf("p%v", l.Percentile), Style: plot.Neutral}}, h.Marks...)
	}
	for _, b := range l.Whole.Bars() {
		h.Bars = append(h.Bars, plot.Bar(b))
	}
	return h
}

// title names the files, the column, and how much is in them.
func (l *Latencies) title() string {
	f := l.Files[0]
	text := Escape(f.Name)
	if len(l.Files) > 1 {
		text = fmt.Sprintf("%d files", len(l.Files))
	}
	text += ": " + Escape(f.Column) + " in " + f.Unit
	if l.Whole != nil {
		text += ", " + sizing.Count(l.Whole.N, "sample")
	}
	return text + " (" + f.Format + ")"
}

// at is a percentile of the whole.
func (l *Latencies) at(p float64) (time.Duration, bool) {
	if l.Whole == nil {
		return l.Curve.At(p)
	}
	d, _ := l.Whole.At(p)
	return d, true
}

// percentiles are those to show, with the one that is sized by.
func (l *Latencies) percentiles() []float64 {
	var out []float64
	own := l.Percentile
	for _, p := range Percentiles {
		if own < p && (len(out) == 0 || own > out[len(out)-1]) {
			out = append(out, own)
		}
		out = append(out, p)
	}
	if own > out[len(out)-1] {
		out = append(out, own)
	}
	return out
}

// maximum is the longest sample, as far as it is known.
func (l *Latencies) maximum() (time.Duration, bool) {
	if l.Whole != nil {
		return l.Whole.Max, true
	}
	return l.Curve.At(100)
}

// missing is how many samples a bound of the percentile needs in all.
func (l *Latencies) missing() string {
	return fmt.Sprintf("at least %s samples are needed", sizing.Number(float64(sizing.SamplesNeeded(l.Percentile))))
}

// length writes a latency: in seconds, or finer where that would be 0.
func length(d time.Duration) string {
	if d > 0 && d < time.Millisecond {
		return plot.Duration(d)
	}
	return sizing.Number(d.Seconds()) + " s"
}

// percent writes a share with three digits that matter.
func percent(share float64) string { return digits(share*100) + " %" }

// digits rounds to three digits that matter; what is smaller than any sample
// can tell is just that.
func digits(x float64) string {
	if x > 0 && x < 0.0001 {
		return "< 0.0001"
	}
	s := strconv.FormatFloat(x, 'g', 3, 64)
	if strings.Contains(s, "e+") || math.Abs(x) >= 100 {
		return sizing.Number(math.Round(parsed(s)))
	}
	return s
}

// above rounds up to three digits that matter, so that a bound stays one.
func above(x float64) string {
	if x < 0.0001 {
		return digits(x)
	}
	s := strconv.FormatFloat(x, 'g', 3, 64)
	if v := parsed(s); v < x {
		step := math.Pow(10, math.Floor(math.Log10(x))-2)
		return digits(v + step)
	}
	return digits(x)
}

func parsed(s string) float64 {
	v, _ := strconv.ParseFloat(s, 64)
	return v
}
