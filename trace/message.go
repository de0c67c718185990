package trace

import "time"

// Message is what happened to one message.
type Message struct {
	ID    string
	Queue string // as its first event names it; of a dead letter, where it came from

	Pattern    Pattern
	Deliveries []Delivery // queue by queue, in the order of receive counts
	Expiries   []Expiry

	NotObserved     int  // deliveries that counts tell of and the log does not
	Duplicates      int  // receives with a count that another one had
	DeadLettered    bool // received from a dead-letter queue that names its source
	FalseDeadLetter bool // dead-lettered although a consumer had come to its end

	Sends     []Call
	Unmatched []Call // changes and deletes whose handle no receive has
	Repeated  int    // events that stood in the log more than once

	// Contradicted: counts rise against the clocks, so that some expiry could
	// not be inferred.
	Contradicted bool
}

// Redelivered reports whether the message was delivered again after a timeout
// or a release, seen in the log or told by a receive count.
func (m *Message) Redelivered() bool { return len(m.Expiries) > 0 || m.NotObserved > 0 }

// Runs is the number of deliveries whose consumer came to its end: it tried
// to delete the message.
func (m *Message) Runs() int {
	n := 0
	for i := range m.Deliveries {
		if m.Deliveries[i].Completed() {
			n++
		}
	}
	return n
}

// Delivery is one receive of a message with what was done by its handle.
type Delivery struct {
	ID          string // hash of the receipt handle
	Queue       string
	SourceQueue string // of a dead letter
	Consumer    string
	Count       int           // receive count; 0: not told
	Timeout     time.Duration // given at receive; negative: not told
	Start, End  time.Time     // of the receive

	Changes []Call // in the order of their starts
	Deletes []Call

	Delete    DeleteStatus
	ErrorCode string // of the last refused delete, where none was accepted

	handle, queue uint32 // numbers of the texts; the queue by its name
}

// Completed reports whether its consumer came to its end, as the delete that
// it tried tells.
func (d *Delivery) Completed() bool { return len(d.Deletes) > 0 }

// Hold is the time from the receive to the end of the delete that counts: the
// first accepted one, else the first. It is false where there is none, or where
// the clock ran backwards.
func (d *Delivery) Hold() (time.Duration, bool) {
	var at time.Time
	for i := range d.Deletes {
		if c := &d.Deletes[i]; at.IsZero() || c.OK {
			at = c.End
			if c.OK {
				break
			}
		}
	}
	return at.Sub(d.End), !at.IsZero() && !at.Before(d.End)
}

// Call is a send, a change or a delete.
type Call struct {
	Start, End time.Time
	OK         bool
	ErrorCode  string
	Consumer   string
	Timeout    time.Duration // of a change
	Op         Op
	Status     DeleteStatus // of a delete
}

// DeleteStatus says what a delete came to.
type DeleteStatus string

// What deletes come to. A delivery has the best of its deletes.
const (
	NoDelete        DeleteStatus = "none"
	Final           DeleteStatus = "final"            // accepted, by the handle of the latest receive: the message is gone
	StaleHandle     DeleteStatus = "stale_handle"     // accepted, by an older handle: SQS need not have deleted anything
	FailedDelete    DeleteStatus = "failed"           // refused
	UnmatchedHandle DeleteStatus = "unmatched_handle" // accepted, by a handle that no receive of the log has
)

// Reason says why a message became visible again.
type Reason string

// The reasons, in the order in which they are looked for.
const (
	Released      Reason = "released"
	LastChanged   Reason = "last_changed"
	DeleteTooLate Reason = "delete_too_late"
	Expired       Reason = "expired"
)

// Reasons are all reasons in their order.
var Reasons = []Reason{Released, LastChanged, DeleteTooLate, Expired}

// Expiry is the end of a visibility timeout, inferred from a receive with a
// higher count.
type Expiry struct {
	After, Before int // deliveries of the message, by their index
	Reason        Reason
	ChangedTo     int       // seconds, where the reason is a change; else -1
	From, To      time.Time // it happened between these
	OrderKnown    bool      // every call by the handle is before or after it
	Pattern       Pattern
}
