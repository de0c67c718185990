// Package traceview shows what a log of deliveries tells: in words, as JSON,
// as a picture.
package traceview

import (
	"cmp"
	"slices"
	"time"

	"vtsize/assess"
	"vtsize/facts"
	"vtsize/rules"
	"vtsize/trace"
)

// Answer is what there is to say of a log. The messages are not in it: they
// are written one by one, as they are put together.
type Answer struct {
	Log   *trace.Log
	Tally *trace.Tally

	// UnmatchedDeletes are accepted deletes by a handle that no receive has;
	// OtherOrphans are other calls of no known message.
	UnmatchedDeletes, OtherOrphans int

	Queues []Queue
	Report *rules.Report // of all queues; nil: nothing to judge
}

// Queue is what was measured of one queue, and what follows from it.
type Queue struct {
	*trace.QueueTally
	Report *rules.Report // nil: no consumer came to its end
}

// Sizing is the arithmetic of the queue; nil: nothing was measured.
func (q Queue) Sizing() *assess.Sizing {
	if q.Report == nil || len(q.Report.Queues) == 0 {
		return nil
	}
	return q.Report.Queues[0].Sizing
}

// MessageWriter writes messages, and at last the answer.
type MessageWriter interface {
	Message(*trace.Message) error
	End(*Answer) error
}

// Options say what of a log is shown.
type Options struct {
	trace.Selection
	OnlyRedelivered bool
	Timeout         facts.Value[time.Duration] // of the queue, where the caller knows it
	Judge           rules.Options
}

// Write goes through a log: each message is written and summed up, then the
// sizing and the rules have their say.
func Write(l *trace.Log, opt Options, writers ...MessageWriter) (*Answer, error) {
	a := &Answer{Log: l, Tally: trace.NewTally()}
	for m := range l.Messages(opt.Selection) {
		a.Tally.Add(m)
		for i := range m.Unmatched {
			if m.Unmatched[i].Status == trace.UnmatchedHandle && m.Unmatched[i].Op == trace.Delete {
				a.UnmatchedDeletes++
			}
		}
		if opt.OnlyRedelivered && !m.Redelivered() {
			continue
		}
		for _, w := range writers {
			if err := w.Message(m); err != nil {
				return nil, err
			}
		}
	}
	deletes, others := l.Orphans(opt.Selection)
	a.UnmatchedDeletes += deletes
	a.OtherOrphans = others
	a.judge(opt)
	for _, w := range writers {
		if err := w.End(a); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// judge sizes and judges each queue by what was measured.
func (a *Answer) judge(opt Options) {
	for _, q := range a.Tally.Sorted() {
		shown := Queue{QueueTally: q}
		if d, ok := q.Deployment(opt.Timeout); ok {
			shown.Report = rules.Judge(d, opt.Judge)
			if a.Report == nil {
				a.Report = &rules.Report{}
			}
			a.Report.Add(shown.Report)
		}
		if q.Messages > 0 || shown.Report != nil {
			a.Queues = append(a.Queues, shown)
		}
	}
}

// receiveCounts are the counts of a histogram in order.
func receiveCounts(h map[int]int) []int {
	counts := make([]int, 0, len(h))
	for n := range h {
		counts = append(counts, n)
	}
	slices.SortFunc(counts, cmp.Compare[int])
	return counts
}
