package awsfetch_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"vtsize/awsfetch"
	"vtsize/facts"
	"vtsize/internal/fakeaws"
)

func latency(t *testing.T, c *facts.Consumer) facts.Latency {
	t.Helper()
	stages := get(t, "stages", c.Work.Stages)
	if len(stages) == 0 {
		t.Fatal("no stages")
	}
	return stages[0].Latency
}

func doubts(l facts.Latency, what string) bool {
	return slices.ContainsFunc(l.Doubts, func(d string) bool { return strings.Contains(d, what) })
}

func orders(t *testing.T) *facts.Queue {
	t.Helper()
	return find(t, fetch(t, awsfetch.Options{Queues: []string{"orders"}}).Deployment(), "orders")
}

// $LATEST may have another timeout than the alias that the mapping names, and
// the numbers of all versions are not those of the alias.
func TestAliasHasItsOwnTimeoutAndNumbers(t *testing.T) {
	s := oneQueue(t)
	s.Functions[0].Qualified = map[string]int{"prod": 120}
	s.Mappings[0].Function = s.Functions[0].ARN("prod")
	s.Mappings = append(s.Mappings, fakeaws.Mapping{UUID: "m-0", Source: s.Queues[2].ARN(), Function: s.Functions[0].ARN(""), MaximumConcurrency: n(2)})
	s.Metrics = append(s.Metrics, functionMetric("Duration", "work:prod", samples(200, constant(90_000))),
		functionMetric("Throttles", "work:prod", samples(200, constant(2))))
	c := onlyConsumer(t, orders(t))
	is(t, "function timeout", c.FunctionTimeout, 120*time.Second, "lambda:GetFunctionConfiguration")
	is(t, "p99", latency(t, c).Tail, 90*time.Second, "cloudwatch:GetMetricData")
	is(t, "throttles", c.Metrics.Throttles, 400, "cloudwatch:GetMetricData")
	gap(t, "errors", c.Metrics.Errors, facts.NoData, "cloudwatch:GetMetricData")
	is(t, "other triggers", c.Metrics.OtherTriggers, []string{}, "lambda:ListEventSourceMappings")
	if m := get(t, "mappings", c.Mappings); len(m) != 2 {
		t.Errorf("%d mappings, want those of the alias and of the function", len(m))
	}
	if calls := s.Calls(); len(calls) > 12 {
		t.Errorf("%d API calls, want at most 12: %v", len(calls), calls)
	}
}

func TestAliasWithoutNumbersOfItsOwn(t *testing.T) {
	s := oneQueue(t)
	s.Functions[0].Qualified = map[string]int{"3": 50}
	s.Mappings[0].Function = s.Functions[0].ARN("3")
	l := latency(t, onlyConsumer(t, orders(t)))
	is(t, "p99", l.Tail, 30900*time.Millisecond, "cloudwatch:GetMetricData")
	if !doubts(l, `no numbers of "work:3" alone`) {
		t.Errorf("doubts %q do not say that the numbers are of all versions", l.Doubts)
	}
}

func TestDeletedAlias(t *testing.T) {
	s := oneQueue(t)
	s.Mappings[0].Function = s.Functions[0].ARN("gone")
	gap(t, "function timeout", onlyConsumer(t, orders(t)).FunctionTimeout, facts.NoData, "lambda:GetFunctionConfiguration (ResourceNotFoundException)")
}

func TestDurationsCutOffAtTheFunctionTimeout(t *testing.T) {
	s := oneQueue(t)
	s.Functions[0].Timeout = 31
	if l := latency(t, onlyConsumer(t, orders(t))); !doubts(l, "cut off at the function timeout of 31s") {
		t.Errorf("doubts %q", l.Doubts)
	}
}

func TestFunctionWithOtherTriggers(t *testing.T) {
	s := oneQueue(t)
	stream := "arn:aws:kinesis:us-east-1:123456789012:stream/clicks"
	s.Mappings = append(s.Mappings,
		fakeaws.Mapping{UUID: "m-2", Source: stream, Function: s.Functions[0].ARN("")},
		fakeaws.Mapping{UUID: "m-3", Source: s.Queues[2].ARN(), Function: s.Functions[0].ARN(""), State: "Disabled"})
	c := onlyConsumer(t, orders(t))
	is(t, "other triggers", c.Metrics.OtherTriggers, []string{stream, s.Queues[2].ARN()}, "lambda:ListEventSourceMappings")
	m := get(t, "mappings", c.Mappings)
	if len(m) != 2 {
		t.Fatalf("%d mappings, want those of SQS only", len(m))
	}
	is(t, "enabled", m[1].Enabled, false, "lambda:ListEventSourceMappings")
	if l := latency(t, c); !doubts(l, "2 other event sources") {
		t.Errorf("doubts %q", l.Doubts)
	}
}

func TestMoreInvocationsThanMessages(t *testing.T) {
	s := oneQueue(t)
	s.Metrics[0].Samples = samples(300, constant(5))
	for i := range s.Metrics {
		if s.Metrics[i].Name == "NumberOfMessagesReceived" {
			s.Metrics[i].Samples = samples(100, constant(1))
		}
	}
	if l := latency(t, onlyConsumer(t, orders(t))); !doubts(l, "300 invocations are more than the 100 messages received") {
		t.Errorf("doubts %q", l.Doubts)
	}
}

func TestMappingSettings(t *testing.T) {
	s := oneQueue(t)
	s.Mappings = []fakeaws.Mapping{
		{UUID: "a", Source: s.Queues[0].ARN(), Function: s.Functions[0].ARN(""), State: "Disabling", MaximumPollers: n(20)},
		{UUID: "b", Source: s.Queues[0].ARN(), Function: s.Functions[0].ARN(""), State: "Updating"},
		{UUID: "c", Source: s.Queues[0].ARN(), Function: s.Functions[0].ARN(""), State: "Dreaming"},
	}
	const origin = "lambda:ListEventSourceMappings"
	c := get(t, "consumers", orders(t).Consumers)
	if len(c) != 3 {
		t.Fatalf("%d consumers, want three", len(c))
	}
	is(t, "pollers", c[0].ProvisionedPollers, n(20), origin)
	is(t, "enabled", c[0].Enabled, false, origin)
	is(t, "enabled", c[1].Enabled, true, origin)
	gap(t, "enabled", c[2].Enabled, facts.Unreadable, origin)
	is(t, "batch size", c[0].BatchSize, 10, "AWS default")
	is(t, "window", c[0].BatchingWindow, 0, "AWS default")
	is(t, "partial responses", c[0].ReportBatchItemFailures, false, origin)
	is(t, "maximum concurrency", c[0].MaximumConcurrency, nil, origin)
}

func TestNoReservedConcurrency(t *testing.T) {
	s := oneQueue(t)
	s.Functions[0].Reserved = nil
	is(t, "reserved concurrency", onlyConsumer(t, orders(t)).ReservedConcurrency, nil, "lambda:GetFunctionConcurrency")
	s.Functions[0].Reserved = n(0)
	is(t, "reserved concurrency", onlyConsumer(t, orders(t)).ReservedConcurrency, n(0), "lambda:GetFunctionConcurrency")
}

func TestNoMappingsIsKnown(t *testing.T) {
	s := oneQueue(t)
	s.Mappings = nil
	is(t, "consumers", orders(t).Consumers, []*facts.Consumer{}, "lambda:ListEventSourceMappings")
}

func TestEveryPageOfMappings(t *testing.T) {
	s := oneQueue(t)
	for i := range 230 {
		s.Mappings = append(s.Mappings, fakeaws.Mapping{UUID: "x" + strconv.Itoa(i), Source: s.Queues[0].ARN(), Function: s.Functions[0].ARN("")})
	}
	q := orders(t)
	if c := get(t, "consumers", q.Consumers); len(c) != 231 {
		t.Errorf("%d consumers, want 231", len(c))
	} else if m := get(t, "mappings", c[0].Mappings); len(m) != 231 {
		t.Errorf("%d mappings of the function, want 231", len(m))
	}
}

// From six queues on, one list of all mappings takes the place of many.
func TestManyQueuesShareOneListOfMappings(t *testing.T) {
	s := oneQueue(t)
	for i := range 20 {
		q := fakeaws.Queue{Name: "q" + strconv.Itoa(i), Attributes: map[string]string{"VisibilityTimeout": "30"}}
		s.Queues = append(s.Queues, q)
		s.Mappings = append(s.Mappings, fakeaws.Mapping{UUID: q.Name, Source: q.ARN(), Function: s.Functions[0].ARN("")})
	}
	s.Mappings = append(s.Mappings, fakeaws.Mapping{UUID: "z", Source: "arn:aws:dynamodb:us-east-1:123456789012:table/t/stream/1", Function: s.Functions[0].ARN("")})
	d := fetch(t, awsfetch.Options{All: true}).Deployment()
	lists := 0
	for _, c := range s.Calls() {
		if c.Action == "lambda:ListEventSourceMappings" {
			lists++
		}
	}
	if lists != 1 {
		t.Errorf("%d lists of mappings, want 1", lists)
	}
	c := onlyConsumer(t, find(t, d, "q7"))
	if others := get(t, "other triggers", c.Metrics.OtherTriggers); c.ID != "q7" || len(others) != 21 {
		t.Errorf("consumer %q with %d other triggers, want q7 with 21", c.ID, len(others))
	}
	if m := get(t, "mappings", c.Mappings); len(m) != 21 {
		t.Errorf("%d mappings of the function, want 21", len(m))
	}
}
