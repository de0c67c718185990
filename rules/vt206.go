package rules

import (
	"fmt"

	"vtsize/sizing"
)

var _ = register(&Rule{
	ID: "VT206", Name: "heartbeat-shortens-timeout", Severity: Warning, Scope: PerConsumer,
	Title: "a beat leaves less time than the queue gave",
	Why: "ChangeMessageVisibility counts from the call and replaces what was left. A beat that sets less than the queue's timeout gave takes time away, " +
		"so a worker that misses the next beats loses the message sooner than one that never beats.",
	Fix:     "Extend by at least the queue's timeout, or lower the queue's timeout to the extension.",
	Sources: []Source{srcChangeVisibility, srcVisibility},
	Needs:   []string{"sqs:GetQueueAttributes"},
	Inputs:  "flags",
	Run: func(p *Pass) {
		h := heartbeat(p)
		if h == nil {
			return
		}
		s := p.Sizing
		interval := h.Interval.Need(p, "heartbeat interval")
		extension := h.Extension.Need(p, "heartbeat extension")
		timeout := s.Timeout.Need(p, "visibility timeout")
		wait := s.LeaseWait().Need(p)
		given := max(0, timeout-wait)
		if threshold, _ := h.Threshold.Get(); threshold != nil {
			given = min(given, *threshold) // no beat while more is left
		}
		if p.Incomplete() || extension >= given {
			return
		}
		fitting := sizing.RoundUp(sizing.Sum(wait, extension), 0)
		frequent := sizing.Times(interval, 3) <= extension
		if frequent && timeout <= fitting {
			return // the difference is only the rounding of the queue's timeout
		}
		f := Finding{
			Message: fmt.Sprintf("heartbeat extension %s is less than the %s that the visibility timeout gives, so a beat cuts the time left; extend to more or lower the timeout", sizing.Seconds(extension), sizing.Seconds(given)),
			Fix:     fmt.Sprintf("extend to %s, or %s", sizing.Seconds(given), setTimeout(p, fitting)),
			Current: InSeconds(extension), Required: InSeconds(given), Recommended: InSeconds(given), Unit: Seconds,
			Origin: h.Extension.Origin(), Related: []Related{{"visibility timeout " + sizing.Seconds(timeout), s.Timeout.Origin()}},
		}
		if frequent {
			f.Severity, f.Asks = Info, true
		}
		p.Report(f)
	},
})
