package workload

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vtsize/facts"
	"vtsize/rules"
)

// mustLoad loads a text without mistakes.
func mustLoad(t *testing.T, text string) *File {
	t.Helper()
	f, problems := Load("vtsize.yaml", []byte(text))
	for _, p := range problems {
		t.Errorf("%v", p)
	}
	if len(problems) > 0 {
		t.FailNow()
	}
	return f
}

func orders(t *testing.T) *File {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "testdata", "workload", "orders.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return mustLoad(t, string(text))
}

// is checks a known value and the line that it comes from.
func is[T any](t *testing.T, what string, x facts.Value[T], want T, line int) {
	t.Helper()
	got, ok := x.Get()
	if !ok {
		t.Errorf("%s is not known: %s", what, x.Cause())
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: %s", what, diff)
	}
	o := x.Origin()
	if o.Kind != facts.Declared || o.Pos.File != "vtsize.yaml" || o.Pos.Line != line || o.Pos.Column == 0 {
		t.Errorf("%s comes from %s %s, want line %d", what, o.Kind, o, line)
	}
}

func TestLoad(t *testing.T) {
	f := orders(t)
	is(t, "outage", f.Outage, 72*time.Hour, 3)
	if f.Severity["VT602"] != rules.Warning {
		t.Errorf("severity %v", f.Severity)
	}
	e := f.Entries[0]
	w := e.Work
	stages, _ := w.Stages.Get()
	is(t, "p99", stages[0].Latency.Tail, 12*time.Second, 8)
	is(t, "request timeout", stages[0].RequestTimeout, new(20*time.Second), 8)
	is(t, "attempts", stages[1].Attempts, 3, 9)
	is(t, "backoff", stages[1].Backoff, []time.Duration{500 * time.Millisecond, time.Second}, 9)
	if n, _ := stages[0].Attempts.Get(); n != 3 || stages[0].Client != "openai-python" {
		t.Errorf("preset: %d attempts of %s", n, stages[0].Client)
	}
	is(t, "write", w.Write, time.Second, 10)
	is(t, "rate", e.Rate, 1, 12)
	is(t, "consumers", w.Consumers, 40, 13)
	h, _ := w.Heartbeat.Get()
	is(t, "interval", h.Interval, 9*time.Second, 14)
	is(t, "progress", h.Progress, true, 14)
	is(t, "on loss", h.StopsWork, true, 14)
	is(t, "after deadline", h.AfterDeadline, facts.ToPark, 14)
	is(t, "deadline", w.StepDeadline, new(10*time.Minute), 14)
	is(t, "useful for", w.UsefulFor, new(2*time.Hour), 15)
	after, _ := w.OnFailure.Get()
	is(t, "release", after.Release, new(time.Duration), 16)
	is(t, "backoff", after.Backoff, facts.Exponential, 16)
	is(t, "delete", w.Delete, facts.AfterResult, 17)
	effects, _ := w.Effects.Get()
	is(t, "key", effects[0].Key, new("{case_id}/first-response"), 19)
	is(t, "guard", effects[1].Guard, facts.GuardVersion, 20)
	is(t, "unit", w.Practice.Unit, new("case_id"), 21)
	is(t, "tests", w.Practice.Tests, []facts.Tested{facts.TestsRedelivery, facts.TestsDuplicate}, 23)
	want := facts.Ignore{Rule: "VT601", Until: time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC), Reason: "the platform team adds it, see the runbook",
		Pos: facts.Pos{File: "vtsize.yaml", Line: 27, Column: 9}}
	if diff := cmp.Diff([]facts.Ignore{want}, e.Ignores); diff != "" {
		t.Error(diff)
	}
	if c := w.Prefetch; c.IsKnown() || c.Cause() != facts.NotDeclared {
		t.Error("what the file does not say is not left undeclared")
	}
}

// The first entry that matches wins, by name, ARN, address or glob. Brackets
// are those of an address.
func TestEntry(t *testing.T) {
	f := mustLoad(t, `version: 1
queues:
  - match: orders
  - match: aws_sqs_queue.mail["a"]
  - match: arn:aws:sqs:eu-west-1:123456789012:jobs
  - match: "o*"
  - match: "*"
`)
	for _, tt := range []struct {
		q    facts.Queue
		want int
	}{
		{facts.Queue{Name: "orders"}, 0},
		{facts.Queue{Name: "orders-eu"}, 3},
		{facts.Queue{Address: `aws_sqs_queue.mail["a"]`, Name: "mail-a"}, 1},
		{facts.Queue{ARN: "arn:aws:sqs:eu-west-1:123456789012:jobs", Name: "jobs"}, 2},
		{facts.Queue{Name: "jobs"}, 4},
	} {
		if got := f.Entry(&tt.q); got != f.Entries[tt.want] {
			t.Errorf("%s%s matches %q", tt.q.Name, tt.q.Address, got.Match)
		}
	}
}

func deployment(timeout time.Duration, consumers ...*facts.Consumer) (*facts.Deployment, *facts.Queue) {
	q := &facts.Queue{ID: "orders", Name: "orders", VisibilityTimeout: facts.Known(timeout, facts.Origin{Kind: facts.AWS}),
		Consumers: facts.Known(consumers, facts.Origin{Kind: facts.AWS})}
	return &facts.Deployment{Queues: []*facts.Queue{q}}, q
}

func TestApply(t *testing.T) {
	d, q := deployment(30 * time.Second)
	applied := orders(t).Apply(d)
	list, _ := q.Consumers.Get()
	if len(list) != 1 || list[0].Kind != facts.Worker || len(d.Ignores) != 1 || d.Ignores[0].Queue != "orders" || applied["orders"] == nil {
		t.Fatalf("consumers %v, ignores %v, applied %v", list, d.Ignores, applied)
	}
	is(t, "outage", d.Outage, 72*time.Hour, 3)
	is(t, "rate", q.Rate, 1, 12)
	is(t, "delete", list[0].Work.Delete, facts.AfterResult, 17)
}

// What was measured stays; what was not is taken from the file.
func TestApplyKeepsMeasurements(t *testing.T) {
	measured := facts.Origin{Kind: facts.Measured, Detail: "cloudwatch:GetMetricData"}
	c := &facts.Consumer{ID: "worker", Kind: facts.Worker}
	c.Work.Basis = facts.Known(facts.PerStep, measured)
	c.Work.Percentile = 99
	c.Work.Stages = facts.Known([]facts.Stage{{Latency: facts.Latency{Tail: facts.Known(45*time.Second, measured)}}}, measured)
	d, _ := deployment(30*time.Second, c)
	orders(t).Apply(d)
	stages, _ := c.Work.Stages.Get()
	if basis, _ := c.Work.Basis.Get(); len(stages) != 1 || basis != facts.PerStep {
		t.Errorf("%d stages, basis %s", len(stages), basis)
	}
	is(t, "consumers", c.Work.Consumers, 40, 13)
}

// What a framework does by itself is a default with the place where it is
// named, and what the file says goes before it.
func TestFrameworks(t *testing.T) {
	for name, tt := range map[string]struct {
		text  string
		check func(*testing.T, facts.Work)
	}{
		"its own timeout": {"framework: aws-messaging-dotnet", func(t *testing.T, w facts.Work) {
			h, _ := w.Heartbeat.Get()
			own, _ := w.ReceiveTimeout.Get()
			threshold, _ := h.Threshold.Get()
			if *own != 30*time.Second || *threshold != 5*time.Second {
				t.Errorf("own timeout %v, threshold %v", *own, *threshold)
			}
			if o := w.ReceiveTimeout.Origin(); o.Kind != facts.Default || o.Pos.Line != 4 || !strings.Contains(o.Detail, "1.3.0") {
				t.Errorf("origin %+v", o)
			}
		}},
		"renewal by the queue's timeout": {"framework: masstransit", func(t *testing.T, w facts.Work) {
			h, _ := w.Heartbeat.Get()
			interval, _ := h.Interval.Get()
			extension, _ := h.Extension.Get()
			if interval != 42*time.Second || extension != time.Minute {
				t.Errorf("every %v to %v", interval, extension)
			}
		}},
		"renewal that is asked for": {"framework: shoryuken\nheartbeat: framework", func(t *testing.T, w facts.Work) {
			h, _ := w.Heartbeat.Get()
			if interval, _ := h.Interval.Get(); interval != 295*time.Second {
				t.Errorf("every %v", interval)
			}
		}},
		"renewal that is not asked for": {"framework: shoryuken", func(t *testing.T, w facts.Work) {
			if h, ok := w.Heartbeat.Get(); h != nil || !ok {
				t.Error("it renews")
			}
		}},
		"the file goes before": {"framework: laravel\ndeadline: 90s\nbatch: {size: 5}", func(t *testing.T, w facts.Work) {
			is(t, "deadline", w.StepDeadline, new(90*time.Second), 5)
			is(t, "batch", w.Batch, 5, 6)
		}},
		"prefetch by the slots": {"framework: celery\nbatch: {concurrency: 2}", func(t *testing.T, w facts.Work) {
			if held, _ := w.Prefetch.Get(); *held != 8 {
				t.Errorf("holds %d", *held)
			}
			if when, _ := w.Delete.Get(); when != facts.BeforeResult {
				t.Errorf("deletes %s", when)
			}
		}},
		"a failed beat stops nothing": {"framework: sqs-consumer\nbatch: {receive_timeout: 60s}\nheartbeat: {interval: 10s}", func(t *testing.T, w facts.Work) {
			h, _ := w.Heartbeat.Get()
			if stops, ok := h.StopsWork.Get(); stops || !ok {
				t.Error("it stops")
			}
			if d, _ := h.Extension.Get(); d != time.Minute {
				t.Errorf("extends to %v", d)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			text := "version: 1\nqueues:\n  - match: orders\n    " + strings.ReplaceAll(tt.text, "\n", "\n    ") + "\n"
			f := mustLoad(t, text)
			_, q := deployment(300 * time.Second)
			tt.check(t, f.Entries[0].WorkOn(q, facts.Worker))
		})
	}
}

// What flags say goes on top of the file, number by number; what they leave
// out, and what stands for a flag that was not given, does not.
func TestOverlay(t *testing.T) {
	flag := facts.Origin{Kind: facts.Flag, Detail: "--heartbeat"}
	absent := facts.Origin{Kind: facts.Flag, Detail: "no --prefetch"}
	_, q := deployment(30 * time.Second)
	base := orders(t).Entries[0].WorkOn(q, facts.Worker)
	base.Prefetch = facts.Known(new(7), declared(facts.Pos{File: "vtsize.yaml", Line: 1, Column: 1}))
	top := facts.Work{
		Basis:     facts.Known(facts.PerStep, facts.Origin{Kind: facts.Default}),
		Prefetch:  facts.Known[*int](nil, absent),
		Write:     facts.Known(5*time.Second, flag),
		Heartbeat: facts.Known(&facts.Heartbeat{Interval: facts.Known(5*time.Second, flag)}, flag),
	}
	w := Overlay(base, top)
	h, _ := w.Heartbeat.Get()
	if d, _ := h.Interval.Get(); d != 5*time.Second {
		t.Errorf("interval %v", d)
	}
	is(t, "extension", h.Extension, 30*time.Second, 14)
	is(t, "on loss", h.StopsWork, true, 14)
	is(t, "prefetch", w.Prefetch, new(7), 1)
	if d, _ := w.Write.Get(); d != 5*time.Second {
		t.Errorf("write %v", d)
	}
	if b, _ := w.Basis.Get(); b != facts.PerCall {
		t.Errorf("basis %s", b)
	}
	// Client flags alone keep the one latency of the file.
	one := mustLoad(t, "version: 1\nqueues:\n  - match: orders\n    latency: {p99: 4s, basis: call}\n").Entries[0].Work
	top = facts.Work{Basis: facts.Known(facts.PerCall, facts.Origin{Kind: facts.Default}), Percentile: 99,
		Stages: facts.Known([]facts.Stage{{Attempts: facts.Known(3, flag)}}, flag)}
	stages, _ := Overlay(one, top).Stages.Get()
	is(t, "p99", stages[0].Latency.Tail, 4*time.Second, 4)
	if n, _ := stages[0].Attempts.Get(); n != 3 {
		t.Errorf("%d attempts", n)
	}
	// A latency of the flags takes its basis along.
	top.Stages = facts.Known([]facts.Stage{{Latency: facts.Latency{Tail: facts.Known(9*time.Second, flag)}}}, flag)
	two := mustLoad(t, "version: 1\nqueues:\n  - match: orders\n    latency: {p99: 4s, basis: step}\n").Entries[0].Work
	if b, _ := Overlay(two, top).Basis.Get(); b != facts.PerCall {
		t.Errorf("basis %s", b)
	}
}
