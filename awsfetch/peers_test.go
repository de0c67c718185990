package awsfetch_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	cwtypes "github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/lambda/types"

	"vtsize/awsfetch"
	"vtsize/facts"
	"vtsize/internal/fakeaws"
	"vtsize/internal/peers"
)

// withPeer has the fake answer for all services but those that a peer has.
func withPeer(t *testing.T, url string, services ...string) *fakeaws.Server {
	t.Helper()
	s := fakeaws.New(t)
	s.Setenv(t)
	for _, service := range services {
		t.Setenv("AWS_ENDPOINT_URL_"+service, url)
	}
	return s
}

func TestQueuesOfLocalSQS(t *testing.T) {
	url := peers.LocalSQS(t)
	withPeer(t, url, "SQS")
	client := peers.SQS(t, url)
	_, dlq := peers.CreateQueue(t, client, "orders-dlq", map[string]string{"MessageRetentionPeriod": "1209600"})
	_, orders := peers.CreateQueue(t, client, "orders", map[string]string{"VisibilityTimeout": "45",
		"RedrivePolicy": `{"deadLetterTargetArn":"` + dlq + `","maxReceiveCount":"3"}`})
	peers.CreateQueue(t, client, "fast.fifo", map[string]string{"FifoQueue": "true", "DelaySeconds": "2"})
	d := fetch(t, awsfetch.Options{Queues: []string{"orders", "orders-dlq", "fast.fifo"}, Now: time.Now()}).Deployment()
	q := d.Queue(orders)
	is(t, "visibility timeout", q.VisibilityTimeout, 45*time.Second, attributes)
	is(t, "retention", q.Retention, 96*time.Hour, attributes)
	is(t, "max receive count", get(t, "redrive", q.Redrive).MaxReceiveCount, 3, attributes)
	is(t, "dead-letter retention", d.Queue(dlq).Retention, 14*24*time.Hour, attributes)
	is(t, "sources outside", d.Queue(dlq).DeadLetterFor, []string{}, "sqs:ListDeadLetterSourceQueues")
	is(t, "fifo", find(t, d, "fast.fifo").FIFO, true, attributes)
	is(t, "delay", find(t, d, "fast.fifo").Delay, 2*time.Second, attributes)
	all := fetch(t, awsfetch.Options{All: true, Now: time.Now()})
	if len(all.Queues) != 3 {
		t.Errorf("%d queues listed, want 3", len(all.Queues))
	}
	only := fetch(t, awsfetch.Options{Queues: []string{"orders-dlq"}, Now: time.Now()}).Deployment()
	is(t, "sources outside", find(t, only, "orders-dlq").DeadLetterFor, []string{orders}, "sqs:ListDeadLetterSourceQueues")
	if _, err := awsfetch.Fetch(t.Context(), awsfetch.Options{Queues: []string{"ordres"}}); err == nil {
		t.Error("a queue that does not exist is no error")
	} else if want := `read queue "ordres" in us-east-1: no such queue, or no access to it`; err.Error() != want {
		t.Errorf("error %q, want %q", err, want)
	}
}

func TestLambdaAndAlarmsOfKumo(t *testing.T) {
	url := peers.Kumo(t)
	withPeer(t, url, "SQS", "LAMBDA", "CLOUDWATCH")
	_, dlq := peers.CreateQueue(t, peers.SQS(t, url), "jobs-dlq", nil)
	_, jobs := peers.CreateQueue(t, peers.SQS(t, url), "jobs", map[string]string{"VisibilityTimeout": "120",
		"RedrivePolicy": `{"deadLetterTargetArn":"` + dlq + `","maxReceiveCount":4}`})
	cfg, err := config.LoadDefaultConfig(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	functions := lambda.NewFromConfig(cfg)
	if _, err := functions.CreateFunction(t.Context(), &lambda.CreateFunctionInput{FunctionName: aws.String("work"), Timeout: aws.Int32(20),
		Role: aws.String("arn:aws:iam::000000000000:role/work"), Runtime: types.RuntimeNodejs20x, Handler: aws.String("index.handler"),
		Code: &types.FunctionCode{ZipFile: []byte("PK")}}); err != nil {
		t.Fatal(err)
	}
	mapping, err := functions.CreateEventSourceMapping(t.Context(), &lambda.CreateEventSourceMappingInput{FunctionName: aws.String("work"),
		EventSourceArn: &jobs, BatchSize: aws.Int32(25), MaximumBatchingWindowInSeconds: aws.Int32(3)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cloudwatch.NewFromConfig(cfg).PutMetricAlarm(t.Context(), &cloudwatch.PutMetricAlarmInput{AlarmName: aws.String("dead"),
		Namespace: aws.String("AWS/SQS"), MetricName: aws.String("ApproximateNumberOfMessagesVisible"), Statistic: cwtypes.StatisticMaximum,
		Dimensions: []cwtypes.Dimension{{Name: aws.String("QueueName"), Value: aws.String("jobs-dlq")}}, Period: aws.Int32(60),
		EvaluationPeriods: aws.Int32(1), Threshold: aws.Float64(0), ComparisonOperator: cwtypes.ComparisonOperatorGreaterThanThreshold}); err != nil {
		t.Fatal(err)
	}

	d := fetch(t, awsfetch.Options{Queues: []string{"jobs"}, Now: time.Now()}).Deployment()
	q := find(t, d, "jobs")
	is(t, "visibility timeout", q.VisibilityTimeout, 120*time.Second, attributes)
	c := onlyConsumer(t, q)
	if c.ID != *mapping.UUID {
		t.Errorf("consumer %q, want the mapping %q", c.ID, *mapping.UUID)
	}
	is(t, "function timeout", c.FunctionTimeout, 20*time.Second, "lambda:GetFunctionConfiguration")
	is(t, "batch size", c.BatchSize, 25, "lambda:ListEventSourceMappings")
	is(t, "window", c.BatchingWindow, 3*time.Second, "lambda:ListEventSourceMappings")
	alarms := get(t, "alarms", d.Alarms)
	if len(alarms) != 1 || len(alarms[0].Watches) != 1 {
		t.Fatalf("alarms %+v", alarms)
	}
	is(t, "watched queue", alarms[0].Watches[0].Queue, dlq, "cloudwatch:DescribeAlarms")
}

// A message outlasts its timeout, for real; what CloudWatch would have counted
// of it comes back as facts.
func TestAMessageOverrunsItsTimeout(t *testing.T) {
	for name, peer := range map[string]func(testing.TB) string{"local-aws-sqs": peers.LocalSQS, "kumo": peers.Kumo} {
		t.Run(name, func(t *testing.T) {
			url := peer(t)
			fake := withPeer(t, url, "SQS")
			client := peers.SQS(t, url)
			_, dlq := peers.CreateQueue(t, client, "cases-dlq", nil)
			queueURL, arn := peers.CreateQueue(t, client, "cases", map[string]string{"VisibilityTimeout": "1",
				"RedrivePolicy": `{"deadLetterTargetArn":"` + dlq + `","maxReceiveCount":5}`})
			traffic := peers.Overrun(t, client, queueURL, 1500*time.Millisecond)
			step := awsfetch.StepMetric{Namespace: "Agents", Name: "Step", Dimensions: map[string]string{"Queue": "cases"}, Unit: "Milliseconds", Basis: facts.PerStep}
			fake.Metrics = fakeaws.TrafficMetrics("cases", time.Now(), traffic.Sent, traffic.Received, traffic.Deleted, traffic.Steps)

			d := fetch(t, awsfetch.Options{Queues: []string{"cases"}, Lookback: 3 * time.Hour, Now: time.Now(),
				StepMetrics: []awsfetch.StepMetric{step}}).Deployment()
			q := d.Queue(arn)
			timeout := get(t, "visibility timeout", q.VisibilityTimeout)
			if p99 := get(t, "p99", latency(t, onlyConsumer(t, q)).Tail); p99 <= timeout {
				t.Errorf("p99 %v does not outlast the timeout of %v", p99, timeout)
			}
			if sent, received := get(t, "sent", q.Metrics.Sent), get(t, "received", q.Metrics.Received); received != sent+1 {
				t.Errorf("%v received of %v sent, want one more", received, sent)
			}
			is(t, "max receive count", get(t, "redrive", q.Redrive).MaxReceiveCount, 5, attributes)
		})
	}
}
