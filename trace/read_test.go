package trace_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vtsize/trace"
)

// Bad lines are counted, and the first five shown with their place and why.
func TestBadLines(t *testing.T) {
	const good = `{"op":"receive","start":"2026-11-27T10:00:00Z","end":"2026-11-27T10:00:01Z","queue":"q","message":"m","delivery":"d"}`
	for _, c := range []struct{ line, why string }{
		{`nonsense`, "not JSON at byte 2"},
		{`{"op":"receive"`, "not JSON at byte 15"},
		{`[]`, "array in place of an object"},
		{`null`, "not an object"},
		{`{}`, "no op"},
		{`{"op":"purge","start":"2026-11-27T10:00:00Z"}`, `op "purge" is none of send, receive, change, delete`},
		{`{"op":"send","start":"yesterday"}`, `start "yesterday" is not a time`},
		{`{"op":"send","start":"1823-01-01T00:00:00Z"}`, "not within 1970 to 2261"},
		{`{"op":"send","end":"2026-11-27T10:00:00Z"}`, "no start"},
		{`{"op":"send","start":"2026-11-27T10:00:00Z"}`, "no end"},
		{strings.Replace(good, "10:00:01", "09:00:01", 1), "end is before start"},
		{strings.Replace(good, `"delivery":"d"`, `"delivery":7`, 1), "delivery is not a text"},
		{strings.Replace(good, `"message":"m",`, ``, 1), "no message in a receive"},
		{strings.Replace(good, `"queue":"q",`, ``, 1), "no queue in a receive"},
		{strings.Replace(good, `,"delivery":"d"`, ``, 1), "no delivery in a receive"},
		{strings.Replace(good, `}`, `,"receive_count":0}`, 1), "receive_count is not a whole number"},
		{strings.Replace(good, `}`, `,"receive_count":1.5}`, 1), "receive_count is not a whole number"},
		{strings.Replace(good, `}`, `,"timeout_seconds":43201}`, 1), "not within 0 to 43200"},
		{strings.Replace(good, `"d"`, `"`+strings.Repeat("d", 2000)+`"`, 1), "longer than 1024 bytes"},
		{strings.Replace(good, "receive", "delete", 1), "no result in a delete"},
		{strings.Replace(good, "receive", "change", 1), "no timeout_seconds in a change"},
		{strings.Replace(good, `}`, `,"result":"perhaps"}`, 1), `result "perhaps" is none of ok, failed`},
	} {
		l := readLines(t, []string{good, c.line, good})
		if l.Bad != 1 || l.Events() != 2 {
			t.Errorf("%.60s: %d bad lines, %d events", c.line, l.Bad, l.Events())
			continue
		}
		if b := l.FirstBad[0]; b.Line != 2 || b.File != "log" || !strings.Contains(b.Why, c.why) || len(b.Text) > 63 {
			t.Errorf("%.60s: %v, want %q", c.line, b, c.why)
		}
		strict := trace.NewLog(trace.Options{Strict: true})
		var e *trace.StrictError
		if err := strict.Read("log", strings.NewReader(good+"\n"+c.line)); !errors.As(err, &e) || e.Line != 2 {
			t.Errorf("%.60s, strict: %v", c.line, err)
		}
	}
	l := readLines(t, strings.Split(strings.Repeat("bad\n", 9), "\n"))
	if l.Bad != 9 || len(l.FirstBad) != 5 {
		t.Errorf("%d bad lines, %d shown", l.Bad, len(l.FirstBad))
	}
}

// What is unusual and right is read: spaces, escapes, offsets, other keys, CRLF,
// blank lines, no newline at the end.
func TestReadsEveryForm(t *testing.T) {
	want := one(t, `receive 0.4-0.5 dé count=1 by=worker-1`)
	for _, line := range []string{
		`{"op":"receive","start":"2026-11-27T10:00:00.4Z","end":"2026-11-27T10:00:00.5Z","queue":"orders","message":"m","delivery":"dé","receive_count":1,"consumer":"worker-1"}`,
		`  { "op" : "receive" , "start" : "2026-11-27T12:00:00.400000+02:00", "end":"2026-11-27T04:30:00.500-05:30", "queue":"orders","message":"m", "delivery":"d\u00e9","receive_count":1.0,"consumer":"worker-1" }  `,
		`{"op":"rec\u0065ive","start":"2026-11-27t10:00:00.4z","end":"2026-11-27T10:00:00.5Z","queue":"orders","message":"m","delivery":"dé","receive_count":1,"consumer":"worker-1","more":{"deep":[1,2]},"result":"ok","error_code":null}`,
	} {
		for _, text := range []string{line, "\r\n" + line + "\r\n\n", line + "\n"} {
			l := trace.NewLog(trace.Options{Strict: true})
			if err := l.Read("log", strings.NewReader(text)); err != nil {
				t.Fatal(err)
			}
			for m := range l.Messages(trace.Selection{}) {
				if got := fmt.Sprintf("%+v", m.Deliveries[0]); got != fmt.Sprintf("%+v", want.Deliveries[0]) {
					t.Errorf("%s:\ngot  %s\nwant %+v", line, got, want.Deliveries[0])
				}
			}
		}
	}
}

func TestReadsGzip(t *testing.T) {
	var b bytes.Buffer
	for range 2 { // members one after the other, as logs are put together
		z := gzip.NewWriter(&b)
		fmt.Fprintln(z, strings.Join(eventLines(t, "receive 0-1 a count=1\ndelete 2-3 a"), "\n"))
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
	}
	l := trace.NewLog(trace.Options{Strict: true})
	if err := l.Read("log.gz", bytes.NewReader(b.Bytes())); err != nil || l.Events() != 4 {
		t.Errorf("%d events, %v", l.Events(), err)
	}
	cut := trace.NewLog(trace.Options{})
	if err := cut.Read("log.gz", bytes.NewReader(b.Bytes()[:b.Len()-9])); err == nil || !strings.Contains(err.Error(), `read "log.gz"`) {
		t.Errorf("a file that was cut off: %v", err)
	}
}

// A line of any length is read up to a limit, and those after a longer one too.
func TestLongLines(t *testing.T) {
	event := eventLines(t, "receive 0-1 a count=1")[0]
	long := strings.TrimSuffix(event, "}") + `,"more":"` + strings.Repeat("x", 3<<20) + `"}`
	tooLong := strings.TrimSuffix(event, "}") + `,"more":"` + strings.Repeat("x", 65<<20) + `"}`
	l := readLines(t, []string{long, tooLong, event})
	if l.Events() != 2 || l.Bad != 1 || !strings.Contains(l.FirstBad[0].Why, "longer than 64 MB") || l.FirstBad[0].Line != 2 {
		t.Errorf("%d events, bad: %v", l.Events(), l.FirstBad)
	}
}

func TestMemoryLimit(t *testing.T) {
	l := trace.NewLog(trace.Options{MaxMemory: 4 << 20})
	err := l.Read("log", bytes.NewReader(lines(50_000)))
	if !errors.Is(err, trace.ErrMemory) {
		t.Fatalf("%d events in %d bytes: %v", l.Events(), l.Memory(), err)
	}
	if l.Memory() > 12<<20 {
		t.Errorf("%d bytes kept, with a limit of 4 MB", l.Memory())
	}
}

// The formats that are not ours say what they can, and no more.
func TestOtherFormats(t *testing.T) {
	for _, c := range []struct {
		file    string
		skipped int
		want    map[string]string
	}{
		{"spans.jsonl", 3, map[string]string{
			"m-1":      "slow_consumer h1=stale_handle h2=final; h1>h2 delete_too_late 0.4..31 known",
			"m-2":      "none span b7ad6b7169203331=none", // plain conventions: no handle, no count
			"m-batch1": "none span 00f067aa0ba902b7=none",
			"m-batch2": "none span 00f067aa0ba902b7=none",
		}},
		{"cloudtrail.jsonl", 4, map[string]string{
			"93bb6e2d-1090-416c-81b0-31eb1faa8cd8": "none",
			"m-9":                                  "none " + trace.HandleHash("handle-9") + "=final",
		}},
	} {
		t.Run(c.file, func(t *testing.T) {
			f, err := os.Open(filepath.Join("testdata", c.file))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			l := trace.NewLog(trace.Options{Strict: true})
			if err := l.Read(c.file, f); err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for m := range l.Messages(trace.Selection{}) {
				got[m.ID] = tell(m)
			}
			for id, want := range c.want {
				if got[id] != want {
					t.Errorf("%s:\ngot  %s\nwant %s", id, got[id], want)
				}
			}
			if len(got) != len(c.want) || l.Skipped != c.skipped {
				t.Errorf("%d messages, %d skipped: %v", len(got), l.Skipped, got)
			}
		})
	}
}
