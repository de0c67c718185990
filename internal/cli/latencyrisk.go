package cli

import (
	"cmp"
	"slices"
	"time"

	"vtsize/assess"
	"vtsize/csvread"
	"vtsize/facts"
	"vtsize/report"
	"vtsize/risk"
	"vtsize/sizing"
)

// risk tells how likely messages outlast the timeouts of a consumer.
func (l *latencies) risk(s *assess.Sizing) report.Risk {
	out := report.Risk{Queue: s.Queue, Consumer: s.Consumer}
	if s.HeartbeatInTime() {
		out.Why = "beats extend the timeout while work goes on, so that long work alone brings no second delivery"
		return out
	}
	k, ok := s.Multiplier.Get()
	if _, known := s.MessageFloor.Get(); !ok || !known {
		out.Why = "not all is known of how long messages are held"
		return out
	}
	m := l.model(s, k)
	r, err := risk.Of(m)
	if err != nil {
		out.Why = err.Error()
		return out
	}
	out.Samples, out.Holds, out.Overstated = l.Whole.N, r.Holds, r.Overstated()
	out.Assumes = assumptions(s, m, l.files.errorRate.IsKnown())
	out.CutAt = cutAt(s)
	at := func(d time.Duration) *risk.Point {
		if out.CutAt > 0 && d >= out.CutAt {
			return &risk.Point{Timeout: d}
		}
		p := r.At(d)
		return &p
	}
	present, ok := s.Timeout.Get()
	if ok {
		out.Present = at(present)
	}
	if d, known := s.Recommended.Get(); known && !(ok && d == present) {
		out.Recommended = at(d)
		plan, _ := s.Plan.Get()
		out.Unaided = plan.Strategy == sizing.WithHeartbeat
	}
	if rate, ok := s.Queue.Rate.Get(); ok {
		out.Rate = &rate
	}
	if d, ok := s.Deliveries.Get(); ok {
		out.Receives, _ = d.AtMost.Get()
	}
	if most, ok := l.files.maxDuplicates.Get(); ok {
		out.Limit = limit(r, most, out.CutAt)
	}
	return out
}

func limit(r *risk.Risk, most float64, cutAt time.Duration) *report.RiskLimit {
	out := &report.RiskLimit{Share: most, Needed: r.Needed(most)}
	out.Timeout, out.Shown = r.Smallest(most)
	if cutAt > 0 && (!out.Shown || out.Timeout > cutAt) {
		out.Timeout, out.Shown = cutAt, true
	}
	return out
}

// model is how the holds of a consumer are made of samples.
func (l *latencies) model(s *assess.Sizing, rounds int) risk.Model {
	stages, _ := s.Consumer.Work.Stages.Get()
	basis, _ := s.Basis.Get()
	stage := risk.Stage{Samples: l.atoms(), Attempts: 1, Failing: 1}
	if basis == facts.PerCall {
		stage.Attempts, _ = stages[0].Attempts.Get()
		if stage.Attempts > 1 {
			stage.Waits, _ = stages[0].Backoff.Get()
		}
		if rate, ok := l.files.errorRate.Get(); ok {
			stage.Failing = rate
		}
	}
	return risk.Model{Stages: []risk.Stage{stage}, Each: each(s), Before: before(s), Rounds: rounds, Together: s.IsLambda()}
}

// each is the constant work for a message.
func each(s *assess.Sizing) time.Duration {
	overhead, _ := s.Consumer.Work.Overhead.Get()
	write, _ := s.Consumer.Work.Write.Get()
	return sizing.Sum(overhead, write)
}

// before is how long a message is held before work on the first starts.
func before(s *assess.Sizing) time.Duration {
	if s.IsLambda() {
		d, _ := s.WindowWait.Get()
		return d
	}
	d, _ := s.Consumer.Work.Countdown.Get()
	return d
}

// cutAt is the longest hold that a function timeout allows; 0: none is known.
func cutAt(s *assess.Sizing) time.Duration {
	d, ok := s.Consumer.FunctionTimeout.Get()
	if _, known := s.WindowWait.Get(); !ok || !known || !s.IsLambda() {
		return 0
	}
	return sizing.Sum(before(s), d)
}

// assumptions say what a risk takes for granted.
func assumptions(s *assess.Sizing, m risk.Model, errorRate bool) []string {
	stage := m.Stages[0]
	var out []string
	basis, _ := s.Basis.Get()
	switch {
	case stage.Attempts > 1 && errorRate:
		out = append(out, "attempts fail independently of each other and of how long they take", "waits are at their longest")
	case stage.Attempts > 1:
		out = append(out, "every attempt is used (--error-rate says how often one fails)")
	case basis == facts.PerInvocation:
		out = append(out, "a run is a whole batch, as it was measured")
	}
	if stage.Attempts > 1 || m.Rounds > 1 {
		out = append(out, "latencies are independent of each other: if slow ones come together, longer holds are likelier than this")
	}
	if m.Rounds > 1 {
		out = append(out, "batches are full and worked through in turn")
	}
	return append(out, "the samples are like what is to come")
}

// cut is a length that so many samples do not exceed.
type cut struct {
	at    time.Duration
	below int
}

// atoms are the samples at the upper ends of their bins, and exactly there
// where they are known exactly.
func (l *latencies) atoms() []risk.Atom {
	s := l.Whole
	cuts := []cut{{s.Max, s.N}}
	ranks := l.files.ranks(s.N)
	for _, p := range append(slices.Clone(report.Percentiles), l.Percentile) {
		ranks = append(ranks, csvread.Rank(s.N, p))
	}
	for _, rank := range ranks {
		if d, exact := s.Rank(rank); exact {
			cuts = append(cuts, cut{d, rank})
		}
	}
	for _, limit := range l.limits {
		if n, exact := s.Above(limit); exact && n > 0 {
			cuts = append(cuts, cut{limit, s.N - n})
		}
	}
	slices.SortFunc(cuts, func(a, b cut) int {
		if a.at != b.at {
			return cmp.Compare(a.at, b.at)
		}
		return a.below - b.below
	})
	var out []risk.Atom
	seen := 0
	put := func(at time.Duration, below int) {
		if below > seen {
			out = append(out, risk.Atom{At: at, N: below - seen})
			seen = below
		}
	}
	below := 0
	for _, b := range s.Bars() {
		below += b.N
		for len(cuts) > 0 && cuts[0].at < b.To {
			put(cuts[0].at, min(cuts[0].below, below))
			cuts = cuts[1:]
		}
		put(min(b.To-1, s.Max), below)
	}
	return out
}
