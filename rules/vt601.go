package rules

import (
	"fmt"
	"slices"
	"strings"

	"vtsize/facts"
)

var _ = register(&Rule{
	ID: "VT601", Name: "no-in-flight-alarm", Severity: Info, Scope: PerQueue,
	Title: "no alarm watches the messages in flight",
	Why: "A queue at its in-flight quota looks empty to its consumers, and consumers that hang show nowhere else than in the number of messages in flight. " +
		"SQS reports neither as an error.",
	Fix:     "Alarm on ApproximateNumberOfMessagesNotVisible, at some 80 % of 120,000 or well above what is usual for the queue.",
	Sources: []Source{srcSQSMetrics, srcQuotas},
	Needs:   []string{"cloudwatch:DescribeAlarms"},
	Run: func(p *Pass) {
		wantAlarm(p, "ApproximateNumberOfMessagesNotVisible", []string{p.Queue.ID, p.Queue.Name}, "of the queue; a queue at its in-flight quota looks empty, so alarm at some 80 % of 120,000")
	},
})

// wantAlarm reports a queue, known under some names, without an alarm on a
// metric. An alarm on the metric whose queue could not be told may be the one.
func wantAlarm(p *Pass, metric string, names []string, rest string) {
	alarms := p.Deployment.Alarms.Need(p, "alarms")
	var missing Pass
	for _, a := range alarms {
		for _, w := range a.Watches {
			if w.Metric != metric {
				continue
			}
			watched := w.Queue.Need(&missing, fmt.Sprintf("queue of alarm %q", a.Name))
			if w.Queue.IsKnown() && slices.ContainsFunc(names, func(name string) bool { return nameIn(name) == nameIn(watched) }) {
				return
			}
		}
	}
	if missing.Incomplete() {
		p.misses = append(p.misses, missing.misses...)
		return
	}
	p.Report(Finding{Message: "no alarm on " + metric + " " + rest, Origin: queuePlace(p.Queue)})
}

// nameIn is the name of a queue in its ARN; a name or an address is left as it
// is.
func nameIn(id string) string {
	if !strings.HasPrefix(id, "arn:") {
		return id
	}
	return id[strings.LastIndexByte(id, ':')+1:]
}

// queuePlace is where the queue is defined.
func queuePlace(q *facts.Queue) facts.Origin {
	if q.Pos.IsValid() {
		return facts.Origin{Kind: facts.File, Pos: q.Pos}
	}
	return facts.Origin{Kind: facts.AWS, Detail: q.ID}
}
