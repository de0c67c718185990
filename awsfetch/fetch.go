package awsfetch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// Fetch reads queues, their dead-letter queues, their Lambda consumers, their
// metrics and their alarms.
//
// The error is a [*UsageError] before anything is read. A [*ReadError] about a
// named queue comes beside a snapshot of the other queues; several are joined.
// With any other error the snapshot is nil.
func Fetch(ctx context.Context, o Options) (*Snapshot, error) {
	refs, err := o.refs()
	if err != nil {
		return nil, err
	}
	if o.Now.IsZero() {
		o.Now = time.Now()
	}
	cfg, seen, err := load(ctx, o)
	if err != nil {
		return nil, err
	}
	names, err := places(refs, o, cfg.Region)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watchdog := time.AfterFunc(firstAnswer, func() {
		if !seen.Load() {
			cancel(fatalError(fmt.Errorf("no answer within %v", firstAnswer)))
		}
	})
	defer watchdog.Stop()

	calls := &caller{slots: make(chan struct{}, callsAtOnce), giveUp: cancel, progress: o.Progress}
	var readers []*reader
	for _, name := range slices.Sorted(maps.Keys(names)) {
		readers = append(readers, &reader{
			region: newRegion(cfg, name, o.EndpointURL),
			calls:  calls,
			window: o.window(),
			steps:  o.StepMetrics,
			queues: map[string]*Queue{},
		})
	}
	each(readers, func(r *reader) { r.read(ctx, names[r.region.name]) })
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return assemble(readers, o)
}

// place is what is to be looked for in one region.
type place struct {
	refs   []Ref
	prefix string
	list   bool // list the queues that begin with the prefix
}

// places sorts what is asked for by region.
func places(refs []Ref, o Options, fallback string) (map[string]place, error) {
	regions := o.Regions
	if len(regions) == 0 && fallback != "" {
		regions = []string{fallback}
	}
	found := map[string]place{}
	add := func(region string, ref Ref) {
		p := found[region]
		p.refs = append(p.refs, ref)
		found[region] = p
	}
	missing := &ReadError{doing: "choose an AWS region", err: errors.New("none is set"), hint: "give --region, or set AWS_REGION"}
	for _, ref := range refs {
		if ref.Region != "" {
			add(ref.Region, ref)
			continue
		}
		if len(regions) == 0 {
			return nil, missing
		}
		for _, region := range regions {
			add(region, ref)
		}
	}
	if o.Prefix == "" && !o.All {
		return found, nil
	}
	if len(regions) == 0 {
		return nil, missing
	}
	for _, region := range regions {
		p := found[region]
		p.list = true
		if !o.All {
			p.prefix = o.Prefix
		}
		found[region] = p
	}
	return found, nil
}

// reader reads one region.
type reader struct {
	region *region
	calls  *caller
	window Window
	steps  []StepMetric

	mu        sync.Mutex // over what follows, while calls run
	queues    map[string]*Queue
	home      string // the account that is read, where something told it
	functions []*Function
	alarms    Read[[]Alarm]
	errs      []error
}

func (r *reader) read(ctx context.Context, p place) {
	var alarms Read[[]alarmRecord]
	var background sync.WaitGroup
	background.Go(func() { alarms = r.listAlarms(ctx) })
	defer func() {
		background.Wait()
		r.alarms = r.watching(alarms)
	}()

	r.readQueues(ctx, p)
	asked := r.sorted()
	if len(asked) == 0 {
		return
	}
	var wg sync.WaitGroup
	wg.Go(func() { r.readDeadLetterQueues(ctx, asked) })
	wg.Go(func() { each(asked, func(q *Queue) { q.DeadLetterSources = r.deadLetterSources(ctx, q) }) })
	wg.Go(func() { r.readConsumers(ctx, asked) })
	wg.Wait()
	r.readMetrics(ctx)
}

// sorted gives the queues read so far in the order of their ARNs.
func (r *reader) sorted() []*Queue {
	var queues []*Queue
	for _, arn := range slices.Sorted(maps.Keys(r.queues)) {
		queues = append(queues, r.queues[arn])
	}
	return queues
}

func (r *reader) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.errs = append(r.errs, err)
}

// isElsewhere reports whether a queue is of another account or region than the
// one that is read.
func (r *reader) isElsewhere(q *Queue) bool {
	if r.home != "" && q.account() != r.home {
		return true
	}
	for _, other := range r.queues {
		if other.Asked && other.Region() == q.Region() {
			return false
		}
	}
	return true
}

// add keeps a queue; one that was asked for goes before one met as a
// dead-letter queue.
func (r *reader) add(q *Queue) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if old := r.queues[q.ARN]; old == nil || !old.Asked {
		r.queues[q.ARN] = q
	}
}

// assemble puts the regions together.
func assemble(readers []*reader, o Options) (*Snapshot, error) {
	s := &Snapshot{Schema: Schema, TakenAt: o.Now.UTC().Truncate(time.Second), Window: o.window(),
		Queues: []Queue{}, Functions: []Function{}, Alarms: []RegionAlarms{}}
	var errs []error
	queues := map[string]Queue{}
	for _, r := range readers {
		for arn, q := range r.queues {
			if old, ok := queues[arn]; !ok || !old.Asked {
				queues[arn] = *q
			}
		}
		for _, f := range r.functions {
			s.Functions = append(s.Functions, *f)
		}
		s.Alarms = append(s.Alarms, RegionAlarms{Region: r.region.name, Alarms: r.alarms})
		errs = append(errs, r.errs...)
	}
	for _, q := range queues {
		s.Queues = append(s.Queues, q)
	}
	s.sort()
	if len(s.Queues) == 0 && len(errs) == 0 && o.Prefix != "" {
		errs = append(errs, &ReadError{doing: "list queues", err: errors.New("no queue has a name that begins with " + o.Prefix),
			hint: "check --region and --profile"})
	}
	if len(errs) == 1 {
		return s, errs[0]
	}
	return s, errors.Join(errs...)
}
