package sizing

import "time"

// Client is how one stage's calls end by themselves.
type Client struct {
	Attempts       int
	RequestTimeout *time.Duration  // of one attempt; nil: the client has none
	Waits          []time.Duration // between attempts, at their largest
	RetryAfter     RetryAfter
}

// RetryAfter says how a client follows a server's Retry-After header.
type RetryAfter struct {
	Obeyed bool
	Cap    *time.Duration // longest wait obeyed; nil: no limit
	Above  time.Duration  // if not 0: obeyed up to this much above the client's own wait
}

// Longest is the longest wait that the header can bring about instead of the
// client's own. It reports false where there is no limit.
func (r RetryAfter) Longest(own time.Duration) (time.Duration, bool) {
	switch {
	case !r.Obeyed:
		return own, true
	case r.Above > 0:
		return own + r.Above, true
	case r.Cap != nil:
		return max(own, *r.Cap), true
	}
	return own, false
}

// Ceiling is the most a message can take by its own timeouts.
type Ceiling struct {
	Bound     time.Duration
	Unbounded string // why there is no bound; empty: Bound holds
	Note      string // what stands beside the number
}

// IsBounded reports whether there is a bound.
func (c Ceiling) IsBounded() bool { return c.Unbounded == "" }

// Exceeds reports whether the work can last longer than d.
func (c Ceiling) Exceeds(d time.Duration) bool { return !c.IsBounded() || c.Bound > d }

// CeilingOf adds up what each client may take at most, the overhead and the
// write. An obeyed Retry-After counts at its cap; one without a cap is named
// in the note and counts as the client's own wait.
func CeilingOf(clients []Client, overhead, write time.Duration) Ceiling {
	c := Ceiling{Bound: Sum(overhead, write)}
	for _, cl := range clients {
		if cl.RequestTimeout == nil {
			return Ceiling{Unbounded: "the client has no request timeout"}
		}
		c.Bound = Sum(c.Bound, Times(*cl.RequestTimeout, cl.Attempts))
		for i := range max(0, cl.Attempts-1) {
			var own time.Duration
			if i < len(cl.Waits) {
				own = cl.Waits[i]
			}
			wait, limited := cl.RetryAfter.Longest(own)
			c.Bound = Sum(c.Bound, wait)
			if !limited {
				c.Note = "a Retry-After of any length is obeyed and comes on top"
			}
		}
	}
	return c
}

// LimitedTo is the ceiling where something else ends the work after d.
func (c Ceiling) LimitedTo(d time.Duration) Ceiling {
	if c.Exceeds(d) {
		return Ceiling{Bound: d}
	}
	return c
}
