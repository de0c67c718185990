// Package report writes what the rules found: one writer a format.
package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"vtsize/facts"
	"vtsize/rules"
)

// Document is a report with what a writer needs beside it.
type Document struct {
	Command string // audit, check or calc
	Version string
	Report  *rules.Report

	Inputs    []Input    // calc: what was said
	Latencies *Latencies // of files; nil: none were read

	Notes    []string
	Problems []Problem // what is wrong with the input
	Absent   []Absent  // what is defined and has no instance

	// Dir is the directory that positions are relative to, as seen from the
	// working directory; empty: that one. Formats that other tools read give
	// paths from the working directory; JSON keeps them from Dir.
	Dir string

	Width int  // columns of text; 0: 80
	Color bool // ANSI colours

	// Line gives a line of a source file, for the text format; nil: none.
	Line func(facts.Pos) (string, bool)
}

// Problem is something wrong with the input of check.
type Problem struct {
	Message string
	Pos     facts.Pos
	Fatal   bool // not everything could be read
}

// Absent is a resource that is defined and has no instance.
type Absent struct {
	Address string
	Reason  string
	Pos     facts.Pos
}

// place is a position with its path from the working directory.
func (d *Document) place(p facts.Pos) facts.Pos {
	if p.IsValid() && d.Dir != "" && d.Dir != "." && !path.IsAbs(p.File) {
		p.File = path.Join(d.Dir, p.File)
	}
	return p
}

// origin is an origin with its path from the working directory.
func (d *Document) origin(o facts.Origin) facts.Origin {
	o.Pos = d.place(o.Pos)
	return o
}

// Writer writes a document in one format.
type Writer func(io.Writer, *Document) error

// Formats are the writers by the name of their format.
var Formats = map[string]Writer{
	"text":     Text,
	"table":    Table,
	"json":     JSON,
	"sarif":    SARIF,
	"github":   GitHub,
	"junit":    JUnit,
	"gitlab":   GitLab,
	"markdown": Markdown,
}

// FormatNames lists the formats in order.
func FormatNames() []string {
	names := make([]string, 0, len(Formats))
	for name := range Formats {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Escape makes text from outside safe to print: control characters, those that
// change the direction of writing and those that are none are shown as escapes.
func Escape(s string) string {
	if !strings.ContainsFunc(s, unsafe) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unsafe(r) {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func unsafe(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029' || r == unicode.ReplacementChar ||
		unicode.Is(unicode.Noncharacter_Code_Point, r)
}

// Fingerprint identifies a finding across runs: it stays when lines move.
func Fingerprint(f rules.Finding) string {
	parts := []string{f.Rule.ID, f.Queue.ID, f.Queue.Name}
	if f.Consumer != nil {
		parts = append(parts, f.Consumer.ID, f.Consumer.Function)
	}
	return digest(parts...)
}

func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s;", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// Summary is the last line of every text: it counts everything.
func Summary(r *rules.Report) string {
	gaps, undeclared := r.CountNotChecked()
	text := fmt.Sprintf("%d %s, %d %s: %d passed, %s, %d not checked, %d undeclared, %d not applicable",
		len(r.Queues), plural(len(r.Queues), "queue"), len(r.Rules), plural(len(r.Rules), "rule"), r.Passed, foundText(r), gaps, undeclared, r.NotApplicable)
	if n := len(r.Suppressed); n > 0 {
		text += fmt.Sprintf(", %d suppressed", n)
	}
	return text
}

// foundText counts the findings by severity.
func foundText(r *rules.Report) string {
	e, w, i := r.Count(rules.Error), r.Count(rules.Warning), r.Count(rules.Info)
	var kinds []string
	for _, k := range []struct {
		n    int
		name string
	}{{e, "error"}, {w, "warning"}, {i, "info"}} {
		if k.n > 0 {
			name := k.name
			if k.name != "info" {
				name = plural(k.n, k.name)
			}
			kinds = append(kinds, fmt.Sprintf("%d %s", k.n, name))
		}
	}
	found := fmt.Sprintf("%d %s", e+w+i, plural(e+w+i, "finding"))
	if len(kinds) > 0 {
		found += " (" + strings.Join(kinds, ", ") + ")"
	}
	return found
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// subject names the queue, and the consumer where there is one.
func subject(q *facts.Queue, c *facts.Consumer) string {
	name := queueName(q)
	if c == nil {
		return name
	}
	switch c.Kind {
	case facts.Lambda:
		if c.Function != "" {
			return name + " → " + Escape(c.FunctionName())
		}
		return name + " → function"
	case facts.Pipe:
		return name + " → pipe " + Escape(c.ID)
	}
	return name + " → worker"
}

func queueName(q *facts.Queue) string {
	switch {
	case q.Address != "":
		return Escape(q.ID) // the address, with a label where several directories are checked
	case q.Name != "":
		return Escape(q.Name)
	}
	return Escape(q.ID)
}

// gap is one place where readers looked and could not tell: what was missing,
// for which queues, and the rules that lacked it.
type gap struct {
	cause  facts.Cause
	origin facts.Origin
	inputs []string
	queues []*facts.Queue
	rules  []string
}

// gaps groups what was not checked by where it was looked for, so that one
// cause is one line.
func gaps(r *rules.Report) []gap {
	type place struct {
		cause  facts.Cause
		origin facts.Origin
	}
	var out []gap
	index := map[place]int{}
	for _, n := range r.NotChecked {
		for _, m := range n.Missing {
			if !m.Cause.IsGap() {
				continue
			}
			i, ok := index[place{m.Cause, m.Origin}]
			if !ok {
				i = len(out)
				index[place{m.Cause, m.Origin}] = i
				out = append(out, gap{cause: m.Cause, origin: m.Origin})
			}
			g := &out[i]
			g.inputs, g.rules = include(g.inputs, m.Input), include(g.rules, n.Rule.ID)
			if last := len(g.queues) - 1; last < 0 || g.queues[last] != n.Queue { // one queue is judged after the other
				g.queues = append(g.queues, n.Queue)
			}
		}
	}
	for _, g := range out {
		slices.Sort(g.rules)
	}
	return out
}

func include[T comparable](list []T, v T) []T {
	if slices.Contains(list, v) {
		return list
	}
	return append(list, v)
}

// undeclaredText counts the rules that lack only what the owner, or another
// command, can know; empty where there are none.
func undeclaredText(r *rules.Report) string {
	seen := map[string]bool{}
	for _, n := range r.NotChecked {
		if !n.IsGap() {
			seen[n.Rule.ID] = true
		}
	}
	switch len(seen) {
	case 0:
		return ""
	case 1:
		return "1 rule needs what only you, or another command, can say: vtsize rules --needs"
	}
	return fmt.Sprintf("%d rules need what only you, or another command, can say: vtsize rules --needs", len(seen))
}
