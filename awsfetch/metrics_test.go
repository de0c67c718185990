package awsfetch_test

import (
	"fmt"
	"testing"
	"time"

	"vtsize/awsfetch"
	"vtsize/facts"
	"vtsize/internal/fakeaws"
)

func TestNoDataIsNotZero(t *testing.T) {
	s := oneQueue(t)
	s.Metrics = nil
	q := orders(t)
	const metrics = "cloudwatch:GetMetricData"
	for what, v := range map[string]facts.Value[float64]{
		"sent": q.Metrics.Sent, "received": q.Metrics.Received, "deleted": q.Metrics.Deleted, "in flight": q.Metrics.NotVisibleMax,
		"visible at start": q.Metrics.VisibleAtStart, "rate": q.Rate,
		"errors": onlyConsumer(t, q).Metrics.Errors, "throttles": onlyConsumer(t, q).Metrics.Throttles,
	} {
		gap(t, what, v, facts.NoData, metrics)
	}
	gap(t, "oldest age", q.Metrics.OldestAge, facts.NoData, metrics)
	gap(t, "depth", q.Metrics.Visible, facts.NoData, metrics)
	l := latency(t, onlyConsumer(t, q))
	gap(t, "p99", l.Tail, facts.NoData, metrics)
	gap(t, "mean", l.Mean, facts.NoData, metrics)
	gap(t, "samples", l.Samples, facts.NoData, metrics)
}

// The worst day counts: its p99, and not that of all days together.
func TestWorstPeriod(t *testing.T) {
	s := oneQueue(t)
	var all []fakeaws.Sample
	start := now.Add(-13 * 24 * time.Hour).Truncate(24 * time.Hour)
	for d := range 13 {
		for i := range 200 {
			v := 1000.0
			if d == 4 && i >= 190 { // 5 % of one day: less than 1 % of all
				v = 9000
			}
			all = append(all, fakeaws.Sample{At: start.Add(time.Duration(d*24*60+i) * time.Minute), Value: v})
		}
	}
	s.Metrics[0].Samples = all
	l := latency(t, onlyConsumer(t, orders(t)))
	is(t, "p99", l.Tail, 9*time.Second, "cloudwatch:GetMetricData")
	is(t, "p50", l.P50, time.Second, "cloudwatch:GetMetricData")
	is(t, "samples", l.Samples, 2600, "cloudwatch:GetMetricData")
	if len(l.Doubts) != 0 {
		t.Errorf("doubts %q", l.Doubts)
	}
}

func TestPagesOfMetrics(t *testing.T) {
	s := oneQueue(t)
	s.PageSize = 4
	q := orders(t)
	is(t, "sent", q.Metrics.Sent, 3600, "cloudwatch:GetMetricData")
	is(t, "errors", onlyConsumer(t, q).Metrics.Errors, 300, "cloudwatch:GetMetricData")
}

// Of a dead-letter queue two hourly series are asked for, so that the points of
// a request run out before its 500 metrics.
func TestManyPoints(t *testing.T) {
	s := oneQueue(t)
	s.Queues, s.Mappings = nil, nil
	for i := range 120 {
		dlq := fmt.Sprintf("dead%03d", i)
		s.Queues = append(s.Queues,
			fakeaws.Queue{Name: fmt.Sprintf("live%03d", i), Attributes: map[string]string{"RedrivePolicy": redrive(dlq, "3")}},
			fakeaws.Queue{Name: dlq, Attributes: map[string]string{"VisibilityTimeout": "30"}})
		s.Metrics = append(s.Metrics, queueMetric(dlq, "ApproximateNumberOfMessagesVisible", samples(2, func(n int) float64 { return float64(i + n) })))
	}
	d := fetch(t, awsfetch.Options{Prefix: "live"}).Deployment()
	for i := range 120 {
		q := find(t, d, fmt.Sprintf("dead%03d", i))
		is(t, q.Name, q.Metrics.Visible, facts.Depth{First: float64(i), Max: float64(i + 1)}, "cloudwatch:GetMetricData")
	}
}

// The fake refuses periods that are too short for the age of the data, and
// requests for too many points, as CloudWatch does.
func TestEveryLookbackIsAllowed(t *testing.T) {
	day := 24 * time.Hour
	for _, lookback := range []time.Duration{time.Hour, 90 * time.Minute, 3 * time.Hour, day, 36 * time.Hour, 7 * day, 15 * day, 16 * day, 63 * day, 64 * day, 455 * day} {
		oneQueue(t)
		q := find(t, fetch(t, awsfetch.Options{Queues: []string{"orders"}, Lookback: lookback}).Deployment(), "orders")
		if !q.Metrics.Sent.IsKnown() && (lookback > 3*time.Hour || q.Metrics.Sent.Cause() != facts.NoData) {
			t.Errorf("lookback %v: sent is unknown: %v at %v", lookback, q.Metrics.Sent.Cause(), q.Metrics.Sent.Origin())
		}
		if q.Metrics.Lookback != lookback {
			t.Errorf("lookback %v became %v", lookback, q.Metrics.Lookback)
		}
	}
}

func TestRateOfAYoungQueue(t *testing.T) {
	s := oneQueue(t)
	s.Queues[0].Attributes["CreatedTimestamp"] = "1795947600" // a day before
	created := time.Unix(1795947600, 0)
	rate := get(t, "rate", orders(t).Rate)
	if want := 3600 / now.Sub(created).Seconds(); rate < want*0.999 || rate > want*1.001 {
		t.Errorf("rate %v, want %v: over the life of the queue", rate, want)
	}
}

func TestStepMetricOfAWorker(t *testing.T) {
	s := oneQueue(t)
	s.Mappings = nil
	dimensions := map[string]string{"Queue": "orders", "Stage": "all"}
	s.Metrics = append(s.Metrics, fakeaws.Metric{Namespace: "Agents", Name: "Step", Dimensions: dimensions, Samples: samples(300, func(i int) float64 { return float64(10 + i%30) })})
	step := awsfetch.StepMetric{Namespace: "Agents", Name: "Step", Dimensions: dimensions, Unit: "Seconds", Basis: facts.PerStep}
	c := onlyConsumer(t, find(t, fetch(t, awsfetch.Options{Queues: []string{"orders"}, StepMetrics: []awsfetch.StepMetric{step}}).Deployment(), "orders"))
	if c.ID != "worker" || c.Kind != facts.Worker {
		t.Errorf("consumer %q of kind %q", c.ID, c.Kind)
	}
	is(t, "basis", c.Work.Basis, facts.PerStep, "--basis")
	is(t, "p99", latency(t, c).Tail, 39*time.Second, "cloudwatch:GetMetricData")
	if c.Work.Percentile != 99 {
		t.Errorf("percentile %v", c.Work.Percentile)
	}
}

func TestStepMetricsOfALambda(t *testing.T) {
	s := oneQueue(t)
	var steps []awsfetch.StepMetric
	for _, name := range []string{"Read", "Draft"} {
		s.Metrics = append(s.Metrics, fakeaws.Metric{Namespace: "Agents", Name: name, Samples: samples(150, constant(7000))})
		steps = append(steps, awsfetch.StepMetric{Queue: "orders", Namespace: "Agents", Name: name, Unit: "Milliseconds", Basis: facts.PerCall})
	}
	d := fetch(t, awsfetch.Options{Queues: []string{"orders", "other"}, StepMetrics: steps}).Deployment()
	c := onlyConsumer(t, find(t, d, "orders"))
	is(t, "basis", c.Work.Basis, facts.PerCall, "--basis")
	stages := get(t, "stages", c.Work.Stages)
	if len(stages) != 2 || stages[0].Name != "Read" || stages[1].Name != "Draft" {
		t.Fatalf("stages %+v, want both metrics", stages)
	}
	is(t, "p99", stages[1].Latency.Tail, 7*time.Second, "cloudwatch:GetMetricData")
	is(t, "batch", c.Work.Batch, 10, "lambda:ListEventSourceMappings")
	is(t, "other consumers", find(t, d, "other").Consumers, []*facts.Consumer{}, "lambda:ListEventSourceMappings")
}

func TestStepMetricWithoutData(t *testing.T) {
	s := oneQueue(t)
	s.Mappings = nil
	step := awsfetch.StepMetric{Namespace: "Agents", Name: "Step", Unit: "Seconds", Basis: facts.PerStep}
	c := onlyConsumer(t, find(t, fetch(t, awsfetch.Options{Queues: []string{"orders"}, StepMetrics: []awsfetch.StepMetric{step}}).Deployment(), "orders"))
	gap(t, "p99", latency(t, c).Tail, facts.NoData, "cloudwatch:GetMetricData")
}
