package rules

import (
	"fmt"

	"vtsize/facts"
)

var _ = register(&Rule{
	ID: "VT210", Name: "heartbeat-and-release-conflict", Severity: Warning, Scope: PerConsumer,
	Title: "a beat can undo the release of a failed message",
	Why: "The last ChangeMessageVisibility wins. A heartbeat that goes on until the message is deleted sets its own timeout again after a failure has set another: " +
		"a released message is hidden again, and a backoff is cut short or drawn out.",
	Fix:     "Stop the heartbeat and wait for a beat under way to end, then set the timeout of the failure.",
	Sources: []Source{srcChangeVisibility},
	Inputs:  "workload file",
	Run: func(p *Pass) {
		h := heartbeat(p)
		if h == nil {
			return
		}
		after := p.Consumer.Work.OnFailure.Need(p, "what is done with a failed message")
		if p.Incomplete() || after == nil {
			return
		}
		release, ok1 := after.Release.Get()
		backoff, ok2 := after.Backoff.Get()
		if ok1 && ok2 && release == nil && backoff == facts.NoBackoff {
			return // a failure sets no timeout
		}
		place, why := after.StopsBeats, "and the heartbeat is not stopped before"
		stops, known := place.Get()
		if !known {
			// One that beats only during the work has ended with it.
			stops, why = h.Renews.Need(p, "whether the heartbeat is stopped before a release") == facts.RenewsInWork, "and the heartbeat renews every message that is held"
		}
		if p.Incomplete() || stops {
			return
		}
		f := Finding{
			Message: fmt.Sprintf("a failure sets another timeout %s: a later beat undoes it; stop the heartbeat first", why),
			Origin:  p.Consumer.Work.OnFailure.Origin(), Related: []Related{{"the heartbeat", p.Consumer.Work.Heartbeat.Origin()}},
		}
		if known {
			f.Origin = place.Origin()
		}
		p.Report(f)
	},
})
