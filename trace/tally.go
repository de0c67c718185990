package trace

import (
	"slices"
	"strings"
	"time"

	"vtsize/sizing"
)

// Tally sums up the messages of a log.
type Tally struct {
	Counts
	Queues map[string]*QueueTally // by name
}

// Counts are of messages, or of what happened to them.
type Counts struct {
	Messages         int
	Redelivered      int
	ByReason         map[Reason]int // expiries
	Duplicates       int            // receives with a count that another one had
	NotObserved      int            // deliveries that counts tell of and the log does not
	DeadLettered     int
	FalseDeadLetters int

	Twice     int           // messages that more than one consumer came to the end of
	ExtraRuns int           // runs to the end after the first of a message
	ExtraTime time.Duration // that these took

	Receives map[int]int // messages by the highest receive count seen
	Repeated int         // events that stood in the log more than once
	NoCount  int         // receives without a count: nothing can be inferred from them
}

// QueueTally is what one queue has to do with.
type QueueTally struct {
	Name string
	Counts

	// Holds are the times from a receive to its accepted final delete; Runs
	// those to any delete, so that the slow ones are in it, whose delete came
	// too late. Both in seconds of work of this queue's consumers.
	Holds, Runs []time.Duration

	gaps       []time.Duration // between extensions, and from the receive to the first
	still      []time.Duration // runs without extensions
	extensions map[time.Duration]int
	timeouts   map[time.Duration]int // given at receive; negative: none
}

// NewTally makes an empty tally.
func NewTally() *Tally {
	return &Tally{Counts: newCounts(), Queues: map[string]*QueueTally{}}
}

func newCounts() Counts { return Counts{ByReason: map[Reason]int{}, Receives: map[int]int{}} }

// Add counts a message.
func (t *Tally) Add(m *Message) {
	t.Counts.add(m)
	t.queue(m.Queue).Counts.add(m)
	for i := range m.Deliveries {
		d := &m.Deliveries[i]
		q := t.queue(d.Queue)
		q.timeouts[d.Timeout]++
		beats := q.beats(d)
		if hold, ok := d.Hold(); ok {
			q.Runs = append(q.Runs, hold)
			if d.Delete == Final {
				q.Holds = append(q.Holds, hold)
			}
			if !beats {
				q.still = append(q.still, hold)
			}
		}
	}
}

func (t *Tally) queue(name string) *QueueTally {
	name = QueueName(name)
	q := t.Queues[name]
	if q == nil {
		q = &QueueTally{Name: name, Counts: newCounts(), extensions: map[time.Duration]int{}, timeouts: map[time.Duration]int{}}
		t.Queues[name] = q
	}
	return q
}

func (c *Counts) add(m *Message) {
	c.Messages++
	if m.Redelivered() {
		c.Redelivered++
	}
	for _, e := range m.Expiries {
		c.ByReason[e.Reason]++
	}
	c.Duplicates += m.Duplicates
	c.NotObserved += m.NotObserved
	c.Repeated += m.Repeated
	if m.DeadLettered {
		c.DeadLettered++
	}
	if m.FalseDeadLetter {
		c.FalseDeadLetters++
	}
	runs, most := 0, 0
	for i := range m.Deliveries {
		d := &m.Deliveries[i]
		if d.Count == 0 {
			c.NoCount++
		}
		if d.SourceQueue != "" {
			continue // what is done with dead letters is another work
		}
		most = max(most, d.Count)
		if d.Completed() {
			if runs++; runs > 1 {
				hold, _ := d.Hold()
				c.ExtraRuns++
				c.ExtraTime += hold
			}
		}
	}
	if runs > 1 {
		c.Twice++
	}
	if most > 0 {
		c.Receives[most]++
	}
}

// beats notes how a consumer extended the timeout, if it did. One change alone
// is no heartbeat: it may put a retry off.
func (q *QueueTally) beats(d *Delivery) bool {
	extends := func(c *Call) bool { return c.OK && c.Timeout > 0 }
	n := 0
	for i := range d.Changes {
		if extends(&d.Changes[i]) {
			n++
		}
	}
	if n < 2 {
		return false
	}
	last := d.End
	for i := range d.Changes {
		c := &d.Changes[i]
		if !extends(c) {
			continue
		}
		if gap := c.Start.Sub(last); gap > 0 {
			q.gaps = append(q.gaps, gap)
		}
		q.extensions[c.Timeout]++
		last = c.Start
	}
	return true
}

// Holds are those of all queues, sorted.
func (t *Tally) Holds() []time.Duration {
	var all []time.Duration
	for _, q := range t.Queues {
		all = append(all, q.Holds...)
	}
	slices.Sort(all)
	return all
}

// Sorted are the queues by name, with their times sorted.
func (t *Tally) Sorted() []*QueueTally {
	out := make([]*QueueTally, 0, len(t.Queues))
	for _, q := range t.Queues {
		slices.Sort(q.Holds)
		slices.Sort(q.Runs)
		slices.Sort(q.gaps)
		out = append(out, q)
	}
	slices.SortFunc(out, func(a, b *QueueTally) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Percentile is the nearest-rank percentile of sorted times; false where there
// is none.
func Percentile(sorted []time.Duration, percentile float64) (time.Duration, bool) {
	if len(sorted) == 0 {
		return 0, false
	}
	return sizing.Percentile(sorted, percentile), true
}
