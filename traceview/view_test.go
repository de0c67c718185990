package traceview_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"vtsize/facts"
	"vtsize/internal/schemas"
	"vtsize/trace"
	"vtsize/traceview"
)

// hostile has names that no terminal and no markup should get as they are.
const hostile = `{"op":"receive","start":"2026-11-27T10:00:00Z","end":"2026-11-27T10:00:01Z","queue":"q<b>\u001b[31m","message":"m\u0007</text>","delivery":"d1","receive_count":1,"consumer":"\u202eevil & co"}
{"op":"receive","start":"2026-11-28T10:00:00Z","end":"2026-11-28T10:00:01Z","queue":"q<b>\u001b[31m","message":"m\u0007</text>","delivery":"d2","receive_count":3,"timeout_seconds":30}
{"op":"delete","start":"2026-11-28T10:00:00Z","end":"2026-11-28T11:00:01Z","message":"m\u0007</text>","delivery":"d1","result":"failed","error_code":"E\u0000\u001b]8;;"}
{"op":"change","start":"2026-11-28T10:00:00Z","end":"2026-11-28T11:00:01Z","message":"m\u0007</text>","delivery":"none","result":"ok","timeout_seconds":9}
\u001b not a line`

// logs are all that the tests have, by name.
func logs(t *testing.T) map[string]*trace.Log {
	t.Helper()
	out := map[string]*trace.Log{}
	read := func(name string, r io.Reader) {
		l := trace.NewLog(trace.Options{})
		if err := l.Read(name, r); err != nil {
			t.Fatal(err)
		}
		out[name] = l
	}
	read("empty", strings.NewReader(""))
	read("hostile", strings.NewReader(hostile))
	for _, pattern := range []string{"../testdata/events/*.jsonl", "../trace/testdata/*.jsonl"} {
		files, _ := filepath.Glob(pattern)
		if len(files) == 0 {
			t.Fatalf("no logs in %s", pattern)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			read(filepath.Base(file), bytes.NewReader(text))
		}
	}
	return out
}

func write(t *testing.T, l *trace.Log, opt traceview.Options, w traceview.MessageWriter) *traceview.Answer {
	t.Helper()
	a, err := traceview.Write(l, opt, w)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

var thirty = facts.Known(30*time.Second, facts.Origin{Kind: facts.Flag, Detail: "--visibility-timeout"})

func TestJSONMatchesItsSchema(t *testing.T) {
	s := schemas.Compile(t, "vtsize.diagnosis.v1.json")
	for name, l := range logs(t) {
		for _, opt := range []traceview.Options{{}, {OnlyRedelivered: true, Timeout: thirty}, {Selection: trace.Selection{Queue: "nowhere"}}} {
			var b bytes.Buffer
			write(t, l, opt, traceview.NewJSON(&b))
			v, err := jsonschema.UnmarshalJSON(&b)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if err := s.Validate(v); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// What the schema of events takes, is read; what it refuses, is a bad line.
func TestEventsMatchTheirSchema(t *testing.T) {
	s := schemas.Compile(t, "vtsize.event.v1.json")
	files, _ := filepath.Glob("../testdata/events/*.jsonl")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			l := trace.NewLog(trace.Options{})
			if err := l.Read(file, bytes.NewReader(line)); err != nil {
				t.Fatal(err)
			}
			v, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
			if err == nil {
				err = s.Validate(v)
			}
			if (err == nil) != (l.Bad == 0) {
				t.Errorf("%s: the schema says %v, reading says %v: %s", file, err, l.FirstBad, line)
			}
		}
	}
}

// The text stays within its width, and nothing of the log gets to the terminal
// as it is.
func TestText(t *testing.T) {
	for name, l := range logs(t) {
		for _, opt := range []traceview.TextOptions{{Show: 20}, {Show: 2, All: true, Width: 80}, {Show: 1000, Width: 100}} {
			var b bytes.Buffer
			write(t, l, traceview.Options{Timeout: thirty}, traceview.NewText(&b, opt))
			width := max(opt.Width, 80)
			for line := range strings.SplitSeq(b.String(), "\n") {
				if n := utf8.RuneCountInString(line); n > width && strings.Contains(strings.TrimSpace(line), " ") && !strings.Contains(line, "bad line") {
					t.Errorf("%s: %d columns: %s", name, n, line)
				}
				for _, c := range line {
					if c < ' ' || c == 0x7f || c == '\u202e' {
						t.Fatalf("%s: control character %q in %q", name, c, line)
					}
				}
			}
			last := strings.Split(strings.TrimSpace(b.String()), "\n")
			if !strings.Contains(strings.Join(last[max(0, len(last)-4):], " "), "bad line") {
				t.Errorf("%s: the end does not count the bad lines: %q", name, last)
			}
		}
	}
}

// With colours, it is the same text.
func TestColorsAreOnlyPaint(t *testing.T) {
	for name, l := range logs(t) {
		var plain, painted bytes.Buffer
		write(t, l, traceview.Options{Timeout: thirty}, traceview.NewText(&plain, traceview.TextOptions{Show: 20}))
		write(t, l, traceview.Options{Timeout: thirty}, traceview.NewText(&painted, traceview.TextOptions{Show: 20, Color: true}))
		var b strings.Builder
		for rest := painted.String(); rest != ""; {
			before, after, found := strings.Cut(rest, "\x1b[")
			b.WriteString(before)
			if rest = ""; found {
				_, rest, _ = strings.Cut(after, "m")
			}
		}
		if b.String() != plain.String() {
			t.Errorf("%s:\n%s\n\n%s", name, b.String(), plain.String())
		}
	}
}

func TestSVGIsWellFormed(t *testing.T) {
	for name, l := range logs(t) {
		for _, all := range []bool{false, true} {
			var b bytes.Buffer
			write(t, l, traceview.Options{}, traceview.NewSVG(&b, all))
			for d := xml.NewDecoder(&b); ; {
				_, err := d.Token()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
		}
	}
}

// The numbers and the rules are those of calc: what was measured goes the same
// way.
func TestSizing(t *testing.T) {
	l := logs(t)["slow.jsonl"]
	var b bytes.Buffer
	a := write(t, l, traceview.Options{Timeout: thirty}, traceview.NewJSON(&b))
	var got struct {
		Queues []struct {
			Run struct {
				P99, Max float64
				N        int
			} `json:"run_seconds"`
			Hold struct {
				Max float64
				N   int
			} `json:"hold_seconds"`
			Sizing struct {
				Floor   float64 `json:"floor_seconds"`
				Timeout float64 `json:"visibility_timeout_seconds"`
				Basis   string
				Samples int
			}
			Findings []struct{ Rule string }
		}
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	q := got.Queues[0]
	// 1.2 × 51.8 s = 62.16 s, to the next minute.
	if q.Run.N != 8 || q.Run.Max != 51.8 || q.Hold.N != 6 || q.Hold.Max != 37.8 || q.Sizing.Floor != 51.8 || q.Sizing.Timeout != 120 || q.Sizing.Basis != "step" || q.Sizing.Samples != 8 {
		t.Errorf("%+v", q)
	}
	if len(q.Findings) == 0 || q.Findings[0].Rule != "VT101" {
		t.Errorf("findings %+v, want VT101 first", q.Findings)
	}
	if len(a.Report.Findings) != len(q.Findings) {
		t.Errorf("%d findings in all", len(a.Report.Findings))
	}
}
