package cli_test

import (
	"bytes"
	"encoding/json"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"vtsize/internal/cli"
	"vtsize/internal/fakeaws"
	"vtsize/internal/peers"
)

// vtsize runs a command line in this process, with the environment of the
// test for the SDK.
func vtsize(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	env := cli.Env{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Environ: os.Environ(), Now: time.Now,
		Terminal: func(any) (int, bool) { return 0, false },
	}
	status = cli.Main(t.Context(), env, append([]string{"vtsize"}, args...))
	return status, out.String(), errs.String()
}

// reported is the part of the JSON output that the tests look at.
type reported struct {
	Summary struct {
		NotChecked struct{ Gap int } `json:"not_checked"`
	}
	Findings []struct {
		Rule, Severity, Queue, Message string
		Consumer                       *string
		Current, Required, Recommended *float64
	}
	NotChecked []struct {
		Rule, Class string
		Missing     []struct{ Input, Cause, Origin string }
	} `json:"not_checked"`
}

func decode(t *testing.T, text string) reported {
	t.Helper()
	var r reported
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return r
}

func (r reported) has(rule string) bool {
	for _, f := range r.Findings {
		if f.Rule == rule {
			return true
		}
	}
	return false
}

// From an emulator to the exit status: a message outlasts its timeout of one
// second and is received again; audit reports it with its numbers.
func TestAuditReportsAnOverrun(t *testing.T) {
	for name, peer := range map[string]func(testing.TB) string{"local-aws-sqs": peers.LocalSQS, "kumo": peers.Kumo} {
		t.Run(name, func(t *testing.T) {
			url := peer(t)
			fake := fakeaws.New(t)
			fake.Setenv(t)
			t.Setenv("AWS_ENDPOINT_URL_SQS", url)
			client := peers.SQS(t, url)
			_, dlq := peers.CreateQueue(t, client, "cases-dlq", map[string]string{"MessageRetentionPeriod": "1209600"})
			queueURL, arn := peers.CreateQueue(t, client, "cases", map[string]string{"VisibilityTimeout": "1",
				"RedrivePolicy": `{"deadLetterTargetArn":"` + dlq + `","maxReceiveCount":5}`})
			// Some messages are worked on twice; CloudWatch, which no emulator
			// has, counts what happened thirty times over.
			one := peers.Overrun(t, client, queueURL, 1500*time.Millisecond)
			traffic := peers.Traffic{}
			for range 30 {
				traffic.Sent += one.Sent
				traffic.Received += one.Received
				traffic.Deleted += one.Sent
				traffic.Steps = append(traffic.Steps, one.Steps...)
			}
			fake.Metrics = fakeaws.TrafficMetrics("cases", time.Now(), traffic.Sent, traffic.Received, traffic.Deleted, traffic.Steps)
			status, out, errs := vtsize(t, "audit", "--queue", "cases", "--lookback", "3h", "--format", "json",
				"--step-metric", "Agents/Step", "--dimension", "Queue=cases", "--unit", "Milliseconds", "--basis", "step")
			if status != 1 || errs != "" {
				t.Fatalf("exit status %d, stderr %q", status, errs)
			}
			r := decode(t, out)
			for _, f := range r.Findings {
				if f.Rule == "VT101" && (f.Queue != arn || *f.Current != 1 || *f.Required < 1.5 || *f.Recommended != 30) {
					t.Errorf("finding %+v", f)
				}
			}
			if !r.has("VT101") || !r.has("VT502") {
				t.Errorf("no VT101 or VT502 in %s", out)
			}
		})
	}
}

// lambdaQueue is a queue with one function and a dead-letter queue.
func lambdaQueue(t *testing.T) *fakeaws.Server {
	t.Helper()
	s := fakeaws.New(t)
	s.Setenv(t)
	dlq := fakeaws.Queue{Name: "invoices-dlq", Attributes: map[string]string{"VisibilityTimeout": "30", "MessageRetentionPeriod": "1209600"}}
	s.Queues = []fakeaws.Queue{dlq, {Name: "invoices", Attributes: map[string]string{"VisibilityTimeout": "60", "MessageRetentionPeriod": "345600",
		"RedrivePolicy": `{"deadLetterTargetArn":"` + dlq.ARN() + `","maxReceiveCount":5}`}}}
	s.Functions = []fakeaws.Function{{Name: "invoices", Timeout: 60}}
	ten, zero := 10, 0
	s.Mappings = []fakeaws.Mapping{{UUID: "uuid-1", Source: s.Queues[1].ARN(), Function: s.Functions[0].ARN(""), State: "Enabled", BatchSize: &ten, Window: &zero}}
	return s
}

// A refused call takes its facts away, names the IAM action, and leaves the
// rest judged.
func TestAuditWithRefusedCalls(t *testing.T) {
	s := lambdaQueue(t)
	s.Misbehave("lambda:GetFunctionConfiguration", -1, fakeaws.Refused("AccessDeniedException"))
	status, out, errs := vtsize(t, "audit", "--queue", "invoices", "--format", "json")
	if status != 0 || errs != "" {
		t.Fatalf("exit status %d, stderr %q", status, errs)
	}
	r := decode(t, out)
	named := false
	for _, n := range r.NotChecked {
		for _, m := range n.Missing {
			named = named || n.Rule == "VT301" && n.Class == "gap" && m.Cause == "denied" && m.Origin == "lambda:GetFunctionConfiguration"
		}
	}
	if !named {
		t.Errorf("VT301 is not a gap that names the action: %s", out)
	}
	if !r.has("VT304") {
		t.Errorf("the rest is not judged: %s", out)
	}
	status, out, _ = vtsize(t, "audit", "--queue", "invoices", "--fail-on-not-checked")
	words := strings.Join(strings.Fields(out), " ") // the text is wrapped
	if status != 1 || !strings.Contains(words, "function timeout not known (denied, lambda:GetFunctionConfiguration)") {
		t.Errorf("exit status %d: %s", status, out)
	}
}

func TestAuditOfAFunctionBelowSixTimes(t *testing.T) {
	lambdaQueue(t)
	status, out, errs := vtsize(t, "audit", "--queue", "invoices", "--format", "json", "--fail-on", "warning")
	if status != 1 || errs != "" {
		t.Fatalf("exit status %d, stderr %q", status, errs)
	}
	if r := decode(t, out); !r.has("VT302") || r.Summary.NotChecked.Gap > 0 && r.has("VT301") {
		t.Errorf("%s", out)
	}
}

// A named queue that does not exist weighs more than findings on the others.
func TestAuditOfAMissingQueue(t *testing.T) {
	lambdaQueue(t)
	status, out, errs := vtsize(t, "audit", "--queue", "invoices", "--queue", "nope")
	if status != 3 || !strings.Contains(errs, `vtsize: read queue "nope" in us-east-1`) || !strings.Contains(out, "invoices") {
		t.Errorf("exit status %d, stderr %q, stdout %q", status, errs, out)
	}
}

// Nothing listens, and something that never answers: one clear line each, in
// bounded time.
func TestAuditOfADeadEndpoint(t *testing.T) {
	fakeaws.Credentials(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + l.Addr().String()
	l.Close()
	status, out, errs := vtsize(t, "audit", "--queue", "nope", "--endpoint-url", url)
	if status != 3 || out != "" || !strings.HasPrefix(errs, "vtsize: reach AWS: no answer from "+url) || strings.Count(errs, "\n") != 2 {
		t.Errorf("exit status %d, stdout %q, stderr %q", status, out, errs)
	}
}

// Nothing of the credentials is in what is printed or saved.
func TestNoSecretsInOutput(t *testing.T) {
	lambdaQueue(t)
	t.Setenv("AWS_SECRET_ACCESS_KEY", "very-secret-key")
	file := t.TempDir() + "/saved.json"
	_, out, errs := vtsize(t, "audit", "--queue", "invoices", "--save", file)
	saved, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{out, errs, string(saved)} {
		if strings.Contains(text, "very-secret-key") || strings.Contains(text, "AKIAIOSFODNN7EXAMPLE") {
			t.Errorf("a secret in %s", text)
		}
	}
}
