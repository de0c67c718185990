package rules

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"vtsize/assess"
	"vtsize/facts"
	"vtsize/sizing"
)

// told makes a fact whose origin names it, so that a finding's origin says
// which fact its amounts are about.
func told[T any](v T, name string) facts.Value[T] {
	return facts.Known(v, facts.Origin{Kind: facts.Flag, Detail: name})
}

// draw makes random facts. The same seed makes the same ones.
type draw struct{ *rand.Rand }

func newDraw(seed uint64) draw { return draw{rand.New(rand.NewPCG(seed, 7))} }

func (r draw) chance(percent int) bool { return r.IntN(100) < percent }

// span is log-uniform between from and to seconds, mostly a whole number.
func (r draw) span(from, to float64) time.Duration {
	s := from * math.Pow(to/from, r.Float64())
	if r.chance(70) {
		s = math.Ceil(s)
	}
	return time.Duration(s * float64(time.Second)).Round(time.Millisecond)
}

func (r draw) queue() *facts.Queue {
	q := &facts.Queue{
		ID: "orders", Name: "orders",
		VisibilityTimeout: told(r.span(1, 43_200).Round(time.Second), "timeout"),
		FIFO:              told(r.chance(20), "fifo"),
		// Few receives are VT111's, and no timeout mends that.
		Redrive: told(&facts.Redrive{Target: told("orders-dlq", "target"), MaxReceiveCount: told(5+r.IntN(20), "maxReceiveCount")}, "redrive"),
	}
	if r.chance(20) {
		q.VisibilityTimeout = facts.Known(30*time.Second, facts.Origin{Kind: facts.Default, Detail: "timeout"})
	}
	if r.chance(50) {
		q.Rate = told(float64(r.span(0.01, 5000))/float64(time.Second), "rate")
	}
	return q
}

// stages are one to three parts of a step, each with calls of its own.
func (r draw) stages(longest float64) []facts.Stage {
	stages := make([]facts.Stage, 1+r.IntN(3))
	for i := range stages {
		tail, attempts := r.span(0.05, longest), 1+r.IntN(5)
		waits := make([]time.Duration, attempts-1)
		for j := range waits {
			waits[j] = r.span(0.1, 120)
		}
		st := facts.Stage{
			Latency:  facts.Latency{Tail: told(tail, "p99"), Samples: told(1+r.IntN(9000), "samples")},
			Attempts: told(attempts, "attempts"), Backoff: told(waits, "backoff"),
		}
		if r.chance(50) {
			st.Latency.Mean = told(sizing.Scale(tail, 1, int64(2+r.IntN(5))), "mean")
			st.Latency.P999 = told(sizing.Scale(tail, int64(10+r.IntN(40)), 10), "p99.9")
			st.Latency.Max = told(sizing.Scale(tail, 6, 1), "max")
		}
		switch {
		case r.chance(30):
			st.RequestTimeout = told[*time.Duration](nil, "request timeout")
		case r.chance(60):
			st.RequestTimeout = told(new(sizing.Scale(tail, int64(8+r.IntN(50)), 10)), "request timeout")
		}
		stages[i] = st
	}
	return stages
}

// worker is a worker with batches, prefetch, countdowns, unbounded clients,
// and sometimes a heartbeat and a deadline that nobody thought about.
func (r draw) worker() *facts.Consumer {
	c := &facts.Consumer{ID: "worker", Kind: facts.Worker}
	w := &c.Work
	w.Basis = told([]facts.Basis{facts.PerCall, facts.PerStep}[r.IntN(2)], "basis")
	longest := 4000.0
	if r.chance(15) {
		longest = 40_000 // near the twelve hours
	}
	w.Stages = told(r.stages(longest), "stages")
	w.Overhead, w.Write = told(r.span(0.01, 5), "overhead"), told(r.span(0.01, 5), "write")
	if r.chance(40) {
		w.Batch = told(1+r.IntN(10), "batch")
		w.Handling = told([]facts.Handling{facts.Serial, facts.Parallel}[r.IntN(2)], "handling")
		w.Concurrency = told(r.IntN(5), "concurrency")
	}
	if r.chance(30) {
		w.Prefetch = told(new(1+r.IntN(50)), "prefetch")
	}
	if r.chance(10) {
		w.Countdown = told(r.span(1, 1800), "countdown")
	}
	if r.chance(10) {
		w.Unbounded = told(true, "unbounded")
	}
	if r.chance(15) {
		w.ReceiveTimeout = told(new(r.span(1, 43_200)), "receive timeout")
	}
	w.Heartbeat = told[*facts.Heartbeat](nil, "heartbeat")
	if r.chance(30) {
		h := &facts.Heartbeat{Interval: told(r.span(1, 300), "interval"), Extension: told(r.span(1, 1000), "extension")}
		h.Renews = told([]facts.Renews{facts.RenewsInWork, facts.RenewsHeld}[r.IntN(2)], "renews")
		h.Threshold = told[*time.Duration](nil, "threshold")
		if r.chance(30) {
			h.Threshold = told(new(r.span(1, 60)), "threshold")
		}
		w.Heartbeat = told(h, "heartbeat")
	}
	switch {
	case r.chance(40):
		w.StepDeadline = told[*time.Duration](nil, "deadline")
	case r.chance(30):
		w.StepDeadline = told(new(r.span(1, 5000)), "deadline")
	}
	return c
}

// lambda is an event source mapping, with or without measured latency.
func (r draw) lambda() *facts.Consumer {
	c := &facts.Consumer{
		ID: "mapping", Kind: facts.Lambda, Function: "handle",
		FunctionTimeout: told(r.span(1, 5400).Round(time.Second), "function timeout"),
		BatchingWindow:  told(r.span(0.5, 300).Truncate(time.Second), "batching window"),
		BatchSize:       told(1+r.IntN(10), "batch size"),
	}
	if r.chance(70) {
		c.Work.Basis = told([]facts.Basis{facts.PerInvocation, facts.PerStep, facts.PerCall}[r.IntN(3)], "basis")
		c.Work.Stages = told(r.stages(900), "stages")
	}
	return c
}

// deployment is a queue with one consumer, or with both kinds.
func (r draw) deployment() *facts.Deployment {
	q := r.queue()
	switch r.IntN(5) {
	case 0:
		q.Consumers = told([]*facts.Consumer{r.lambda()}, "consumers")
	case 1:
		q.Consumers = told([]*facts.Consumer{r.worker(), r.lambda()}, "consumers")
	default:
		q.Consumers = told([]*facts.Consumer{r.worker()}, "consumers")
	}
	return &facts.Deployment{Queues: []*facts.Queue{q}}
}

// setTimeoutInForce sets the timeout where it is in force for the consumer.
func setTimeoutInForce(q *facts.Queue, c *facts.Consumer, d time.Duration) {
	if own, ok := c.Work.ReceiveTimeout.Get(); ok && own != nil {
		c.Work.ReceiveTimeout = told(&d, "receive timeout")
		return
	}
	q.VisibilityTimeout = told(d, "timeout")
}

// follow does what vtsize recommends for the consumer.
func follow(t *testing.T, q *facts.Queue, c *facts.Consumer) {
	t.Helper()
	for range 100 {
		s := assess.Of(q, c)
		if s.IsLambda() {
			d, _ := s.Recommended.Get()
			setTimeoutInForce(q, c, d)
			return
		}
		plan, ok := s.Plan.Get()
		if !ok {
			t.Fatalf("no plan: %v", s.Plan.Missing())
		}
		if plan.Strategy == sizing.Split {
			split(c, s)
			continue
		}
		setTimeoutInForce(q, c, plan.QueueTimeout())
		c.Work.StepDeadline = told(&plan.StepDeadline, "deadline")
		h := &facts.Heartbeat{}
		if old, _ := c.Work.Heartbeat.Get(); old != nil {
			h.Renews = old.Renews
		}
		h.Interval, h.Extension = told(plan.Heartbeat.Interval, "interval"), told(plan.Heartbeat.ExtendTo, "extension")
		c.Work.Heartbeat = told(h, "heartbeat")
		if plan.Strategy == sizing.Fixed {
			c.Work.Heartbeat = told[*facts.Heartbeat](nil, "heartbeat")
		}
		return
	}
	t.Fatal("does not end with splitting")
}

// split receives one message at a time, or where that is so halves the work of
// a message.
func split(c *facts.Consumer, s *assess.Sizing) {
	w := &c.Work
	if k, _ := s.Multiplier.Get(); k > 1 {
		w.Batch, w.Prefetch = told(1, "batch"), told[*int](nil, "prefetch")
		return
	}
	half := func(d time.Duration) time.Duration { return d / 2 }
	stages, _ := w.Stages.Get()
	for i := range stages {
		st := &stages[i]
		for _, d := range []*facts.Value[time.Duration]{&st.Latency.Tail, &st.Latency.Mean, &st.Latency.P999, &st.Latency.Max} {
			*d = facts.Map(*d, half)
		}
		st.RequestTimeout = facts.Map(st.RequestTimeout, func(d *time.Duration) *time.Duration {
			if d == nil {
				return nil
			}
			return new(half(*d))
		})
		waits, _ := st.Backoff.Get()
		for j := range waits {
			waits[j] = half(waits[j])
		}
	}
	w.Countdown = facts.Map(w.Countdown, half)
}

// byTimeouts reports whether a rule judges what vtsize recommends: timeouts,
// heartbeats and deadlines. The others judge what no timeout can mend, as the
// function's own timeout, partial responses, retention or load.
func byTimeouts(r *Rule) bool {
	return strings.HasPrefix(r.ID, "VT1") || strings.HasPrefix(r.ID, "VT2") || slices.Contains([]string{"VT301", "VT302", "VT504"}, r.ID)
}

// What vtsize recommends never sets off its own rules.
func TestRecommendationsAreClean(t *testing.T) {
	failures := 0
	for seed := range uint64(20_000) {
		r := newDraw(seed)
		d := r.deployment()
		q := d.Queues[0]
		list, _ := q.Consumers.Get()
		c := list[0]
		q.Consumers = told(list[:1], "consumers") // two consumers may ask for different timeouts
		follow(t, q, c)
		for _, f := range Judge(d, Options{}).Findings {
			if byTimeouts(f.Rule) && (f.Severity > Info || f.Asks) {
				failures++
				t.Errorf("seed %d: %s %s: %s\n%s", seed, f.Rule.ID, f.Severity, f.Message, f.Formula)
			}
		}
		if failures > 20 {
			t.FailNow()
		}
	}
}

// A finding goes away when the fact that it is about gets the value that it
// recommends.
func TestRecommendedValuesMend(t *testing.T) {
	mended := map[string]int{}
	failures := 0
	for seed := range uint64(4_000) {
		for _, f := range Judge(newDraw(seed).deployment(), Options{}).Findings {
			if !byTimeouts(f.Rule) || !f.Recommended.Known || f.Unit != Seconds {
				continue
			}
			d := newDraw(seed).deployment()
			set(t, d, f)
			for _, g := range Judge(d, Options{Only: []string{f.Rule.ID}}).Findings {
				if consumerID(g.Consumer) == consumerID(f.Consumer) {
					failures++
					t.Errorf("seed %d: %s: %s\nrecommended %v, and then: %s", seed, f.Rule.ID, f.Message, f.Recommended.Value, g.Message)
				}
			}
			mended[f.Rule.ID]++
		}
		if failures > 20 {
			t.FailNow()
		}
	}
	for _, id := range []string{"VT101", "VT102", "VT103", "VT104", "VT108", "VT201", "VT203", "VT206", "VT301"} {
		if mended[id] == 0 {
			t.Errorf("no random workload sets off %s", id)
		}
	}
}

// set gives the fact at a finding's origin the recommended value.
func set(t *testing.T, d *facts.Deployment, f Finding) {
	t.Helper()
	q := d.Queues[0]
	value := time.Duration(math.Round(f.Recommended.Value * float64(time.Second)))
	if f.Origin.Detail == "timeout" {
		q.VisibilityTimeout = told(value, "timeout")
		return
	}
	list, _ := q.Consumers.Get()
	w := &list[slices.IndexFunc(list, func(c *facts.Consumer) bool { return c.Kind == facts.Worker })].Work
	h, _ := w.Heartbeat.Get()
	switch f.Origin.Detail {
	case "receive timeout":
		w.ReceiveTimeout = told(&value, "receive timeout")
	case "interval":
		h.Interval = told(value, "interval")
	case "extension":
		h.Extension = told(value, "extension")
	case "deadline":
		w.StepDeadline = told(&value, "deadline")
	default:
		t.Fatalf("%s recommends a value for %q", f.Rule.ID, f.Origin.Detail)
	}
}
