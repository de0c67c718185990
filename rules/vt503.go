package rules

import (
	"fmt"
	"time"

	"vtsize/sizing"
)

// oldMessage is the age from which a message counts as old where it would be
// dead-lettered sooner.
const oldMessage = 15 * time.Minute

var _ = register(&Rule{
	ID: "VT503", Name: "oldest-message-ages", Severity: Warning, Scope: PerQueue,
	Title: "the oldest message waits longer than retries explain",
	Why: "A message older than maxReceiveCount visibility timeouts is not one that keeps failing, which would have been dead-lettered by then: it waits. " +
		"The consumers are stopped, too few, or held up; near the end of the retention messages are about to be deleted unread.",
	Fix:     "See whether the consumers run and are enough for the arrivals; near the end of the retention raise it first, which keeps the messages that are there.",
	Sources: []Source{srcSQSMetrics, srcSetAttributes},
	Needs:   []string{"sqs:GetQueueAttributes", "cloudwatch:GetMetricData"},
	Run: func(p *Pass) {
		m := &p.Queue.Metrics
		oldest := m.OldestAge.Need(p, "age of the oldest message")
		if p.Incomplete() {
			return
		}
		f := Finding{Current: InSeconds(oldest), Unit: Seconds, Origin: m.OldestAge.Origin()}
		retention, known := p.Queue.Retention.Get()
		if near := sizing.Scale(retention, 4, 5); known && oldest >= near {
			f.Severity, f.Required = Error, InSeconds(near)
			f.Fix = "start or add consumers now, and " + keepLonger(retention)
			f.Message = fmt.Sprintf("oldest message is %s old of a retention of %s, then it is deleted; %s", sizing.Seconds(oldest), sizing.Seconds(retention), f.Fix)
			f.Related = []Related{{"retention " + sizing.Seconds(retention), p.Queue.Retention.Origin()}}
			p.Report(f)
			return
		}
		if oldest > oldMessage {
			expected := max(timeToDeadLetter(p, p), oldMessage)
			if p.Incomplete() {
				return
			}
			if oldest > expected {
				f.Required = InSeconds(expected)
				f.Message = fmt.Sprintf("oldest message is %s old, more than the %s that retries explain: it waits; see whether the consumers run and are enough", sizing.Seconds(oldest), sizing.Seconds(expected))
				p.Report(f)
				return
			}
		}
		p.Queue.Retention.Need(p, "retention")
	},
})

// keepLonger is the advice to keep messages longer, where that is possible.
func keepLonger(retention time.Duration) string {
	if retention >= sizing.MaxRetention {
		return "copy what must not be lost: the retention is the longest there is"
	}
	return fmt.Sprintf("raise the retention to %s, which saves those that are there", sizing.Seconds(sizing.MaxRetention))
}
