package simview

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vtsize/simulate"
)

const second = time.Second

// scenarios are the stories that the golden files tell.
var scenarios = map[string]simulate.ReplayInput{
	"incident":  {VisibilityTimeout: 30 * second, Step: 45 * second, MaxReceiveCount: 5},
	"heartbeat": {VisibilityTimeout: 30 * second, Step: 45 * second, MaxReceiveCount: 5, Heartbeat: simulate.Heartbeat{Interval: 10 * second}},
	"lost": {VisibilityTimeout: 30 * second, Step: 100 * second, MaxReceiveCount: 5, Heartbeat: simulate.Heartbeat{Interval: 10 * second},
		LoseBeats: []int{2, 3}, IdempotencyKey: true},
	"crash": {VisibilityTimeout: 60 * second, Step: 45 * second, MaxReceiveCount: 5, CrashAfter: 20 * second, FIFO: true},
	"many":  {VisibilityTimeout: 2 * second, Step: 45 * second, MaxReceiveCount: 40, StepDeadline: 30 * second},
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; UPDATE=1 go test writes it. Got:\n%s", path, got)
	}
}

func TestReplayText(t *testing.T) {
	for name, in := range scenarios {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := ReplayText(&b, simulate.Replay(in)); err != nil {
				t.Fatal(err)
			}
			golden(t, name+".txt", b.Bytes())
			narrow(t, b.String())
		})
	}
}

func TestReplayJSON(t *testing.T) {
	var b bytes.Buffer
	if err := ReplayJSON(&b, simulate.Replay(scenarios["incident"])); err != nil {
		t.Fatal(err)
	}
	golden(t, "incident.json", b.Bytes())
	var got struct {
		Schema  string
		Deleted *float64 `json:"deleted_at_seconds"`
		Events  []struct{ Consumer string }
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Schema != "vtsize.replay.v1" || got.Deleted != nil || got.Events[0].Consumer != "A" {
		t.Errorf("%+v", got)
	}
}

// The picture is well-formed, has a lane for every consumer, and says in words
// what it shows.
func TestReplaySVG(t *testing.T) {
	for name, in := range scenarios {
		r := simulate.Replay(in)
		var b bytes.Buffer
		if err := ReplaySVG(&b, r); err != nil {
			t.Fatal(err)
		}
		if err := xml.Unmarshal(b.Bytes(), new(struct{})); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got, want := strings.Count(b.String(), `class="lane"`), 1+min(r.Receives, svgLanes); got != want {
			t.Errorf("%s: %d lanes, want %d", name, got, want)
		}
		for _, want := range []string{"<desc>0 s: A receives it", "role=\"img\"", headline(r)} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: no %q", name, want)
			}
		}
	}
}
