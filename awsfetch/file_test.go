package awsfetch_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"vtsize/awsfetch"
	"vtsize/facts"
	"vtsize/internal/fakeaws"
)

var everything = cmp.Exporter(func(reflect.Type) bool { return true })

func save(t *testing.T, s *awsfetch.Snapshot) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := s.Save(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// rich is a snapshot with an answer and a failure of every kind.
func rich(t *testing.T) *awsfetch.Snapshot {
	s := oneQueue(t)
	s.Functions[0].Qualified = map[string]int{"prod": 60}
	s.Mappings[0].Function = s.Functions[0].ARN("prod")
	s.Mappings = append(s.Mappings, fakeaws.Mapping{UUID: "p", Source: s.Queues[0].ARN(), Function: s.Functions[0].ARN(""), MaximumPollers: n(9)})
	s.Metrics[1].Status = "Forbidden"
	s.Queues = append(s.Queues, fakeaws.Queue{Name: "orders-123456789012.fifo", Attributes: map[string]string{"FifoQueue": "true", "RedrivePolicy": redrive("gone", "2")}})
	s.Alarms = append(s.Alarms, fakeaws.Alarm{Name: "q", Expressions: []string{`SELECT MAX(NumberOfMessagesSent) FROM "AWS/SQS" WHERE tag.a = 'b'`}})
	s.Misbehave("lambda:GetFunctionConcurrency", -1, fakeaws.Refused("AccessDenied"))
	return fetch(t, awsfetch.Options{Queues: []string{"orders", "orders-123456789012.fifo"}, StepMetrics: []awsfetch.StepMetric{
		{Queue: "orders", Namespace: "Agents", Name: "Step", Dimensions: map[string]string{"K": "V"}, Unit: "Seconds", Basis: facts.PerStep}}})
}

func TestSavedSnapshotGivesTheSameFacts(t *testing.T) {
	live := rich(t)
	saved := save(t, live)
	loaded, err := awsfetch.Load(bytes.NewReader(saved))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(live.Deployment(), loaded.Deployment(), everything); diff != "" {
		t.Errorf("facts (-live +loaded):\n%s", diff)
	}
	if again := save(t, loaded); !bytes.Equal(saved, again) {
		t.Error("saving what was loaded gives another file")
	}
	if other := save(t, rich(t)); !bytes.Equal(saved, other) {
		t.Errorf("the same answers gave another file:\n%s", cmp.Diff(string(saved), string(other)))
	}
}

func TestNoSecretsAreSaved(t *testing.T) {
	saved := string(save(t, rich(t)))
	for _, secret := range []string{"hunter2", "TOKEN", "secret", "statement", "AKIA"} {
		if strings.Contains(saved, secret) {
			t.Errorf("the snapshot holds %q", secret)
		}
	}
}

func TestSnapshotsAreAsTheSchemaSays(t *testing.T) {
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	schema, err := compiler.Compile(filepath.Join("..", "docs", "schema", awsfetch.Schema+".json"))
	if err != nil {
		t.Fatal(err)
	}
	masked, err := rich(t).Mask()
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]*awsfetch.Snapshot{"live": rich(t), "masked": masked, "demo": awsfetch.Demo()} {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(save(t, s)))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMask(t *testing.T) {
	live := rich(t)
	masked, err := live.Mask()
	if err != nil {
		t.Fatal(err)
	}
	text := string(save(t, masked))
	if strings.Contains(text, fakeaws.Account) {
		t.Error("the account id is still there")
	}
	if !masked.Masked || live.Masked {
		t.Errorf("masked says %v, the original %v", masked.Masked, live.Masked)
	}
	d := masked.Deployment()
	q := find(t, d, "orders-000000000001.fifo")
	if r := get(t, "redrive", q.Redrive); d.Queue(get(t, "target", r.Target)) == nil {
		t.Error("the redrive policy no longer finds its dead-letter queue")
	}
	if c := get(t, "consumers", find(t, d, "orders").Consumers); len(c) != 2 || !c[0].FunctionTimeout.IsKnown() {
		t.Errorf("the mapping no longer finds its function: %+v", c)
	}
}

func TestMaskRoundsNothing(t *testing.T) {
	s := awsfetch.Demo()
	odd := 1<<53 + 1
	s.Functions[0].Configuration.Value.TimeoutSeconds = &odd
	masked, err := s.Mask()
	if err != nil {
		t.Fatal(err)
	}
	if got := *masked.Functions[0].Configuration.Value.TimeoutSeconds; got != odd {
		t.Errorf("%d became %d", odd, got)
	}
}

func TestMaskKeepsAccountsApart(t *testing.T) {
	s := awsfetch.Demo()
	s.Queues = append(s.Queues,
		awsfetch.Queue{ARN: "arn:aws:sqs:eu-west-1:000000000001:a", URL: "https://sqs.eu-west-1.amazonaws.com/000000000001/a"},
		awsfetch.Queue{ARN: "arn:aws:sqs:eu-west-1:999999999999:a"})
	masked, err := s.Mask()
	if err != nil {
		t.Fatal(err)
	}
	accounts := map[string]bool{}
	for _, q := range masked.Queues {
		accounts[strings.Split(q.ARN, ":")[4]] = true
	}
	if want := map[string]bool{"000000000001": true, "000000000002": true, "000000000003": true}; !cmp.Equal(accounts, want) {
		t.Errorf("accounts %v, want three different ones", accounts)
	}
}

func TestSelect(t *testing.T) {
	s, err := awsfetch.Demo().Select([]string{"orders"})
	if err != nil {
		t.Fatal(err)
	}
	d := s.Deployment()
	if len(d.Queues) != 2 || len(s.Functions) != 0 {
		t.Errorf("%d queues and %d functions, want orders with its dead-letter queue", len(d.Queues), len(s.Functions))
	}
	if alarms := get(t, "alarms", d.Alarms); len(alarms) != 1 || alarms[0].Name != "orders-dead-letters" {
		t.Errorf("alarms %v", alarms)
	}
	for _, name := range []string{"invoices", "arn:aws:sqs:us-east-1:123456789012:invoices", "https://sqs.us-east-1.amazonaws.com/123456789012/invoices"} {
		s, err := awsfetch.Demo().Select([]string{name})
		if err != nil || len(s.Queues) != 2 || len(s.Functions) != 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A queue selected as the dead-letter queue of another looks as if it had only
// been met as one, however it came into the snapshot.
func TestSelectIsWhatFetchWouldHaveRead(t *testing.T) {
	oneQueue(t)
	one := fetch(t, awsfetch.Options{Queues: []string{"orders"}})
	selected, err := fetch(t, awsfetch.Options{All: true}).Select([]string{"orders"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(save(t, one)), string(save(t, selected))); diff != "" {
		t.Errorf("(-fetched +selected):\n%s", diff)
	}
}

func TestSelectOfAQueueAndItsDeadLetterQueue(t *testing.T) {
	oneQueue(t)
	all := fetch(t, awsfetch.Options{All: true})
	for _, names := range [][]string{{"orders", "orders-dlq"}, {"orders-dlq", "orders"}} {
		s, err := all.Select(names)
		if err != nil {
			t.Fatal(err)
		}
		is(t, "consumers", find(t, s.Deployment(), "orders-dlq").Consumers, []*facts.Consumer{}, "lambda:ListEventSourceMappings")
	}
}

func TestSelectWhatIsNotThere(t *testing.T) {
	for name, want := range map[string]string{
		"ordres":       "did you mean orders?",
		"order":        "did you mean orders or orders-dlq?",
		"Classify":     "did you mean classify?",
		"payroll-2026": "the snapshot has 6 queues; leave --queue out to see them",
		"arn:aws:sqs:eu-west-1:123456789012:orders": "did you mean orders or orders-dlq?",
	} {
		_, err := awsfetch.Demo().Select([]string{name})
		if err == nil || !strings.Contains(err.Error(), name) || hint(err) != want {
			t.Errorf("%s: error %v, hint %q, want %q", name, err, hint(err), want)
		}
	}
}

func TestLoadErrors(t *testing.T) {
	demo, err := os.ReadFile("demo.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ file, want string }{
		"empty":        {"  \n", "it is empty"},
		"truncated":    {string(demo[:len(demo)/2]), "it is cut off after"},
		"not JSON":     {"queue,timeout\norders,30\n", "it is not JSON at byte 1"},
		"trailing":     {string(demo) + "x", "it is not JSON at byte"},
		"array":        {"[]", "it is JSON but not a snapshot of vtsize: a JSON array"},
		"other JSON":   {`{"resources":[]}`, `it has no "schema"`},
		"other schema": {`{"schema":"vtsize.report.v1"}`, `its schema is "vtsize.report.v1"`},
		"newer":        {`{"schema":"vtsize.snapshot.v2","queues":7}`, `its format "vtsize.snapshot.v2" is newer than this vtsize reads`},
		"odd version":  {`{"schema":"vtsize.snapshot.vX"}`, `its schema is "vtsize.snapshot.vX"`},
		"wrong type":   {strings.Replace(string(demo), `"queues": [`, `"queues": 7, "x": [`, 1), "queues is a JSON number"},
		"no times":     {`{"schema":"vtsize.snapshot.v1","queues":[]}`, "its times make no sense"},
		"bad time":     {strings.Replace(string(demo), "2026-11-12T00:00:00Z", "yesterday", 1), "yesterday"},
		"bad ARN":      {strings.ReplaceAll(string(demo), ":orders\"", ":or ders\""), `"arn:aws:sqs:us-east-1:123456789012:or ders" is not the ARN of a queue`},
		"twice":        {strings.ReplaceAll(string(demo), ":classify\"", ":orders\""), "stands in it twice"},
		"unit":         {strings.ReplaceAll(string(demo), `"Seconds"`, `"Fortnights"`), "no known unit or basis"},
	} {
		s, err := awsfetch.Load(strings.NewReader(c.file))
		if err == nil || s != nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want one line with %q", name, err, c.want)
		}
	}
}

func TestLoadOfAFileWithoutEnd(t *testing.T) {
	awsfetch.SmallSnapshots(t)
	_, err := awsfetch.Load(io.MultiReader(strings.NewReader(`{"schema":"`), endless{}))
	if err == nil || !strings.Contains(err.Error(), "larger than 1 MiB") {
		t.Errorf("error %v", err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// FuzzLoad is of use only with -fuzzminimizetime=10x: by default the fuzzer
// spends its time on shortening the first inputs.
func FuzzLoad(f *testing.F) {
	small, err := awsfetch.Demo().Select([]string{"classify"})
	if err != nil {
		f.Fatal(err)
	}
	small.Queues[0].Metrics = small.Queues[0].Metrics[:1]
	var b bytes.Buffer
	if err := small.Save(&b); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte(`{"schema":"vtsize.snapshot.v1","taken_at":"2026-11-12T00:00:00Z","window":{"start":"2026-11-11T00:00:00Z","end":"2026-11-12T00:00:00Z"},
		"queues":[{"arn":"arn:aws:sqs:eu-west-1:1:q","attributes":{"value":{"VisibilityTimeout":"-1","RedrivePolicy":"{\"deadLetterTargetArn\":7}"}},
		"mappings":{"value":[{"uuid":"","function":":","batch_size":-1}]},"metrics":[{"metric":"NumberOfMessagesSent","stat":"Sum","points":{"2026-11-12T00:00:00Z":1e308}}]}],
		"alarms":[{"alarms":{"failure":{"cause":"?"}}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := awsfetch.Load(bytes.NewReader(data))
		if err != nil {
			return
		}
		for _, q := range s.Deployment().Queues {
			if v, ok := q.VisibilityTimeout.Get(); ok && (v < 0 || v > 100*365*24*time.Hour) {
				t.Errorf("visibility timeout %v", v)
			}
			consumers, _ := q.Consumers.Get()
			for _, c := range consumers {
				stages, _ := c.Work.Stages.Get()
				for _, stage := range stages {
					if p99, ok := stage.Latency.Tail.Get(); ok && p99 < 0 {
						t.Errorf("p99 %v", p99)
					}
				}
			}
		}
		saved := new(bytes.Buffer)
		if err := s.Save(saved); err != nil {
			t.Fatalf("a snapshot that was loaded cannot be saved: %v", err)
		}
		if _, err := awsfetch.Load(saved); err != nil {
			t.Errorf("a snapshot that was saved cannot be loaded: %v", err)
		}
		if _, err := s.Mask(); err != nil {
			t.Errorf("mask: %v", err)
		}
	})
}
