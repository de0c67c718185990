package rules

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"vtsize/assess"
	"vtsize/facts"
)

// Options choose what is judged.
type Options struct {
	Only     []string            // ids; empty: all rules
	Except   []string            // ids
	Severity map[string]Severity // by rule id, in place of the rule's own
	Now      time.Time           // suppressions end by it
}

// Report is everything that came out of a run.
type Report struct {
	Rules      []*Rule
	Unjoined   []facts.Unjoined
	Queues     []QueueResult
	Findings   []Finding
	NotChecked []NotChecked
	Suppressed []Suppressed
	Ignores    []IgnoreProblem
	Passed     int
	Passes     []Passing // the rules and subjects that Passed counts
	// NotApplicable counts rules that had nothing to say of a subject, and
	// those whose finding another one explains.
	NotApplicable int
}

// QueueResult is the arithmetic for one queue.
type QueueResult struct {
	Queue     *facts.Queue
	Sizing    *assess.Sizing // of the consumer that needs most; nil: no consumer known
	Consumers []*assess.Sizing
}

// Passing is a rule that found nothing wrong with a subject.
type Passing struct {
	Rule     *Rule
	Queue    *facts.Queue
	Consumer *facts.Consumer // nil: the queue as a whole
}

// NotChecked is a rule that lacked an input for a subject.
type NotChecked struct {
	Rule     *Rule
	Queue    *facts.Queue
	Consumer *facts.Consumer
	Missing  []facts.Miss
}

// IsGap reports whether a reader tried to read a missing input and could not.
// Otherwise only the owner, or another command, can know it.
func (n NotChecked) IsGap() bool {
	return slices.ContainsFunc(n.Missing, func(m facts.Miss) bool { return m.Cause.IsGap() })
}

// Count is the number of findings of a severity.
func (r *Report) Count(s Severity) int {
	n := 0
	for _, f := range r.Findings {
		if f.Severity == s {
			n++
		}
	}
	return n
}

// CountNotChecked counts the rules that lacked an input, by class.
func (r *Report) CountNotChecked() (gaps, undeclared int) {
	for _, n := range r.NotChecked {
		if n.IsGap() {
			gaps++
		} else {
			undeclared++
		}
	}
	return gaps, undeclared
}

// Judge runs the rules over a deployment.
func Judge(d *facts.Deployment, opt Options) *Report {
	r := &Report{Rules: selected(opt), Unjoined: d.Unjoined}
	ignores, wiring := newIgnores(d.Ignores, opt.Now), Wire(d)
	for _, q := range d.Queues {
		res := QueueResult{Queue: q}
		for _, c := range consumers(q) {
			res.Consumers = append(res.Consumers, assess.Of(q, c))
		}
		res.Sizing = assess.NeedsMost(res.Consumers)
		r.judgeQueue(Pass{Deployment: d, Queue: q, Sizing: res.Sizing, Sizings: res.Consumers, Now: opt.Now, wiring: wiring}, opt, ignores)
		if len(res.Consumers) == 1 && res.Consumers[0].Consumer == undeclaredWorker {
			res = QueueResult{Queue: q} // there is nothing to tell of it
		}
		r.Queues = append(r.Queues, res)
	}
	r.Ignores = ignores.problems(r.Rules)
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.Queue.ID, b.Queue.ID), -cmp.Compare(a.Severity, b.Severity), strings.Compare(a.Rule.ID, b.Rule.ID),
			strings.Compare(consumerID(a.Consumer), consumerID(b.Consumer)))
	})
	return r
}

// Add takes in what came out of another deployment of the same run, judged
// with the same options.
func (r *Report) Add(other *Report) {
	r.Rules = other.Rules
	r.Unjoined = append(r.Unjoined, other.Unjoined...)
	r.Queues = append(r.Queues, other.Queues...)
	r.Findings = append(r.Findings, other.Findings...)
	r.NotChecked = append(r.NotChecked, other.NotChecked...)
	r.Suppressed = append(r.Suppressed, other.Suppressed...)
	r.Ignores = append(r.Ignores, other.Ignores...)
	r.Passed += other.Passed
	r.Passes = append(r.Passes, other.Passes...)
	r.NotApplicable += other.NotApplicable
}

func consumerID(c *facts.Consumer) string {
	if c == nil {
		return ""
	}
	return c.ID
}

func selected(opt Options) []*Rule {
	return slices.DeleteFunc(All(), func(r *Rule) bool {
		return len(opt.Only) > 0 && !slices.Contains(opt.Only, r.ID) || slices.Contains(opt.Except, r.ID)
	})
}

// consumers are those of the queue. Where none is mapped to it some worker
// reads it, of which nothing is known.
func consumers(q *facts.Queue) []*facts.Consumer {
	list, ok := q.Consumers.Get()
	if ok && len(list) == 0 {
		return []*facts.Consumer{undeclaredWorker}
	}
	return list
}

// UndeclaredWorker is the id of the consumer of a queue that nothing is known
// to read.
const UndeclaredWorker = "undeclared-worker"

var undeclaredWorker = &facts.Consumer{ID: UndeclaredWorker, Kind: facts.Worker}

// judgeQueue runs all rules on the queue of a pass: those that look at the
// others' findings last, when the superseded ones are out.
func (r *Report) judgeQueue(base Pass, opt Options, ignores *ignores) {
	onlyDeadLetters := base.wiring.OnlyDeadLetters(base.Queue)
	var found []Finding
	run := func(rule *Rule, sizing *assess.Sizing, c *facts.Consumer) {
		p := base
		p.Rule, p.Sizing, p.Consumer, p.Found = rule, sizing, c, found
		if f := r.outcome(&p, onlyDeadLetters); f != nil {
			if s, ok := opt.Severity[rule.ID]; ok {
				f.Severity = s
			}
			found = append(found, *f)
		}
	}
	for _, last := range []bool{false, true} {
		for _, rule := range r.Rules {
			if rule.Last != last {
				continue
			}
			if rule.Scope == PerQueue {
				run(rule, base.Sizing, nil)
				continue
			}
			for _, s := range base.Sizings {
				run(rule, s, s.Consumer)
			}
			if !base.Queue.Consumers.IsKnown() {
				run(rule, nil, nil)
			}
		}
		if !last {
			kept := supersede(found)
			r.NotApplicable += len(found) - len(kept)
			found = kept
		}
	}
	for _, f := range found {
		if s, ok := ignores.match(f); ok {
			r.Suppressed = append(r.Suppressed, s)
		} else {
			r.Findings = append(r.Findings, f)
		}
	}
}

// outcome runs one rule on one subject and counts what came of it; a finding
// is returned.
func (r *Report) outcome(p *Pass, onlyDeadLetters bool) *Finding {
	switch {
	case onlyDeadLetters && !p.Rule.DeadLetterQueues:
		p.NotApplicable()
	case p.Rule.Scope == PerConsumer && p.Consumer == nil:
		p.Queue.Consumers.Need(p, "consumers")
	default:
		p.Rule.Run(p)
	}
	switch {
	case p.notApplicable:
		r.NotApplicable++
	case p.Incomplete():
		r.NotChecked = append(r.NotChecked, NotChecked{Rule: p.Rule, Queue: p.Queue, Consumer: p.Consumer, Missing: r.missing(p.misses)})
	case p.finding != nil:
		return p.finding
	default:
		r.Passed++
		r.Passes = append(r.Passes, Passing{p.Rule, p.Queue, p.Consumer})
	}
	return nil
}

// missing are the misses of one pass, each once. Most rules lack the same few
// inputs: equal lists of neighbours are kept once, or a run over thousands of
// queues would mostly hold copies of them.
func (r *Report) missing(misses []facts.Miss) []facts.Miss {
	var out []facts.Miss
	for _, m := range misses {
		if !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	const neighbours = 40
	for i := len(r.NotChecked) - 1; i >= max(0, len(r.NotChecked)-neighbours); i-- {
		if slices.Equal(r.NotChecked[i].Missing, out) {
			return r.NotChecked[i].Missing
		}
	}
	return out
}

// supersede drops findings that another one on the same subject explains; they
// go into the winner's related places. A finding of the queue as a whole is
// explained by one of any of its consumers.
func supersede(found []Finding) []Finding {
	lost := make([]bool, len(found))
	for i := range found {
		for j, loser := range found {
			if i == j || !slices.Contains(found[i].Supersedes, loser.Rule.ID) || loser.Consumer != nil && found[i].Consumer != nil && loser.Consumer != found[i].Consumer {
				continue
			}
			if !lost[j] {
				found[i].Related = append(found[i].Related, Related{Message: loser.Rule.ID + ": " + loser.Message, Origin: loser.Origin})
			}
			lost[j] = true
		}
	}
	kept := found[:0:0]
	for i, f := range found {
		if !lost[i] {
			kept = append(kept, f)
		}
	}
	return kept
}
