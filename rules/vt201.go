package rules

import (
	"fmt"
	"time"

	"vtsize/facts"
	"vtsize/sizing"
)

var _ = register(&Rule{
	ID: "VT201", Name: "heartbeat-too-slow", Severity: Error, Scope: PerConsumer,
	Title: "beats come too late, or with no room for one that fails",
	Why: "Each beat has to arrive before the visibility timeout that the one before it set runs out, and the first one before the queue's own runs out. " +
		"An interval of a third of the extension survives one lost beat; a longer one loses the message to one failed call or one pause of the process.",
	Fix:     "Beat at intervals below a third of the extension, from the moment that the message is received.",
	Sources: []Source{srcChangeVisibility, srcSQSTimeouts},
	Needs:   []string{"sqs:GetQueueAttributes"},
	Inputs:  "flags",
	Run: func(p *Pass) {
		h := heartbeat(p)
		if h == nil {
			return
		}
		interval := h.Interval.Need(p, "heartbeat interval")
		extension := h.Extension.Need(p, "heartbeat extension")
		if p.Incomplete() {
			return
		}
		f := Finding{
			Current: InSeconds(interval), Unit: Seconds, Origin: h.Interval.Origin(),
			Related: []Related{{"extension " + sizing.Seconds(extension), h.Extension.Origin()}},
		}
		wait, ok1 := p.Sizing.LeaseWait().Get()
		timeout, ok2 := p.Sizing.Timeout.Get()
		late := ok1 && ok2 && sizing.Sum(wait, interval) >= timeout
		better := sizing.Interval(extension)
		if late {
			better = sizing.Interval(min(extension, timeout-wait)) // the first beat has only that
		}
		if sizing.Times(better, 3) < extension {
			f.Recommended = InSeconds(better)
			f.Fix = "beat every " + sizing.Seconds(better)
		} else {
			f.Fix = "extend by 30 s and beat every " + sizing.Seconds(sizing.Interval(30*time.Second))
		}
		threshold, _ := h.Threshold.Get()
		switch {
		case late && sizing.Sum(wait, better) >= timeout:
			// No interval is short enough: the timeout has to cover the wait.
			f.Message = fmt.Sprintf("heartbeat interval %s after %s of waiting for work is past the visibility timeout %s; raise the timeout, or renew from the receive on",
				sizing.Seconds(interval), sizing.Seconds(wait), sizing.Seconds(timeout))
			f.Recommended = Amount{}
			f.Fix = fmt.Sprintf("%s and beat every %s", setTimeout(p, sizing.PlanHeartbeat(extension, wait, 0).QueueTimeout), sizing.Seconds(min(interval, sizing.Interval(extension))))
			f.Related = append(f.Related, Related{"visibility timeout " + sizing.Seconds(timeout), p.Sizing.Timeout.Origin()})
		case threshold != nil && tooFewTries(&f, min(*threshold, extension), interval):
			f.Related = append(f.Related, Related{"threshold " + sizing.Seconds(*threshold), h.Threshold.Origin()})
		case threshold == nil && interval >= extension:
			f.Required = InSeconds(sizing.Scale(extension, 1, 3))
			f.Message = fmt.Sprintf("heartbeat interval %s is not below the extension %s: each beat comes after the message is visible again; beat at less than a third of the extension",
				sizing.Seconds(interval), sizing.Seconds(extension))
		case late:
			f.Message = fmt.Sprintf("heartbeat interval %s puts the first beat at %s, when the visibility timeout %s has ended; beat sooner or raise the timeout",
				sizing.Seconds(interval), sizing.Seconds(sizing.Sum(wait, interval)), sizing.Seconds(timeout))
			f.Related = append(f.Related, Related{"visibility timeout " + sizing.Seconds(timeout), p.Sizing.Timeout.Origin()})
		case threshold == nil && sizing.Times(interval, 3) >= extension:
			f.Severity = Warning
			f.Required = InSeconds(sizing.Scale(extension, 1, 3))
			survives := "one that is lost loses the message"
			if n := sizing.LostBeatsSurvived(extension, interval); n > 0 {
				survives = fmt.Sprintf("it survives %d lost", n)
			}
			f.Message = fmt.Sprintf("heartbeat interval %s is above a third of the extension %s: %s; beat more often", sizing.Seconds(interval), sizing.Seconds(extension), survives)
			if sizing.Times(interval, 3) == extension {
				f.Severity, f.Asks = Info, true
				f.Message = fmt.Sprintf("heartbeat interval %s is exactly a third of the extension %s: the last beat races its end; beat a little sooner", sizing.Seconds(interval), sizing.Seconds(extension))
			}
		default:
			p.Sizing.LeaseWait().Need(p)
			p.Sizing.Timeout.Need(p, "visibility timeout")
			return
		}
		p.Report(f)
	},
})

// heartbeat is the heartbeat of a worker. Where there is none, or the consumer
// is a function, whose poller does not renew, the rule does not apply.
func heartbeat(p *Pass) *facts.Heartbeat {
	if p.Sizing.IsLambda() {
		p.NotApplicable()
		return nil
	}
	h := p.Consumer.Work.Heartbeat.Need(p, "heartbeat")
	if h == nil && !p.Incomplete() {
		p.NotApplicable()
	}
	return h
}

// tooFewTries judges a renewal by threshold: the looks that fall into the time
// below it.
func tooFewTries(f *Finding, threshold, interval time.Duration) bool {
	tries := sizing.ThresholdTries(threshold, interval)
	if tries > 1 {
		return false
	}
	f.Required = InSeconds(sizing.Scale(threshold, 1, 2))
	f.Recommended = Amount{}
	if half := sizing.Interval(threshold); sizing.ThresholdTries(threshold, half) > 1 {
		f.Recommended = InSeconds(half)
	}
	f.Fix = fmt.Sprintf("look every %s, or extend when more is left", sizing.Seconds(sizing.Interval(threshold)))
	f.Message = fmt.Sprintf("heartbeat interval %s leaves %d look below the threshold %s: one that fails loses the message; look more often or extend earlier", sizing.Seconds(interval), tries, sizing.Seconds(threshold))
	f.Severity = Warning
	if tries == 0 {
		f.Severity = Error
		f.Message = fmt.Sprintf("heartbeat interval %s leaves no look below the threshold %s: the message is visible again first; look more often or extend earlier", sizing.Seconds(interval), sizing.Seconds(threshold))
	}
	return true
}
