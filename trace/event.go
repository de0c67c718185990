package trace

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// Op is what was asked of SQS.
type Op uint8

// The operations, in the order in which they stand at one and the same moment.
const (
	Send Op = iota + 1
	Receive
	Change // ChangeMessageVisibility
	Delete
)

var opNames = [...]string{Send: "send", Receive: "receive", Change: "change", Delete: "delete"}

// String gives the operation as it stands in a log.
func (o Op) String() string { return opNames[o] }

func parseOp(s []byte) (Op, bool) {
	switch string(s) { // no conversion is made for a switch
	case "send":
		return Send, true
	case "receive":
		return Receive, true
	case "change":
		return Change, true
	case "delete":
		return Delete, true
	}
	return 0, false
}

// result says what became of a call.
type result uint8

const (
	unsaid result = iota
	resultOK
	resultFailed
)

// Limits of single fields; a line beyond them is a bad line.
const (
	maxText    = 1024    // bytes of a name, an id or a code
	maxCount   = 1 << 30 // receives
	maxTimeout = 43_200  // seconds, as SQS has it
)

// none is a number that an event does not have.
const none = -1

// fields are those of one event, as they stand in the line that was read.
type fields struct {
	op                        Op
	result                    result
	start, end                int64 // Unix nanoseconds
	count, timeout            int32 // receives, seconds; none: not said
	queue, message, delivery  []byte
	consumer, errorCode, from []byte // from: source_queue
	hasStart, hasEnd          bool
}

func (f *fields) clear() { *f = fields{count: none, timeout: none} }

// problem says why the fields are no event; it is empty where they are one.
func (f *fields) problem() string {
	switch {
	case f.op == 0:
		return "no op"
	case !f.hasStart:
		return "no start"
	case !f.hasEnd:
		return "no end"
	case f.end < f.start:
		return "end is before start"
	case f.count == 0:
		return "receive_count is not a whole number from 1 on"
	case f.timeout != none && (f.timeout < 0 || f.timeout > maxTimeout):
		return "timeout_seconds is not within 0 to 43200"
	}
	for _, t := range [][]byte{f.queue, f.message, f.delivery, f.consumer, f.errorCode, f.from} {
		if len(t) > maxText {
			return "a text is longer than " + strconv.Itoa(maxText) + " bytes"
		}
	}
	if f.result == resultFailed && (f.op == Send || f.op == Receive) {
		return "" // nothing was sent or received
	}
	return f.missing()
}

// missing names what an operation cannot do without.
func (f *fields) missing() string {
	need := func(b []byte, name string) string {
		if len(b) == 0 {
			return "no " + name + " in a " + f.op.String()
		}
		return ""
	}
	first := func(reasons ...string) string {
		for _, r := range reasons {
			if r != "" {
				return r
			}
		}
		return ""
	}
	switch f.op {
	case Send:
		return first(need(f.message, "message"), need(f.queue, "queue"))
	case Receive:
		return first(need(f.message, "message"), need(f.queue, "queue"), need(f.delivery, "delivery"))
	case Change:
		if f.timeout == none {
			return "no timeout_seconds in a change"
		}
	}
	if f.result == unsaid {
		return "no result in a " + f.op.String()
	}
	if len(f.message) > 0 {
		return "" // without a handle it is shown with its message, and joined to no delivery
	}
	return need(f.delivery, "delivery")
}

// nanos is a moment in Unix nanoseconds; ok where they can hold it.
func nanos(t time.Time) (int64, bool) {
	if y := t.UTC().Year(); y < 1970 || y > 2261 {
		return 0, false
	}
	return t.UnixNano(), true
}

func moment(n int64) time.Time { return time.Unix(0, n).UTC() }

// whole is a JSON number that stands for a whole one, as 30 or 30.0.
func whole(s string) (int32, error) {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || x != math.Trunc(x) || x < -1 || x > maxCount {
		return 0, fmt.Errorf("%s is not a whole number", s)
	}
	return int32(x), nil
}
