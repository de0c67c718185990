package lease

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"golang.org/x/tools/txtar"

	"vtsize/internal/peers"
)

// The version of the SDK that the heartbeat for Node.js is run with.
const nodeSDK = "@aws-sdk/client-sqs@3.1175.0"

// quick are numbers for a test of seconds.
var quick = &Policy{Queue: "quick", QueueTimeout: 2 * time.Second, Interval: 400 * time.Millisecond, Extension: 2 * time.Second,
	Deadline: 3500 * time.Millisecond, Stall: 1500 * time.Millisecond, CallTimeout: 300 * time.Millisecond}

// What becomes of each scenario of the harnesses, and whether beats are sent.
var outcomes = map[string]string{
	"slow":    "seen 0, delete, done",
	"hang":    "lost the step deadline is over",
	"stuck":   "lost the work makes no progress",
	"cut-off": "lost the visibility timeout ran out",
	"fail":    "failed",
}

// The heartbeats hold messages of an emulator of SQS: they outlast the timeout
// of slow work, end at the deadline, without progress and where beats fail,
// stop when the work fails, and never beat after the delete.
func TestHeartbeats(t *testing.T) {
	for language, command := range map[string]func(*testing.T, string) *exec.Cmd{
		"python": func(t *testing.T, dir string) *exec.Cmd {
			return exec.Command(peers.Python(t, "boto3"), filepath.Join(dir, "harness.py"))
		},
		"node": func(t *testing.T, dir string) *exec.Cmd {
			// Node.js looks for modules beside the program.
			if err := os.Symlink(filepath.Join(peers.NodeModules(t, nodeSDK), "node_modules"), filepath.Join(dir, "node_modules")); err != nil {
				t.Fatal(err)
			}
			return exec.Command("node", filepath.Join(dir, "harness.mjs"))
		},
		"go": func(t *testing.T, dir string) *exec.Cmd {
			binary := filepath.Join(dir, "harness")
			build := exec.Command("go", "build", "-o", binary, filepath.Join(dir, "harness.go"), filepath.Join(dir, "heartbeat.go"))
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			return exec.Command(binary)
		},
	} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			put(t, dir, language)
			cmd := command(t, dir)
			url := peers.LocalSQS(t)
			cmd.Args = append(cmd.Args, url, queues(t, url))
			cmd.Env = append(os.Environ(), "NODE_NO_WARNINGS=1")
			cmd.Stderr = os.Stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			judge(t, string(out), outcomes)
		})
	}
}

// put writes the heartbeat and its harness into a directory.
func put(t *testing.T, dir, language string) {
	t.Helper()
	i := slices.IndexFunc(Languages, func(l struct{ Name, File string }) bool { return l.Name == language })
	file := Languages[i].File
	var b strings.Builder
	if err := WriteCode(&b, language, quick); err != nil {
		t.Fatal(err)
	}
	code := b.String()
	harness := "harness" + filepath.Ext(file)
	source := harness
	if language == "go" {
		source += ".txt"                                                 // it is no package of this module
		code = strings.Replace(code, "package lease", "package main", 1) // it is built with the harness
	}
	text, err := os.ReadFile(filepath.Join("testdata", source))
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{file: code, harness: string(text)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// queues makes a queue with a message for each scenario, and returns what
// their URLs begin with.
func queues(t *testing.T, url string) string {
	t.Helper()
	client := sqs.New(sqs.Options{Region: "us-east-1", BaseEndpoint: &url, Credentials: aws.CredentialsProviderFunc(
		func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "test", SecretAccessKey: "test"}, nil
		})})
	prefix := ""
	for name := range outcomes {
		q, err := client.CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: &name, Attributes: map[string]string{"VisibilityTimeout": "2"}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := client.SendMessage(t.Context(), &sqs.SendMessageInput{QueueUrl: q.QueueUrl, MessageBody: aws.String("work")}); err != nil {
			t.Fatal(err)
		}
		prefix = strings.TrimSuffix(*q.QueueUrl, name)
	}
	return prefix
}

// The heartbeat in Java is compiled and run against stubs of the SDK.
func TestJava(t *testing.T) {
	javac := peers.JDK(t)
	t.Parallel()
	dir := t.TempDir()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "java.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var code strings.Builder
	if err := WriteCode(&code, "java", quick); err != nil {
		t.Fatal(err)
	}
	args := []string{"-d", filepath.Join(dir, "classes")}
	for _, f := range append(archive.Files, txtar.File{Name: "Heartbeat.java", Data: []byte(code.String())}) {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, name)
	}
	if out, err := exec.Command(javac, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command("java", "-cp", filepath.Join(dir, "classes"), "Harness").Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want := maps.Clone(outcomes)
	want["slow"] = "delete, done" // there is no queue to look into
	want["refused"] = "lost SQS refuses the beat: ReceiptHandleIsInvalid"
	judge(t, string(out), want)
}

// judge holds what a harness printed against the outcomes.
func judge(t *testing.T, out string, outcomes map[string]string) {
	t.Helper()
	events := map[string][]string{}
	for line := range strings.Lines(out) {
		name, event, _ := strings.Cut(strings.TrimSpace(line), " ")
		events[name] = append(events[name], event)
	}
	for name, want := range outcomes {
		got := events[name]
		beats := slices.Index(got, "change")
		last := len(got) - 1
		for last >= 0 && got[last] != "change" {
			last--
		}
		if beats != 0 {
			t.Errorf("%s: no beat: %v", name, got)
			continue
		}
		var rest []string
		for _, e := range got {
			if e != "change" && e != "end" {
				rest = append(rest, strings.Replace(e, "lease lost: ", "", 1))
			}
		}
		if text := strings.Join(rest, ", "); text != want {
			t.Errorf("%s: %s, want %s", name, text, want)
		}
		if slices.Contains(got[:last], "delete") || slices.ContainsFunc(got[:last], func(e string) bool { return e == "done" || e == "failed" || strings.HasPrefix(e, "lost") }) {
			t.Errorf("%s: a beat after the end: %v", name, got)
		}
		if len(got) == 0 || got[len(got)-1] != "end" {
			t.Errorf("%s does not end: %v", name, got)
		}
	}
}
