package rules

import "fmt"

const (
	fewReceives    = 3 // up to so many, waiting alone can use them up
	enoughReceives = 5
)

var _ = register(&Rule{
	ID: "VT111", Name: "held-more-than-slots", Severity: Info, Scope: PerConsumer,
	Title: "messages wait inside the worker and use their receives up",
	Why: "A message counts as received when it is fetched, not when work on it starts. One that waits behind others until its timeout ends, or until a deployment stops the worker, " +
		"has used up a receive; with a small maxReceiveCount it is dead-lettered without ever having been tried.",
	Fix:     "Hold no more messages than run at once, or raise maxReceiveCount to 5 or more.",
	Sources: []Source{srcReceive, srcDeadLetter},
	Needs:   []string{"sqs:GetQueueAttributes"},
	Inputs:  "flags",
	Run: func(p *Pass) {
		s, w := p.Sizing, &p.Consumer.Work
		if s.IsLambda() {
			p.NotApplicable() // the poller takes no more than it hands to a run
			return
		}
		if prefetch, _ := w.Prefetch.Get(); prefetch == nil {
			w.Batch.Need(p, "batch size")
		}
		batch := s.Batch.Need(p)
		if p.Incomplete() || batch.Held() <= batch.Slots() {
			return
		}
		policy := p.Queue.Redrive.Need(p, "redrive policy")
		if policy == nil {
			return
		}
		most := policy.MaxReceiveCount.Need(p, "maxReceiveCount")
		if p.Incomplete() || most > fewReceives {
			return
		}
		related := []Related{{fmt.Sprintf("%d received at once", max(1, batch.Size)), w.Batch.Origin()}}
		if batch.Prefetch > 0 {
			related = []Related{{fmt.Sprintf("%d prefetched", batch.Prefetch), w.Prefetch.Origin()}}
		}
		p.Report(Finding{
			Message: fmt.Sprintf("maxReceiveCount %d is small for a worker that holds %d messages and works on %d at once; waiting alone uses receives up, so hold fewer",
				most, batch.Held(), batch.Slots()),
			Fix:     fmt.Sprintf("receive and prefetch no more than the %d that run at once, or raise maxReceiveCount to %d", batch.Slots(), enoughReceives),
			Current: Count(most), Required: Count(fewReceives + 1), Recommended: Count(enoughReceives), Unit: Receives,
			Origin: policy.MaxReceiveCount.Origin(), Related: related, Asks: true,
		})
	},
})
