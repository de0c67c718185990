package report_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"vtsize/internal/cli"
	"vtsize/internal/schemas"
)

// vtsize runs a command line as a user does.
func vtsize(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	env := cli.Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Now: func() time.Time { return now }, Terminal: func(any) (int, bool) { return 0, false }}
	if cli.Main(context.Background(), env, append([]string{"vtsize"}, args...)) > 1 {
		t.Fatalf("%q: %s", args, &errs)
	}
	return out.String()
}

// latencyRuns are of every kind of file and risk.
func latencyRuns(t *testing.T) [][]string {
	t.Helper()
	const steps = "../testdata/csv/steps.csv"
	evil := filepath.Join(t.TempDir(), "evil.csv")
	text := "took_ms,kind\n" + strings.Repeat("5,a\x1b[31m\u202e\n40000,b\r\n", 400) + "\x1b[2J,c\n"
	if err := os.WriteFile(evil, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out := [][]string{
		{"calc", "--csv", steps},
		{"calc", "--csv", steps, "--class-column", "class", "--visibility-timeout", "30s", "--rate", "20/s", "--max-receive-count", "3"},
		{"calc", "--csv", steps, "--retries", "2", "--batch", "4", "--max-duplicates", "0.05", "--error-rate", "0.1", "--use-upper-bound"},
		{"calc", "--csv", steps, "--max-duplicates", "1e-9", "--percentile", "99.95", "--worst", "day"},
		{"calc", "--csv", steps, "--heartbeat", "10s", "--visibility-timeout", "60s"},
		{"calc", "--csv", steps, "--batch", "500"},
		{"calc", "--csv", steps, "--basis", "step", "--function-timeout", "120s", "--batch", "3", "--batching-window", "5s", "--visibility-timeout", "100s", "--max-duplicates", "0.1"},
		{"calc", "--csv", evil, "--class-column", "kind"},
		{"audit", "--demo", "--csv", steps, "--basis", "step"},
	}
	files, _ := filepath.Glob("../csvread/testdata/*.csv")
	for _, file := range files {
		switch filepath.Base(file) {
		case "jmeter-aggregate.csv", "locust_stats.csv", "metric-p99.csv", "cutoff.csv", "insights.csv", "bad-rows.csv":
			out = append(out, []string{"calc", "--csv", file})
		}
	}
	return out
}

func TestLatencyJSONMatchesItsSchema(t *testing.T) {
	schemas := map[string]*jsonschema.Schema{"calc": schemas.Compile(t, "vtsize.calc.v1.json"), "audit": schemas.Compile(t, "vtsize.report.v1.json")}
	for _, args := range latencyRuns(t) {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(vtsize(t, append(args, "--format", "json")...)))
		if err != nil {
			t.Fatal(err)
		}
		if err := schemas[args[0]].Validate(v); err != nil {
			t.Errorf("%q: %v", args, err)
		}
		if v.(map[string]any)["latency"] == nil {
			t.Errorf("%q: no latency", args)
		}
	}
}

// Text stays within its columns, and neither it nor tables let control
// characters of a file through.
func TestLatencyText(t *testing.T) {
	for _, args := range latencyRuns(t) {
		text := vtsize(t, args...)
		for line := range strings.Lines(text) {
			line = strings.TrimRight(line, "\n")
			if n := len([]rune(line)); n > 80 && !strings.Contains(line, " queue") && strings.Contains(strings.TrimSpace(line), " ") {
				t.Errorf("%q: a line of %d columns: %q", args, n, line)
			}
		}
		for _, s := range []string{text, vtsize(t, append(args, "--format", "table")...)} {
			if strings.ContainsAny(s, "\x1b\r\u202e") {
				t.Errorf("%q lets control characters through: %q", args, s)
			}
			if strings.Contains(s, "%!") || strings.Contains(s, "NaN") && !strings.Contains(args[2], "bad-rows") {
				t.Errorf("%q: %s", args, s)
			}
		}
	}
}
