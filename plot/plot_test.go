package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// example is a histogram with two humps, some late samples and all marks.
func example() Histogram {
	h := Histogram{
		Title: "steps.csv, duration_ms: 1,860 samples",
		Marks: []Mark{
			{90 * time.Millisecond, "p50", Neutral},
			{7 * time.Second, "p99", Neutral},
			{5 * time.Second, "timeout now", Present},
			{10 * time.Second, "recommended", Recommended},
		},
	}
	at := 10 * time.Millisecond
	for _, n := range []int{2, 20, 90, 240, 310, 260, 180, 90, 40, 60, 130, 190, 140, 70, 25, 9, 3, 0, 1} {
		next := at * 3 / 2
		h.Bars = append(h.Bars, Bar{at, next, n})
		at = next
	}
	return h
}

func TestText(t *testing.T) {
	var b bytes.Buffer
	if err := Text(&b, example(), 80); err != nil {
		t.Fatal(err)
	}
	golden(t, "example.txt", b.Bytes())
	for i, line := range strings.Split(strings.TrimSpace(b.String()), "\n") {
		if n := utf8.RuneCountInString(line); n > 80 {
			t.Errorf("line %d is %d wide", i+1, n)
		}
	}
}

func TestSVG(t *testing.T) {
	var b bytes.Buffer
	if err := SVG(&b, example()); err != nil {
		t.Fatal(err)
	}
	golden(t, "example.svg", b.Bytes())
}

// golden compares with a file; UPDATE=1 writes it.
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
		t.Errorf("%s differs; with UPDATE=1 it is written anew. Got:\n%s", path, got)
	}
}

// odd are histograms that have little to draw, or too much.
var odd = map[string]Histogram{
	"nothing":      {},
	"one value":    {Title: "x", Bars: []Bar{{time.Second, time.Second + time.Millisecond, 5}}},
	"zero":         {Bars: []Bar{{0, 1, 5}}},
	"longest":      {Bars: []Bar{{1, 2, 1}, {1<<63 - 2, 1<<63 - 1, 1}}},
	"marks only":   {Marks: []Mark{{time.Second, "timeout", Present}, {0, "none", Neutral}, {-1, "never", Neutral}}},
	"marks nearby": {Bars: []Bar{{1e9, 2e9, 3}}, Marks: []Mark{{1e9, "a", Present}, {1e9 + 1, "b", Neutral}, {1e9 + 2, "c", Recommended}, {1e9 + 3, "d", Neutral}, {1e9 + 4, "e", Neutral}, {1e9 + 5, "f", Neutral}}},
	"outside text": {Title: "a<b>&\"\x00\xff\ufffe", Bars: []Bar{{1e9, 2e9, 3}}, Marks: []Mark{{1e9, "<script>", Present}}},
	"empty bars":   {Bars: []Bar{{1e9, 2e9, 0}}},
}

func TestOddHistograms(t *testing.T) {
	for name, h := range odd {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := Text(&b, h, 0); err != nil || b.Len() == 0 {
				t.Errorf("text: %v, %d bytes", err, b.Len())
			}
			b.Reset()
			if err := SVG(&b, h); err != nil {
				t.Errorf("SVG: %v", err)
			}
			wellFormed(t, b.Bytes())
			b.Reset()
			if err := PNG(&b, h); err != nil {
				t.Fatalf("PNG: %v", err)
			}
			img, err := png.Decode(&b)
			if err != nil || img.Bounds().Dx() != pictureWidth*sharpness {
				t.Errorf("PNG: %v", err)
			}
		})
	}
}

// wellFormed reads XML, and wants no number in it that is none.
func wellFormed(t *testing.T, text []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(text))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
	}
	for _, bad := range []string{"NaN", "Inf", "<script"} {
		if bytes.Contains(text, []byte(bad)) {
			t.Errorf("%s in\n%s", bad, text)
		}
	}
}

// No sample is lost between the bars and the columns.
func TestColumnsKeepAllSamples(t *testing.T) {
	h := example()
	lo, hi := h.span()
	for _, n := range []int{1, 24, 110} {
		sum := 0.0
		for _, c := range h.columns(lo, hi, n) {
			sum += c
		}
		if math.Abs(sum-float64(h.total())) > 1e-6 {
			t.Errorf("%d columns hold %v samples; want %d", n, sum, h.total())
		}
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 ns", 999: "999 ns", 1500: "1.5 µs", 83035 * time.Microsecond: "83 ms", 99960 * time.Microsecond: "100 ms",
		1250 * time.Millisecond: "1.25 s", 30 * time.Second: "30 s", 141 * time.Second: "2 min 21 s", 180 * time.Second: "3 min",
		90 * time.Minute: "1 h 30 min", 12 * time.Hour: "12 h",
	} {
		if got := Duration(d); got != want {
			t.Errorf("%d is %q; want %q", d, got, want)
		}
	}
}

// A failed write is told.
func TestWriteErrors(t *testing.T) {
	for name, write := range map[string]func(io.Writer, Histogram) error{
		"text": func(w io.Writer, h Histogram) error { return Text(w, h, 80) }, "SVG": SVG, "PNG": PNG,
	} {
		if err := write(full{}, example()); !errors.Is(err, errFull) {
			t.Errorf("%s: error is %v", name, err)
		}
	}
}

var errFull = errors.New("no room")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
