package traceview

import (
	"io"
	"strconv"
	"time"

	"vtsize/report"
	"vtsize/trace"
)

// Schema is the published schema of the JSON output.
const Schema = "vtsize.diagnosis.v1"

type jsonSummary struct {
	Messages         int                  `json:"messages"`
	Redelivered      int                  `json:"redelivered"`
	ByReason         map[trace.Reason]int `json:"by_reason"`
	Duplicates       int                  `json:"duplicates"`
	FalseDeadLetters int                  `json:"false_dead_letters"`
	HoldSeconds      jsonTimes            `json:"hold_seconds"`
	BadLines         int                  `json:"bad_lines"`
}

// jsonTimes are null where nothing was measured.
type jsonTimes struct {
	P50 *float64 `json:"p50"`
	P99 *float64 `json:"p99"`
	Max *float64 `json:"max"`
	N   int      `json:"n"`
}

type jsonQueue struct {
	Queue            string         `json:"queue"`
	Messages         int            `json:"messages"`
	Redelivered      int            `json:"redelivered"`
	Receives         map[string]int `json:"messages_by_receive_count"`
	NotObserved      int            `json:"deliveries_not_observed"`
	DeadLettered     int            `json:"dead_lettered"`
	FalseDeadLetters int            `json:"false_dead_letters"`
	WorkTwice        jsonTwice      `json:"work_done_twice"`
	HoldSeconds      jsonTimes      `json:"hold_seconds"`
	RunSeconds       jsonTimes      `json:"run_seconds"`
	Sizing           any            `json:"sizing"`
	Findings         any            `json:"findings"`
}

type jsonTwice struct {
	Messages int     `json:"messages"`
	Runs     int     `json:"extra_runs"`
	Seconds  float64 `json:"extra_seconds"`
}

type jsonBadLine struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Why  string `json:"why"`
}

// JSON writes vtsize.diagnosis.v1, one message after the other.
type JSON struct {
	w     io.Writer
	e     encoder
	begun bool
}

// NewJSON writes to w.
func NewJSON(w io.Writer) *JSON { return &JSON{w: w} }

func (j *JSON) begin() {
	if j.begun {
		return
	}
	j.begun = true
	j.e.open('{')
	j.e.key("schema")
	j.e.string(Schema)
	j.e.key("messages")
	j.e.open('[')
}

func (j *JSON) flush() error {
	_, err := j.w.Write(j.e.b)
	j.e.b = j.e.b[:0]
	return err
}

// Message writes one message.
func (j *JSON) Message(m *trace.Message) error {
	j.begin()
	j.e.next()
	j.e.message(m)
	return j.flush()
}

// End writes what is told of all.
func (j *JSON) End(a *Answer) error {
	j.begin()
	j.e.close(']')
	queues := []jsonQueue{}
	for _, q := range a.Queues {
		queues = append(queues, queueJSON(q))
	}
	bad := []jsonBadLine{}
	for _, b := range a.Log.FirstBad {
		bad = append(bad, jsonBadLine{b.File, b.Line, b.Why})
	}
	for _, part := range []struct {
		key string
		v   any
	}{
		{"unmatched_deletes", a.UnmatchedDeletes}, {"summary", summaryJSON(a)}, {"queues", queues}, {"first_bad_lines", bad}, {"notes", notes(a)},
	} {
		j.e.key(part.key)
		if err := j.e.any(part.v); err != nil {
			return err
		}
	}
	j.e.close('}')
	j.e.b = append(j.e.b, '\n')
	return j.flush()
}

func (e *encoder) message(m *trace.Message) {
	e.open('{')
	e.key("message")
	e.string(m.ID)
	e.key("queue")
	e.string(m.Queue)
	e.key("pattern")
	e.string(string(m.Pattern))
	e.key("deliveries")
	e.open('[')
	for i := range m.Deliveries {
		e.next()
		e.delivery(&m.Deliveries[i])
	}
	e.close(']')
	e.key("expiries")
	e.open('[')
	for i := range m.Expiries {
		e.next()
		e.expiry(m, &m.Expiries[i])
	}
	e.close(']')
	e.key("deliveries_not_observed")
	e.int(m.NotObserved)
	e.key("duplicates")
	e.int(m.Duplicates)
	e.key("dead_lettered")
	e.bool(m.DeadLettered)
	e.key("false_dead_letter")
	e.bool(m.FalseDeadLetter)
	e.close('}')
}

func (e *encoder) delivery(d *trace.Delivery) {
	e.open('{')
	e.key("delivery")
	e.string(d.ID)
	e.key("receive_count")
	if d.Count > 0 {
		e.int(d.Count)
	} else {
		e.null()
	}
	e.key("consumer")
	e.orNull(d.Consumer)
	e.key("delete")
	e.string(string(d.Delete))
	e.key("error_code")
	e.orNull(d.ErrorCode)
	e.close('}')
}

func (e *encoder) expiry(m *trace.Message, x *trace.Expiry) {
	order := "unknown"
	if x.OrderKnown {
		order = "known"
	}
	e.open('{')
	e.key("after_delivery")
	e.string(m.Deliveries[x.After].ID)
	e.key("before_delivery")
	e.string(m.Deliveries[x.Before].ID)
	e.key("reason")
	e.string(string(x.Reason))
	e.key("changed_to_seconds")
	if x.ChangedTo >= 0 {
		e.int(x.ChangedTo)
	} else {
		e.null()
	}
	e.key("window")
	e.open('{')
	e.key("from")
	e.time(x.From)
	e.key("to")
	e.time(x.To)
	e.close('}')
	e.key("order")
	e.string(order)
	e.close('}')
}

func summaryJSON(a *Answer) jsonSummary {
	s := jsonSummary{Messages: a.Tally.Messages, Redelivered: a.Tally.Redelivered, ByReason: map[trace.Reason]int{}, Duplicates: a.Tally.Duplicates,
		FalseDeadLetters: a.Tally.FalseDeadLetters, HoldSeconds: timesJSON(a.Tally.Holds()), BadLines: a.Log.Bad}
	for _, r := range trace.Reasons {
		s.ByReason[r] = a.Tally.ByReason[r]
	}
	return s
}

func timesJSON(sorted []time.Duration) jsonTimes {
	at := func(p float64) *float64 {
		d, ok := trace.Percentile(sorted, p)
		if !ok {
			return nil
		}
		s := d.Seconds()
		return &s
	}
	return jsonTimes{P50: at(50), P99: at(99), Max: at(100), N: len(sorted)}
}

func queueJSON(q Queue) jsonQueue {
	out := jsonQueue{Queue: q.Name, Messages: q.Messages, Redelivered: q.Redelivered, Receives: map[string]int{}, NotObserved: q.NotObserved,
		DeadLettered: q.DeadLettered, FalseDeadLetters: q.FalseDeadLetters, WorkTwice: jsonTwice{q.Twice, q.ExtraRuns, q.ExtraTime.Seconds()},
		HoldSeconds: timesJSON(q.Holds), RunSeconds: timesJSON(q.Runs), Findings: []any{}}
	for count, n := range q.Counts.Receives {
		out.Receives[strconv.Itoa(count)] = n
	}
	if q.Report != nil {
		out.Sizing, out.Findings = report.SizingJSON(q.Sizing()), report.FindingsJSON(q.Report)
	}
	return out
}
