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
		within := extension // the time that beats have to fall into
		threshold, _ := h.Threshold.Get()
		if threshold != nil {
			within = min(within, *threshold)
		}
		wait, ok1 := p.Sizing.LeaseWait().Get()
		timeout, ok2 := p.Sizing.Timeout.Get()
		late := ok1 && ok2 && sizing.Sum(wait, interval) >= timeout
		better := sizing.Interval(within)
		if late {
			better = sizing.Interval(min(within, timeout-wait)) // the first beat has only that
		}
		f := Finding{
			Current: InSeconds(interval), Unit: Seconds, Origin: h.Interval.Origin(),
			Related: []Related{{"extension " + sizing.Seconds(extension), h.Extension.Origin()}},
		}
		if sizing.Times(better, 3) < within {
			f.Recommended = InSeconds(better)
			f.Fix = "beat every " + sizing.Seconds(better)
		} else {
			f.Fix = "extend to 30 s and beat every " + sizing.Seconds(sizing.Interval(30*time.Second))
		}
		if late {
			f.Related = append(f.Related, Related{"visibility timeout " + sizing.Seconds(timeout), p.Sizing.Timeout.Origin()})
		}
		hopeless := late && sizing.Sum(wait, better) >= timeout
		switch {
		case hopeless:
			// No interval is short enough: the timeout has to cover the wait.
			f.Recommended = Amount{}
			f.Fix = fmt.Sprintf("%s and beat every %s", setTimeout(p, sizing.PlanHeartbeat(extension, wait, 0).QueueTimeout), sizing.Seconds(min(interval, sizing.Interval(within))))
			f.Message = fmt.Sprintf("heartbeat interval %s after %s of waiting for work is past the visibility timeout %s; raise the timeout, or renew from the receive on",
				sizing.Seconds(interval), sizing.Seconds(wait), sizing.Seconds(timeout))
		case threshold != nil && judgeTries(&f, *threshold, extension, interval):
			f.Related = append(f.Related, Related{"threshold " + sizing.Seconds(*threshold), h.Threshold.Origin()})
		case threshold == nil && interval >= extension:
			f.Message = fmt.Sprintf("heartbeat interval %s is not below the extension %s: each beat comes after the message is visible again; beat at less than a third of the extension",
				sizing.Seconds(interval), sizing.Seconds(extension))
		case late:
			f.Message = fmt.Sprintf("heartbeat interval %s puts the first beat at %s, when the visibility timeout %s has ended; beat sooner or raise the timeout",
				sizing.Seconds(interval), sizing.Seconds(sizing.Sum(wait, interval)), sizing.Seconds(timeout))
		case threshold == nil && judgeThird(&f, extension, interval):
		default:
			p.Sizing.LeaseWait().Need(p)
			p.Sizing.Timeout.Need(p, "visibility timeout")
			return
		}
		p.Report(f)
	},
})

// judgeThird judges an interval below the extension by the beats that may be
// lost.
func judgeThird(f *Finding, extension, interval time.Duration) bool {
	f.Required = InSeconds(sizing.Scale(extension, 1, 3))
	switch three := sizing.Times(interval, 3); {
	case three < extension:
		return false
	case three == extension:
		f.Severity, f.Asks = Info, true
		f.Message = fmt.Sprintf("heartbeat interval %s is exactly a third of the extension %s: the last beat races its end; beat a little sooner", sizing.Seconds(interval), sizing.Seconds(extension))
		return true
	}
	survives := "one that is lost loses the message"
	if n := sizing.LostBeatsSurvived(extension, interval); n > 0 {
		survives = fmt.Sprintf("it survives %d lost", n)
	}
	f.Severity = Warning
	f.Message = fmt.Sprintf("heartbeat interval %s is above a third of the extension %s: %s; beat more often", sizing.Seconds(interval), sizing.Seconds(extension), survives)
	return true
}

// judgeTries judges a renewal by threshold: by the looks that fall into the
// time below it, which ends with the extension at the latest.
func judgeTries(f *Finding, threshold, extension, interval time.Duration) bool {
	within, where := threshold, "below the threshold "+sizing.Seconds(threshold)
	if extension < threshold {
		within, where = extension, "within the extension "+sizing.Seconds(extension)
	}
	f.Required = InSeconds(sizing.Scale(within, 1, 2))
	switch sizing.ThresholdTries(within, interval) {
	case 0:
		f.Severity = Error
		f.Message = fmt.Sprintf("heartbeat interval %s leaves no look %s: the message is visible again first; look more often or extend earlier", sizing.Seconds(interval), where)
	case 1:
		f.Severity = Warning
		f.Message = fmt.Sprintf("heartbeat interval %s leaves 1 look %s: one that fails loses the message; look more often or extend earlier", sizing.Seconds(interval), where)
	default:
		return false
	}
	return true
}

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
