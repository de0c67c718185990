package csvread

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// hours writes a hundred rows for each prefix and suffix of a timestamp.
func hours(ms int, stamps ...string) string {
	var b strings.Builder
	for _, s := range stamps {
		for i := range 100 {
			fmt.Fprintf(&b, "%s,%d\n", fmt.Sprintf(s, i%60), ms+i)
		}
	}
	return b.String()
}

func worstOfText(t *testing.T, text string, w Window) *Worst {
	t.Helper()
	return mustRead(t, Options{Stdin: strings.NewReader("timestamp,duration_ms\n" + text), Worst: w, Workers: 1}, "-").Worst
}

// Of equal hours the earliest is told, wherever it stands in the file.
func TestWorstOfEqualHours(t *testing.T) {
	w := worstOfText(t, hours(500, "2026-11-30T18:05:%02dZ", "2026-11-30T09:05:%02dZ")+hours(5, "2026-11-30T07:05:%02dZ"), Hour)
	if w == nil || w.Start.Hour() != 9 || w.Of != 3 || w.Value != 598*time.Millisecond {
		t.Errorf("worst is %+v; want 9 o'clock", w)
	}
}

// Timestamps that begin alike are of different hours where their offsets differ.
func TestWorstAcrossOffsets(t *testing.T) {
	w := worstOfText(t, hours(5, "2026-11-30T18:05:%02dZ")+hours(500, "2026-11-30T18:05:%02d+02:00")+hours(7, "2026-11-30T18:05:%02d.250Z"), Hour)
	if w == nil || w.Start.Hour() != 16 || w.N != 100 || w.Of != 2 {
		t.Errorf("worst is %+v; want 100 samples at 16 o'clock UTC", w)
	}
}

func TestWorstDay(t *testing.T) {
	w := worstOfText(t, hours(5, "1790000000.%02d")+hours(500, "1790100000.%02d", "1790101000.%02d"), Day)
	if w == nil || w.Start.Unix() != 1790100000/86400*86400 || w.N != 200 {
		t.Errorf("worst is %+v", w)
	}
	if w := worstOfText(t, hours(5, "1790000000.%02d")+hours(500, "1790100000.%02d"), NoWindows); w != nil {
		t.Errorf("worst is %+v; want none", w)
	}
}

// A file of years has too many hours, which is said.
func TestTooManyHours(t *testing.T) {
	var b strings.Builder
	b.WriteString("timestamp,duration_ms\n")
	for i := range MaxWindows + 5 {
		fmt.Fprintf(&b, "%d,7\n", 1_700_000_000+i*3600)
	}
	res := mustRead(t, Options{Stdin: strings.NewReader(b.String())}, "-")
	if notes := strings.Join(res.Notes, "\n"); res.Worst != nil || !strings.Contains(notes, "--worst day") {
		t.Errorf("worst is %+v, notes %q", res.Worst, notes)
	}
}

// Dates that begin with the day alone are of different hours all the same.
func TestWorstOfDatesInWords(t *testing.T) {
	rows := hours(5, "\"Mon, 30 Nov 2026 18:05:%02d GMT\"") + hours(500, "\"Mon, 30 Nov 2026 19:05:%02d GMT\"")
	w := worstOfText(t, rows, Hour)
	if w == nil || w.Start.Hour() != 19 || w.N != 100 || w.Of != 2 {
		t.Errorf("worst is %+v; want 100 samples at 19 o'clock", w)
	}
}
