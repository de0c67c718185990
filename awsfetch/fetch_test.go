package awsfetch_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vtsize/awsfetch"
	"vtsize/facts"
	"vtsize/internal/fakeaws"
)

var now = time.Date(2026, 11, 30, 10, 20, 0, 0, time.UTC)

func n(i int) *int { return &i }

func redrive(queue, count string) string {
	return fmt.Sprintf(`{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:%s:%s","maxReceiveCount":%s}`, fakeaws.Account, queue, count)
}

// samples puts count values an hour apart, the last one two hours ago.
func samples(count int, f func(i int) float64) []fakeaws.Sample {
	var all []fakeaws.Sample
	for i := range count {
		at := now.Add(-time.Duration(count-i+1) * time.Hour)
		all = append(all, fakeaws.Sample{At: at, Value: f(i)})
	}
	return all
}

func constant(v float64) func(int) float64 { return func(int) float64 { return v } }

func queueMetric(queue, name string, s []fakeaws.Sample) fakeaws.Metric {
	return fakeaws.Metric{Namespace: "AWS/SQS", Name: name, Dimensions: map[string]string{"QueueName": queue}, Samples: s}
}

func functionMetric(name, resource string, s []fakeaws.Sample) fakeaws.Metric {
	d := map[string]string{"FunctionName": "work"}
	if resource != "" {
		d["Resource"] = resource
	}
	return fakeaws.Metric{Namespace: "AWS/Lambda", Name: name, Dimensions: d, Samples: s}
}

// oneQueue is a queue with a Lambda consumer and a dead-letter queue.
func oneQueue(t *testing.T) *fakeaws.Server {
	s := fakeaws.New(t)
	s.Now = now
	s.Setenv(t)
	s.Queues = []fakeaws.Queue{
		{Name: "orders", Attributes: map[string]string{
			"VisibilityTimeout": "300", "MessageRetentionPeriod": "345600", "DelaySeconds": "5", "ReceiveMessageWaitTimeSeconds": "20",
			"CreatedTimestamp": "1600000000", "RedrivePolicy": redrive("orders-dlq", `"4"`), "Policy": `{"secret":"statement"}`,
			"RedriveAllowPolicy": `{"redrivePermission":"denyAll"}`}},
		{Name: "orders-dlq", Attributes: map[string]string{"VisibilityTimeout": "30", "MessageRetentionPeriod": "1209600",
			"RedriveAllowPolicy": `{"redrivePermission":"byQueue","sourceQueueArns":["arn:aws:sqs:us-east-1:123456789012:orders"]}`}},
		{Name: "other", Attributes: map[string]string{"VisibilityTimeout": "30"}},
	}
	work := fakeaws.Function{Name: "work", Timeout: 50, Reserved: n(7), Environment: map[string]string{"TOKEN": "hunter2"}}
	s.Functions = []fakeaws.Function{work}
	s.Mappings = []fakeaws.Mapping{{UUID: "m-1", Source: s.Queues[0].ARN(), Function: work.ARN(""), BatchSize: n(10), Window: n(5),
		MaximumConcurrency: n(6), ResponseTypes: []string{"ReportBatchItemFailures"}}}
	s.Metrics = []fakeaws.Metric{
		functionMetric("Duration", "", samples(300, func(i int) float64 { return float64(1000 + i*100) })),
		functionMetric("Errors", "", samples(300, constant(1))),
		functionMetric("Throttles", "", samples(300, constant(0))),
		queueMetric("orders", "NumberOfMessagesSent", samples(300, constant(12))),
		queueMetric("orders", "NumberOfMessagesReceived", samples(300, constant(13))),
		queueMetric("orders", "NumberOfMessagesDeleted", samples(300, constant(12))),
		queueMetric("orders", "ApproximateNumberOfMessagesNotVisible", samples(300, func(i int) float64 { return float64(i % 40) })),
		queueMetric("orders", "ApproximateAgeOfOldestMessage", samples(300, func(i int) float64 { return float64(i % 90) })),
		queueMetric("orders", "ApproximateNumberOfMessagesVisible", samples(300, func(i int) float64 { return float64(3 + i%5) })),
		queueMetric("orders-dlq", "ApproximateNumberOfMessagesVisible", samples(300, func(i int) float64 { return float64(i / 10) })),
	}
	s.Alarms = []fakeaws.Alarm{
		{Name: "age", Metric: queueMetric("orders", "ApproximateAgeOfOldestMessage", nil)},
		{Name: "elsewhere", Metric: queueMetric("other", "ApproximateAgeOfOldestMessage", nil)},
		{Name: "math", Math: []fakeaws.Metric{queueMetric("orders", "ApproximateNumberOfMessagesNotVisible", nil)}, Expressions: []string{"m0 / 1000"}},
		{Name: "dead", Metric: queueMetric("orders-dlq", "ApproximateNumberOfMessagesVisible", nil)},
	}
	return s
}

func fetch(t *testing.T, o awsfetch.Options) *awsfetch.Snapshot {
	t.Helper()
	if o.Now.IsZero() {
		o.Now = now
	}
	s, err := awsfetch.Fetch(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func get[T any](t *testing.T, what string, v facts.Value[T]) T {
	t.Helper()
	got, ok := v.Get()
	if !ok {
		t.Errorf("%s is not known: %v (%v)", what, v.Cause(), v.Origin())
	}
	return got
}

func is[T any](t *testing.T, what string, v facts.Value[T], want T, origin string) {
	t.Helper()
	if got := get(t, what, v); !cmp.Equal(got, want) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
	if v.Origin().Detail != origin {
		t.Errorf("%s is from %q, want %q", what, v.Origin().Detail, origin)
	}
}

func gap[T any](t *testing.T, what string, v facts.Value[T], cause facts.Cause, origin string) {
	t.Helper()
	if got, ok := v.Get(); ok {
		t.Errorf("%s is %v, want it unknown", what, got)
	} else if v.Cause() != cause || v.Origin().Detail != origin {
		t.Errorf("%s is unknown for %v at %q, want %v at %q", what, v.Cause(), v.Origin().Detail, cause, origin)
	}
}

func onlyConsumer(t *testing.T, q *facts.Queue) *facts.Consumer {
	t.Helper()
	c := get(t, "consumers", q.Consumers)
	if len(c) != 1 {
		t.Fatalf("%d consumers, want one", len(c))
	}
	return c[0]
}

func find(t *testing.T, d *facts.Deployment, name string) *facts.Queue {
	t.Helper()
	for _, q := range d.Queues {
		if q.Name == name {
			return q
		}
	}
	t.Fatalf("queue %q is not in the deployment", name)
	return nil
}

func TestOneQueueWithALambdaConsumerAndADeadLetterQueue(t *testing.T) {
	server := oneQueue(t)
	server.Delay = 20 * time.Millisecond // so that calls made together are seen together
	snapshot := fetch(t, awsfetch.Options{Queues: []string{"orders"}})

	calls := server.Calls()
	if len(calls) > 12 {
		t.Errorf("%d API calls, want at most 12: %v", len(calls), calls)
	}
	if server.AtOnce() < 2 {
		t.Error("the calls were made one after the other")
	}

	d := snapshot.Deployment()
	if len(d.Queues) != 2 {
		t.Fatalf("%d queues, want the one named and its dead-letter queue", len(d.Queues))
	}
	q := find(t, d, "orders")
	is(t, "visibility timeout", q.VisibilityTimeout, 300*time.Second, attributes)
	is(t, "retention", q.Retention, 96*time.Hour, attributes)
	is(t, "delay", q.Delay, 5*time.Second, attributes)
	is(t, "receive wait", q.ReceiveWait, 20*time.Second, attributes)
	is(t, "fifo", q.FIFO, false, attributes)
	is(t, "redrive allow policy", q.RedriveAllow, &facts.RedriveAllow{Permission: "denyAll"}, attributes)
	is(t, "sources", q.DeadLetterFor, []string{}, "sqs:ListDeadLetterSourceQueues")
	r := get(t, "redrive", q.Redrive)
	is(t, "dead-letter queue", r.Target, "arn:aws:sqs:us-east-1:123456789012:orders-dlq", attributes)
	is(t, "maxReceiveCount", r.MaxReceiveCount, 4, attributes)

	const metrics = "cloudwatch:GetMetricData"
	is(t, "sent", q.Metrics.Sent, 3600, metrics)
	is(t, "received", q.Metrics.Received, 3900, metrics)
	is(t, "deleted", q.Metrics.Deleted, 3600, metrics)
	is(t, "in flight", q.Metrics.NotVisibleMax, 39, metrics)
	is(t, "oldest age", q.Metrics.OldestAge, 89*time.Second, metrics)
	is(t, "visible at start", q.Metrics.VisibleAtStart, 3, metrics)
	rate := get(t, "rate", q.Rate)
	if elapsed := (14*24*time.Hour - 40*time.Minute).Seconds(); rate < 3600/elapsed*0.999 || rate > 3600/elapsed*1.001 {
		t.Errorf("rate is %v, want 3600 messages over the window up to now", rate)
	}

	dlq := find(t, d, "orders-dlq")
	is(t, "dead-letter retention", dlq.Retention, 14*24*time.Hour, attributes)
	is(t, "dead-letter depth", dlq.Metrics.Visible, facts.Depth{First: 0, Max: 29}, metrics)
	gap(t, "consumers of the dead-letter queue", dlq.Consumers, facts.NotCollected, "lambda:ListEventSourceMappings")
}

func TestLambdaConsumer(t *testing.T) {
	oneQueue(t)
	c := onlyConsumer(t, find(t, fetch(t, awsfetch.Options{Queues: []string{"orders"}}).Deployment(), "orders"))
	const mappings = "lambda:ListEventSourceMappings"
	if c.ID != "m-1" || c.Kind != facts.Lambda || !strings.HasSuffix(c.Function, ":function:work") {
		t.Errorf("consumer %q of kind %q and function %q", c.ID, c.Kind, c.Function)
	}
	is(t, "batch size", c.BatchSize, 10, mappings)
	is(t, "window", c.BatchingWindow, 5*time.Second, mappings)
	is(t, "partial responses", c.ReportBatchItemFailures, true, mappings)
	is(t, "maximum concurrency", c.MaximumConcurrency, n(6), mappings)
	is(t, "pollers", c.ProvisionedPollers, nil, mappings)
	is(t, "enabled", c.Enabled, true, mappings)
	is(t, "function timeout", c.FunctionTimeout, 50*time.Second, "lambda:GetFunctionConfiguration")
	is(t, "reserved concurrency", c.ReservedConcurrency, n(7), "lambda:GetFunctionConcurrency")
	is(t, "other triggers", c.Metrics.OtherTriggers, []string{}, mappings)
	if m := get(t, "mappings", c.Mappings); len(m) != 1 || m[0].ID != "m-1" {
		t.Errorf("mappings of the function: %v", m)
	}
	is(t, "errors", c.Metrics.Errors, 300, "cloudwatch:GetMetricData")
	is(t, "throttles", c.Metrics.Throttles, 0, "cloudwatch:GetMetricData")
	is(t, "basis", c.Work.Basis, facts.PerInvocation, "cloudwatch:GetMetricData")

	l := get(t, "stages", c.Work.Stages)[0].Latency
	// The values grow by 100 ms an hour, so the last day is the worst; it ends
	// two hours before 10:20 and its 9 values are far too few for a p99.
	is(t, "p99", l.Tail, 30900*time.Millisecond, "cloudwatch:GetMetricData")
	is(t, "maximum", l.Max, 30900*time.Millisecond, "cloudwatch:GetMetricData")
	is(t, "p50", l.P50, 30500*time.Millisecond, "cloudwatch:GetMetricData")
	is(t, "mean", l.Mean, 15950*time.Millisecond, "cloudwatch:GetMetricData")
	is(t, "samples", l.Samples, 300, "cloudwatch:GetMetricData")
	if want := "CloudWatch p99 of AWS/Lambda Duration, worst of 14 periods of 24h"; l.Method != want {
		t.Errorf("method %q, want %q", l.Method, want)
	}
	if !slices.ContainsFunc(l.Doubts, func(d string) bool { return strings.Contains(d, "has only 9 samples") }) {
		t.Errorf("doubts %q do not say how few samples the worst period has", l.Doubts)
	}
}

func TestAlarms(t *testing.T) {
	s := oneQueue(t)
	s.PageSize = 1
	orders, dead := s.Queues[0].ARN(), s.Queues[1].ARN()
	s.Alarms = append(s.Alarms,
		fakeaws.Alarm{Name: "query", Expressions: []string{`SELECT MAX(ApproximateAgeOfOldestMessage) FROM SCHEMA("AWS/SQS", QueueName) WHERE QueueName = 'orders'`}},
		fakeaws.Alarm{Name: "query of all", Expressions: []string{`SELECT MAX(ApproximateNumberOfMessagesVisible) FROM "AWS/SQS" GROUP BY QueueName`}},
		fakeaws.Alarm{Name: "query of some", Expressions: []string{`SELECT MAX(ApproximateNumberOfMessagesVisible) FROM SCHEMA("AWS/SQS", QueueName) WHERE tag."team" = 'x'`}},
		fakeaws.Alarm{Name: "cpu", Metric: fakeaws.Metric{Namespace: "AWS/EC2", Name: "CPUUtilization"}})
	got := map[string][]string{}
	for _, a := range get(t, "alarms", fetch(t, awsfetch.Options{Queues: []string{"orders"}}).Deployment().Alarms) {
		for _, w := range a.Watches {
			queue, _ := w.Queue.Get()
			got[a.Name] = append(got[a.Name], w.Metric+" "+queue)
		}
	}
	want := map[string][]string{
		"age":           {"ApproximateAgeOfOldestMessage " + orders},
		"math":          {"ApproximateNumberOfMessagesNotVisible " + orders},
		"dead":          {"ApproximateNumberOfMessagesVisible " + dead},
		"query":         {"ApproximateAgeOfOldestMessage " + orders},
		"query of all":  {"ApproximateNumberOfMessagesVisible " + orders, "ApproximateNumberOfMessagesVisible " + dead},
		"query of some": {"ApproximateNumberOfMessagesVisible "},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("alarms (-want +got):\n%s", diff)
	}
}
