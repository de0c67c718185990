package peers

import (
	"context"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// Traffic is what went over a queue, as CloudWatch would have counted it.
type Traffic struct {
	Sent, Received, Deleted int
	Steps                   []time.Duration // how long each receive was worked on
}

// SQS is a client of an emulator.
func SQS(t testing.TB, url string) *sqs.Client {
	t.Helper()
	cfg, err := config.LoadDefaultConfig(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return sqs.NewFromConfig(cfg, func(o *sqs.Options) { o.BaseEndpoint = &url })
}

// CreateQueue makes a queue and returns its URL and ARN.
func CreateQueue(t testing.TB, client *sqs.Client, name string, attributes map[string]string) (url, arn string) {
	t.Helper()
	created, err := client.CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: &name, Attributes: attributes})
	if err != nil {
		t.Fatalf("create queue %s: %v", name, err)
	}
	got, err := client.GetQueueAttributes(t.Context(), &sqs.GetQueueAttributesInput{QueueUrl: created.QueueUrl,
		AttributeNames: []types.QueueAttributeName{types.QueueAttributeNameQueueArn}})
	if err != nil {
		t.Fatalf("read queue %s: %v", name, err)
	}
	return *created.QueueUrl, got.Attributes["QueueArn"]
}

// Overrun sends one message and works on it for longer than the queue's
// timeout of one second, so that it is received again meanwhile: two workers,
// each for work, each deleting it in the end.
func Overrun(t testing.TB, client *sqs.Client, queueURL string, work time.Duration) Traffic {
	t.Helper()
	ctx := t.Context()
	if _, err := client.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: &queueURL, MessageBody: aws.String("CASE-4210")}); err != nil {
		t.Fatalf("send: %v", err)
	}
	traffic := Traffic{Sent: 1}
	first, received := receive(ctx, t, client, queueURL)
	second, receivedAgain := receive(ctx, t, client, queueURL)
	if aws.ToString(first.MessageId) != aws.ToString(second.MessageId) {
		t.Fatal("the second receive is of another message")
	}
	traffic.Received = 2
	for _, r := range []struct {
		message types.Message
		at      time.Time
	}{{first, received}, {second, receivedAgain}} {
		time.Sleep(time.Until(r.at.Add(work)))
		traffic.Steps = append(traffic.Steps, time.Since(r.at))
		if _, err := client.DeleteMessage(ctx, &sqs.DeleteMessageInput{QueueUrl: &queueURL, ReceiptHandle: r.message.ReceiptHandle}); err == nil {
			traffic.Deleted++ // an emulator may refuse a stale handle; SQS does not
		}
	}
	return traffic
}

// receive waits for the one message to be visible.
func receive(ctx context.Context, t testing.TB, client *sqs.Client, queueURL string) (types.Message, time.Time) {
	t.Helper()
	for range 100 {
		out, err := client.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: &queueURL})
		if err != nil {
			t.Fatalf("receive: %v", err)
		}
		if len(out.Messages) == 1 {
			return out.Messages[0], time.Now()
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("the message did not come")
	return types.Message{}, time.Time{}
}
