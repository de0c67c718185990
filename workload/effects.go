package workload

import (
	"time"

	"github.com/goccy/go-yaml/ast"

	"vtsize/facts"
)

// effects reads what the work does to the outside. An empty list says that it
// does nothing.
func (d *decoder) effects(n ast.Node, w *facts.Work) {
	effects, lines := []facts.Effect{}, map[string]int{}
	d.list(n, "effects", func(_ int, item ast.Node) {
		o := d.origin(item)
		var e facts.Effect
		var name facts.Value[string]
		not(&e.Key, o)
		not(&e.Guard, o)
		not(&e.Uncertain, o)
		d.object(item, "an effect", fields{
			"name":            into(d, "name", &name, words),
			"idempotency_key": into(d, "idempotency_key", &e.Key, orNone(words)),
			"guard":           into(d, "guard", &e.Guard, oneOf(facts.GuardVersion, facts.GuardFencing, facts.NoGuard)),
			"uncertain":       into(d, "uncertain", &e.Uncertain, oneOf(facts.Reconcile, facts.RetryIt)),
		})
		var ok bool
		if e.Name, ok = name.Get(); !ok {
			d.fail(item, "", "an effect needs a name")
			return
		}
		if line, twice := lines[e.Name]; twice {
			d.fail(item, "", "effect %q is there already in line %d", e.Name, line)
			return
		}
		lines[e.Name] = o.Pos.Line
		effects = append(effects, e)
	})
	w.Effects = facts.Known(effects, d.origin(n))
}

// classes reads the kinds of work that share the queue.
func (d *decoder) classes(n ast.Node, w *facts.Work) {
	classes := []facts.Class{}
	d.list(n, "classes", func(_ int, item ast.Node) {
		st := stageOf(d.origin(item))
		var name facts.Value[string]
		known := fields{"name": into(d, "name", &name, words)}
		for key, read := range d.stageFields(&st, &client{}) {
			switch key {
			case "p50", "p99", "p99.9", "mean", "max", "samples":
				known[key] = read
			}
		}
		d.object(item, "a class", known)
		d.ordered(item, st.Latency)
		text, ok := name.Get()
		if !ok || !st.Latency.Tail.IsKnown() {
			d.fail(item, "", "a class needs a name and a p99")
			return
		}
		classes = append(classes, facts.Class{Name: text, Latency: st.Latency})
	})
	w.Classes = facts.Known(classes, d.origin(n))
}

// tests reads what the tests of the worker bring about.
func (d *decoder) tests(n ast.Node, w *facts.Work) {
	tested := []facts.Tested{}
	d.list(n, "tests", func(_ int, item ast.Node) {
		var v facts.Value[facts.Tested]
		into(d, "tests", &v, oneOf(facts.TestsRedelivery, facts.TestsLostLease, facts.TestsDuplicate))(item)
		if t, ok := v.Get(); ok {
			tested = append(tested, t)
		}
	})
	w.Practice.Tests = facts.Known(tested, d.origin(n))
}

// ignores reads the suppressions. Each needs a reason: a later reader has to
// be able to tell whether it still holds.
func (d *decoder) ignores(n ast.Node, e *Entry) {
	d.list(n, "ignore", func(_ int, item ast.Node) {
		var rule, reason facts.Value[string]
		var until facts.Value[time.Time]
		var ruleNode ast.Node
		before := len(d.problems)
		d.object(item, "a suppression", fields{
			"rule": func(n ast.Node) {
				ruleNode = n
				into(d, "rule", &rule, words)(n)
			},
			"until":  into(d, "until", &until, date),
			"reason": into(d, "reason", &reason, words),
		})
		if len(d.problems) > before {
			return
		}
		name, ok := rule.Get()
		why, said := reason.Get()
		if !ok || !said {
			d.fail(item, "", "a suppression needs a rule and a reason")
			return
		}
		if r := d.rule(ruleNode, name); r != nil {
			end, _ := until.Get()
			e.Ignores = append(e.Ignores, facts.Ignore{Rule: r.ID, Until: end, Reason: why, Pos: d.pos(first(item))})
		}
	})
}
