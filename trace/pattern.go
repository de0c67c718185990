package trace

import (
	"fmt"
	"slices"
)

// Pattern names what happened to a message in a word.
type Pattern string

// The patterns. A message with several expiries has the gravest.
const (
	NoPattern        Pattern = "none"
	SlowConsumer     Pattern = "slow_consumer"
	ReleasedMessage  Pattern = "released"
	HeartbeatStopped Pattern = "heartbeat_stopped"
	LateDelete       Pattern = "late_delete"
	Concurrent       Pattern = "concurrent"
)

// graver lists the patterns from the lightest to the gravest.
var graver = []Pattern{NoPattern, ReleasedMessage, Concurrent, HeartbeatStopped, LateDelete, SlowConsumer}

func (p Pattern) weight() int { return slices.Index(graver, p) }

// patternOf recognizes one expiry: by its reason, and by where the deletes of
// the earlier delivery are.
func patternOf(e *Expiry, before, unordered, after bool) Pattern {
	switch {
	case e.Reason == Released:
		return ReleasedMessage
	case e.Reason == LastChanged:
		return HeartbeatStopped
	case unordered:
		return Concurrent
	case before:
		return LateDelete
	case after:
		return SlowConsumer
	}
	return NoPattern // nothing more was heard of it
}

// Title is the pattern in words.
func (p Pattern) Title() string {
	return map[Pattern]string{
		NoPattern: "no known pattern", SlowConsumer: "slow consumer", ReleasedMessage: "released",
		HeartbeatStopped: "heartbeat stopped", LateDelete: "late delete", Concurrent: "concurrent, order unknown",
	}[p]
}

// Cause says what is behind the pattern.
func (p Pattern) Cause() string {
	return map[Pattern]string{
		NoPattern:        "nothing more was heard of the earlier delivery: its consumer crashed or hung, or its calls are not in the log",
		SlowConsumer:     "the consumer was still at work when the visibility timeout ran out",
		ReleasedMessage:  "the consumer gave the message back, by setting its visibility timeout to 0 s",
		HeartbeatStopped: "the consumer stopped extending the timeout (it crashed or hung), or each extension was too short to reach the next one",
		LateDelete:       "the consumer was done after the timeout had run out and before the next receive: SQS accepted the delete and delivered the message all the same",
		Concurrent:       "a call of the earlier delivery and the redelivery overlap, so that neither is known to be first; most often a slow consumer",
	}[p]
}

// Fix says what to do about it.
func (p Pattern) Fix() string {
	const slow = "raise the visibility timeout above the slowest run, or extend it while the work goes on"
	return map[Pattern]string{
		NoPattern:        "look at that consumer around the receive; where it crashed, a shorter timeout or a heartbeat brings the message back sooner",
		SlowConsumer:     slow,
		ReleasedMessage:  "none, if this was meant; then see to it that no effect goes out before a release",
		HeartbeatStopped: "extend by at least three times the time between two beats, and look at why the consumer stopped",
		LateDelete:       slow + "; the message stays in the queue unless its last delivery is deleted",
		Concurrent:       "read the error code of the delete; then as for a slow consumer: " + slow,
	}[p]
}

// Sentence says the reason of an expiry.
func (e *Expiry) Sentence() string {
	switch e.Reason {
	case Released:
		return "visible again at once: the visibility timeout was set to 0 s"
	case LastChanged:
		return fmt.Sprintf("visibility timeout ran out; it was last set to %d s", e.ChangedTo)
	case DeleteTooLate:
		return "visibility timeout ran out before the delete, which SQS accepted too late to count"
	}
	return "visibility timeout ran out, and the message was not deleted"
}

// meanings of error codes: those of SQS, and those that stand for the lack of
// an answer.
var meanings = map[string]string{
	"ReceiptHandleIsInvalid":       "SQS no longer takes this handle: the timeout had run out, or the message was received again or deleted",
	"InvalidParameterValue":        "SQS no longer takes this handle (FIFO queues: it has expired), or the timeout would pass twelve hours",
	"MessageNotInflight":           "the message was not in flight any more: it was visible again, or deleted",
	"InvalidIdFormat":              "the handle is not one of SQS; was it cut off or changed?",
	"QueueDoesNotExist":            "there is no such queue; was it deleted, or the region wrong?",
	"NonExistentQueue":             "there is no such queue; was it deleted, or the region wrong?",
	"InvalidAddress":               "the queue's address is not one of SQS",
	"InvalidSecurity":              "the request was not made over HTTPS or not signed as SQS wants it",
	"AccessDenied":                 "the consumer may not do this; allow sqs:DeleteMessage and sqs:ChangeMessageVisibility",
	"AccessDeniedException":        "the consumer may not do this; allow sqs:DeleteMessage and sqs:ChangeMessageVisibility",
	"ExpiredToken":                 "the consumer's credentials had expired",
	"ExpiredTokenException":        "the consumer's credentials had expired",
	"KmsAccessDenied":              "the consumer may not use the key that encrypts the queue",
	"KmsThrottled":                 "the key that encrypts the queue was asked too often",
	"RequestThrottled":             "too many requests; the client should have tried again",
	"ThrottlingException":          "too many requests; the client should have tried again",
	"OverLimit":                    "a limit of the queue was reached, as that of messages in flight",
	"UnsupportedOperation":         "the queue does not support this",
	"InternalError":                "an error inside SQS; the client should have tried again",
	"InternalFailure":              "an error inside SQS; the client should have tried again",
	"ServiceUnavailable":           "SQS did not answer for the moment; the client should have tried again",
	"MissingFromResponse":          "the answer to the batch names this entry neither as done nor as failed: it is not known what became of it",
	"NoResponse":                   "no answer came: it is not known whether SQS did it",
	"RequestTimeout":               "no answer came in time: it is not known whether SQS did it",
	"EndpointConnectionError":      "SQS was not reached",
	"ReadTimeoutError":             "no answer came in time: it is not known whether SQS did it",
	"TimeoutError":                 "no answer came in time: it is not known whether SQS did it",
	"InvalidBatchEntryId":          "an entry of the batch has an id that SQS does not take",
	"BatchEntryIdsNotDistinct":     "two entries of the batch have the same id",
	"EmptyBatchRequest":            "the batch was empty",
	"TooManyEntriesInBatchRequest": "the batch has more than ten entries",
}

// Meaning says what an error code of a delete or a change stands for. A code
// that is none of SQS is what the client threw before there was an answer.
func Meaning(code string) string {
	if code == "" {
		return "no error code was logged"
	}
	if text, ok := meanings[lastPart(code)]; ok {
		return text
	}
	return "not a code of SQS that vtsize knows; most often what the client threw before an answer came"
}

// lastPart takes off a prefix as in AWS.SimpleQueueService.NonExistentQueue or
// com.amazonaws.sqs#QueueDoesNotExist.
func lastPart(code string) string {
	for i := len(code) - 1; i >= 0; i-- {
		if code[i] == '.' || code[i] == '#' {
			return code[i+1:]
		}
	}
	return code
}
