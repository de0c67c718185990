package checklist

import (
	"slices"
	"strings"

	"vtsize/assess"
	"vtsize/facts"
	"vtsize/rules"
)

// subject is one consumer of a queue while a question is answered. The answer
// begins as yes and can only get worse.
type subject struct {
	report *rules.Report
	queue  *facts.Queue
	sizing *assess.Sizing

	answer   Answer
	evidence []Evidence
}

func (s *subject) work() *facts.Work { return &s.sizing.Consumer.Work }

// shown adds evidence for yes.
func (s *subject) shown(text string, o facts.Origin) {
	s.evidence = append(s.evidence, Evidence{text, o})
}

// no adds evidence for no.
func (s *subject) no(text string, o facts.Origin) {
	s.answer = No
	s.shown(text, o)
}

// unknown adds what is not known.
func (s *subject) unknown(what string, c facts.Cause, o facts.Origin) {
	if s.answer == Yes {
		s.answer = NotKnown
	}
	s.evidence = append(s.evidence, missing(what, c, o))
}

// need is a value, or a note that it is not known.
func need[T any](s *subject, x facts.Value[T], what string) (T, bool) {
	v, ok := x.Get()
	if !ok {
		s.unknown(what, x.Cause(), x.Origin())
	}
	return v, ok
}

// rules takes what rules came to: a finding, also one that is suppressed, is a
// no; a missing input is not known. It reports whether they all had their
// inputs and found nothing.
func (s *subject) rules(ids ...string) bool {
	before := s.answer
	s.answer = Yes
	for _, f := range s.report.Findings {
		if s.concerns(f.Rule, f.Queue, f.Consumer, ids) {
			s.no(f.Rule.ID+": "+f.Message, f.Origin)
			continue
		}
		// A finding that another rule's explains stands beside that one.
		for _, beside := range f.Related {
			id, _, _ := strings.Cut(beside.Message, ": ")
			if slices.Contains(ids, id) && s.concerns(f.Rule, f.Queue, f.Consumer, []string{f.Rule.ID}) {
				s.no(beside.Message, beside.Origin)
			}
		}
	}
	for _, sup := range s.report.Suppressed {
		if f := sup.Finding; s.concerns(f.Rule, f.Queue, f.Consumer, ids) {
			s.no(f.Rule.ID+", suppressed ("+sup.Ignore.Reason+"): "+f.Message, f.Origin)
		}
	}
	for _, n := range s.report.NotChecked {
		if !s.concerns(n.Rule, n.Queue, n.Consumer, ids) {
			continue
		}
		for _, m := range n.Missing {
			e := missing(m.Input, m.Cause, m.Origin)
			if !slices.Contains(s.evidence, e) {
				s.unknown(m.Input, m.Cause, m.Origin)
			} else if s.answer == Yes {
				s.answer = NotKnown
			}
		}
	}
	clean := s.answer == Yes
	if rank(before) < rank(s.answer) {
		s.answer = before
	}
	return clean
}

func (s *subject) concerns(r *rules.Rule, q *facts.Queue, c *facts.Consumer, ids []string) bool {
	return q == s.queue && (c == nil || c.ID == s.sizing.Consumer.ID) && slices.Contains(ids, r.ID)
}

// named is the evidence, with the consumer's name where there are several.
func (s *subject) named(several bool) []Evidence {
	if !several {
		return s.evidence
	}
	out := slices.Clone(s.evidence)
	for i := range out {
		name := s.sizing.Consumer.FunctionName()
		if name == "" {
			name = string(s.sizing.Consumer.Kind)
		}
		out[i].Text = name + ": " + out[i].Text
	}
	return out
}
