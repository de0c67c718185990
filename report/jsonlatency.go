package report

import (
	"time"

	"vtsize/csvread"
	"vtsize/risk"
	"vtsize/sizing"
)

// jsonLatency is what files of latencies told.
type jsonLatency struct {
	Files         []jsonFile       `json:"files"`
	Percentile    float64          `json:"percentile"`
	SizedBy       string           `json:"sized_by"`
	Whole         jsonDistribution `json:"whole"`
	SamplesNeeded int              `json:"samples_needed_for_upper_bound"`
	Worst         *jsonWorst       `json:"worst"`
	CutOff        *jsonCutOff      `json:"cut_off"`
	Classes       []jsonClass      `json:"classes"`
	BadRows       jsonBadRows      `json:"bad_rows"`
	Risk          []jsonRisk       `json:"risk"`
	Notes         []string         `json:"notes"`
	Doubts        []string         `json:"doubts"`
}

type jsonFile struct {
	Name    string  `json:"name"`
	Format  string  `json:"format"`
	Basis   *string `json:"basis"`
	Column  string  `json:"column"`
	Unit    string  `json:"unit"`
	Samples int     `json:"samples"`
	BadRows int     `json:"bad_rows"`
}

// jsonDistribution has null for what a file of percentiles does not tell.
type jsonDistribution struct {
	Samples     *int             `json:"samples"`
	Mean        *float64         `json:"mean_seconds"`
	Percentiles []jsonPercentile `json:"percentiles"`
	Max         *float64         `json:"max_seconds"`
	UpperBound  *float64         `json:"upper_bound_seconds"`
}

type jsonPercentile struct {
	Percentile float64 `json:"percentile"`
	Seconds    float64 `json:"seconds"`
}

type jsonWorst struct {
	Window  string    `json:"window"`
	Start   time.Time `json:"start"`
	Samples int       `json:"samples"`
	Seconds float64   `json:"seconds"`
	Of      int       `json:"windows_compared"`
	Left    int       `json:"windows_with_too_few_samples"`
}

type jsonCutOff struct {
	At      float64 `json:"seconds"`
	Samples int     `json:"samples"`
	Beyond  int     `json:"samples_beyond"`
}

type jsonClass struct {
	Name string `json:"name"`
	jsonDistribution
	Timeout any `json:"timeout_alone_seconds"`
}

type jsonBadRows struct {
	Count int          `json:"count"`
	First []jsonBadRow `json:"first"`
}

type jsonBadRow struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Reason string `json:"reason"`
	Text   string `json:"text"`
}

type jsonRisk struct {
	Queue       string         `json:"queue"`
	Consumer    string         `json:"consumer"`
	NotTold     *string        `json:"not_told"`
	Holds       int            `json:"independent_holds"`
	Overstated  float64        `json:"rounding_overstates_by"`
	Assumptions []string       `json:"taken_for_granted"`
	Present     *jsonRiskPoint `json:"present"`
	Recommended *jsonRiskPoint `json:"recommended"`
	Limit       *jsonRiskLimit `json:"max_duplicates"`
}

type jsonRiskPoint struct {
	Timeout     float64    `json:"timeout_seconds"`
	HeldLonger  jsonShare  `json:"held_longer"`
	LastOfBatch float64    `json:"last_of_batch_held_longer"`
	PerMillion  jsonShare  `json:"second_deliveries_per_million"`
	PerDay      *jsonShare `json:"second_deliveries_per_day"`
	DeadLetter  *jsonShare `json:"false_dead_letter"`
	WorkWasted  float64    `json:"work_wasted"`
}

// jsonShare is a number with its 95 % upper confidence bound.
type jsonShare struct {
	Expected float64 `json:"expected"`
	AtMost   float64 `json:"at_most"`
}

type jsonRiskLimit struct {
	Share         float64  `json:"share"`
	Timeout       *float64 `json:"timeout_seconds"`
	SamplesNeeded int      `json:"samples_needed"`
}

// latencyJSON is null where no file was read.
func latencyJSON(l *Latencies) *jsonLatency {
	if l == nil {
		return nil
	}
	out := &jsonLatency{
		Files: []jsonFile{}, Percentile: l.Percentile, SizedBy: "percentile", SamplesNeeded: sizing.SamplesNeeded(l.Percentile),
		Classes: []jsonClass{}, BadRows: jsonBadRows{l.Bad, []jsonBadRow{}}, Risk: []jsonRisk{},
		Notes: append([]string{}, l.Notes...), Doubts: append([]string{}, l.Doubts...),
	}
	if l.UpperBound {
		out.SizedBy = "upper_bound"
	}
	for _, f := range l.Files {
		jf := jsonFile{Name: f.Name, Format: f.Format, Column: f.Column, Unit: f.Unit, Samples: f.Samples, BadRows: f.Bad}
		if f.Basis != "" {
			jf.Basis = (*string)(&f.Basis)
		}
		out.Files = append(out.Files, jf)
	}
	if l.Whole != nil {
		out.Whole = l.distribution(l.Whole)
	} else {
		out.Whole = l.curve(l.Curve)
	}
	if w := l.Worst; w != nil {
		out.Worst = &jsonWorst{string(w.Window), w.Start, w.N, w.Value.Seconds(), w.Of, w.Left}
	}
	if c := l.CutOff; c != nil {
		out.CutOff = &jsonCutOff{c.At.Seconds(), c.N, c.Beyond}
	}
	for _, c := range l.Classes {
		out.Classes = append(out.Classes, l.classJSON(c))
	}
	for _, b := range l.First {
		out.BadRows.First = append(out.BadRows.First, jsonBadRow{b.File, b.Line, b.Why, b.Text})
	}
	for _, r := range l.Risks {
		out.Risk = append(out.Risk, riskJSON(r))
	}
	return out
}

func (l *Latencies) distribution(s *csvread.Samples) jsonDistribution {
	out := jsonDistribution{Samples: &s.N, Mean: inSeconds(s.Mean), Percentiles: []jsonPercentile{}, Max: inSeconds(s.Max)}
	for _, p := range l.percentiles() {
		d, _ := s.At(p)
		out.Percentiles = append(out.Percentiles, jsonPercentile{p, d.Seconds()})
	}
	if d, ok := UpperBound(s, l.Percentile); ok {
		out.UpperBound = inSeconds(d)
	}
	return out
}

func (l *Latencies) curve(c *csvread.Curve) jsonDistribution {
	out := jsonDistribution{Percentiles: []jsonPercentile{}}
	if c.N > 0 {
		out.Samples = &c.N
	}
	if c.Mean > 0 {
		out.Mean = inSeconds(c.Mean)
	}
	for _, p := range l.percentiles() {
		if d, ok := c.At(p); ok {
			out.Percentiles = append(out.Percentiles, jsonPercentile{p, d.Seconds()})
		}
	}
	if d, ok := c.At(100); ok {
		out.Max = inSeconds(d)
	}
	return out
}

func (l *Latencies) classJSON(c ClassSizing) jsonClass {
	out := jsonClass{Name: c.Name, Timeout: number(c.Sizing.QueueTimeout(), seconds)}
	if s := l.samplesOf(c.Name); s != nil {
		out.jsonDistribution = l.distribution(s)
	}
	for _, curve := range l.ClassCurves {
		if curve.Name == c.Name {
			out.jsonDistribution = l.curve(curve.Curve)
		}
	}
	return out
}

func riskJSON(r Risk) jsonRisk {
	out := jsonRisk{Queue: r.Queue.ID, Consumer: r.Consumer.ID, Holds: r.Holds, Overstated: r.Overstated, Assumptions: []string{}}
	if r.Why != "" {
		out.NotTold = &r.Why
		return out
	}
	out.Assumptions = r.grants()
	out.Present, out.Recommended = r.pointJSON(r.Present), r.pointJSON(r.Recommended)
	if l := r.Limit; l != nil {
		out.Limit = &jsonRiskLimit{Share: l.Share, SamplesNeeded: l.Needed}
		if l.Shown {
			out.Limit.Timeout = inSeconds(l.Timeout)
		}
	}
	return out
}

func (r *Risk) pointJSON(p *risk.Point) *jsonRiskPoint {
	if p == nil {
		return nil
	}
	times := func(x float64) jsonShare { return jsonShare{p.Share * x, p.Bound * x} }
	out := &jsonRiskPoint{Timeout: p.Timeout.Seconds(), HeldLonger: times(1), LastOfBatch: p.Last, PerMillion: times(1e6), WorkWasted: p.Wasted}
	if r.Rate != nil {
		day := times(r.perDay())
		out.PerDay = &day
	}
	if r.Receives != nil {
		out.DeadLetter = &jsonShare{risk.DeadLetter(p.Share, *r.Receives), risk.DeadLetter(p.Bound, *r.Receives)}
	}
	return out
}

func inSeconds(d time.Duration) *float64 {
	s := d.Seconds()
	return &s
}
