package rules

import (
	"fmt"
	"time"

	"vtsize/assess"
	"vtsize/facts"
)

// Amount is a number of a finding. All amounts of one finding have its unit.
type Amount struct {
	Value float64
	Known bool
}

// InSeconds makes an amount of a duration.
func InSeconds(d time.Duration) Amount { return Amount{d.Seconds(), true} }

// Count makes an amount of a count.
func Count[N int | float64](n N) Amount { return Amount{float64(n), true} }

// The units of amounts.
const (
	Seconds  = "seconds"
	Receives = "receives"
	Messages = "messages"

	Invocations = "invocations" // running at once
	Slots       = "slots"       // messages worked on at once, over all consumers
	Samples     = "samples"
)

// Related is another place that has to do with a finding.
type Related struct {
	Message string
	Origin  facts.Origin
}

// Finding is what a rule found wrong with one subject.
type Finding struct {
	Rule     *Rule
	Severity Severity
	Queue    *facts.Queue
	Consumer *facts.Consumer // nil: the queue as a whole

	Message string // lower case, no period; the value first with its unit, then the remedy after a semicolon
	Fix     string // what to do here, with the numbers
	Formula string

	Current, Required, Recommended Amount
	Unit                           string // of the amounts

	Origin     facts.Origin // the fact at fault
	Related    []Related
	Supersedes []string // ids of rules whose findings on the same subject this one explains
	Asks       bool     // an info that asks for a change all the same
}

// Pass is one rule looking at one subject.
type Pass struct {
	Rule       *Rule
	Deployment *facts.Deployment
	Queue      *facts.Queue
	Consumer   *facts.Consumer // nil for rules per queue
	Now        time.Time

	// Sizing is the arithmetic for the consumer; for a rule per queue, that of
	// the consumer that needs most, or nil where no consumer is known.
	Sizing *assess.Sizing
	// Sizings are those of all known consumers of the queue.
	Sizings []*assess.Sizing
	// Found are the findings of the other rules on this queue, for a rule that
	// runs last.
	Found []Finding

	wiring        *Wiring
	misses        []facts.Miss
	finding       *Finding
	notApplicable bool
}

// Miss takes note of an input that is not known: the outcome is then not
// checked, whatever the rule reports.
func (p *Pass) Miss(m facts.Miss) { p.misses = append(p.misses, m) }

// Incomplete reports whether an input was missing so far.
func (p *Pass) Incomplete() bool { return len(p.misses) > 0 }

// NotApplicable says that the rule has nothing to say of this kind of subject.
func (p *Pass) NotApplicable() { p.notApplicable = true }

// Report reports the finding of this pass; rule, subject and, where none is
// set, the rule's severity are filled in. A second report replaces the first.
func (p *Pass) Report(f Finding) {
	f.Rule, f.Queue, f.Consumer = p.Rule, p.Queue, p.Consumer
	if f.Severity == 0 {
		f.Severity = p.Rule.Severity
	}
	if f.Fix == "" {
		f.Fix = p.Rule.Fix
	}
	p.finding = &f
}

// consumerName is how a message speaks of the consumer.
func consumerName(c *facts.Consumer) string {
	switch {
	case c.Kind == facts.Lambda && c.Function != "":
		return fmt.Sprintf("function %q", c.FunctionName())
	case c.Kind == facts.Pipe:
		return "the pipe"
	case c.Kind == facts.Lambda:
		return "the function"
	}
	return "the worker"
}
