package simview_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"vtsize/internal/cli"
	"vtsize/simulate"
	"vtsize/simview"
	"vtsize/sizing"
)

const second = time.Second

// commandLine runs what a page shows and returns its JSON.
func commandLine(t *testing.T, command string) []byte {
	t.Helper()
	var out, errs bytes.Buffer
	env := cli.Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Now: time.Now, Terminal: func(any) (int, bool) { return 0, false }}
	if status := cli.Main(context.Background(), env, append(strings.Fields(command), "--format", "json")); status != 0 {
		t.Fatalf("%s: status %d: %s", command, status, errs.String())
	}
	return out.Bytes()
}

// answerTo is what the engine of a page answers.
func answerTo(t *testing.T, request any) (answer struct {
	Error, Command, SVG string
	Result              json.RawMessage
}) {
	t.Helper()
	asked, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(simview.Answer(asked), &answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

func compact(t *testing.T, b []byte) string {
	t.Helper()
	var out bytes.Buffer
	if err := json.Compact(&out, b); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// The command line that a page shows simulates exactly what the page did,
// whatever was set.
func TestCommandsGiveTheSame(t *testing.T) {
	l, err := simulate.Lognormal(simulate.Point{Percentile: 50, At: 12 * second}, simulate.Point{Percentile: 99.9, At: 45500 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	everything := simulate.FleetInput{For: 20 * time.Minute, Rate: 0.7, Arrivals: simulate.Bursts, Burst: 5, Consumers: 7, Batch: sizing.Batch{Size: 2, Prefetch: 4, Concurrency: 3},
		Latency: l, LoadFactor: 0.3, SlowMessages: true, Retry: simulate.Retry{FailureRate: 0.1, Attempts: 3, Waits: []time.Duration{second, 2500 * time.Millisecond}},
		StepDeadline: 80 * second, Heartbeat: simulate.Heartbeat{Interval: 9 * second, Extension: 40 * second}, BeatFromHold: true, BeatLoss: 0.05, BeatJitter: 1500 * time.Millisecond,
		CrashRate: 0.3, Restart: 5 * second, VisibilityTimeout: 31 * second, MaxReceiveCount: 4, Retention: time.Hour, Delay: 3 * second, FIFO: true, Groups: 9,
		InFlightQuota: 20, ShortPolling: true, IdempotencyKey: true, Cost: simulate.Cost{PerHour: 1.5, PerCall: 0.01}, Seed: 99, Replications: 2}
	plain := simulate.FleetInput{For: 20 * time.Minute, Rate: 2, Arrivals: simulate.Evenly, Consumers: 50, Latency: simulate.Constant(12 * second), VisibilityTimeout: 10 * second, Seed: 3, StaleDelete: simulate.StaleDeleteRemoves}
	exponential := simulate.FleetInput{For: 20 * time.Minute, Rate: 2, Consumers: 50, Latency: simulate.Exponential(12 * second), VisibilityTimeout: 10 * second}
	for name, request := range map[string]any{
		"replay": map[string]any{"replay": simulate.ReplayInput{VisibilityTimeout: 30 * second, Step: 45500 * time.Millisecond, MaxReceiveCount: 5, Heartbeat: simulate.Heartbeat{Interval: 10 * second, Extension: 25 * second},
			LoseBeats: []int{2, 3}, CrashAfter: 40 * second, StepDeadline: 200 * second, IdempotencyKey: true, FIFO: true, Retention: time.Hour}},
		"replay, plain": map[string]any{"replay": simulate.ReplayInput{VisibilityTimeout: 30 * second, Step: 45 * second, StaleDelete: simulate.StaleDeleteRemoves}},
		"everything":    map[string]any{"fleet": everything}, "plain": map[string]any{"fleet": plain}, "exponential": map[string]any{"fleet": exponential},
		"sweep": map[string]any{"sweep": map[string]any{"fleet": everything, "dial": "visibility-timeout", "from": 20, "to": 300, "points": 3}},
		"count": map[string]any{"sweep": map[string]any{"fleet": withCrashes(plain), "dial": "consumers", "from": 20, "to": 60, "points": 3}},
	} {
		t.Run(name, func(t *testing.T) {
			a := answerTo(t, request)
			if a.Error != "" {
				t.Fatal(a.Error)
			}
			if want, got := compact(t, commandLine(t, a.Command)), compact(t, a.Result); want != got {
				t.Errorf("%s\ngives %s\nthe page %s", a.Command, want, got)
			}
		})
	}
}

// withCrashes has a crash rate, as a sweep else assumes one.
func withCrashes(in simulate.FleetInput) simulate.FleetInput {
	in.CrashRate = 0.1
	return in
}

func TestAnswerTellsWhatIsWrong(t *testing.T) {
	bad := simulate.FleetInput{Latency: simulate.Constant(second)}
	for name, c := range map[string]struct {
		request any
		want    string
	}{
		"nothing": {map[string]any{}, "nothing was asked"},
		"replay":  {map[string]any{"replay": simulate.ReplayInput{}}, "the step takes no time"},
		"fleet":   {map[string]any{"fleet": bad}, "rate 0/s"},
		"dial":    {map[string]any{"sweep": map[string]any{"fleet": bad, "dial": "nose"}}, `"nose"`},
		"ends":    {map[string]any{"sweep": map[string]any{"fleet": bad, "dial": "batch", "from": 5, "to": 2, "points": 3}}, "swapped"},
		"point":   {map[string]any{"sweep": map[string]any{"fleet": bad, "dial": "batch", "from": 1, "to": 2, "points": 3}}, "rate 0/s"},
		"text":    {"no request", "cannot unmarshal"},
	} {
		if a := answerTo(t, c.request); !strings.Contains(a.Error, c.want) {
			t.Errorf("%s: error %q, want %q", name, a.Error, c.want)
		}
	}
}
