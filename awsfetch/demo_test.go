package awsfetch_test

import (
	"bytes"
	"os"
	"testing"
	"time"

	"vtsize/awsfetch"
	"vtsize/facts"
)

func TestDemoShowsWhatItIsFor(t *testing.T) {
	s := awsfetch.Demo()
	d := s.Deployment()
	if len(d.Queues) != 6 {
		t.Fatalf("%d queues, want three and their dead-letter queues", len(d.Queues))
	}
	orders := d.Queue("arn:aws:sqs:us-east-1:123456789012:orders")
	if v, _ := orders.VisibilityTimeout.Get(); v != 30*time.Second {
		t.Errorf("visibility timeout of orders is %v, want the default", v)
	}
	consumers, _ := orders.Consumers.Get()
	if len(consumers) != 1 || consumers[0].Kind != "worker" {
		t.Fatalf("consumers of orders: %v, want the worker that the step metric measures", consumers)
	}
	stages, _ := consumers[0].Work.Stages.Get()
	if p99, _ := stages[0].Latency.Tail.Get(); p99 != 45*time.Second {
		t.Errorf("p99 of orders is %v, want 45s", p99)
	}
	if received, sent := total(t, orders.Metrics.Received), total(t, orders.Metrics.Sent); received < 1.05*sent {
		t.Errorf("orders received %v of %v sent: no redelivery shows", received, sent)
	}
	if dead, _ := d.Queue("arn:aws:sqs:us-east-1:123456789012:orders-dlq").Metrics.Visible.Get(); dead.Max <= dead.First {
		t.Errorf("no message of orders died: %+v", dead)
	}
}

func total(t *testing.T, v facts.Value[float64]) float64 {
	t.Helper()
	n, ok := v.Get()
	if !ok {
		t.Errorf("not known: %v", v.Cause())
	}
	return n
}

func TestDemoFaultsAndHealth(t *testing.T) {
	d := awsfetch.Demo().Deployment()
	one := func(name string) (*facts.Queue, *facts.Consumer) {
		q := d.Queue("arn:aws:sqs:us-east-1:123456789012:" + name)
		consumers, _ := q.Consumers.Get()
		if len(consumers) != 1 {
			t.Fatalf("%s has %d consumers", name, len(consumers))
		}
		return q, consumers[0]
	}
	q, c := one("invoices")
	timeout, _ := q.VisibilityTimeout.Get()
	function, _ := c.FunctionTimeout.Get()
	if timeout >= 6*function || timeout < function {
		t.Errorf("invoices: timeout %v and function timeout %v", timeout, function)
	}
	if total(t, c.Metrics.Throttles) == 0 {
		t.Error("invoices is not throttled")
	}
	q, c = one("classify")
	timeout, _ = q.VisibilityTimeout.Get()
	function, _ = c.FunctionTimeout.Get()
	if timeout < 6*function || total(t, c.Metrics.Throttles) != 0 {
		t.Errorf("classify is not healthy: timeout %v, function timeout %v", timeout, function)
	}
}

func TestDemoFileIsWhatSaveWrites(t *testing.T) {
	var b bytes.Buffer
	if err := awsfetch.Demo().Save(&b); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("demo.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Error("demo.json is not as Save would write it")
	}
}
