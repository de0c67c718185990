package assess

import (
	"fmt"
	"strings"
	"time"

	"vtsize/facts"
	"vtsize/sizing"
)

// formula writes the arithmetic with the numbers in it.
func (s *Sizing) formula() string {
	if s.IsLambda() {
		return s.lambdaFormula()
	}
	floor, ok := s.Floor.Get()
	if !ok {
		return ""
	}
	parts := []string{s.floorFormula()}
	plan, _ := s.Plan.Get()
	parts = append(parts, fmt.Sprintf("timeout: 1.2 × %s = %s, rounded up to %s",
		sizing.Seconds(floor), sizing.Seconds(sizing.WithMargin(floor)), sizing.Seconds(plan.VisibilityTimeout)))
	if sizing.WithMargin(floor) > sizing.MaxVisibilityTimeout {
		parts[1] += ", all that SQS allows"
	}
	return strings.Join(parts, "; ")
}

func (s *Sizing) lambdaFormula() string {
	function, ok1 := s.Consumer.FunctionTimeout.Get()
	window, ok2 := s.Consumer.BatchingWindow.Get()
	recommended, ok3 := s.Recommended.Get()
	if !ok1 || !ok2 || !ok3 {
		return ""
	}
	var text string
	six := sizing.LambdaSixTimes(function, window)
	if function > sizing.LambdaMaxTimeout {
		sum := sizing.Sum(function, window)
		text = fmt.Sprintf("timeout: 1.2 × (function timeout %s + window %s) = %s, rounded up to %s (six times would be %s: a failed batch hidden that long)",
			sizing.Seconds(function), sizing.Seconds(window), sizing.Seconds(sizing.WithMargin(sum)), sizing.Seconds(recommended), sizing.Seconds(six))
	} else {
		text = fmt.Sprintf("timeout: 6 × function timeout %s + window %s = %s", sizing.Seconds(function), sizing.Seconds(window), sizing.Seconds(six))
		if recommended > six {
			text += "; raised to " + sizing.Seconds(recommended) + ", which outlasts the wait for the window and the run"
		}
	}
	if _, ok := s.Floor.Get(); ok {
		text = s.floorFormula() + "; " + text
	}
	return text
}

// floorFormula is the part for the floor, which is known.
func (s *Sizing) floorFormula() string {
	w := &s.Consumer.Work
	message, _ := s.MessageFloor.Get()
	k, _ := s.Multiplier.Get()
	basis, _ := w.Basis.Get()
	var terms []string
	stages, _ := w.Stages.Get()
	for _, st := range stages {
		terms = append(terms, stageTerm(st, basis, s.Percentile))
	}
	for _, part := range []struct {
		name string
		d    facts.Value[time.Duration]
	}{{"overhead", w.Overhead}, {"write", w.Write}} {
		if d := orZero(part.d); d > 0 {
			terms = append(terms, part.name+" "+sizing.Seconds(d))
		}
	}
	text := "message: " + strings.Join(terms, " + ")
	if basis == facts.PerInvocation {
		text = "invocation: " + strings.Join(terms, " + ")
	}
	if len(terms) > 1 || strings.Contains(text, "×") {
		text += " = " + sizing.Seconds(message)
	}
	countdown := orZero(w.Countdown)
	if k > 1 || countdown > 0 {
		floor, _ := s.Floor.Get()
		var wait []string
		if countdown > 0 {
			wait = append(wait, "countdown "+sizing.Seconds(countdown))
		}
		if k > 1 {
			wait = append(wait, fmt.Sprintf("%s × %s", sizing.Number(float64(k)), sizing.Seconds(message)))
		} else {
			wait = append(wait, sizing.Seconds(message))
		}
		text += "; floor: " + strings.Join(wait, " + ") + " = " + sizing.Seconds(floor)
	}
	return text
}

func stageTerm(st facts.Stage, basis facts.Basis, percentile float64) string {
	tail := sizing.Seconds(orZero(st.Latency.Tail))
	if basis != facts.PerCall {
		return fmt.Sprintf("p%v %s", percentile, tail)
	}
	attempts := orZero(st.Attempts)
	term := fmt.Sprintf("%s × %s", sizing.Number(float64(attempts)), tail)
	waits := orZero(st.Backoff)
	if attempts < 2 || len(waits) == 0 {
		return term
	}
	texts := make([]string, len(waits))
	for i, d := range waits {
		texts[i] = sizing.Seconds(d)
	}
	return term + " + (" + strings.Join(texts, " + ") + ")"
}

// doubts says what was assumed, and what a reader of the numbers should know.
func (s *Sizing) doubts() {
	w := &s.Consumer.Work
	warn := func(format string, args ...any) { s.Warnings = append(s.Warnings, fmt.Sprintf(format, args...)) }
	stages, ok := w.Stages.Get()
	if !ok {
		return
	}
	for _, st := range stages {
		for _, d := range st.Latency.Doubts {
			warn("%s", d)
		}
		if st.Attempts.IsKnown() && st.Attempts.Origin().Kind == facts.Default && orZero(w.Basis) == facts.PerCall {
			warn("attempts were not said and are taken as 1: retries of the client would multiply the time")
		}
	}
	if !w.Heartbeat.IsKnown() && !s.IsLambda() {
		warn("no heartbeat is declared: taken as none")
	}
	if b, ok := s.Batch.Get(); ok && b.Held() > 1 && w.Handling.Origin().Kind == facts.Default && b.Slots() == 1 {
		warn("the batch is taken to be handled in turn, since nothing else was said")
	}
	if c, ok := s.Ceiling.Get(); ok && c.Note != "" {
		warn("%s", c.Note)
	}
	if bound, ok := s.UpperBound(); ok {
		warn("%s", bound)
	}
	s.censored(stages, warn)
}

// UpperBound is a doubt where the percentile has too few samples to be bounded.
func (s *Sizing) UpperBound() (string, bool) {
	n, ok := s.Samples.Get()
	if !ok || s.Percentile >= 100 {
		return "", false
	}
	if _, bounded := sizing.UpperBoundRank(n, s.Percentile); bounded {
		return "", false
	}
	return fmt.Sprintf("p%v of %s has no 95 %% upper bound: at least %s are needed",
		s.Percentile, sizing.Count(n, "sample"), sizing.Number(float64(sizing.SamplesNeeded(s.Percentile)))), true
}

// censored warns of latencies that a timeout cut off.
func (s *Sizing) censored(stages []facts.Stage, warn func(string, ...any)) {
	function, ok := s.Consumer.FunctionTimeout.Get()
	if !ok || orZero(s.Basis) != facts.PerInvocation {
		return
	}
	for _, st := range stages {
		if tail, ok := st.Latency.Tail.Get(); ok && tail >= sizing.Scale(function, 9, 10) {
			warn("the measured p%v %s is close to the function timeout %s: longer runs were cut off and are not in it",
				s.Percentile, sizing.Seconds(tail), sizing.Seconds(function))
		}
	}
}
