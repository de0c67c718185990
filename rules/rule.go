// Package rules judges what is known of queues and consumers.
//
// A rule is data around one function, in one file named after its id, with a
// folder of cases in testdata. The driver, [Judge], owns the loops: a rule sees
// one subject at a time and reports at most one finding.
package rules

import (
	"fmt"
	"slices"
	"strings"
)

// Severity says how bad a finding is.
type Severity uint8

// The severities.
const (
	Info Severity = iota + 1
	Warning
	Error
)

// String gives the severity as it stands in the output.
func (s Severity) String() string {
	switch s {
	case Info:
		return "info"
	case Warning:
		return "warning"
	case Error:
		return "error"
	}
	return fmt.Sprintf("severity(%d)", s)
}

// ParseSeverity is the inverse of [Severity.String].
func ParseSeverity(s string) (Severity, bool) {
	for _, sev := range []Severity{Info, Warning, Error} {
		if sev.String() == s {
			return sev, true
		}
	}
	return 0, false
}

// Scope says what a rule looks at.
type Scope uint8

// The scopes.
const (
	PerQueue Scope = iota + 1
	PerConsumer
)

// String gives the scope as it stands in the output.
func (s Scope) String() string {
	if s == PerConsumer {
		return "consumer"
	}
	return "queue"
}

// Source is where a rule's claim can be read.
type Source struct {
	Title string `json:"title"`
	URL   string `json:"url"`
}

// Rule is one check.
type Rule struct {
	ID       string
	Name     string // kebab-case
	Title    string // lower case, no period
	Severity Severity
	Scope    Scope
	Why      string   // one paragraph: what goes wrong
	Fix      string   // one paragraph: what to do
	Sources  []Source // at least one
	Needs    []string // IAM actions that live facts of the rule come from

	// Inputs says where a fact comes from that neither a queue's attributes
	// nor metrics tell: "flags" or "workload file". Empty: readers tell it.
	Inputs string

	// DeadLetterQueues: the rule looks at queues that are only a dead-letter
	// queue. The others leave those alone.
	DeadLetterQueues bool

	// Last: the rule runs after the others of the queue and sees what they found.
	Last bool

	Run func(*Pass)
}

var registry = map[string]*Rule{}

// register adds a rule; an id that is taken or a rule without documentation is
// a programming error.
func register(r *Rule) *Rule {
	if r.ID == "" || r.Name == "" || r.Title == "" || r.Why == "" || r.Fix == "" || len(r.Sources) == 0 || r.Severity == 0 || r.Scope == 0 || r.Run == nil {
		panic("rule " + r.ID + " is not fully described")
	}
	if registry[r.ID] != nil {
		panic("two rules " + r.ID)
	}
	registry[r.ID] = r
	return r
}

// All are the rules, sorted by id.
func All() []*Rule {
	all := make([]*Rule, 0, len(registry))
	for _, r := range registry {
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b *Rule) int { return strings.Compare(a.ID, b.ID) })
	return all
}

// Find returns the rule of an id or a name, in any case of letters, or nil.
func Find(name string) *Rule {
	if r := registry[strings.ToUpper(name)]; r != nil {
		return r
	}
	for _, r := range registry {
		if strings.EqualFold(r.Name, name) {
			return r
		}
	}
	return nil
}
