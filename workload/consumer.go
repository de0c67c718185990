package workload

import (
	"time"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"

	"vtsize/facts"
	"vtsize/sizing"
)

// batch reads how many messages are held and how they are worked through.
func (d *decoder) batch(n ast.Node, w *facts.Work) {
	d.object(n, "batch", fields{
		"size":            into(d, "size", &w.Batch, whole(1, sizing.LambdaMaxBatch)),
		"handling":        into(d, "handling", &w.Handling, oneOf(facts.Serial, facts.Parallel)),
		"concurrency":     into(d, "concurrency", &w.Concurrency, whole(1, 1_000_000)),
		"prefetch":        into(d, "prefetch", &w.Prefetch, orNone(whole(1, 1_000_000))),
		"countdown":       into(d, "countdown", &w.Countdown, sizing.ParseDuration),
		"receive_timeout": into(d, "receive_timeout", &w.ReceiveTimeout, orNone(visibility(0))),
	})
	concurrency, ok := w.Concurrency.Get()
	handling, said := w.Handling.Get()
	switch {
	case ok && said && handling == facts.Serial && concurrency > 1:
		d.fail(n, "", "handling serial and concurrency %d contradict each other", concurrency)
	case ok && !said && concurrency > 1:
		w.Handling = facts.Known(facts.Parallel, w.Concurrency.Origin())
	}
}

// deadline reads when a step is given up.
func (d *decoder) deadline(n ast.Node, key string, w *facts.Work, t *timing) {
	if key == "deadline" {
		t.deadline = n
	} else {
		t.inBeats = n
	}
	if t.deadline != nil && t.inBeats != nil {
		d.fail(n, "", "deadline is said of the entry and of the heartbeat; keep one")
		return
	}
	into(d, "deadline", &w.StepDeadline, orNone(positive))(n)
}

// heartbeat reads the renewal: none, that of the framework, or its numbers.
func (d *decoder) heartbeat(n ast.Node, e *Entry, t *timing) {
	t.beats = n
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
	default:
		var word facts.Value[string]
		into(d, "heartbeat", &word, oneOf("none", "framework"))(n)
		switch text, _ := word.Get(); text {
		case "none":
			e.Work.Heartbeat = facts.Known[*facts.Heartbeat](nil, d.origin(n))
		case "framework":
			e.ownBeats = true
			e.Work.Heartbeat = facts.Unknown[*facts.Heartbeat](facts.NotDeclared, d.origin(n))
		}
		return
	}
	o := d.origin(n)
	h := &facts.Heartbeat{Threshold: facts.Known[*time.Duration](nil, o)}
	not(&h.Interval, o)
	not(&h.Extension, o)
	not(&h.Renews, o)
	not(&h.Progress, o)
	not(&h.StopsWork, o)
	not(&h.AfterDeadline, o)
	var progress, loss facts.Value[string]
	d.object(n, "heartbeat", fields{
		"interval":       into(d, "interval", &h.Interval, positive),
		"extension":      into(d, "extension", &h.Extension, visibility(time.Second)),
		"threshold":      into(d, "threshold", &h.Threshold, orNone(positive)),
		"deadline":       func(n ast.Node) { d.deadline(n, "heartbeat.deadline", &e.Work, t) },
		"renews":         into(d, "renews", &h.Renews, oneOf(facts.RenewsInWork, facts.RenewsHeld)),
		"progress":       into(d, "progress", &progress, oneOf("checkpoint", "none")),
		"on_loss":        into(d, "on_loss", &loss, oneOf("stop", "continue")),
		"after_deadline": into(d, "after_deadline", &h.AfterDeadline, oneOf(facts.ToDeadLetter, facts.ToPark, facts.NoDestination)),
	})
	if progress.IsKnown() {
		h.Progress = facts.Map(progress, func(s string) bool { return s == "checkpoint" })
	}
	if loss.IsKnown() {
		h.StopsWork = facts.Map(loss, func(s string) bool { return s == "stop" })
	}
	if threshold, _ := h.Threshold.Get(); threshold != nil && !h.Interval.IsKnown() {
		d.fail(n, "", "a heartbeat with a threshold needs an interval, the time between looks")
	}
	e.Work.Heartbeat = facts.Known(h, o)
}

// onFailure reads what happens to a message whose work failed. In a block that
// is there, what is not written is known not to be: no release, no backoff.
func (d *decoder) onFailure(n ast.Node, w *facts.Work) {
	if text, ok := n.(*ast.StringNode); ok {
		if text.Value != "none" {
			d.fail(n, "", "on_failure: %q is neither none nor a mapping with release, backoff or stops_heartbeat", text.Value)
		}
		w.OnFailure = facts.Known[*facts.OnFailure](nil, d.origin(n))
		return
	}
	o := d.origin(n)
	f := &facts.OnFailure{Release: facts.Known[*time.Duration](nil, o), Backoff: facts.Known(facts.NoBackoff, o)}
	not(&f.StopsBeats, o)
	d.object(n, "on_failure", fields{
		"release":         into(d, "release", &f.Release, orNone(visibility(0))),
		"backoff":         into(d, "backoff", &f.Backoff, oneOf(facts.NoBackoff, facts.Exponential)),
		"stops_heartbeat": into(d, "stops_heartbeat", &f.StopsBeats, truth),
	})
	w.OnFailure = facts.Known(f, o)
}

// framework finds a framework by its name.
func framework(name string) (sizing.Framework, error) {
	f, ok := sizing.FrameworkNamed(name)
	if ok {
		return f, nil
	}
	var names []string
	for _, f := range sizing.Frameworks {
		names = append(names, f.Name)
	}
	return f, nearest("no framework", name, names)
}

// settle looks at an entry as a whole: what contradicts itself, and what
// follows from what is there.
func (d *decoder) settle(e *Entry, t *timing) {
	w := &e.Work
	if t.latency != nil && t.list != nil {
		d.fail(t.list, "", "latency and stages both say how long a message takes; keep one")
	}
	if t.basisTwice != nil {
		d.fail(t.basisTwice, "", "basis is said of the entry and of the latency; keep one")
	}
	if t.basis.IsKnown() {
		w.Basis = t.basis
	}
	if unbounded, _ := w.Unbounded.Get(); unbounded {
		if deadline, _ := w.StepDeadline.Get(); deadline != nil {
			d.at(w.Unbounded.Origin(), len("true"), "", "unbounded and a deadline contradict each other")
		}
	}
	when, deletes := w.Delete.Get()
	store, handed := w.HandedTo.Get()
	switch {
	case handed && store != nil && when != facts.BeforeResult:
		d.at(w.HandedTo.Origin(), utf8.RuneCountInString(*store), "", "handed_to is for delete: before-result, and the message is not deleted before")
	case deletes && !handed:
		w.HandedTo = facts.Known[*string](nil, w.Delete.Origin())
	}
	f, named := e.Framework.Get()
	switch {
	case e.ownBeats && !named:
		d.fail(t.beats, "name the framework, or write the numbers of the heartbeat", "heartbeat: framework, and no framework is named")
	case e.ownBeats && f.Renewal.Kind == sizing.NoRenewal:
		d.fail(t.beats, "heartbeat: none", "framework %s does not renew", f.Name)
	}
}
