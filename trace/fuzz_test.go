package trace

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"vtsize/facts"
)

// seeds are the lines of all logs that the tests have.
func seeds(f *testing.F) {
	f.Helper()
	for _, pattern := range []string{"testdata/*.jsonl", "../testdata/events/*.jsonl"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatalf("no seeds in %s: %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			for line := range bytes.Lines(text) {
				f.Add(bytes.TrimSpace(line))
			}
		}
	}
}

// What the fast scanner takes, the thorough decoder reads in the same way; and
// neither panics.
func FuzzScan(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, line []byte) {
		var fast fields
		took := fast.scan(line)
		var slow []fields
		_, err := decode(line, func(e *fields) error { slow = append(slow, *e); return nil })
		if !took {
			return
		}
		if why := fast.problem(); why != "" {
			if err == nil || err.Error() != why {
				t.Fatalf("fast: %s; thorough: %v", why, err)
			}
			return
		}
		if err != nil || len(slow) != 1 {
			t.Fatalf("fast took it; thorough: %v, %d events", err, len(slow))
		}
		for _, b := range []*fields{&fast, &slow[0]} {
			for _, text := range []*[]byte{&b.queue, &b.message, &b.delivery, &b.consumer, &b.errorCode, &b.from} {
				if len(*text) == 0 {
					*text = nil
				}
			}
		}
		if !reflect.DeepEqual(fast, slow[0]) {
			t.Fatalf("fast: %+v\nthorough: %+v", fast, slow[0])
		}
	})
}

// The whole way, of any bytes.
func FuzzRead(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		l := NewLog(Options{MaxMemory: 16 << 20})
		if err := l.Read("log", bytes.NewReader(text)); err != nil {
			return
		}
		tally := NewTally()
		for m := range l.Messages(Selection{}) {
			tally.Add(m)
		}
		for _, q := range tally.Sorted() {
			q.Deployment(facts.Value[time.Duration]{})
		}
	})
}

// Times are read as the standard library reads them.
func FuzzTime(f *testing.F) {
	for _, s := range []string{"2026-11-27T10:00:00.402Z", "2024-02-29T23:59:59.999999999+14:00", "2100-02-29T00:00:00Z", "2000-02-29T00:00:00-00:30", "1971-01-01T00:00:00Z", "2261-12-31T23:59:59Z"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, s []byte) {
		n, ok := parseTime(s)
		if !ok {
			return
		}
		want, err := time.Parse(time.RFC3339Nano, string(s))
		if err != nil || want.UnixNano() != n {
			t.Fatalf("%q: %d, want %d, %v", s, n, want.UnixNano(), err)
		}
	})
}
