package tfread

import (
	"context"
	"maps"
	"slices"
	"time"

	tfjson "github.com/hashicorp/terraform-json"

	"vtsize/facts"
)

// fill reads the configuration that a plan was made from, with the plan's own
// variables. What the plan leaves unknown is taken from there, and everything
// gets the place where it is written.
func (p *planReader) fill(ctx context.Context, vars map[string]*tfjson.PlanVariable) error {
	opt := p.opt
	opt.Inputs = slices.Clone(opt.Inputs)
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		if v := vars[name]; v != nil && v.Value != nil {
			none := func() (string, bool) { return "", false }
			opt.Inputs = append(opt.Inputs, Input{Name: name, value: toCty(v.Value, nil, none)})
		}
	}
	opt.Base = ""
	src, err := readDirectory(ctx, opt.SourceDir, nil, opt)
	if err != nil {
		return err
	}
	res := src.result(DirectoryKind)
	p.problems = append(p.problems, res.Problems...)
	p.absent, p.hints, p.sources = res.Absent, res.Hints, res.Sources
	p.d.Ignores = res.Deployment.Ignores
	f := filler{from: res.Deployment, to: p.d, fromByID: map[string]*facts.Queue{}}
	for _, q := range f.from.Queues {
		f.fromByID[q.ID] = q
	}
	f.queues()
	f.unjoined()
	if !p.d.Alarms.IsKnown() {
		p.d.Alarms = res.Deployment.Alarms
	}
	return nil
}

// filler completes the facts of a plan from those of its sources.
type filler struct {
	from, to *facts.Deployment
	fromByID map[string]*facts.Queue
}

// fillValue takes the value of the plan, or of the sources where the plan has
// none, and the place of the sources.
func fillValue[T any](plan *facts.Value[T], src facts.Value[T]) {
	at := src.Origin().Pos
	o := plan.Origin()
	if v, ok := plan.Get(); ok {
		o.Pos = at
		*plan = facts.Known(v, o)
		return
	}
	if v, ok := src.Get(); ok {
		*plan = facts.Known(v, src.Origin())
		return
	}
	if at.IsValid() {
		o.Pos = at
	}
	*plan = facts.Unknown[T](plan.Cause(), o)
}

func (f filler) queues() {
	consumers := map[string]*facts.Consumer{}
	for _, q := range f.from.Queues {
		cs, _ := q.Consumers.Get()
		for _, c := range cs {
			consumers[c.ID] = c
		}
	}
	for _, q := range f.to.Queues {
		cs, _ := q.Consumers.Get()
		for _, c := range cs {
			f.consumer(c, consumers[c.ID])
		}
		s := f.fromByID[q.ID]
		if s == nil {
			continue
		}
		q.Pos, q.Calls = s.Pos, s.Calls
		if q.Name == "" {
			q.Name = s.Name
		}
		fillValue(&q.VisibilityTimeout, s.VisibilityTimeout)
		fillValue(&q.Retention, s.Retention)
		fillValue(&q.Delay, s.Delay)
		fillValue(&q.ReceiveWait, s.ReceiveWait)
		fillValue(&q.FIFO, s.FIFO)
		f.redrive(q, s)
		fillValue(&q.RedriveAllow, s.RedriveAllow)
	}
}

// redrive fills the parts of a redrive policy one by one: a plan often knows
// the queue and not the count.
func (f filler) redrive(q, s *facts.Queue) {
	pr, pk := q.Redrive.Get()
	sr, sk := s.Redrive.Get()
	if pk && sk && pr != nil && sr != nil {
		fillValue(&pr.Target, sr.Target)
		fillValue(&pr.MaxReceiveCount, sr.MaxReceiveCount)
	}
	fillValue(&q.Redrive, s.Redrive)
}

func (f filler) consumer(c, s *facts.Consumer) {
	if s == nil {
		return
	}
	c.Pos, c.Calls = s.Pos, s.Calls
	if !c.FunctionTimeout.IsKnown() && s.FunctionTimeout.IsKnown() {
		c.Function = s.Function
	}
	fillValue[time.Duration](&c.FunctionTimeout, s.FunctionTimeout)
	fillValue(&c.BatchSize, s.BatchSize)
	fillValue(&c.BatchingWindow, s.BatchingWindow)
	fillValue(&c.ReportBatchItemFailures, s.ReportBatchItemFailures)
	fillValue(&c.MaximumConcurrency, s.MaximumConcurrency)
	fillValue(&c.ProvisionedPollers, s.ProvisionedPollers)
	fillValue(&c.ReservedConcurrency, s.ReservedConcurrency)
	fillValue(&c.Enabled, s.Enabled)
}

// unjoined joins the mappings whose source only the sources tell.
func (f filler) unjoined() {
	owner := map[string]*facts.Queue{}
	found := map[string]*facts.Consumer{}
	for _, q := range f.from.Queues {
		cs, _ := q.Consumers.Get()
		for _, c := range cs {
			owner[c.ID], found[c.ID] = q, c
		}
	}
	f.to.Unjoined = slices.DeleteFunc(f.to.Unjoined, func(u facts.Unjoined) bool {
		q := owner[u.Address]
		if q == nil {
			return false
		}
		to := f.to.Queue(q.ID)
		if to == nil {
			if !q.External {
				return false
			}
			// Its consumers are those of the plan, which come one by one.
			clone := *q
			clone.Consumers = facts.Known[[]*facts.Consumer](nil, q.Consumers.Origin())
			to = &clone
			f.to.Queues = append(f.to.Queues, to)
		}
		cs, _ := to.Consumers.Get()
		to.Consumers = facts.Known(append(cs, found[u.Address]), to.Consumers.Origin())
		return true
	})
}
