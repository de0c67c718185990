package simulate_test

import (
	"context"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"vtsize/internal/peers"
	"vtsize/simulate"
)

// An emulator and the reading of a stale delete that it has.
var emulators = map[string]struct {
	start func(testing.TB) string
	stale simulate.StaleDelete
}{
	"local-aws-sqs": {peers.LocalSQS, simulate.StaleDeleteRemoves},
	"kumo":          {peers.Kumo, simulate.StaleDeleteKeeps},
}

// The incident and its fixes in real seconds, scaled down: real consumers,
// other people's queue. What they receive, do and find in the dead-letter
// queue is what the replay says.
var incidents = map[string]simulate.ReplayInput{
	"incident":         {VisibilityTimeout: 2 * time.Second, Step: 3 * time.Second, MaxReceiveCount: 3},
	"longer timeout":   {VisibilityTimeout: 5 * time.Second, Step: 3 * time.Second, MaxReceiveCount: 3},
	"heartbeat":        {VisibilityTimeout: 3 * time.Second, Step: 5 * time.Second, MaxReceiveCount: 3, Heartbeat: simulate.Heartbeat{Interval: time.Second}},
	"crash":            {VisibilityTimeout: 3 * time.Second, Step: 2 * time.Second, MaxReceiveCount: 3, CrashAfter: time.Second},
	"one receive only": {VisibilityTimeout: 2 * time.Second, Step: 3 * time.Second, MaxReceiveCount: 1},
}

func TestReplayIsWhatAnEmulatorDoes(t *testing.T) {
	for name, e := range emulators {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := clientOf(e.start(t))
			pools := map[string]*pool{}
			for name, in := range incidents { // all at once: each takes real seconds
				in.StaleDelete = e.stale
				pools[name] = newPool(t, client, in)
			}
			for name, p := range pools {
				t.Run(name, p.compare)
			}
		})
	}
}

// clientOf needs no environment, so that tests can run side by side.
func clientOf(url string) *sqs.Client {
	someone := aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{AccessKeyID: "test", SecretAccessKey: "test"}, nil
	})
	return sqs.New(sqs.Options{Region: "us-east-1", BaseEndpoint: &url, Credentials: someone})
}

// compare lets the consumers go on until nothing more can happen.
func (p *pool) compare(t *testing.T) {
	want := simulate.Replay(p.in)
	time.Sleep(time.Until(p.began.Add(want.End() + 2*time.Second)))
	p.stop()
	p.work.Wait()
	if p.receives != want.Receives || p.effects != want.Effects {
		t.Errorf("%d receives and %d effects; the replay says %d and %d", p.receives, p.effects, want.Receives, want.Effects)
	}
	if got := p.deadLetters(t); got != (want.DeadLetteredAt != nil) {
		t.Errorf("dead letter %v; the replay says %v", got, want.DeadLetteredAt != nil)
	}
	if p.highest != want.Receives {
		t.Errorf("receive count %d; the replay says %d", p.highest, want.Receives)
	}
}

// pool is consumers that are always polling.
type pool struct {
	in         simulate.ReplayInput
	client     *sqs.Client
	queue, dlq string
	began      time.Time
	stop       context.CancelFunc
	work       sync.WaitGroup

	mu                         sync.Mutex
	receives, effects, highest int
}

func newPool(t *testing.T, client *sqs.Client, in simulate.ReplayInput) *pool {
	name := strconv.FormatInt(time.Now().UnixNano(), 36)
	dlq, arn := peers.CreateQueue(t, client, "dead-"+name, nil)
	queue, _ := peers.CreateQueue(t, client, "queue-"+name, map[string]string{
		"VisibilityTimeout": strconv.Itoa(int(in.VisibilityTimeout.Seconds())),
		"RedrivePolicy":     `{"deadLetterTargetArn":"` + arn + `","maxReceiveCount":` + strconv.Itoa(in.MaxReceiveCount) + `}`,
	})
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	p := &pool{in: in, client: client, queue: queue, dlq: dlq, began: time.Now(), stop: stop}
	if _, err := client.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: &queue, MessageBody: aws.String("case 4210")}); err != nil {
		t.Fatal(err)
	}
	for range 8 {
		p.work.Go(func() { p.consume(ctx) })
	}
	return p
}

func (p *pool) consume(ctx context.Context) {
	for ctx.Err() == nil {
		out, err := p.client.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: &p.queue,
			//lint:ignore SA1019 local-aws-sqs knows only the name of old
			AttributeNames: []types.QueueAttributeName{"ApproximateReceiveCount"}})
		if err == nil && len(out.Messages) == 1 {
			p.handle(ctx, out.Messages[0])
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func (p *pool) handle(ctx context.Context, m types.Message) {
	count, _ := strconv.Atoi(m.Attributes["ApproximateReceiveCount"])
	p.mu.Lock()
	p.receives++
	p.highest = max(p.highest, count)
	first := p.receives == 1
	p.mu.Unlock()

	beats, stopBeats := context.WithCancel(ctx)
	defer stopBeats()
	if p.in.Heartbeat.Interval > 0 {
		go p.beat(beats, m.ReceiptHandle)
	}
	if first && p.in.CrashAfter > 0 {
		time.Sleep(p.in.CrashAfter)
		return
	}
	time.Sleep(p.in.Step)
	p.mu.Lock()
	p.effects++
	p.mu.Unlock()
	// The error of a stale handle is one of the readings, and the receives
	// tell what it did.
	_, _ = p.client.DeleteMessage(ctx, &sqs.DeleteMessageInput{QueueUrl: &p.queue, ReceiptHandle: m.ReceiptHandle})
}

func (p *pool) beat(ctx context.Context, handle *string) {
	ticker := time.NewTicker(p.in.Heartbeat.Interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			_, _ = p.client.ChangeMessageVisibility(ctx, &sqs.ChangeMessageVisibilityInput{QueueUrl: &p.queue, ReceiptHandle: handle,
				VisibilityTimeout: int32(p.in.ExtendTo().Seconds())})
		}
	}
}

func (p *pool) deadLetters(t *testing.T) bool {
	out, err := p.client.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{QueueUrl: &p.dlq})
	if err != nil {
		t.Fatal(err)
	}
	return len(out.Messages) > 0
}
