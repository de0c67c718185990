// Package lease makes a renewal policy of what is known of a queue's worker:
// the numbers of a heartbeat, what to do when it fails, and code that does it.
package lease

import (
	"errors"
	"fmt"
	"time"

	"vtsize/assess"
	"vtsize/facts"
	"vtsize/sizing"
)

// Policy is how a worker holds a message.
type Policy struct {
	Queue        string
	QueueTimeout time.Duration // to set on the queue
	Interval     time.Duration // between beats
	Extension    time.Duration // that each beat gives, a whole number of seconds
	LostBeats    int           // in a row that may fail
	StartWait    time.Duration // from the receive until work begins
	Deadline     time.Duration // after which a step is given up
	Stall        time.Duration // without progress after which the work counts as stuck
	CallTimeout  time.Duration // of one beat, below the interval
	LongestHold  time.Duration // from the receive to the end of the last extension

	Clauses []Clause
	Doubts  []string
}

// Clause is one question that a policy answers.
type Clause struct {
	Question string
	Answer   string
	From     facts.Origin // what the answer rests on; may be empty
}

// ErrUnknown is where nothing is known that numbers could be made from.
var ErrUnknown = errors.New("nothing is known of how long its work takes")

// Of makes the policy for the worker of a sizing.
func Of(s *assess.Sizing) (*Policy, error) {
	if s.IsLambda() {
		return nil, errors.New("a function reads it, whose poller does not renew; its timeouts are set by vtsize check and audit")
	}
	p := &Policy{Queue: s.Queue.Name}
	if err := p.numbers(s); err != nil {
		return nil, err
	}
	p.LongestHold = sizing.Sum(p.StartWait, p.Deadline, p.Extension)
	if p.LongestHold > sizing.SafeTotalHold {
		return nil, fmt.Errorf("a message would be held for up to %s, and SQS ends every hold after twelve hours; split the work into smaller messages", sizing.Seconds(p.LongestHold))
	}
	p.clauses(s)
	return p, nil
}

// numbers takes the plan of the sizing, and what was declared where it is good
// enough: a beat below a third of the extension, any deadline.
func (p *Policy) numbers(s *assess.Sizing) error {
	h := s.Heartbeat
	if h == nil {
		h = &facts.Heartbeat{}
	}
	extension, extended := h.Extension.Get()
	deadline, _ := s.Consumer.Work.StepDeadline.Get()
	plan, planned := s.Plan.Get()
	switch {
	case planned:
		p.Extension, p.Interval = plan.Heartbeat.ExtendTo, plan.Heartbeat.Interval
		p.QueueTimeout, p.Deadline = plan.Heartbeat.QueueTimeout, plan.StepDeadline
	case extended && deadline != nil:
		beats := sizing.PlanHeartbeat(max(extension, 4*time.Second), 0, 0)
		p.Extension, p.Interval, p.QueueTimeout = beats.ExtendTo, beats.Interval, beats.QueueTimeout
	default:
		return ErrUnknown
	}
	if deadline != nil {
		p.Deadline = *deadline
	}
	if interval, ok := h.Interval.Get(); ok && sizing.Times(interval, 3) < p.Extension {
		p.Interval = interval
	}
	p.StartWait, _ = s.StartWait.Get()
	p.LostBeats = sizing.LostBeatsSurvived(p.Extension, p.Interval)
	p.CallTimeout = max(p.Interval/2, min(p.Interval, time.Second)).Truncate(100 * time.Millisecond)
	p.Stall = min(p.Deadline, max(p.Extension, stall(s)))
	if floor, ok := s.MessageFloor.Get(); ok && p.Deadline < floor {
		p.Doubts = append(p.Doubts, fmt.Sprintf("the step deadline %s is below the %s that a step takes at p%v with every attempt used", sizing.Seconds(p.Deadline), sizing.Seconds(floor), s.Percentile))
	}
	return nil
}

// stall is how long the longest part of a step may take without a sign of
// progress, with a margin.
func stall(s *assess.Sizing) time.Duration {
	stages, _ := s.Consumer.Work.Stages.Get()
	basis, _ := s.Basis.Get()
	var longest time.Duration
	for _, st := range stages {
		tail, _ := st.Latency.Tail.Get()
		attempts, _ := st.Attempts.Get()
		waits, _ := st.Backoff.Get()
		part := sizing.Stage{Latency: tail, Attempts: attempts, Backoff: waits}
		longest = max(longest, part.Floor(sizing.Basis(basis)))
	}
	return sizing.RoundUp(sizing.WithMargin(longest), 0)
}

// clauses answers the questions of a renewal policy.
func (p *Policy) clauses(s *assess.Sizing) {
	sec := sizing.Seconds
	w := &s.Consumer.Work
	h := s.Heartbeat
	if h == nil {
		h = &facts.Heartbeat{}
	}
	add := func(question, answer string, from facts.Origin) {
		p.Clauses = append(p.Clauses, Clause{question, answer, from})
	}
	add("the queue's visibility timeout", fmt.Sprintf("%s, from the receive to the first beat", sec(p.QueueTimeout)), s.Timeout.Origin())
	add("interval between renewals", fmt.Sprintf("%s, and sooner where waiting has used up most of the timeout; a call that takes %s counts as failed", sec(p.Interval), sec(p.CallTimeout)), h.Interval.Origin())
	add("length of each extension", fmt.Sprintf("%s from the call on, not on top of what is left; %s in a row may fail", sec(p.Extension), beats(p.LostBeats)), h.Extension.Origin())
	add("longest total hold", fmt.Sprintf("the step is given up after %s, so a message is held for up to %s; SQS ends every hold %s after its receive", sec(p.Deadline), sec(p.LongestHold), sec(sizing.MaxVisibilityTimeout)), w.StepDeadline.Origin())
	add("what proves progress", p.progress(h), h.Progress.Origin())
	add("when a renewal fails", "it is tried again at the next beat. Once the timeout has run out, or SQS says that the message is not in flight, the lease is lost: the work is stopped, what is known is stored, and the message is not deleted", h.StopsWork.Origin())
	add("when new effects stop", "at the loss of the lease, at the step deadline, and when progress stops. Before each effect the worker asks whether it still holds the message; the target refuses an outdated one by version or token", facts.Origin{})
	add("where the message goes after the deadline", destination(h), h.AfterDeadline.Origin())
	add("after a failure", failure(w), w.OnFailure.Origin())
	add("the delete", "last, once the result is valid and stored, and after the heartbeat has stopped and a beat under way has ended", w.Delete.Origin())
	if loses, ok := h.StopsWork.Get(); ok && !loses {
		p.Doubts = append(p.Doubts, "the work is declared to go on after a lost lease: it has to stop")
	}
}

func beats(n int) string {
	switch n {
	case 0:
		return "no beat"
	case 1:
		return "1 beat"
	}
	return fmt.Sprintf("%d beats", n)
}

func (p *Policy) progress(h *facts.Heartbeat) string {
	tied, known := h.Progress.Get()
	rule := fmt.Sprintf("no beat is sent once the work has not moved for %s", sizing.Seconds(p.Stall))
	switch {
	case known && tied:
		return "a stored checkpoint; " + rule
	case known:
		return "nothing so far: call progress() when a stage is done or a checkpoint is stored; " + rule
	}
	return "not declared: a finished stage or a stored checkpoint is a good sign; " + rule
}

func destination(h *facts.Heartbeat) string {
	switch to, _ := h.AfterDeadline.Get(); to {
	case facts.ToDeadLetter:
		return "it is left to the redrive policy: it comes back until maxReceiveCount is reached, and is dead-lettered"
	case facts.ToPark:
		return "it is parked: sent to the place for such messages, and deleted here once that is confirmed"
	case facts.NoDestination:
		return "nowhere so far: it comes back and is given up again; leave it to a dead-letter queue, or park it"
	}
	return "not declared: leave it to the dead-letter queue, or park it, and say so in after_deadline"
}

func failure(w *facts.Work) string {
	after, known := w.OnFailure.Get()
	switch {
	case !known:
		return "not declared: stop the heartbeat first, then let the timeout run out or set one that grows with the receive count"
	case after == nil:
		return "stop the heartbeat; the timeout runs out, and the message comes back"
	}
	text := "stop the heartbeat first, as a later beat would undo it; then "
	release, _ := after.Release.Get()
	switch grows, _ := after.Backoff.Get(); {
	case grows == facts.Exponential && release != nil && *release > 0:
		return text + fmt.Sprintf("set the timeout to %s, doubled with each receive", sizing.Seconds(*release))
	case grows == facts.Exponential:
		return text + "release it, at once the first time and with a wait that doubles with each receive from then on"
	case release != nil:
		return text + fmt.Sprintf("set the timeout to %s, whatever the receive count is", sizing.Seconds(*release))
	}
	return text + "let the timeout run out"
}
