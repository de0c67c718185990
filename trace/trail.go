package trace

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// trailEvent is a data event of CloudTrail, as far as it is read.
type trailEvent struct {
	EventSource  string
	EventName    string
	EventTime    string
	ErrorCode    string
	UserIdentity struct {
		Arn         string
		PrincipalID string `json:"principalId"`
	}
	RequestParameters struct {
		QueueURL          string `json:"queueUrl"`
		ReceiptHandle     string
		VisibilityTimeout *json.Number
		Entries           []struct {
			ID                string `json:"id"`
			ReceiptHandle     string
			VisibilityTimeout *json.Number
		}
	}
	ResponseElements *struct {
		MessageID  string `json:"messageId"`
		Successful []struct {
			ID        string `json:"id"`
			MessageID string `json:"messageId"`
		}
		Failed []struct {
			ID   string `json:"id"`
			Code string
		}
		Messages []struct {
			MessageID     string `json:"messageId"`
			ReceiptHandle string
			Attributes    map[string]string
		}
	}
}

// HandleHash is the delivery that a receipt handle stands for: its SHA-256 in
// hexadecimal. Logs should hold this and not the handle, which lets anyone who
// may call SQS delete the message.
func HandleHash(receiptHandle string) string {
	sum := sha256.Sum256([]byte(receiptHandle))
	return hex.EncodeToString(sum[:])
}

// decodeTrail reads records of CloudTrail. What is not of SQS, and calls that
// tell no message, are skipped; of several bad ones the error tells the first.
func decodeTrail(records json.RawMessage, emit func(*fields) error) (skipped int, err error) {
	var list []trailEvent
	if err := json.Unmarshal(records, &list); err != nil {
		return 0, badJSON(err)
	}
	for i := range list {
		events, bad := list[i].events()
		switch {
		case bad != nil && err == nil:
			err = fmt.Errorf("record %d: %w", i+1, bad)
		case bad == nil && len(events) == 0:
			skipped++
		}
		for j := range events {
			if err := emit(&events[j]); err != nil {
				return skipped, err
			}
		}
	}
	return skipped, err
}

// events are those of one record, one for each entry of a batch.
func (e *trailEvent) events() ([]fields, error) {
	if e.EventSource != "sqs.amazonaws.com" {
		return nil, nil
	}
	start, known, err := when("eventTime", []byte(e.EventTime))
	if err != nil || !known {
		return nil, fmt.Errorf("eventTime %.40q is no time", e.EventTime)
	}
	var f fields
	f.clear()
	// CloudTrail tells the second: the call ended somewhere within it.
	f.start, f.end, f.hasStart, f.hasEnd = start, start+int64(time.Second)-1, true, true
	f.queue, f.consumer = []byte(e.RequestParameters.QueueURL), []byte(e.caller())
	f.result = resultOK
	if e.ErrorCode != "" {
		f.result, f.errorCode = resultFailed, []byte(e.ErrorCode)
	}
	var out []fields
	for _, g := range e.calls(f) {
		if g.problem() == "" {
			out = append(out, g)
		}
	}
	return out, nil
}

func (e *trailEvent) caller() string {
	if e.UserIdentity.Arn != "" {
		return e.UserIdentity.Arn
	}
	return e.UserIdentity.PrincipalID
}

// calls completes f by what the record says of each message.
func (e *trailEvent) calls(f fields) []fields {
	switch e.EventName {
	case "SendMessage", "SendMessageBatch":
		return e.sends(f)
	case "ReceiveMessage":
		return e.receives(f)
	case "ChangeMessageVisibility", "DeleteMessage":
		f.op = Delete
		if e.EventName == "ChangeMessageVisibility" {
			f.op, f.timeout = Change, seconds(e.RequestParameters.VisibilityTimeout)
		}
		f.setHandle(e.RequestParameters.ReceiptHandle)
		return []fields{f}
	case "ChangeMessageVisibilityBatch":
		f.op = Change
		return e.entries(f)
	case "DeleteMessageBatch":
		f.op = Delete
		return e.entries(f)
	}
	return nil
}

func (e *trailEvent) sends(f fields) []fields {
	f.op = Send
	if e.ResponseElements == nil {
		return nil
	}
	var out []fields
	f.message = []byte(e.ResponseElements.MessageID)
	out = append(out, f)
	for _, s := range e.ResponseElements.Successful {
		f.message = []byte(s.MessageID)
		out = append(out, f)
	}
	return out
}

func (e *trailEvent) receives(f fields) []fields {
	f.op = Receive
	if e.ResponseElements == nil {
		return nil
	}
	var out []fields
	for _, m := range e.ResponseElements.Messages {
		g := f
		g.message = []byte(m.MessageID)
		g.setHandle(m.ReceiptHandle)
		g.from = []byte(m.Attributes["DeadLetterQueueSourceArn"])
		if n, err := strconv.ParseInt(m.Attributes["ApproximateReceiveCount"], 10, 32); err == nil {
			g.count = int32(n)
		}
		out = append(out, g)
	}
	return out
}

// entries are the parts of a batch. Where the call was accepted and the record
// has no answer, it cannot be told what became of them.
func (e *trailEvent) entries(f fields) []fields {
	var out []fields
	for _, entry := range e.RequestParameters.Entries {
		g := f
		if f.op == Change {
			g.timeout = seconds(entry.VisibilityTimeout)
		}
		g.setHandle(entry.ReceiptHandle)
		if f.result == resultOK {
			if e.ResponseElements == nil {
				return nil
			}
			g.result, g.errorCode = e.became(entry.ID)
		}
		out = append(out, g)
	}
	return out
}

// became says what the answer tells of an entry.
func (e *trailEvent) became(id string) (result, []byte) {
	for _, s := range e.ResponseElements.Successful {
		if s.ID == id {
			return resultOK, nil
		}
	}
	for _, s := range e.ResponseElements.Failed {
		if s.ID == id {
			return resultFailed, []byte(s.Code)
		}
	}
	return resultFailed, []byte("MissingFromResponse")
}

// setHandle hashes a receipt handle, unless CloudTrail has hidden it.
func (f *fields) setHandle(handle string) {
	if handle != "" && !strings.HasPrefix(handle, "HIDDEN_") {
		f.delivery = []byte(HandleHash(handle))
	}
}

func seconds(n *json.Number) int32 {
	if n == nil {
		return none
	}
	s, err := whole(n.String())
	if err != nil {
		return none
	}
	return s
}
