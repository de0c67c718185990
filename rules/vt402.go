package rules

import (
	"fmt"
	"time"

	"vtsize/facts"
	"vtsize/sizing"
)

const day = 24 * time.Hour

var _ = register(&Rule{
	ID: "VT402", Name: "expires-before-dead-letter", Severity: Error, Scope: PerQueue,
	Title: "messages expire before they are dead-lettered",
	Why: "A message that always fails needs maxReceiveCount times the visibility timeout until it moves to the dead-letter queue. " +
		"Where the retention is not above that, it is deleted first: the dead-letter queue stays empty, its alarm silent, and the message is lost.",
	Fix:     "Raise the retention above maxReceiveCount × visibility timeout, or lower one of the two.",
	Sources: []Source{srcDeadLetter, srcSetAttributes},
	Needs:   []string{"sqs:GetQueueAttributes"},
	Run: func(p *Pass) {
		policy := p.Queue.Redrive.Need(p, "redrive policy")
		if policy == nil {
			return
		}
		n := policy.MaxReceiveCount.Need(p, "maxReceiveCount")
		force := timeoutInForce(p)
		timeout := force.Need(p, "visibility timeout")
		retention := p.Queue.Retention.Need(p, "retention")
		total := sizing.TimeToDeadLetter(n, timeout)
		if p.Incomplete() || total < retention {
			return
		}
		f := Finding{
			Current: InSeconds(retention), Required: InSeconds(total + time.Second), Unit: Seconds,
			Formula: fmt.Sprintf("%d × %s = %s", n, sizing.Seconds(timeout), sizing.Seconds(total)),
			Origin:  p.Queue.Retention.Origin(),
			Related: []Related{
				{fmt.Sprintf("maxReceiveCount %d", n), policy.MaxReceiveCount.Origin()},
				{"visibility timeout " + sizing.Seconds(timeout), force.Origin()},
			},
		}
		outage, _ := p.Deployment.Outage.Get()
		if d, ok := retentionAbove(total, min(outage, sizing.MaxRetention)); ok {
			f.Recommended = InSeconds(d)
			f.Fix = "set the retention to " + sizing.Seconds(d)
			if fifo, _ := p.Queue.FIFO.Get(); !fifo && d < sizing.MaxRetention { // VT403
				f.Fix += ", and that of the dead-letter queue above it"
			}
		} else {
			most := int((sizing.MaxRetention - 1) / timeout)
			f.Fix = fmt.Sprintf("set maxReceiveCount to at most %d with a retention of %s, the longest there is", most, sizing.Seconds(sizing.MaxRetention))
		}
		f.Message = fmt.Sprintf("retention %s is not above the %s of %d receives, so messages are deleted and never dead-lettered; %s",
			sizing.Seconds(retention), sizing.Seconds(total), n, f.Fix)
		p.Report(f)
	},
})

// timeoutInForce is the visibility timeout that a message of the queue gets:
// that of the consumer that needs most, which may set its own.
func timeoutInForce(p *Pass) facts.Value[time.Duration] {
	if p.Sizing != nil {
		return p.Sizing.Timeout
	}
	return p.Queue.VisibilityTimeout
}

// timeToDeadLetter is how long a message that always fails stays in the queue.
// Without a redrive policy it stays until it expires, and no time is said.
func timeToDeadLetter(p *Pass, m facts.Misser) time.Duration {
	policy := p.Queue.Redrive.Need(m, "redrive policy")
	if policy == nil {
		return 0
	}
	return sizing.TimeToDeadLetter(policy.MaxReceiveCount.Need(m, "maxReceiveCount"), timeoutInForce(p).Need(m, "visibility timeout"))
}

// retentionAbove is the retention to advise, in whole days from the default
// on: longer than total, and no shorter than the outage. It reports false
// where the longest there is does not reach that.
func retentionAbove(total, outage time.Duration) (time.Duration, bool) {
	d := max(sizing.DefaultRetention, (total/day+1)*day, (outage+day-1)/day*day)
	return min(d, sizing.MaxRetention), total < sizing.MaxRetention && outage <= sizing.MaxRetention
}
