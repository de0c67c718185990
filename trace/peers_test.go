package trace_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/aws/smithy-go"

	"vtsize/internal/peers"
	"vtsize/trace"
)

// recorder calls SQS and writes down what it called, as an instrumented client
// would.
type recorder struct {
	t      *testing.T
	client *sqs.Client
	mu     sync.Mutex
	lines  []string
}

type queue struct{ name, url string }

func (r *recorder) record(op string, q queue, start time.Time, err error, more map[string]any) {
	e := map[string]any{"op": op, "start": start.UTC(), "end": time.Now().UTC(), "queue": q.name, "result": "ok"}
	if err != nil {
		e["result"], e["error_code"] = "failed", "NoResponse"
		var api smithy.APIError
		if errors.As(err, &api) {
			e["error_code"] = api.ErrorCode()
		}
	}
	for k, v := range more {
		e[k] = v
	}
	line, err := json.Marshal(e)
	if err != nil {
		r.t.Error(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, string(line))
}

func (r *recorder) queue(name string, attributes map[string]string) (queue, string) {
	url, arn := peers.CreateQueue(r.t, r.client, name, attributes)
	return queue{name, url}, arn
}

func (r *recorder) send(q queue) {
	start := time.Now()
	out, err := r.client.SendMessage(r.t.Context(), &sqs.SendMessageInput{QueueUrl: &q.url, MessageBody: aws.String("CASE-4210")})
	if err != nil {
		r.t.Fatalf("send to %s: %v", q.name, err)
	}
	r.record("send", q, start, nil, map[string]any{"message": *out.MessageId})
}

// receive asks until there is a message in one of the queues.
func (r *recorder) receive(consumer string, queues ...queue) types.Message {
	for range 600 {
		for _, q := range queues {
			start := time.Now()
			out, err := r.client.ReceiveMessage(r.t.Context(), &sqs.ReceiveMessageInput{QueueUrl: &q.url,
				MessageSystemAttributeNames: []types.MessageSystemAttributeName{"ApproximateReceiveCount", "DeadLetterQueueSourceArn"},
				//lint:ignore SA1019 the older name of the same is the one that emulators know
				AttributeNames: []types.QueueAttributeName{"All"}})
			if err != nil {
				r.t.Fatalf("receive from %s: %v", q.name, err)
			}
			for _, m := range out.Messages {
				count, _ := strconv.Atoi(m.Attributes["ApproximateReceiveCount"])
				r.record("receive", q, start, nil, map[string]any{"message": *m.MessageId, "delivery": trace.HandleHash(*m.ReceiptHandle),
					"receive_count": count, "consumer": consumer, "source_queue": m.Attributes["DeadLetterQueueSourceArn"]})
				return m
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	r.t.Fatalf("%s got no message", consumer)
	return types.Message{}
}

func (r *recorder) change(q queue, m types.Message, seconds int32) {
	start := time.Now()
	_, err := r.client.ChangeMessageVisibility(r.t.Context(), &sqs.ChangeMessageVisibilityInput{QueueUrl: &q.url, ReceiptHandle: m.ReceiptHandle, VisibilityTimeout: seconds})
	r.record("change", q, start, err, map[string]any{"delivery": trace.HandleHash(*m.ReceiptHandle), "timeout_seconds": seconds})
}

func (r *recorder) delete(q queue, m types.Message) {
	start := time.Now()
	_, err := r.client.DeleteMessage(r.t.Context(), &sqs.DeleteMessageInput{QueueUrl: &q.url, ReceiptHandle: m.ReceiptHandle})
	r.record("delete", q, start, err, map[string]any{"delivery": trace.HandleHash(*m.ReceiptHandle)})
}

// Consumers that are slow, release, crash and stop their heartbeat, against
// servers that other people wrote. The consumers act in turn, so that what has
// to come out does not depend on how fast anything is.
func TestAgainstPeers(t *testing.T) {
	for name, start := range map[string]func(testing.TB) string{"local-aws-sqs": peers.LocalSQS, "kumo": peers.Kumo} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("AWS_ACCESS_KEY_ID", "test")
			t.Setenv("AWS_SECRET_ACCESS_KEY", "test")
			t.Setenv("AWS_REGION", "us-east-1")
			r := &recorder{t: t, client: peers.SQS(t, start(t))}
			short := map[string]string{"VisibilityTimeout": "2"}
			scenes := map[string]func(queue){
				"well": func(q queue) { r.delete(q, r.receive("a", q)) },
				"slow": func(q queue) {
					first := r.receive("a", q)
					second := r.receive("b", q)
					r.delete(q, second)
					r.delete(q, first)
				},
				"released": func(q queue) {
					r.change(q, r.receive("a", q), 0)
					r.delete(q, r.receive("b", q))
				},
				"crashed": func(q queue) {
					r.receive("a", q)
					r.delete(q, r.receive("b", q))
				},
				"stopped": func(q queue) {
					first := r.receive("a", q)
					r.change(q, first, 3)
					r.change(q, first, 1)
					r.delete(q, r.receive("b", q))
				},
			}
			var wait sync.WaitGroup
			for scene, play := range scenes {
				q, _ := r.queue(scene, short)
				r.send(q)
				wait.Go(func() { play(q) })
			}
			dead, deadARN := r.queue("dead", nil)
			source, _ := r.queue("doomed", map[string]string{"VisibilityTimeout": "2",
				"RedrivePolicy": fmt.Sprintf(`{"deadLetterTargetArn":%q,"maxReceiveCount":"1"}`, deadARN)})
			r.send(source)
			wait.Go(func() {
				first := r.receive("a", source)
				r.receive("redrive", source, dead)
				r.delete(source, first)
			})
			wait.Wait()
			r.check(t, name)
		})
	}
}

// check holds the diagnosis against what the scenes were.
func (r *recorder) check(t *testing.T, peer string) {
	wants := map[string]string{
		"well":     "none=final",
		"slow":     "slow_consumer=late final delete_too_late|slow_consumer=late final expired",
		"released": "released=none final released",
		"crashed":  "none=none final expired",
		"stopped":  "heartbeat_stopped=none final last_changed",
		"doomed":   "none=late none, false dead letter",
	}
	if peer == "kumo" {
		wants["doomed"] = "none=late none" // it does not name the source of a dead letter
	}
	l := readLines(t, r.lines)
	if l.Bad > 0 {
		t.Fatalf("%v", l.FirstBad)
	}
	tally := trace.NewTally()
	seen := 0
	for m := range l.Messages(trace.Selection{}) {
		tally.Add(m)
		seen++
		got := string(m.Pattern) + "="
		var parts []string
		for i := range m.Deliveries {
			status := string(m.Deliveries[i].Delete)
			if status == "stale_handle" || status == "failed" {
				status = "late" // SQS takes a stale handle, some emulators refuse it
			}
			parts = append(parts, status)
		}
		for _, e := range m.Expiries {
			parts = append(parts, string(e.Reason))
		}
		got += strings.Join(parts, " ")
		if m.FalseDeadLetter {
			got += ", false dead letter"
		}
		ok := false
		for want := range strings.SplitSeq(wants[m.Queue], "|") {
			ok = ok || got == want
		}
		if !ok {
			t.Errorf("%s, scene %q: got %s, want %s; %s", peer, m.Queue, got, wants[m.Queue], tell(m))
		}
	}
	if seen != len(wants) || tally.Redelivered != 4 || tally.Twice != 1 {
		t.Errorf("%s: %d messages, %d delivered again, %d done twice; log:\n%s", peer, seen, tally.Redelivered, tally.Twice, strings.Join(r.lines, "\n"))
	}
}
