package workload

import (
	"path"
	"strings"

	"vtsize/facts"
	"vtsize/rules"
)

// Entry finds the first entry that matches a queue by its name, ARN, address
// or id, or returns nil.
func (f *File) Entry(q *facts.Queue) *Entry {
	for _, e := range f.Entries {
		for _, name := range []string{q.Name, q.ARN, q.Address, q.ID} {
			if name != "" && matches(e.Match, name) {
				return e
			}
		}
	}
	return nil
}

// Matches are what the entries match, in order.
func (f *File) Matches() []string {
	var all []string
	for _, e := range f.Entries {
		all = append(all, e.Match)
	}
	return all
}

// literal keeps brackets of Terraform addresses from being classes of a glob.
var literal = strings.NewReplacer(`\`, `\\`, `[`, `\[`)

// matches reports whether a pattern with * and ? matches the whole name.
func matches(pattern, name string) bool {
	if pattern == name {
		return true
	}
	ok, err := path.Match(literal.Replace(pattern), name)
	return ok && err == nil
}

// Apply gives what the file says to a deployment: the outage, and to each
// queue that an entry matches its rate, its suppressions and the work of its
// consumers. A queue without a consumer gets a worker, as somebody works on
// what the entry tells of; one that is only a dead-letter queue does not.
// Latencies that were measured stay. The entries are returned by queue id.
func (f *File) Apply(d *facts.Deployment) map[string]*Entry {
	if f.Outage.IsKnown() {
		d.Outage = f.Outage
	}
	applied := map[string]*Entry{}
	wiring := rules.Wire(d)
	for _, q := range d.Queues {
		e := f.Entry(q)
		if e == nil {
			continue
		}
		applied[q.ID] = e
		if e.Rate.IsKnown() {
			q.Rate = e.Rate
		}
		for _, ignore := range e.Ignores {
			ignore.Queue = q.ID
			d.Ignores = append(d.Ignores, ignore)
		}
		list, ok := q.Consumers.Get()
		if ok && len(list) == 0 && !wiring.OnlyDeadLetters(q) {
			list = []*facts.Consumer{{ID: "worker", Kind: facts.Worker}}
			q.Consumers = facts.Known(list, declared(e.Pos))
		}
		for _, c := range list {
			own := e.WorkOn(q, c.Kind)
			if st := c.Work.Stages; st.IsKnown() && st.Origin().Kind == facts.Measured {
				own.Stages, own.Basis = facts.Value[[]facts.Stage]{}, facts.Value[facts.Basis]{}
			}
			c.Work = fill(Overlay(c.Work, own), own)
		}
	}
	return applied
}

// WorkOn is the work that the entry tells of, as it is done for one queue: with
// what the framework does by itself, and with the default of an extension.
func (e *Entry) WorkOn(q *facts.Queue, kind facts.ConsumerKind) facts.Work {
	w := e.Work
	if f, ok := e.Framework.Get(); ok && kind == facts.Worker {
		w = fromFramework(w, f, e, q)
	}
	h, _ := w.Heartbeat.Get()
	if h == nil || h.Extension.IsKnown() {
		return w
	}
	timeout := q.VisibilityTimeout
	if own, ok := w.ReceiveTimeout.Get(); ok && own != nil {
		timeout = facts.Known(*own, w.ReceiveTimeout.Origin())
	}
	if d, ok := timeout.Get(); ok && h.Interval.IsKnown() {
		own := *h
		own.Extension = facts.Known(d, facts.Origin{Kind: facts.Default, Detail: "default of extension: the visibility timeout", Pos: w.Heartbeat.Origin().Pos})
		w.Heartbeat = facts.Known(&own, w.Heartbeat.Origin())
	}
	return w
}
