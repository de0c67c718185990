package workload

import (
	"fmt"
	"time"

	"github.com/goccy/go-yaml/ast"

	"vtsize/facts"
	"vtsize/internal/spell"
	"vtsize/sizing"
)

// bases reads a basis.
var bases = oneOf(facts.PerCall, facts.PerStep, facts.PerInvocation)

// timing is what an entry says of how long a message takes, and where, until
// it is known that the parts do not contradict each other.
type timing struct {
	entry              *Entry
	latency, list      ast.Node // of latency: and stages:
	basis              facts.Value[facts.Basis]
	basisTwice         ast.Node
	deadline, inBeats  ast.Node // deadline: of the entry and of the heartbeat
	beats              ast.Node // of heartbeat:
	csv                ast.Node
	csvFile, csvColumn facts.Value[string]
	csvUnit, csvClass  facts.Value[string]
}

// stageOf is a stage of which nothing was said.
func stageOf(o facts.Origin) facts.Stage {
	var st facts.Stage
	l := &st.Latency
	for _, x := range []*facts.Value[time.Duration]{&l.Tail, &l.Mean, &l.P50, &l.P999, &l.Max} {
		not(x, o)
	}
	not(&l.Samples, o)
	not(&st.RequestTimeout, o)
	not(&st.RetryAfter, o)
	l.Method = "as declared"
	st.Attempts = facts.Known(1, facts.Origin{Kind: facts.Default, Detail: "no attempts said", Pos: o.Pos})
	st.Backoff = facts.Known([]time.Duration(nil), facts.Origin{Kind: facts.Default, Detail: "no backoff said", Pos: o.Pos})
	return st
}

// client is what a stage says of its retries.
type client struct {
	attempts, retries facts.Value[int]
	backoff           facts.Value[[]time.Duration]
	sdk               facts.Value[sizing.Preset]
	timeout           facts.Value[*time.Duration]
	node              ast.Node // of the backoff
	sdkNode           ast.Node
}

// stageFields are the keys of a stage: a latency and a client.
func (d *decoder) stageFields(st *facts.Stage, c *client) fields {
	l := &st.Latency
	return fields{
		"p50":      into(d, "p50", &l.P50, positive),
		"p99":      into(d, "p99", &l.Tail, positive),
		"p99.9":    into(d, "p99.9", &l.P999, positive),
		"mean":     into(d, "mean", &l.Mean, positive),
		"max":      into(d, "max", &l.Max, positive),
		"samples":  into(d, "samples", &l.Samples, whole(1, 1<<40)),
		"attempts": into(d, "attempts", &c.attempts, whole(1, 1000)),
		"retries":  into(d, "retries", &c.retries, whole(0, 999)),
		"backoff": func(n ast.Node) {
			if waits, ok := d.durations(n, "backoff"); ok {
				c.backoff, c.node = facts.Known(waits, d.origin(n)), n
			}
		},
		"sdk": func(n ast.Node) {
			c.sdkNode = n
			into(d, "sdk", &c.sdk, preset)(n)
		},
		"request_timeout": into(d, "request_timeout", &c.timeout, orNone(positive)),
	}
}

func preset(name string) (sizing.Preset, error) {
	p, ok := sizing.PresetNamed(name)
	if ok {
		return p, nil
	}
	var names []string
	for _, p := range sizing.Presets {
		names = append(names, p.Name)
	}
	return p, nearest("no preset", name, names)
}

// nearest is the error for a name that is not in a table of presets.
func nearest(what, name string, names []string) error {
	hint := "vtsize presets lists them"
	if near := spell.Nearest(name, names); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	return &hintError{fmt.Sprintf("%s %q", what, name), hint}
}

// latency reads one latency, given or in a file.
func (d *decoder) latency(n ast.Node, t *timing) {
	t.latency = n
	st, c := stageOf(d.origin(n)), client{}
	known := d.stageFields(&st, &c)
	known["basis"] = func(n ast.Node) {
		if t.basis.IsKnown() {
			t.basisTwice = n
		}
		into(d, "basis", &t.basis, bases)(n)
	}
	known["csv"] = func(n ast.Node) {
		t.csv = n
		into(d, "csv", &t.csvFile, words)(n)
	}
	known["column"] = into(d, "column", &t.csvColumn, words)
	known["unit"] = into(d, "unit", &t.csvUnit, words)
	known["class"] = into(d, "class", &t.csvClass, words)
	d.object(n, "latency", known)
	d.clientOf(n, &st, c)
	d.ordered(n, st.Latency)
	if t.csv != nil {
		d.csvOf(t, st)
	} else if t.csvColumn.IsKnown() || t.csvUnit.IsKnown() || t.csvClass.IsKnown() {
		d.fail(n, "", "column, unit and class are for a csv, and none is named")
	}
	t.entry.Work.Stages = facts.Known([]facts.Stage{st}, d.origin(n))
}

// csvOf takes note of the file to read.
func (d *decoder) csvOf(t *timing, st facts.Stage) {
	l := st.Latency
	if l.Tail.IsKnown() || l.Mean.IsKnown() || l.P50.IsKnown() || l.P999.IsKnown() || l.Max.IsKnown() || l.Samples.IsKnown() {
		d.fail(t.csv, "", "csv and percentiles both say how long it takes; keep one")
		return
	}
	csv := &CSV{Pos: d.pos(first(t.csv))}
	csv.File, _ = t.csvFile.Get()
	csv.Column, _ = t.csvColumn.Get()
	csv.Unit, _ = t.csvUnit.Get()
	csv.Class, _ = t.csvClass.Get()
	t.entry.CSV = csv
}

// stages reads the parts of a step.
func (d *decoder) stages(n ast.Node, t *timing) {
	t.list = n
	var stages []facts.Stage
	d.list(n, "stages", func(_ int, item ast.Node) {
		st, c := stageOf(d.origin(item)), client{}
		var name facts.Value[string]
		known := d.stageFields(&st, &c)
		known["name"] = into(d, "name", &name, words)
		before := len(d.problems)
		d.object(item, "a stage", known)
		st.Name, _ = name.Get()
		if len(d.problems) == before && !st.Latency.Tail.IsKnown() {
			d.fail(item, "", "a stage needs a p99")
		}
		d.clientOf(item, &st, c)
		d.ordered(item, st.Latency)
		stages = append(stages, st)
	})
	if len(stages) == 0 {
		d.fail(n, "", "stages has no stage")
		return
	}
	t.entry.Work.Stages = facts.Known(stages, d.origin(n))
}

// ordered checks that percentiles do not fall.
func (d *decoder) ordered(n ast.Node, l facts.Latency) {
	if err := Ordered(l); err != nil {
		d.fail(n, "", "%v", err)
	}
}

// Ordered reports percentiles that fall.
func Ordered(l facts.Latency) error {
	last, name := time.Duration(0), ""
	for _, p := range []struct {
		name string
		v    facts.Value[time.Duration]
	}{{"p50", l.P50}, {"p99", l.Tail}, {"p99.9", l.P999}, {"max", l.Max}} {
		d, ok := p.v.Get()
		if !ok {
			continue
		}
		if d < last {
			return fmt.Errorf("latency: %s %s is below %s %s", p.name, sizing.Seconds(d), name, sizing.Seconds(last))
		}
		last, name = d, p.name
	}
	mean, ok1 := l.Mean.Get()
	most, ok2 := l.Max.Get()
	if ok1 && ok2 && mean > most {
		return fmt.Errorf("latency: mean %s is above max %s", sizing.Seconds(mean), sizing.Seconds(most))
	}
	return nil
}

// clientOf settles the retries of a stage: what was said, then what the preset
// knows.
func (d *decoder) clientOf(n ast.Node, st *facts.Stage, c client) {
	attempts, said := c.attempts.Get()
	place := c.attempts.Origin()
	if retries, ok := c.retries.Get(); ok {
		if said {
			d.fail(n, "", "attempts and retries are both said; attempts are retries + 1")
			return
		}
		attempts, said, place = retries+1, true, c.retries.Origin()
	}
	waits, waited := c.backoff.Get()
	if waited {
		if !said {
			attempts, said, place = len(waits)+1, true, c.backoff.Origin()
		}
		if len(waits) != attempts-1 {
			d.fail(c.node, "name one wait for each retry", "backoff has %d waits, and %d attempts have %d between them", len(waits), attempts, attempts-1)
			return
		}
		st.Backoff = c.backoff
	}
	if said {
		st.Attempts = facts.Known(attempts, place)
	}
	if p, ok := c.sdk.Get(); ok {
		if err := Preset(st, p, attempts, waited, c.sdk.Origin()); err != nil {
			d.fail(c.sdkNode, "name the waits in backoff", "%v", err)
		}
	}
	if c.timeout.IsKnown() {
		st.RequestTimeout = c.timeout
	}
}

// Preset fills in what a preset knows of a stage's client and nobody said:
// attempts (0: not said), waits, timeout, Retry-After.
func Preset(st *facts.Stage, p sizing.Preset, attempts int, waited bool, o facts.Origin) error {
	if o.Detail != "" {
		o.Detail += " "
	}
	o.Detail += p.Name
	st.Client = p.Name
	if attempts == 0 {
		attempts = p.Attempts
		st.Attempts = facts.Known(attempts, o)
	}
	if !waited {
		waits, err := p.WaitsFor(attempts)
		if err != nil {
			return err
		}
		st.Backoff = facts.Known(waits, o)
	}
	switch t := p.RequestTimeout; {
	case t.None:
		st.RequestTimeout = facts.Known[*time.Duration](nil, o)
	case t.Unknown != "":
		st.RequestTimeout = facts.Unknown[*time.Duration](facts.NotDeclared, facts.Origin{Kind: o.Kind, Detail: o.Detail + ": " + t.Unknown, Pos: o.Pos})
	default:
		st.RequestTimeout = facts.Known(&t.Bound, o)
	}
	st.RetryAfter = facts.Known(facts.RetryAfter(p.RetryAfter), o)
	return nil
}
