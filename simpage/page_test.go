package simpage_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"vtsize/internal/cli"
	"vtsize/internal/peers"
	"vtsize/simpage"
	"vtsize/simpage/build/engine"
	"vtsize/simulate"
)

const outOfDate = "the engine in the page is out of date: go generate ./simpage makes it"

func TestEngineIsUpToDate(t *testing.T) {
	recorded, err := os.ReadFile("engine.sum")
	if err != nil {
		t.Fatal(err)
	}
	version, sum, _ := strings.Cut(strings.TrimSpace(string(recorded)), " ")
	got, err := engine.Sources("..")
	if err != nil {
		t.Fatal(err)
	}
	if got != sum {
		t.Fatal(outOfDate)
	}
	if version != runtime.Version() {
		t.Skipf("skipped: the engine was made by %s, and another Go gives other bytes", version)
	}
	want, err := engine.Compile("..")
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open("engine.wasm.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if have, err := io.ReadAll(z); err != nil || !bytes.Equal(have, want) {
		t.Error(outOfDate, err)
	}
}

func incident() *simulate.ReplayInput {
	return &simulate.ReplayInput{VisibilityTimeout: 30 * time.Second, Step: 45 * time.Second, MaxReceiveCount: 5}
}

func written(t *testing.T, p simpage.Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := simpage.Write(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The page is one file below 6 MB that asks the network for nothing.
func TestPageIsSelfContained(t *testing.T) {
	page := written(t, simpage.Page{Version: "1.2.3", Replay: incident()})
	if len(page) > 6_000_000 {
		t.Errorf("the page is %d bytes", len(page))
	}
	for _, outside := range []string{"src=\"http", "href=\"http", "url(http", "@import", "{{"} {
		if strings.Contains(page, outside) {
			t.Errorf("the page has %q", outside)
		}
	}
	if !strings.Contains(page, "Made by vtsize 1.2.3") {
		t.Error("the page does not say its version")
	}
	if err := simpage.Write(io.Discard, simpage.Page{}); err == nil {
		t.Error("a page of nothing")
	}
}

type state struct {
	Bill                                      map[string]string
	Lanes, Rows, Figures, Wide                int
	Replay, Fleet, Sweep                      any
	ReplayCommand, FleetCommand, SweepCommand string
	State                                     string
	Colours, Names                            []string
}

// A real browser opens the page; its sliders are moved by keyboard; the numbers
// are those of the command lines that it shows.
func TestPageInABrowser(t *testing.T) {
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(written(t, simpage.Page{Replay: incident()})), 0o600); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Messages, Requests []string
		States             map[string]state
	}
	if err := json.Unmarshal(peers.Browser(t, "testdata/page.mjs", file), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Messages) > 0 || len(got.Requests) > 0 {
		t.Errorf("the console says %q, the network was asked for %q", got.Messages, got.Requests)
	}
	if len(got.States) != 7 {
		t.Fatalf("%d states of the page, want 7", len(got.States))
	}
	for name, s := range got.States {
		if s.State != "" || s.Lanes < 2 || s.Rows == 0 || s.Figures == 0 || s.Wide > 0 || len(s.Names) > 0 {
			t.Errorf("%s: state %q, %d lanes, %d rows, %d figures, %d pixels too wide, controls without a name %q", name, s.State, s.Lanes, s.Rows, s.Figures, s.Wide, s.Names)
		}
		same(t, name+", replay", s.Replay, s.ReplayCommand)
		same(t, name+", fleet", s.Fleet, s.FleetCommand)
		same(t, name+", sweep", s.Sweep, s.SweepCommand)
	}
	bill := func(name, row, want string) {
		if text := got.States[name].Bill[row]; text != want {
			t.Errorf("%s: %s is %q, want %q", name, row, text, want)
		}
	}
	bill("first", "receives", "5")
	bill("first", "outcome", "dead-letter queue at 150 s, and a false one: the work succeeded")
	bill("longer timeout", "receives", "1")
	bill("heartbeat", "outcome", "deleted at 45 s")
	bill("crash and key", "effects", "1: the customer got one reply")
	dark, white := "rgb(18, 23, 30)", "rgb(255, 255, 255)"
	for name, want := range map[string]string{"first": white, "dark by choice": dark, "narrow and dark": dark} {
		if colours := got.States[name].Colours; !slices.Equal(colours, []string{want, want}) {
			t.Errorf("%s: colours %q, want %s", name, colours, want)
		}
	}
}

// same runs a command line and compares its JSON with what the page's engine
// said. The engine is compiled for another machine, whose exponential function
// may differ in the last digit.
func same(t *testing.T, name string, got any, command string) {
	t.Helper()
	args := append(strings.Fields(command), "--format", "json")
	var out, errs bytes.Buffer
	env := cli.Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Now: time.Now, Terminal: func(any) (int, bool) { return 0, false }}
	if status := cli.Main(context.Background(), env, args); status != 0 {
		t.Errorf("%s: %q: status %d: %s", name, command, status, errs.String())
		return
	}
	var want any
	if err := json.Unmarshal(out.Bytes(), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(1e-6, 0)); diff != "" {
		t.Errorf("%s: %q: the command line (-) and the page (+) differ:\n%s", name, command, diff)
	}
}
