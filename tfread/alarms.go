package tfread

import (
	"strings"

	"github.com/zclconf/go-cty/cty"

	"vtsize/facts"
	"vtsize/tfread/eval"
)

// makeAlarms reads the alarms on SQS metrics. Where no alarm at all is defined
// they are kept elsewhere, and nothing is known of them.
func (rd *reader) makeAlarms() {
	if len(rd.alarms) == 0 {
		rd.d.Alarms = facts.Unknown[[]facts.Alarm](facts.NotDeclared, facts.Origin{Kind: rd.kind, Detail: "no alarm is defined in these files"})
		return
	}
	out := []facts.Alarm{}
	for _, i := range rd.alarms {
		a := facts.Alarm{Name: rd.show(i.address)}
		if name := asString(i.get("alarm_name").V); name != "" {
			a.Name = rd.root.Show(name)
		}
		a.Watches = rd.watches(i)
		if len(a.Watches) > 0 {
			out = append(out, a)
		}
	}
	rd.d.Alarms = facts.Known(out, facts.Origin{Kind: rd.kind, Pos: rd.alarms[0].pos})
}

func (rd *reader) watches(i *item) []facts.Watch {
	var out []facts.Watch
	if w, ok := rd.watch(i.get("namespace"), i.get("metric_name"), i.get("dimensions"), i.path); ok {
		out = append(out, w)
	}
	queries, _ := i.blocks("metric_query")
	for _, q := range queries {
		metrics, _ := q.blocks("metric")
		for _, m := range metrics {
			if w, ok := rd.watch(m.get("namespace"), m.get("metric_name"), m.get("dimensions"), i.path); ok {
				out = append(out, w)
			}
		}
	}
	return out
}

// watch is one metric of an alarm, if it is one of SQS.
func (rd *reader) watch(namespace, metric, dimensions eval.Value, path string) (facts.Watch, bool) {
	ns := asString(namespace.V)
	if ns != "AWS/SQS" && !(ns == "" && !isNull(namespace.V)) && len(rd.root.Tokens(ns)) == 0 {
		return facts.Watch{}, false
	}
	w := facts.Watch{Metric: rd.root.Show(asString(metric.V))}
	name := cty.NilVal
	if d := dimensions.V; d != cty.NilVal && d.IsKnown() && !d.IsNull() && d.CanIterateElements() {
		for it := d.ElementIterator(); it.Next(); {
			if k, e := it.Element(); asString(k) == "QueueName" {
				name = e
			}
		}
	}
	s := asString(name)
	if s == "" {
		w.Queue = unknown[string](rd, dimensions)
		return w, ns == "AWS/SQS"
	}
	if ref := rd.queueNamed(s, path); ref != nil {
		w.Queue = facts.Known(ref.q.ID, rd.origin(dimensions))
	} else if len(rd.root.Tokens(s)) > 0 {
		w.Queue = unknown[string](rd, dimensions)
	} else {
		w.Queue = facts.Known(s, rd.origin(dimensions))
	}
	return w, true
}

// queueNamed finds a queue by its bare name.
func (rd *reader) queueNamed(name, path string) *queueRef {
	if !strings.ContainsAny(name, ":/") {
		name = "arn:x:sqs:x:x:" + name
	}
	return rd.findQueue(name, path)
}
