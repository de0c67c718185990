package trace

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// The OTLP JSON of traces, as far as it is read. Field names are those of the
// protocol; see docs/diagnose.md for the mapping.
type (
	spanExport struct {
		ResourceSpans []struct {
			Resource   struct{ Attributes attributes }
			ScopeSpans []struct{ Spans []span }
		}
	}
	span struct {
		SpanID            string
		Name              string
		StartTimeUnixNano json.RawMessage
		EndTimeUnixNano   json.RawMessage
		Attributes        attributes
		Links             []struct{ Attributes attributes }
		Status            struct{ Code json.RawMessage }
	}
	attributes []struct {
		Key   string
		Value struct {
			StringValue *string
			IntValue    json.RawMessage // a number, or a string of one
		}
	}
)

// get is the first of some attributes that is there: newer conventions first.
func (a attributes) get(keys ...string) string {
	for _, key := range keys {
		for _, kv := range a {
			switch {
			case kv.Key != key:
			case kv.Value.StringValue != nil:
				return *kv.Value.StringValue
			case len(kv.Value.IntValue) > 0:
				return strings.Trim(string(kv.Value.IntValue), `"`)
			}
		}
	}
	return ""
}

// decodeSpans reads one export of spans. Spans of other systems, and those of
// work between the calls, are skipped; of several bad ones the error tells the
// first.
func decodeSpans(line []byte, emit func(*fields) error) (skipped int, err error) {
	var export spanExport
	if err := json.Unmarshal(line, &export); err != nil {
		return 0, badJSON(err)
	}
	for _, rs := range export.ResourceSpans {
		consumer := rs.Resource.Attributes.get("service.instance.id", "service.name")
		for _, scope := range rs.ScopeSpans {
			for i := range scope.Spans {
				events, bad := scope.Spans[i].events(consumer)
				switch {
				case bad != nil && err == nil:
					err = fmt.Errorf("span %.40q: %w", scope.Spans[i].Name, bad)
				case bad == nil && len(events) == 0:
					skipped++
				}
				for j := range events {
					if err := emit(&events[j]); err != nil {
						return skipped, err
					}
				}
			}
		}
	}
	return skipped, err
}

// events are those of one span: one for each message of a batch. There is none
// in a span that is no call of SQS or tells no message.
func (s *span) events(consumer string) ([]fields, error) {
	switch s.Attributes.get("messaging.system") {
	case "aws_sqs", "aws.sqs", "AmazonSQS":
	default:
		return nil, nil
	}
	var f fields
	f.clear()
	if f.op = s.op(); f.op == 0 {
		return nil, nil
	}
	var err error
	if f.start, f.end, err = s.times(); err != nil {
		return nil, err
	}
	f.hasStart, f.hasEnd, f.result = true, true, resultOK
	if code := string(s.Status.Code); code == "2" || code == `"STATUS_CODE_ERROR"` || s.Attributes.get("error.type") != "" {
		f.result = resultFailed
		f.errorCode = []byte(s.Attributes.get("error.type"))
	}
	f.consumer = []byte(consumer)
	f.queue = []byte(s.Attributes.get("aws.sqs.queue.url", "messaging.destination.name", "messaging.destination", "messaging.url"))
	var out []fields
	for _, m := range s.messages() {
		g := f
		if err := g.fromSpan(m, s.SpanID); err != nil {
			return nil, err
		}
		if g.problem() == "" {
			out = append(out, g)
		}
	}
	return out, nil
}

// messages are the attributes of the messages of the span: its own, or those
// of its links where it is of a batch. An attribute of the span holds for all.
func (s *span) messages() []attributes {
	own := s.Attributes
	if own.get("messaging.message.id", "messaging.message_id", "vtsize.delivery") != "" {
		return []attributes{own}
	}
	var out []attributes
	for _, link := range s.Links {
		if link.Attributes.get("messaging.message.id", "messaging.message_id") != "" {
			out = append(out, append(append(attributes{}, link.Attributes...), own...))
		}
	}
	return out
}

// op tells the operation by the name that SQS gives it, or by its type where
// that says enough.
func (s *span) op() Op {
	name := s.Attributes.get("messaging.operation.name", "rpc.method")
	_, method, _ := strings.Cut(s.Name, ".") // SQS.DeleteMessage
	for _, n := range []string{name, method, s.Name} {
		switch n {
		case "SendMessage", "SendMessageBatch", "send", "publish":
			return Send
		case "ReceiveMessage", "receive":
			return Receive
		case "ChangeMessageVisibility", "ChangeMessageVisibilityBatch", "nack":
			return Change
		case "DeleteMessage", "DeleteMessageBatch", "delete", "ack":
			return Delete
		}
	}
	switch s.Attributes.get("messaging.operation.type", "messaging.operation") {
	case "send", "publish":
		return Send
	case "receive":
		return Receive
	}
	return 0
}

func (s *span) times() (start, end int64, err error) {
	read := func(name string, raw json.RawMessage) int64 {
		n, e := strconv.ParseInt(strings.Trim(string(raw), `"`), 10, 64)
		if e != nil || n < 0 {
			err = fmt.Errorf("%s %.40q is no time", name, raw)
			return 0
		}
		return n
	}
	start, end = read("startTimeUnixNano", s.StartTimeUnixNano), read("endTimeUnixNano", s.EndTimeUnixNano)
	if err == nil && end < start {
		err = fmt.Errorf("it ends %s before it starts", time.Duration(start-end))
	}
	return start, end, err
}

// fromSpan adds what is told of one message. The conventions have no name for
// the receipt handle, the receive count, the timeout and the source queue;
// attributes of our own carry them.
func (f *fields) fromSpan(a attributes, spanID string) error {
	f.message = []byte(a.get("messaging.message.id", "messaging.message_id"))
	f.delivery = []byte(a.get("vtsize.delivery"))
	f.from = []byte(a.get("vtsize.source_queue"))
	if f.op == Receive && len(f.delivery) == 0 {
		f.delivery = []byte("span " + spanID) // no handle: nothing can be joined to it
	}
	for key, dst := range map[string]*int32{"vtsize.receive_count": &f.count, "vtsize.timeout_seconds": &f.timeout} {
		text := a.get(key)
		if text == "" {
			continue
		}
		n, err := whole(text)
		if err != nil || n < 0 {
			return fmt.Errorf("%s is not a whole number", key)
		}
		*dst = n
	}
	return nil
}
