package csvread

import (
	"strings"
	"time"

	"vtsize/facts"
)

// Method is how percentiles of samples are taken.
const Method = "nearest rank"

// Latency gives the whole as a fact: the tail at Result.Percentile. Of a file
// of percentiles only those are known that it holds.
func (res *Result) Latency() facts.Latency {
	if res.Whole != nil {
		return res.latencyOf(res.Whole)
	}
	return res.latencyOfCurve(res.Curve)
}

// Basis says what the latencies are measured on, where all files are of formats
// that tell: a log of Lambda's runs, a load test, traces of calls.
func (res *Result) Basis() (facts.Basis, bool) {
	basis := res.Files[0].Basis
	for _, f := range res.Files {
		if f.Basis != basis {
			return "", false
		}
	}
	return basis, basis != ""
}

// FactClasses gives the classes as facts, by name.
func (res *Result) FactClasses() (classes []facts.Class) {
	for _, c := range res.Classes {
		classes = append(classes, facts.Class{Name: c.Name, Latency: res.latencyOf(c.Samples)})
	}
	for _, c := range res.ClassCurves {
		classes = append(classes, facts.Class{Name: c.Name, Latency: res.latencyOfCurve(c.Curve)})
	}
	return classes
}

// latencyOf gives a group of samples as a fact.
func (res *Result) latencyOf(s *Samples) facts.Latency {
	origin := res.origin()
	exact := func(p float64) facts.Value[time.Duration] {
		d, _ := s.At(p)
		return facts.Known(d, origin)
	}
	return facts.Latency{
		Tail:    exact(res.Percentile),
		Mean:    facts.Known(s.Mean, origin),
		P50:     exact(50),
		P999:    exact(99.9),
		Max:     facts.Known(s.Max, origin),
		Samples: facts.Known(s.N, origin),
		Method:  Method,
		Doubts:  res.Doubts,
	}
}

// latencyOfCurve gives percentiles that a file holds as a fact.
func (res *Result) latencyOfCurve(c *Curve) facts.Latency {
	origin := res.origin()
	at := func(p float64) facts.Value[time.Duration] {
		if d, ok := c.At(p); ok {
			return facts.Known(d, origin)
		}
		return facts.Unknown[time.Duration](facts.NoData, origin)
	}
	l := facts.Latency{
		Tail:    at(res.Percentile),
		Mean:    facts.Unknown[time.Duration](facts.NoData, origin),
		P50:     at(50),
		P999:    at(99.9),
		Max:     at(100),
		Samples: facts.Unknown[int](facts.NoData, origin),
		Method:  c.Method,
		Doubts:  res.Doubts,
	}
	if c.Mean > 0 {
		l.Mean = facts.Known(c.Mean, origin)
	}
	if c.N > 0 {
		l.Samples = facts.Known(c.N, origin)
	}
	return l
}

// origin names the files and their column.
func (res *Result) origin() facts.Origin {
	var names []string
	for _, f := range res.Files {
		names = append(names, f.Name)
	}
	o := facts.Origin{Kind: facts.Measured, Detail: res.Files[0].Column}
	if len(names) == 1 {
		o.Pos = facts.Pos{File: names[0]}
	} else {
		o.Detail += " of " + strings.Join(names, ", ")
	}
	return o
}
