package rules

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"vtsize/assess"
	"vtsize/facts"
	"vtsize/sizing"
)

// mixedBy is from which difference on classes of work are better apart.
const mixedBy = 30 * time.Second

var _ = register(&Rule{
	ID: "VT110", Name: "mixed-work-classes", Severity: Warning, Scope: PerQueue,
	Title: "work of very different length shares a queue",
	Why: "A queue has one visibility timeout. Sized for the longest kind of work it delays the retries of the short kind by as much; " +
		"sized for the short kind it delivers the long one twice. Short messages also wait behind long ones.",
	Fix:     "Give each class a queue of its own, with a timeout of its own.",
	Sources: []Source{srcVisibility, srcSQSTimeouts},
	Inputs:  "workload file",
	Run: func(p *Pass) {
		if len(p.Sizings) == 0 {
			p.Queue.Consumers.Need(p, "consumers")
			return
		}
		var all []class
		for _, s := range p.Sizings {
			for _, c := range s.Consumer.Work.Classes.Need(p, "classes of work") {
				all = append(all, class{s, c, c.Latency.Tail.Need(p, "p99 latency of "+c.Name)})
			}
		}
		if p.Incomplete() || len(all) < 2 {
			return
		}
		byTail := func(a, b class) int { return cmp.Compare(a.tail, b.tail) }
		short, long := slices.MinFunc(all, byTail), slices.MaxFunc(all, byTail)
		if long.tail <= sizing.Times(short.tail, 3) || long.tail-short.tail <= mixedBy {
			return
		}
		f := Finding{
			Message: fmt.Sprintf("%s of %q share the queue with %s of %q; give each a queue of its own",
				sizing.Seconds(long.tail), long.Name, sizing.Seconds(short.tail), short.Name),
			Current: InSeconds(long.tail), Required: InSeconds(max(sizing.Times(short.tail, 3), short.tail+mixedBy)), Unit: Seconds,
			Origin:  long.Latency.Tail.Origin(),
			Related: []Related{{short.Name + ": p99 " + sizing.Seconds(short.tail), short.Latency.Tail.Origin()}},
		}
		a, ok1 := short.apart()
		b, ok2 := long.apart()
		if ok1 && ok2 {
			f.Fix = fmt.Sprintf("give each a queue of its own: with a timeout of %s for %q a crashed worker's message is back that soon, in place of %s",
				sizing.Seconds(a), short.Name, sizing.Seconds(b))
		}
		p.Report(f)
	},
})

// class is one class of work at its consumer.
type class struct {
	sizing *assess.Sizing
	facts.Class
	tail time.Duration
}

// apart is the timeout that the class would need on a queue of its own. The
// timeout of a function does not change with the class.
func (c class) apart() (time.Duration, bool) {
	if c.sizing.IsLambda() {
		return 0, false
	}
	return c.sizing.Alone(c.Class).Recommended.Get()
}
