package traceview

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"time"

	"vtsize/report"
	"vtsize/trace"
)

// Schema is the published schema of the JSON output.
const Schema = "vtsize.diagnosis.v1"

type jsonMessage struct {
	Message         string         `json:"message"`
	Queue           string         `json:"queue"`
	Pattern         trace.Pattern  `json:"pattern"`
	Deliveries      []jsonDelivery `json:"deliveries"`
	Expiries        []jsonExpiry   `json:"expiries"`
	NotObserved     int            `json:"deliveries_not_observed"`
	Duplicates      int            `json:"duplicates"`
	DeadLettered    bool           `json:"dead_lettered"`
	FalseDeadLetter bool           `json:"false_dead_letter"`
}

type jsonDelivery struct {
	Delivery     string             `json:"delivery"`
	ReceiveCount *int               `json:"receive_count"`
	Consumer     *string            `json:"consumer"`
	Delete       trace.DeleteStatus `json:"delete"`
	ErrorCode    *string            `json:"error_code"`
}

type jsonExpiry struct {
	After     string       `json:"after_delivery"`
	Before    string       `json:"before_delivery"`
	Reason    trace.Reason `json:"reason"`
	ChangedTo *int         `json:"changed_to_seconds"`
	Window    jsonWindow   `json:"window"`
	Order     string       `json:"order"`
}

type jsonWindow struct {
	From string `json:"from"`
	To   string `json:"to"`
}

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
	begun bool
	b     bytes.Buffer
}

// NewJSON writes to w.
func NewJSON(w io.Writer) *JSON { return &JSON{w: w} }

// put writes a value, indented below a key or in a list.
func (j *JSON) put(before string, v any, indent string) error {
	j.b.Reset()
	j.b.WriteString(before)
	var plain bytes.Buffer
	e := json.NewEncoder(&plain)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	if err := json.Indent(&j.b, bytes.TrimSpace(plain.Bytes()), indent, "  "); err != nil {
		return err
	}
	_, err := j.w.Write(j.b.Bytes())
	return err
}

func (j *JSON) begin() string {
	if j.begun {
		return ",\n    "
	}
	j.begun = true
	return "{\n  \"schema\": \"" + Schema + "\",\n  \"messages\": [\n    "
}

// Message writes one message.
func (j *JSON) Message(m *trace.Message) error {
	return j.put(j.begin(), messageJSON(m), "    ")
}

// End writes what is told of all.
func (j *JSON) End(a *Answer) error {
	head := "\n  ],\n"
	if !j.begun {
		head = "{\n  \"schema\": \"" + Schema + "\",\n  \"messages\": [],\n"
	}
	queues := []jsonQueue{}
	for _, q := range a.Queues {
		queues = append(queues, queueJSON(q))
	}
	bad := []jsonBadLine{}
	for _, b := range a.Log.FirstBad {
		bad = append(bad, jsonBadLine{b.File, b.Line, b.Why})
	}
	for _, part := range []struct {
		before string
		v      any
	}{
		{head + "  \"unmatched_deletes\": ", a.UnmatchedDeletes},
		{",\n  \"summary\": ", summaryJSON(a)},
		{",\n  \"queues\": ", queues},
		{",\n  \"first_bad_lines\": ", bad},
		{",\n  \"notes\": ", notes(a)},
	} {
		if err := j.put(part.before, part.v, "  "); err != nil {
			return err
		}
	}
	_, err := io.WriteString(j.w, "\n}\n")
	return err
}

func messageJSON(m *trace.Message) jsonMessage {
	out := jsonMessage{Message: m.ID, Queue: m.Queue, Pattern: m.Pattern, Deliveries: []jsonDelivery{}, Expiries: []jsonExpiry{},
		NotObserved: m.NotObserved, Duplicates: m.Duplicates, DeadLettered: m.DeadLettered, FalseDeadLetter: m.FalseDeadLetter}
	for i := range m.Deliveries {
		d := &m.Deliveries[i]
		jd := jsonDelivery{Delivery: d.ID, Consumer: orNull(d.Consumer), Delete: d.Delete, ErrorCode: orNull(d.ErrorCode)}
		if d.Count > 0 {
			jd.ReceiveCount = &d.Count
		}
		out.Deliveries = append(out.Deliveries, jd)
	}
	for i := range m.Expiries {
		e := &m.Expiries[i]
		je := jsonExpiry{After: m.Deliveries[e.After].ID, Before: m.Deliveries[e.Before].ID, Reason: e.Reason,
			Window: jsonWindow{e.From.Format(time.RFC3339Nano), e.To.Format(time.RFC3339Nano)}, Order: "unknown"}
		if e.OrderKnown {
			je.Order = "known"
		}
		if e.ChangedTo >= 0 {
			je.ChangedTo = &e.ChangedTo
		}
		out.Expiries = append(out.Expiries, je)
	}
	return out
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
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
