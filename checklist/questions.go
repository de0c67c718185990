package checklist

import (
	"fmt"
	"slices"
	"strings"

	"vtsize/facts"
	"vtsize/sizing"
)

// questions are the thirteen, in the order of a message's life.
var questions = []question{
	{"Does every message stand for one unit of business that can be named?",
		"name the identifier in the workload file, as unit: case_id", askUnit},
	{"Is it measured how long the work takes, by kind of work and as a percentile?",
		"give the latency with its number of samples, or a csv, and the classes of work ([] where all is of one kind)", askMeasured},
	{"Is the visibility timeout long enough for ordinary work, and short enough for a prompt second try?",
		"set the timeout that vtsize audit or check recommends", askTimeout},
	{"Where the length of the work varies, is the message renewed only while the work can be seen to move?",
		"tie the renewal to stored checkpoints or finished stages, and say progress: checkpoint", askRenewal},
	{"Does the renewing end at some point, whatever happens?",
		"give a step up after a deadline, and say it as deadline", askEnd},
	{"Does a worker stop causing effects when the message is no longer its own?",
		"stop the work when a renewal fails (vtsize lease writes a heartbeat that does), and say on_loss: stop", askLoss},
	{"Can the next delivery go on from a checkpoint, in place of beginning anew?",
		"store what is done in pieces, and say checkpoints: true", askCheckpoints},
	{"Do writes to other systems have an idempotency key, and a version or token that refuses outdated ones?",
		"give each effect an idempotency_key made from what the step means, and a guard", askWrites},
	{"Is the message deleted only after a valid result is stored?",
		"delete it last, and say delete: after-result", askDelete},
	{"Is an effect whose outcome nobody knows looked up before anything is done about it?",
		"ask the target before repeating, and say uncertain: reconcile for each effect", askUncertain},
	{"Is there an age at which a message is no longer worth working on?",
		"declare useful_for, and end holds and retries within it", askUseful},
	{"Do tests bring about a redelivery, a lost lease and a duplicate?",
		"test all three, and list them in tests", askTests},
	{"Can metrics and logs be followed from a message to what it was about and what it caused?",
		"log the business identifier with every receive, effect and delete, and name it in metrics_carry", askMetrics},
}

func askUnit(s *subject) {
	unit, ok := need(s, s.work().Practice.Unit, "unit")
	switch {
	case !ok:
	case unit == nil:
		s.no("no identifier", s.work().Practice.Unit.Origin())
	default:
		s.shown("identifier "+*unit, s.work().Practice.Unit.Origin())
	}
}

func askMeasured(s *subject) {
	w := s.work()
	stages, ok := need(s, w.Stages, "latency")
	if !ok {
		return
	}
	for _, st := range stages {
		name := ""
		if st.Name != "" {
			name = st.Name + ": "
		}
		tail, ok := need(s, st.Latency.Tail, name+fmt.Sprintf("p%v", s.sizing.Percentile))
		if !ok {
			continue
		}
		text := fmt.Sprintf("%sp%v %s", name, s.sizing.Percentile, sizing.Seconds(tail))
		o := st.Latency.Tail.Origin()
		n, counted := st.Latency.Samples.Get()
		switch {
		case counted:
			s.shown(fmt.Sprintf("%s of %s samples", text, sizing.Number(float64(n))), o)
		case o.Kind == facts.Measured:
			s.shown(text, o)
		default:
			s.shown(text, o)
			s.unknown(name+"samples", st.Latency.Samples.Cause(), st.Latency.Samples.Origin())
		}
	}
	if classes, ok := need(s, w.Classes, "classes"); ok {
		text := "one kind of work"
		if len(classes) > 0 {
			text = fmt.Sprintf("%d kinds of work", len(classes))
		}
		s.shown(text, w.Classes.Origin())
	}
	for _, id := range []string{"VT109", "VT110"} {
		for _, f := range s.report.Findings {
			if s.concerns(f.Rule, f.Queue, f.Consumer, []string{id}) {
				s.no(id+": "+f.Message, f.Origin)
			}
		}
	}
}

func askTimeout(s *subject) {
	timeout, known := s.sizing.Timeout.Get()
	if s.rules("VT101", "VT102", "VT103", "VT104", "VT105", "VT108", "VT301", "VT302") && known {
		text := "visibility timeout " + sizing.Seconds(timeout)
		if cover, ok := s.sizing.MustCover.Get(); ok {
			text += ", and " + sizing.Seconds(cover) + " have to be covered"
		}
		s.shown(text, s.sizing.Timeout.Origin())
	}
	if !known && len(s.evidence) == 0 {
		s.unknown("visibility timeout", s.sizing.Timeout.Cause(), s.sizing.Timeout.Origin())
	}
}

func askRenewal(s *subject) {
	h, renewed := s.renewal()
	if !renewed {
		return
	}
	if s.rules("VT201", "VT204", "VT206") {
		s.shown("renewal is tied to progress", h.Progress.Origin())
	}
}

// renewal is the heartbeat of a worker. Without one the answer is yes where
// the work ends within the timeout by itself.
func (s *subject) renewal() (*facts.Heartbeat, bool) {
	if s.sizing.IsLambda() {
		if s.rules("VT301", "VT303", "VT307") {
			s.shown("a poller does not renew; the function timeout ends the work within the visibility timeout", s.sizing.Consumer.FunctionTimeout.Origin())
		}
		return nil, false
	}
	x := s.work().Heartbeat
	h, ok := need(s, x, "heartbeat")
	if !ok {
		return nil, false
	}
	if h == nil && s.rules("VT106", "VT202") {
		s.shown("nothing is renewed, and the work ends within the visibility timeout by its own timeouts", x.Origin())
	}
	return h, h != nil
}

func askEnd(s *subject) {
	if s.sizing.IsLambda() {
		if d, ok := need(s, s.sizing.Consumer.FunctionTimeout, "function timeout"); ok {
			s.shown("function timeout "+sizing.Seconds(d), s.sizing.Consumer.FunctionTimeout.Origin())
		}
		return
	}
	h, ok := need(s, s.work().Heartbeat, "heartbeat")
	if !ok {
		return
	}
	if h == nil {
		s.shown("nothing is renewed", s.work().Heartbeat.Origin())
		return
	}
	if s.rules("VT203", "VT105") {
		if d, _ := s.work().StepDeadline.Get(); d != nil {
			s.shown("step deadline "+sizing.Seconds(*d), s.work().StepDeadline.Origin())
		}
	}
}

func askLoss(s *subject) {
	h, renewed := s.renewal()
	if renewed && s.rules("VT205") {
		s.shown("the work stops when a renewal fails", h.StopsWork.Origin())
	}
}

func askCheckpoints(s *subject) {
	x := s.work().Practice.Checkpoints
	resumes, ok := need(s, x, "checkpoints")
	switch {
	case ok && resumes:
		s.shown("a later delivery goes on from what is stored", x.Origin())
	case ok:
		s.no("every delivery begins anew", x.Origin())
	}
}

func askWrites(s *subject) {
	effects, ok := need(s, s.work().Effects, "effects")
	if !ok {
		return
	}
	if s.rules("VT701", "VT702", "VT705") {
		text := "no effect on other systems"
		if len(effects) > 0 {
			text = names(effects) + ": a key and a guard"
		}
		s.shown(text, s.work().Effects.Origin())
	}
}

// names lists effects.
func names(effects []facts.Effect) string {
	var all []string
	for _, e := range effects {
		all = append(all, e.Name)
	}
	return strings.Join(all, ", ")
}

func askDelete(s *subject) {
	x := s.work().Delete
	switch {
	case s.sizing.IsLambda() && !x.IsKnown():
		s.shown("the poller deletes what the function has returned for", x.Origin())
	case s.rules("VT703"):
		when, _ := x.Get()
		text := string(when)
		if store, _ := s.work().HandedTo.Get(); store != nil {
			text += ", handed to " + *store
		}
		s.shown(text, x.Origin())
	}
}

func askUncertain(s *subject) {
	effects, ok := need(s, s.work().Effects, "effects")
	if !ok {
		return
	}
	if s.rules("VT704") {
		text := "no effect on other systems"
		if len(effects) > 0 {
			text = names(effects) + ": reconciled"
		}
		s.shown(text, s.work().Effects.Origin())
	}
}

func askUseful(s *subject) {
	x := s.work().UsefulFor
	d, ok := need(s, x, "useful_for")
	switch {
	case !ok:
	case d == nil:
		s.no("messages do not lapse", x.Origin())
	case s.rules("VT207"):
		s.shown("useful for "+sizing.Seconds(*d), x.Origin())
	}
}

func askTests(s *subject) {
	x := s.work().Practice.Tests
	tested, ok := need(s, x, "tests")
	if !ok {
		return
	}
	for _, want := range []facts.Tested{facts.TestsRedelivery, facts.TestsLostLease, facts.TestsDuplicate} {
		if slices.Contains(tested, want) {
			s.shown(string(want)+" is tested", x.Origin())
		} else {
			s.no(string(want)+" is not tested", x.Origin())
		}
	}
}

func askMetrics(s *subject) {
	x := s.work().Practice.MetricsCarry
	id, ok := need(s, x, "metrics_carry")
	switch {
	case !ok:
	case id == nil:
		s.no("metrics and logs carry no business identifier", x.Origin())
	default:
		s.shown("metrics and logs carry "+*id, x.Origin())
	}
}
