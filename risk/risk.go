// Package risk tells, from samples of latencies, how likely a message is held
// for longer than a visibility timeout, and so delivered again.
//
// It is pure, and does not take a distribution for granted: samples count as
// they are. Where a hold is made of several calls, their distributions are
// convolved as if calls were independent of each other; calls that are slow
// together make long holds likelier than that. All rounding is up, so that
// holds are never understated.
package risk

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"vtsize/sizing"
)

// Atom is a number of samples of one length.
type Atom struct {
	At time.Duration // they took so long, or a little less
	N  int
}

// Stage is one part of the work for a message, of which samples are known.
type Stage struct {
	Samples  []Atom          // of one attempt, rising
	Attempts int             // made at most; 1 where a sample is of the whole stage
	Waits    []time.Duration // between attempts
	Failing  float64         // share of the attempts after which the next is made; 1: every attempt is used
}

// Model is how the hold of a message is made.
type Model struct {
	Stages   []Stage
	Each     time.Duration // other work for each message, as overhead and write
	Before   time.Duration // before work on the first message starts
	Rounds   int           // messages that are worked on in turn while all are held
	Together bool          // all of them are given back with the last, as by a function; else each when it is done
}

// mostTerms is how many durations are added up at most: each is rounded up to
// a part of the timeout, and more of them would overstate it by too much.
const mostTerms = 200

// Risk is what samples tell of a model.
type Risk struct {
	// Holds is how many independent holds the samples make: one, of as many
	// samples as a hold takes. Upper bounds are those of so many.
	Holds int
	model Model
	plain []Atom // where a hold is one sample and constants
	terms int    // durations that are rounded up in a hold
}

// Of prepares a model. It fails where there are too few samples for a single
// hold, or too many parts in one to add their distributions up.
func Of(m Model) (*Risk, error) {
	m.Rounds = max(1, m.Rounds)
	r := &Risk{model: m}
	for i, s := range m.Stages {
		n := 0
		for _, a := range s.Samples {
			n += a.N
		}
		calls := m.Rounds * s.Attempts
		holds := n / calls
		if holds == 0 {
			return nil, fmt.Errorf("a hold takes up to %d calls, and there are %d samples of them", calls, n)
		}
		if i == 0 || holds < r.Holds {
			r.Holds = holds
		}
		r.terms += s.Attempts
		if len(s.Waits) > 0 {
			r.terms++
		}
	}
	if len(m.Stages) == 0 {
		return nil, errors.New("there are no samples")
	}
	if m.Each > 0 {
		r.terms++
	}
	r.terms *= m.Rounds
	if only := m.Stages[0]; len(m.Stages) == 1 && m.Rounds == 1 && only.Attempts == 1 {
		r.plain = only.Samples
	} else if r.terms > mostTerms {
		return nil, fmt.Errorf("a hold is the sum of %d durations, more than the %d that can be added up with any use", r.terms, mostTerms)
	}
	return r, nil
}

// Overstated is by how much of its length a hold may be overstated, since the
// parts it is the sum of are rounded up; that of the samples comes on top.
func (r *Risk) Overstated() float64 {
	if r.plain != nil {
		return 0
	}
	return float64(r.terms) / (gridSize - 1)
}

// Point is the risk at one timeout.
type Point struct {
	Timeout time.Duration
	Share   float64 // of the messages that are held for longer
	Bound   float64 // 95 % upper confidence bound of it
	Last    float64 // that of the last message of a batch
	Wasted  float64 // share of the time that messages are held which goes into such holds
}

// At tells the risk at a timeout.
func (r *Risk) At(timeout time.Duration) Point {
	var p Point
	if r.plain != nil {
		p = r.count(timeout)
	} else {
		p = r.add(timeout).point(timeout)
	}
	p.Timeout, p.Bound = timeout, r.bound(p.Share)
	return p
}

func (r *Risk) bound(share float64) float64 {
	return sizing.ShareBound(share*float64(r.Holds), r.Holds)
}

// count takes a hold that is one sample and constants.
func (r *Risk) count(timeout time.Duration) Point {
	constant := sizing.Sum(r.model.Before, r.model.Each)
	var n, beyond int
	var all, late float64
	for _, a := range r.plain {
		hold := sizing.Sum(a.At, constant)
		n += a.N
		all += float64(a.N) * float64(hold)
		if hold > timeout {
			beyond += a.N
			late += float64(a.N) * float64(hold)
		}
	}
	share := float64(beyond) / float64(n)
	return Point{Share: share, Last: share, Wasted: late / max(1, all)}
}

// Smallest is the smallest timeout, in whole seconds, under which at most the
// given share of messages is held for longer, by the upper bound. There is
// none where the samples are too few to show so small a share: then
// [Risk.Needed] are wanted.
func (r *Risk) Smallest(share float64) (time.Duration, bool) {
	if r.bound(0) > share {
		return 0, false
	}
	best := wholeSecond(r.longest())
	for {
		// A grid that ends earlier is finer, and may find a smaller one.
		next := best
		if r.plain != nil {
			next = r.least(share)
		} else if t, ok := r.add(best).least(share, r.bound); ok {
			next = t
		}
		if next = wholeSecond(next); next >= best {
			return best, true
		}
		best = next
	}
}

// least is the smallest timeout where a hold is one sample and constants.
func (r *Risk) least(share float64) time.Duration {
	allowed, _ := sizing.SeenWithin(share, r.Holds)
	at := r.plain[0].At
	for _, a := range slices.Backward(r.plain) {
		if allowed -= a.N; allowed < 0 {
			at = a.At
			break
		}
	}
	return sizing.Sum(at, r.model.Before, r.model.Each)
}

func wholeSecond(d time.Duration) time.Duration {
	return (d + time.Second - 1) / time.Second * time.Second
}

// longest is the longest hold that the samples can make.
func (r *Risk) longest() time.Duration {
	step := r.model.Each
	for _, s := range r.model.Stages {
		most := s.Samples[len(s.Samples)-1].At
		step = sizing.Sum(step, sizing.Times(most, s.Attempts), sizing.Sum(s.Waits...))
	}
	return sizing.Sum(r.model.Before, sizing.Times(step, r.model.Rounds))
}

// Needed is how many samples it takes at least to show that no more than a
// share of the messages is held for longer than some timeout.
func (r *Risk) Needed(share float64) int {
	calls := 1
	for _, s := range r.model.Stages {
		calls = max(calls, r.model.Rounds*s.Attempts)
	}
	return sizing.SamplesToShow(share) * calls
}

// DeadLetter is the chance that a message that never fails is dead-lettered,
// if each of maxReceiveCount receives is held for too long independently of
// the others. Where messages that took long take long again, it is up to the
// share itself.
func DeadLetter(share float64, maxReceiveCount int) float64 {
	p := 1.0
	for range maxReceiveCount {
		p *= share
	}
	return p
}
