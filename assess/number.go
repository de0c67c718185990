// Package assess turns the facts of a queue and a consumer into the numbers of
// package sizing. A number whose inputs are not all known is not known
// either, and remembers which were missing and why.
package assess

import "vtsize/facts"

// Number is a result of the arithmetic: known, or unknown with the inputs
// that were missing.
type Number[T any] struct {
	v       T
	known   bool
	missing []facts.Miss
}

// Get returns the number and whether it is known.
func (n Number[T]) Get() (T, bool) { return n.v, n.known }

// Missing are the inputs that a number which is not known lacked.
func (n Number[T]) Missing() []facts.Miss { return n.missing }

// Cause is why the number is not known: that of its first missing input.
func (n Number[T]) Cause() facts.Cause {
	if len(n.missing) == 0 {
		return facts.NotCollected
	}
	return n.missing[0].Cause
}

// Need returns the number where it is known; where not, it tells m what was
// missing and returns the zero value.
func (n Number[T]) Need(m facts.Misser) T {
	if !n.known {
		for _, miss := range n.missing {
			m.Miss(miss)
		}
	}
	return n.v
}

// notes collects what a calculation lacked.
type notes []facts.Miss

func (n *notes) Miss(m facts.Miss) { *n = append(*n, m) }

// calculate runs f; the result is known if f missed nothing.
func calculate[T any](f func(*notes) T) Number[T] {
	var n notes
	v := f(&n)
	if len(n) > 0 {
		return Number[T]{missing: n}
	}
	return Number[T]{v: v, known: true}
}

// known makes a known number.
func known[T any](v T) Number[T] { return Number[T]{v: v, known: true} }
