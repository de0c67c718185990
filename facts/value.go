// Package facts holds what is known about queues and their consumers, and how
// it is known.
//
// A reader (live AWS, Terraform, flags, a workload file) makes facts; nothing
// in this package reads anything or computes anything. Every fact is a
// [Value]: a number cannot be used without asking whether it is known, and one
// that is not known says why.
package facts

import (
	"fmt"
	"strconv"
)

// Kind says what sort of place a fact comes from.
type Kind string

// The kinds of origin, as they stand in the JSON output.
const (
	File     Kind = "file"     // a line of a source file
	Plan     Kind = "plan"     // a Terraform plan or state
	AWS      Kind = "aws"      // an answer of an AWS API
	Default  Kind = "default"  // nobody set it: the service's or the tool's default
	Declared Kind = "declared" // said by the owner, in a workload file
	Measured Kind = "measured" // a metric or a file of latencies
	Flag     Kind = "flag"     // said on the command line
)

// Pos is a place in a file. Lines and columns count from 1; a zero line means
// that no place within the file is known.
type Pos struct {
	File   string
	Line   int
	Column int
}

// IsValid reports whether the position names a file.
func (p Pos) IsValid() bool { return p.File != "" }

// String gives file:line:column, leaving out what is not known.
func (p Pos) String() string {
	switch {
	case p.File == "":
		return ""
	case p.Line == 0:
		return p.File
	case p.Column == 0:
		return p.File + ":" + strconv.Itoa(p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Origin says where a fact comes from, or where it was looked for.
type Origin struct {
	Kind   Kind
	Detail string // "sqs:GetQueueAttributes", "--p99", "AWS default"
	Pos    Pos
}

// String gives the place in a file where there is one, else the detail.
func (o Origin) String() string {
	if o.Pos.IsValid() {
		return o.Pos.String()
	}
	return o.Detail
}

// Reason is what the detail says beside a place in a file; empty where there is
// only one of them.
func (o Origin) Reason() string {
	if o.Pos.IsValid() {
		return o.Detail
	}
	return ""
}

// Cause says why a value is not known.
type Cause uint8

// The causes. The zero value is what a reader leaves that never looks.
const (
	NotCollected Cause = iota // this command does not read it
	AfterApply                // decided only when the configuration is applied
	Sensitive                 // marked as sensitive in its source
	NotResolved               // an expression that could not be evaluated
	Denied                    // the caller may not read it
	NoData                    // asked for, and there was none
	Unreadable                // there, and could not be understood
	NotDeclared               // only the owner can say it, and did not
)

var causeNames = [...]string{
	NotCollected: "not_collected",
	AfterApply:   "after_apply",
	Sensitive:    "sensitive",
	NotResolved:  "not_resolved",
	Denied:       "denied",
	NoData:       "no_data",
	Unreadable:   "unreadable",
	NotDeclared:  "not_declared",
}

// String gives the cause as it stands in the JSON output, as "after_apply".
func (c Cause) String() string {
	if int(c) < len(causeNames) {
		return causeNames[c]
	}
	return "cause(" + strconv.Itoa(int(c)) + ")"
}

// ParseCause is the inverse of [Cause.String].
func ParseCause(s string) (Cause, bool) {
	for i, name := range causeNames {
		if name == s {
			return Cause(i), true
		}
	}
	return 0, false
}

// IsGap reports whether a reader tried and could not tell. The other causes
// are things that only the owner, or another command, can know.
func (c Cause) IsGap() bool { return c != NotCollected && c != NotDeclared }

// Value is a fact: known with its origin, or unknown with the cause. The zero
// value is unknown with cause [NotCollected].
//
// What is known not to be there is a known nil pointer, as for a queue without
// a redrive policy; a default that nobody set is known with origin [Default].
type Value[T any] struct {
	v      T
	known  bool
	cause  Cause
	origin Origin
}

// Known makes a known value.
func Known[T any](v T, o Origin) Value[T] { return Value[T]{v: v, known: true, origin: o} }

// Unknown makes an unknown value; the origin says where it was looked for.
func Unknown[T any](c Cause, o Origin) Value[T] { return Value[T]{cause: c, origin: o} }

// Get returns the value and whether it is known.
func (x Value[T]) Get() (T, bool) { return x.v, x.known }

// IsKnown reports whether the value is known.
func (x Value[T]) IsKnown() bool { return x.known }

// Cause says why the value is unknown; it means nothing for a known one.
func (x Value[T]) Cause() Cause { return x.cause }

// Origin says where the value comes from, or where it was looked for.
func (x Value[T]) Origin() Origin { return x.origin }

// Miss is an input that a calculation or a rule lacked.
type Miss struct {
	Input  string // in the words of the field: "function timeout"
	Cause  Cause
	Origin Origin
}

// Misser takes note of missing inputs.
type Misser interface{ Miss(Miss) }

// Need returns the value where it is known. Where it is not, Need tells m and
// returns the zero value.
func (x Value[T]) Need(m Misser, input string) T {
	if !x.known {
		m.Miss(Miss{Input: input, Cause: x.cause, Origin: x.origin})
	}
	return x.v
}

// Map applies f to a known value; an unknown one stays unknown with its cause.
func Map[A, B any](x Value[A], f func(A) B) Value[B] {
	if !x.known {
		return Unknown[B](x.cause, x.origin)
	}
	return Known(f(x.v), x.origin)
}
