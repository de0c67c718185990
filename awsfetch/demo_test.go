package awsfetch

import (
	"bytes"
	"testing"
	"time"
)

func TestDemoShowsWhatItIsFor(t *testing.T) {
	s := Demo()
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
	t.Logf("orders: %+v %+v", orders, stages[0].Latency)
	invoices := d.Queue("arn:aws:sqs:us-east-1:123456789012:invoices")
	consumers, _ = invoices.Consumers.Get()
	t.Logf("invoices: %+v", consumers[0])
}

func TestDemoFileIsWhatSaveWrites(t *testing.T) {
	var b bytes.Buffer
	if err := Demo().Save(&b); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), demo) {
		t.Error("demo.json is not as Save would write it")
	}
}
