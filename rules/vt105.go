package rules

import (
	"fmt"
	"time"

	"vtsize/sizing"
)

var _ = register(&Rule{
	ID: "VT105", Name: "hold-past-twelve-hours", Severity: Error, Scope: PerConsumer,
	Title: "a message would be held for more than twelve hours",
	Why: "SQS hides a received message for twelve hours from the receive and no longer; extending the timeout does not move that end, and a call that asks for more is refused. " +
		"Work that is held longer is always delivered again, whatever timeout or heartbeat is set.",
	Fix:     "Make the work shorter: fewer messages at once, smaller messages, or a workflow service that keeps the state while the message is deleted.",
	Sources: []Source{srcVisibility, srcChangeVisibility, srcTwelveHours},
	Needs:   []string{"sqs:GetQueueAttributes"},
	Inputs:  "flags",
	Run: func(p *Pass) {
		s := p.Sizing
		floor, _ := s.Floor.Get()
		tooLong := !s.IsLambda() && floor > sizing.SafeTotalHold
		timeout, ok := s.Timeout.Get()
		refused := ok && timeout > sizing.MaxVisibilityTimeout
		if refused && !tooLong {
			f := pastTwelveHours(timeout, "visibility timeout %s is refused: SQS takes %s at most; set a shorter one")
			f.Origin, f.Required = s.Timeout.Origin(), InSeconds(sizing.MaxVisibilityTimeout)
			f.Fix = "set a timeout that SQS takes"
			if d, ok := s.QueueTimeout().Get(); ok {
				f.Fix, f.Recommended = setTimeout(p, d), InSeconds(d)
			}
			f.Supersedes = []string{"VT103"}
			p.Report(f)
			return
		}
		if s.IsLambda() {
			p.NotApplicable() // a run ends with the function timeout, long before
			return
		}
		if tooLong {
			f := pastTwelveHours(floor, "a message is held for %s at p"+fmt.Sprint(s.Percentile)+", and SQS hides it for %s at most; "+lessWork(p))
			f.Fix, f.Formula, f.Related = lessWork(p), s.Formula, latencyPlaces(p)
			f.Supersedes = []string{"VT101", "VT108", "VT202"}
			if refused {
				f.Severity = Error
				f.Message += fmt.Sprintf("; the visibility timeout %s is refused too", sizing.Seconds(timeout))
				f.Related = append(f.Related, Related{"visibility timeout " + sizing.Seconds(timeout), s.Timeout.Origin()})
				f.Supersedes = append(f.Supersedes, "VT103")
			}
			p.Report(f)
			return
		}
		if planned, ok := p.Consumer.Work.Extension.Get(); ok && s.Heartbeat == nil {
			if f, past := firstBeat(sizing.Interval(planned), planned); past {
				f.Origin = p.Consumer.Work.Extension.Origin()
				p.Report(f)
				return
			}
		}
		if h := s.Heartbeat; h != nil {
			extension := h.Extension.Need(p, "heartbeat extension")
			interval := h.Interval.Need(p, "heartbeat interval")
			if p.Incomplete() {
				return
			}
			if f, past := firstBeat(interval, extension); past {
				f.Origin = h.Extension.Origin()
				p.Report(f)
				return
			}
			wait, ok1 := s.StartWait.Get()
			deadline, ok2 := p.Consumer.Work.StepDeadline.Get()
			if ok1 && ok2 && deadline != nil {
				if total := sizing.Sum(wait, *deadline, extension); total > sizing.SafeTotalHold {
					f := pastTwelveHours(total, "a step that runs to its deadline asks for a hold of %s from the receive, and SQS allows %s at most; lower the deadline or extend to less")
					f.Fix = fmt.Sprintf("keep the wait before the work %s, the step deadline %s and the extension %s together within %s",
						sizing.Seconds(wait), sizing.Seconds(*deadline), sizing.Seconds(extension), sizing.Seconds(sizing.SafeTotalHold))
					f.Origin = p.Consumer.Work.StepDeadline.Origin()
					f.Related = []Related{{"extension " + sizing.Seconds(extension), h.Extension.Origin()}}
					p.Report(f)
					return
				}
			}
		}
		s.Floor.Need(p)
	},
})

// firstBeat is a finding on a heartbeat whose first beat asks for too much.
func firstBeat(interval, extension time.Duration) (Finding, bool) {
	total := sizing.Sum(interval, extension)
	if total <= sizing.SafeTotalHold {
		return Finding{}, false
	}
	f := pastTwelveHours(total, "the first beat asks for a hold of %s from the receive, and SQS allows %s at most; extend to less")
	f.Fix = fmt.Sprintf("extend to %s or less with each beat", sizing.Seconds(sizing.SafeTotalHold-min(interval, sizing.SafeTotalHold)))
	return f, true
}

// pastTwelveHours is a finding on a total hold: what runs into the last
// seconds is only likely to be refused. Format takes the total and the limit.
func pastTwelveHours(total time.Duration, format string) Finding {
	f := Finding{
		Severity: Error,
		Message:  fmt.Sprintf(format, sizing.Seconds(total), sizing.Seconds(sizing.MaxVisibilityTimeout)),
		Current:  InSeconds(total), Required: InSeconds(sizing.SafeTotalHold), Unit: Seconds,
	}
	if total <= sizing.MaxVisibilityTimeout {
		f.Severity = Warning
	}
	return f
}
