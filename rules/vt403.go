package rules

import (
	"fmt"
	"time"

	"vtsize/facts"
	"vtsize/sizing"
)

var _ = register(&Rule{
	ID: "VT403", Name: "dead-letter-retention-too-short", Severity: Warning, Scope: PerQueue, DeadLetterQueues: true,
	Title: "dead letters expire before anybody looks at them",
	Why: "On a standard queue a message keeps the time it was first sent when it moves to the dead-letter queue. With a retention no longer than the source's, " +
		"a message that waited in the source has little or nothing left: it is deleted out of the dead-letter queue, the only place that shows the failure. " +
		"On a FIFO queue the clock starts anew with the move.",
	Fix:     "Set the dead-letter queue's retention to 14 days, the longest there is.",
	Sources: []Source{srcDeadLetterAge, srcDeadLetter},
	Needs:   []string{"sqs:GetQueueAttributes", "sqs:ListDeadLetterSourceQueues"},
	Run: func(p *Pass) {
		sources := p.wiring.sources[p.Queue]
		kind := pairType(p.Queue, sources)
		if fifo, ok := kind.Get(); len(sources) == 0 || ok && fifo {
			p.NotApplicable()
			return
		}
		kind.Need(p, "queue type")
		retention := p.Queue.Retention.Need(p, "retention")
		if p.Incomplete() || retention >= sizing.MaxRetention {
			return // at its longest; VT402 tells a source that needs more
		}
		var worst *letterTime
		var missing Pass
		for _, source := range sources {
			if t := shortOf(source, retention, &missing); t != nil && (worst == nil || t.worseThan(worst)) {
				worst = t
			}
		}
		if worst == nil {
			p.misses = missing.misses
			return
		}
		f := Finding{
			Severity: worst.severity,
			Current:  InSeconds(retention), Required: InSeconds(min(worst.time+time.Second, sizing.MaxRetention)), Recommended: InSeconds(sizing.MaxRetention), Unit: Seconds,
			Fix:    "set the dead-letter queue's retention to " + sizing.Seconds(sizing.MaxRetention),
			Origin: p.Queue.Retention.Origin(), Related: []Related{{worst.text, worst.origin}},
		}
		f.Message = fmt.Sprintf("retention %s of the dead-letter queue is not above the %s, and a dead letter keeps the age it had; %s", sizing.Seconds(retention), worst.text, f.Fix)
		p.Report(f)
	},
})

// pairType is the type of a dead-letter queue, or that of its sources where it
// is not known: AWS pairs only queues of one type, and VT405 tells the others.
func pairType(letters *facts.Queue, sources []*facts.Queue) facts.Value[bool] {
	if !letters.FIFO.IsKnown() {
		for _, source := range sources {
			if source.FIFO.IsKnown() {
				return source.FIFO
			}
		}
	}
	return letters.FIFO
}

// letterTime is a time of a source queue that its dead-letter queue's
// retention does not outlast.
type letterTime struct {
	severity Severity
	time     time.Duration
	text     string
	origin   facts.Origin
}

func (t *letterTime) worseThan(o *letterTime) bool {
	return t.severity > o.severity || t.severity == o.severity && t.time > o.time
}

// shortOf is what a retention is too short for: the source's time to dead
// letter, when nothing ever arrives, or else its retention.
func shortOf(source *facts.Queue, retention time.Duration, m facts.Misser) *letterTime {
	policy, _ := source.Redrive.Get() // known: it names the dead-letter queue
	n := policy.MaxReceiveCount.Need(m, "maxReceiveCount of "+source.Name)
	timeout := source.VisibilityTimeout.Need(m, "visibility timeout of "+source.Name)
	if total := sizing.TimeToDeadLetter(n, timeout); total >= retention {
		text := fmt.Sprintf("%s that queue %q takes to dead-letter a message", sizing.Seconds(total), source.Name)
		return &letterTime{Error, total, text, policy.MaxReceiveCount.Origin()}
	}
	if kept := source.Retention.Need(m, "retention of "+source.Name); kept >= retention {
		text := fmt.Sprintf("%s that queue %q keeps messages", sizing.Seconds(kept), source.Name)
		return &letterTime{Warning, kept, text, source.Retention.Origin()}
	}
	return nil
}
