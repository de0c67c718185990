package trace

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// decode reads a line of any of the formats and gives each of its events to
// emit. The error says why the line is none; skipped counts what was
// understood and says nothing about a message.
func decode(line []byte, emit func(*fields) error) (skipped int, err error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(line, &object); err != nil {
		return 0, badJSON(err)
	}
	has := func(key string) bool { _, there := object[key]; return there }
	switch {
	case object == nil:
		return 0, errors.New("not an object")
	case has("resourceSpans"):
		return decodeSpans(line, emit)
	case has("Records") && !has("op"):
		return decodeTrail(object["Records"], emit)
	case has("eventSource") && !has("op"):
		return decodeTrail(json.RawMessage("["+string(line)+"]"), emit)
	}
	var f fields
	if err := f.decode(object); err != nil {
		return 0, err
	}
	if why := f.problem(); why != "" {
		return 0, errors.New(why)
	}
	return 0, emit(&f)
}

func badJSON(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("not JSON at byte %d: %v", syntax.Offset, syntax)
	}
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return fmt.Errorf("%s in place of %s", kind.Value, kindOf(kind))
	}
	return err
}

func kindOf(e *json.UnmarshalTypeError) string {
	if e.Field != "" {
		return "what " + e.Field + " should be"
	}
	return "an object"
}

// decode reads the keys of an event. Keys that are not ours are left alone.
func (f *fields) decode(object map[string]json.RawMessage) error {
	f.clear()
	var op, res, start, end []byte
	texts := map[string]*[]byte{"op": &op, "result": &res, "start": &start, "end": &end, "queue": &f.queue, "message": &f.message,
		"delivery": &f.delivery, "consumer": &f.consumer, "error_code": &f.errorCode, "source_queue": &f.from}
	for key, dst := range texts {
		if err := text(object, key, dst); err != nil {
			return err
		}
	}
	for key, dst := range map[string]*int32{"receive_count": &f.count, "timeout_seconds": &f.timeout} {
		if err := number(object, key, dst); err != nil {
			return err
		}
	}
	var known bool
	if f.op, known = parseOp(op); !known && len(op) > 0 {
		return fmt.Errorf("op %.40q is none of send, receive, change, delete", op)
	}
	switch string(res) {
	case "":
	case "ok":
		f.result = resultOK
	case "failed":
		f.result = resultFailed
	default:
		return fmt.Errorf("result %.40q is none of ok, failed", res)
	}
	var err error
	if f.start, f.hasStart, err = when("start", start); err != nil {
		return err
	}
	f.end, f.hasEnd, err = when("end", end)
	return err
}

func text(object map[string]json.RawMessage, key string, dst *[]byte) error {
	raw, there := object[key]
	if !there || string(raw) == "null" {
		return nil
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return fmt.Errorf("%s is not a text", key)
	}
	*dst = []byte(s)
	return nil
}

func number(object map[string]json.RawMessage, key string, dst *int32) error {
	raw, there := object[key]
	if !there || string(raw) == "null" {
		return nil
	}
	n, err := whole(string(raw))
	if err != nil || n < 0 {
		return fmt.Errorf("%s is not a whole number", key)
	}
	*dst = n
	return nil
}

func when(key string, b []byte) (int64, bool, error) {
	if len(b) == 0 {
		return 0, false, nil
	}
	if n, ok := parseTime(b); ok {
		return n, true, nil
	}
	t, err := time.Parse(time.RFC3339Nano, strings.ToUpper(string(b)))
	if err != nil {
		return 0, false, fmt.Errorf("%s %.40q is not a time as 2026-11-30T10:00:00.402Z", key, b)
	}
	n, ok := nanos(t)
	if !ok {
		return 0, false, fmt.Errorf("%s %.40q is not within 1970 to 2261", key, b)
	}
	return n, true, nil
}
