package rules

import "vtsize/sizing"

var _ = register(&Rule{
	ID: "VT109", Name: "too-few-samples", Severity: Info, Scope: PerConsumer,
	Title: "the percentile rests on too few samples",
	Why: "A p99 of 40 samples is just their largest, and the true p99 may be far above it. Only from 299 samples on does a p99 have a 95 % upper confidence bound " +
		"that needs no assumption on the distribution.",
	Fix:     "Measure for longer, or size by a lower percentile with more margin.",
	Sources: []Source{srcPercentiles},
	Needs:   []string{"cloudwatch:GetMetricData"},
	Run: func(p *Pass) {
		s := p.Sizing
		n := s.Samples.Need(p, "number of samples")
		text, few := s.UpperBound()
		if p.Incomplete() || !few {
			return
		}
		needed := sizing.SamplesNeeded(s.Percentile)
		p.Report(Finding{
			Message: text + "; measure for longer",
			Current: Count(n), Required: Count(needed), Unit: Samples,
			Origin: s.Samples.Origin(), Related: latencyPlaces(p),
		})
	},
})
