package awsfetch_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"vtsize/awsfetch"
	"vtsize/facts"
	"vtsize/internal/fakeaws"
)

// SQS cuts a list at 1,000 and gives no token unless MaxResults is set.
func TestMoreThanAThousandQueues(t *testing.T) {
	s := oneQueue(t)
	s.Queues = nil
	for i := range 1203 {
		s.Queues = append(s.Queues, fakeaws.Queue{Name: fmt.Sprintf("q%04d", i), Attributes: map[string]string{"VisibilityTimeout": "30"}})
	}
	snapshot := fetch(t, awsfetch.Options{All: true})
	if len(snapshot.Queues) != 1203 {
		t.Errorf("%d queues, want 1203", len(snapshot.Queues))
	}
	requests := 0
	for _, c := range s.Calls() {
		if c.Action == "cloudwatch:GetMetricData" {
			requests++
		}
	}
	// Of a queue five daily series and two hourly ones are asked for: the 500
	// metrics of a request are reached before its 100,800 points.
	if want := (1203*7 + 499) / 500; requests != want {
		t.Errorf("%d requests for metrics, want %d", requests, want)
	}
}

func TestPrefix(t *testing.T) {
	s := oneQueue(t)
	s.Queues = append(s.Queues, fakeaws.Queue{Name: "orders-eu", Region: "eu-west-1", Attributes: map[string]string{"VisibilityTimeout": "30"}})
	snapshot := fetch(t, awsfetch.Options{Prefix: "orders", Regions: []string{"us-east-1", "eu-west-1"}})
	var names []string
	for _, q := range snapshot.Queues {
		names = append(names, q.Region()+"/"+q.Name())
		if !q.Asked {
			t.Errorf("%s was listed, and does not count as asked for", q.Name())
		}
	}
	if got := strings.Join(names, " "); got != "eu-west-1/orders-eu us-east-1/orders us-east-1/orders-dlq" {
		t.Errorf("queues %s", got)
	}
	if _, err := awsfetch.Fetch(t.Context(), awsfetch.Options{Prefix: "zzz", Now: now}); err == nil || !strings.Contains(err.Error(), "no queue has a name that begins with zzz") {
		t.Errorf("error %v, want it to say that nothing begins so", err)
	}
}

func TestQueueByURLAndByARN(t *testing.T) {
	s := oneQueue(t)
	for _, name := range []string{
		"https://sqs.us-east-1.amazonaws.com/123456789012/orders",
		"arn:aws:sqs:us-east-1:123456789012:orders",
	} {
		is(t, name, find(t, fetch(t, awsfetch.Options{Queues: []string{name}, Regions: []string{"eu-west-1"}}).Deployment(), "orders").VisibilityTimeout,
			300*time.Second, "sqs:GetQueueAttributes")
	}
	for _, c := range s.Calls() {
		if c.Region != "us-east-1" {
			t.Errorf("%s was called in %s", c.Action, c.Region)
		}
	}
}

func TestNamedInTwoRegions(t *testing.T) {
	s := oneQueue(t)
	s.Queues = append(s.Queues, fakeaws.Queue{Name: "orders", Region: "eu-west-1", Attributes: map[string]string{"VisibilityTimeout": "60"}})
	d := fetch(t, awsfetch.Options{Queues: []string{"orders"}, Regions: []string{"us-east-1", "eu-west-1"}}).Deployment()
	is(t, "ireland", d.Queue("arn:aws:sqs:eu-west-1:123456789012:orders").VisibilityTimeout, 60*time.Second, "sqs:GetQueueAttributes")
	is(t, "virginia", d.Queue("arn:aws:sqs:us-east-1:123456789012:orders").VisibilityTimeout, 300*time.Second, "sqs:GetQueueAttributes")
	s.Queues = s.Queues[:3]
	_, err := awsfetch.Fetch(t.Context(), awsfetch.Options{Queues: []string{"orders"}, Regions: []string{"us-east-1", "eu-west-1"}, Now: now})
	if err == nil || !strings.Contains(err.Error(), "in eu-west-1") {
		t.Errorf("error %v, want it to say where the queue is missing", err)
	}
}

func TestDeadLetterQueueOfOthers(t *testing.T) {
	s := oneQueue(t)
	s.PageSize = 2
	for i := range 5 {
		s.Queues = append(s.Queues, fakeaws.Queue{Name: fmt.Sprintf("source%d", i), Attributes: map[string]string{"RedrivePolicy": redrive("orders-dlq", "3")}})
	}
	d := fetch(t, awsfetch.Options{Queues: []string{"orders", "orders-dlq"}}).Deployment()
	sources := get(t, "sources", find(t, d, "orders-dlq").DeadLetterFor)
	if len(sources) != 5 || sources[0] != "arn:aws:sqs:us-east-1:123456789012:source0" {
		t.Errorf("sources %v, want the five that were not read", sources)
	}
	is(t, "consumers", find(t, d, "orders-dlq").Consumers, []*facts.Consumer{}, "lambda:ListEventSourceMappings")
}

func TestProgress(t *testing.T) {
	s := oneQueue(t)
	done, started := 0, 0
	fetch(t, awsfetch.Options{Queues: []string{"orders"}, Progress: func(d, n int, _ string) {
		if d < done || n < started || d > n {
			t.Errorf("progress went from %d of %d to %d of %d", done, started, d, n)
		}
		done, started = d, n
	}})
	if calls := len(s.Calls()); done != calls || started != calls {
		t.Errorf("progress ended at %d of %d, and %d calls were made", done, started, calls)
	}
}
