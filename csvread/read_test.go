package csvread

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"vtsize/facts"
)

// sampleFiles are files of samples, with what is to be read from each. The
// numbers were worked out apart from this package, with a script that sorts.
var sampleFiles = []struct {
	file   string
	opt    Options
	format string
	column string
	unit   string
	n, bad int
	p50    time.Duration
	max    time.Duration
	note   string
}{
	{file: "steps.csv", format: "plain", column: "duration_ms", unit: "ms", n: 200, p50: 572100 * time.Microsecond, max: 7246800 * time.Microsecond},
	{file: "steps.csv", opt: Options{Column: "3"}, format: "plain", column: "duration_ms", unit: "ms", n: 200, p50: 572100 * time.Microsecond, max: 7246800 * time.Microsecond},
	{file: "steps.csv", opt: Options{Where: []string{"class=scan"}}, format: "plain", column: "duration_ms", unit: "ms", n: 50, p50: 3916800 * time.Microsecond, max: 7246800 * time.Microsecond},
	{file: "numbers.txt", opt: Options{Unit: "ms"}, format: "plain", column: "column 1", unit: "ms", n: 5, p50: 100 * time.Millisecond, max: 120 * time.Millisecond},
	{file: "no-unit.csv", opt: Options{Unit: "s"}, format: "plain", column: "latency", unit: "s", n: 2, p50: 120 * time.Second, max: 130 * time.Second},
	{file: "seconds-in-name.csv", format: "plain", column: "response_time (s)", unit: "s", n: 3, p50: 1250 * time.Millisecond, max: 2 * time.Second},
	{file: "camel.csv", format: "plain", column: "elapsedSeconds", unit: "s", n: 2, p50: 3 * time.Second, max: 4500 * time.Millisecond},
	{file: "two-columns.csv", opt: Options{Column: "run_duration_ms"}, format: "plain", column: "run_duration_ms", unit: "ms", n: 1, p50: 2 * time.Millisecond, max: 2 * time.Millisecond},

	// Quirks: BOM, CRLF, semicolons, decimal commas and quoted line breaks.
	{file: "semicolons.csv", format: "plain", column: "duration_ms", unit: "ms", n: 3, p50: 17250 * time.Microsecond, max: 1234500 * time.Microsecond, note: "decimal commas"},
	{file: "one-column-commas.csv", format: "plain", column: "duration_ms", unit: "ms", n: 3, p50: 2750 * time.Microsecond, max: 8125 * time.Microsecond, note: "decimal commas"},
	{file: "tabs.tsv", format: "plain", column: "latency_us", unit: "us", n: 3, p50: 1500 * time.Microsecond, max: 2500 * time.Microsecond},
	{file: "sep.csv", format: "plain", column: "duration_ms", unit: "ms", n: 2, p50: 10 * time.Millisecond, max: 30 * time.Millisecond},
	{file: "thousands.csv", format: "plain", column: "duration_ms", unit: "ms", n: 3, p50: 1234500 * time.Microsecond, max: 12 * time.Second},
	{file: "units-in-cells.csv", format: "plain", column: "took", unit: "in the cells", n: 5, p50: 1230 * time.Millisecond, max: 62500 * time.Millisecond},
	{file: "comments.csv", format: "plain", column: "duration_ms", unit: "ms", n: 3, p50: 25 * time.Millisecond, max: 30 * time.Millisecond},
	{file: "newlines.csv", format: "plain", column: "duration_ms", unit: "ms", n: 4, p50: 20 * time.Millisecond, max: 40 * time.Millisecond},
	{file: "repeated-header.csv", format: "plain", column: "duration_ms", unit: "ms", n: 2, p50: 10 * time.Millisecond, max: 20 * time.Millisecond},
	{file: "bad-rows.csv", format: "plain", column: "duration_ms", unit: "ms", n: 7, bad: 6, p50: 40 * time.Millisecond, max: 70 * time.Millisecond},

	{file: "insights.csv", format: "logs-insights", column: "@duration", unit: "ms", n: 48, p50: 353230 * time.Microsecond, max: 617470 * time.Microsecond},
	{file: "insights-messages.csv", format: "logs-insights", column: "Duration of REPORT lines", unit: "ms", n: 12, p50: 100 * time.Millisecond, max: 160 * time.Millisecond},
	{file: "log-viewer.csv", format: "logs-insights", column: "Duration of REPORT lines", unit: "ms", n: 8, p50: 275 * time.Millisecond, max: 375 * time.Millisecond},
	{file: "report.log", format: "lambda-report", column: "Duration of REPORT lines", unit: "ms", n: 10, p50: 50 * time.Millisecond, max: 3 * time.Second},

	{file: "jmeter.jtl", format: "jmeter", column: "elapsed", unit: "ms", n: 40, p50: 109 * time.Millisecond, max: 680 * time.Millisecond, note: "sub-samples left out, as parts of samples that are there: 8"},
	{file: "jmeter.jtl", opt: Options{Where: []string{"success=true", "label=login"}}, format: "jmeter", column: "elapsed", unit: "ms", n: 17, p50: 500 * time.Millisecond, max: 680 * time.Millisecond},
	{file: "jmeter-short.jtl", format: "jmeter", column: "elapsed", unit: "ms", n: 10, p50: 44 * time.Millisecond, max: 49 * time.Millisecond},
	{file: "k6.csv", format: "k6", column: "metric_value", unit: "ms", n: 15, p50: 187500 * time.Microsecond, max: 275 * time.Millisecond},
	{file: "k6.csv", opt: Options{Where: []string{"metric_name=http_req_waiting"}}, format: "k6", column: "metric_value", unit: "ms", n: 15, p50: 174 * time.Millisecond, max: 258 * time.Millisecond},
	{file: "hey.csv", format: "hey", column: "response-time", unit: "s", n: 16, p50: 136100 * time.Microsecond, max: 234500 * time.Microsecond},
	{file: "vegeta.csv", format: "vegeta", column: "column 3", unit: "ns", n: 14, p50: 52407402, max: 61049371},
	{file: "langfuse.csv", format: "llm-trace", column: "latency", unit: "s", n: 13, p50: 5886 * time.Millisecond, max: 10272 * time.Millisecond},
	{file: "langfuse-observations.csv", format: "llm-trace", column: "latency", unit: "s", n: 4, p50: 2500 * time.Millisecond, max: 4 * time.Second},
	{file: "litellm.csv", format: "llm-trace", column: "latency", unit: "s", n: 11, p50: 4750 * time.Millisecond, max: 7250 * time.Millisecond},
}

func TestReadSamples(t *testing.T) {
	for _, want := range sampleFiles {
		t.Run(want.file+" "+want.opt.Column+strings.Join(want.opt.Where, " "), func(t *testing.T) {
			res := mustRead(t, want.opt, "testdata/"+want.file)
			f := res.Files[0]
			if f.Format != want.format || f.Column != want.column || f.Unit != want.unit {
				t.Errorf("read as %s, column %q, unit %q; want %s, %q, %q", f.Format, f.Column, f.Unit, want.format, want.column, want.unit)
			}
			p50, exact := res.Whole.At(50)
			if res.Whole.N != want.n || res.Bad != want.bad || p50 != want.p50 || !exact || res.Whole.Max != want.max {
				t.Errorf("n %d, bad %d, p50 %v (exact: %v), max %v; want %d, %d, %v, %v", res.Whole.N, res.Bad, p50, exact, res.Whole.Max, want.n, want.bad, want.p50, want.max)
			}
			if notes := strings.Join(res.Notes, "\n"); !strings.Contains(notes, want.note) {
				t.Errorf("notes are %q; want %q among them", notes, want.note)
			}
			if res.Curve != nil {
				t.Error("there is a curve beside the samples")
			}
		})
	}
}

// mustRead reads a file that is in order.
func mustRead(t testing.TB, opt Options, files ...string) *Result {
	t.Helper()
	opt.Files = files
	res, err := Read(context.Background(), opt)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// The same bytes give the same result from a file, a pipe and compressed.
func TestReadWays(t *testing.T) {
	text, err := os.ReadFile("testdata/jmeter.jtl")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var gz, zst bytes.Buffer
	g := gzip.NewWriter(&gz)
	g.Write(text)
	g.Close()
	z, err := zstd.NewWriter(&zst)
	if err != nil {
		t.Fatal(err)
	}
	z.Write(text)
	z.Close()
	for name, content := range map[string][]byte{"a.jtl.gz": gz.Bytes(), "a.jtl.zst": zst.Bytes(), "a.jtl": text} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		res := mustRead(t, Options{}, path)
		if res.Whole.N != 40 || res.Whole.Max != 680*time.Millisecond {
			t.Errorf("%s: n %d, max %v", name, res.Whole.N, res.Whole.Max)
		}
	}
	res := mustRead(t, Options{Stdin: bytes.NewReader(text), tuning: tuning{spillKept: 1}}, "-")
	if p50, _ := res.Whole.At(50); p50 != 109*time.Millisecond {
		t.Errorf("standard input: p50 is %v", p50)
	}
	both := mustRead(t, Options{}, filepath.Join(dir, "a.jtl"), filepath.Join(dir, "a.jtl.gz"))
	if both.Whole.N != 80 || len(both.Files) != 2 {
		t.Errorf("two files: n %d in %d files", both.Whole.N, len(both.Files))
	}
}

// A compressed file that was cut off, as by a broken download, is no whole one.
func TestCutOffCompressedFile(t *testing.T) {
	var text, gz, zst bytes.Buffer
	text.WriteString("duration_ms\n")
	for i := range 200_000 {
		fmt.Fprintf(&text, "%d.%03d\n", i*7919%5000, i*31%1000)
	}
	g := gzip.NewWriter(&gz)
	g.Write(text.Bytes())
	g.Close()
	z, err := zstd.NewWriter(&zst)
	if err != nil {
		t.Fatal(err)
	}
	z.Write(text.Bytes())
	z.Close()
	for name, b := range map[string][]byte{"gzip": gz.Bytes(), "zstd": zst.Bytes()} {
		for _, part := range []int{10, 2, 1} {
			cut := b[:len(b)-max(len(b)/part/2, 5)]
			_, err := Read(t.Context(), Options{Files: []string{"-"}, Stdin: bytes.NewReader(cut)})
			if err == nil || !strings.Contains(err.Error(), "ends too early") {
				t.Errorf("%d of %d bytes of %s: the error is %v", len(cut), len(b), name, err)
			}
		}
	}
}

// Langfuse puts timestamps in quotes twice, and some put spaces around them.
func TestTimeInQuotes(t *testing.T) {
	res := mustRead(t, Options{Percentile: 50}, "testdata/langfuse-observations.csv")
	if w := res.Worst; w == nil || w.Start.Format(time.RFC3339) != "2026-11-01T11:00:00Z" || w.Value != 3*time.Second {
		t.Errorf("the worst hour is %+v, notes are %q", w, res.Notes)
	}
	const epochs = "duration_ms, timestamp\n1, 1790000000\n2, 1790000001\n5, 1790003600\n7, 1790003601\n"
	res = mustRead(t, Options{Percentile: 50, Stdin: strings.NewReader(epochs)}, "-")
	if w := res.Worst; w == nil || w.Value != 5*time.Millisecond || w.N != 2 {
		t.Errorf("the worst hour is %+v, notes are %q", w, res.Notes)
	}
}

// Spaces around a cell do not belong to what --where looks for.
func TestWhereBesideSpaces(t *testing.T) {
	const text = "class, duration_ms, success\nscan, 10, true\nscan, 20, false\nscan, 30, true\n"
	res := mustRead(t, Options{Where: []string{"success=true"}, Stdin: strings.NewReader(text)}, "-")
	if res.Whole.N != 2 || res.Whole.Max != 30*time.Millisecond {
		t.Errorf("n %d, max %v", res.Whole.N, res.Whole.Max)
	}
}

// A transaction controller of JMeter adds rows that are sums of others.
func TestJMeterTransactions(t *testing.T) {
	const (
		header = "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success\n"
		sample = "1790000000000,100,login,200,OK,tg 1-1,text,true\n"
		sum    = "1790000000000,200,checkout,200,\"Number of samples in transaction : 2, number of failing samples : 0\",tg 1-1,,true\n"
	)
	for text, want := range map[string]string{sample + sample + sum: "the sums of: 1", sum + sum: "", sample: ""} {
		res := mustRead(t, Options{Stdin: strings.NewReader(header + text)}, "-")
		doubts := strings.Join(res.Doubts, "\n")
		if !strings.Contains(doubts, want) || want == "" && doubts != "" {
			t.Errorf("%q: doubts are %q; want %q", text, doubts, want)
		}
	}
}

func TestReadCurves(t *testing.T) {
	for _, want := range []struct {
		file, format, unit string
		n, classes         int
		p99, mean          time.Duration
		note               string
	}{
		{"metric-p99.csv", "cloudwatch-metrics", "ms", 0, 0, 4100250 * time.Microsecond, 0, "averages are left out"},
		{"jmeter-aggregate.csv", "jmeter-aggregate", "ms", 2000, 2, 2800 * time.Millisecond, 550 * time.Millisecond, ""},
		{"locust_stats.csv", "locust-stats", "ms", 1000, 2, 1800 * time.Millisecond, 180475 * time.Microsecond, ""},
		{"locust_stats_history.csv", "locust-history", "ms", 225, 0, 2400 * time.Millisecond, 0, "highest of 3 stretches"},
		{"wrk2.txt", "hgrm", "ms", 2000, 0, 12303 * time.Microsecond, 4502 * time.Microsecond, ""},
		{"wrk2-u.txt", "hgrm", "ms", 2000, 0, 31007 * time.Microsecond, 4502 * time.Microsecond, ""}, // and of the uncorrected latencies
		{"hdrplot.txt", "hgrm", "ms", 1000, 0, 80125 * time.Microsecond, 0, ""},
	} {
		t.Run(want.file, func(t *testing.T) {
			res := mustRead(t, Options{}, "testdata/"+want.file)
			p99, ok := res.Curve.At(99)
			if f := res.Files[0]; f.Format != want.format || f.Unit != want.unit {
				t.Errorf("read as %s in %s", f.Format, f.Unit)
			}
			if !ok || p99 != want.p99 || res.Curve.N != want.n || res.Curve.Mean != want.mean || len(res.ClassCurves) != want.classes {
				t.Errorf("p99 %v, n %d, mean %v, %d classes", p99, res.Curve.N, res.Curve.Mean, len(res.ClassCurves))
			}
			if notes := strings.Join(res.Notes, "\n"); !strings.Contains(notes, want.note) || !strings.Contains(notes, "no samples") {
				t.Errorf("notes are %q", notes)
			}
			if res.Whole != nil {
				t.Error("a file of percentiles gives samples")
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	for _, want := range []struct {
		file string
		opt  Options
		err  string
		hint string
	}{
		{"numbers.txt", Options{}, `column "column 1" does not say its unit`, "--unit"},
		{"no-unit.csv", Options{}, `column "latency" does not say its unit`, "--unit"},
		{"no-unit.csv", Options{Unit: "fortnights"}, `no unit "fortnights"`, "ns, us, ms"},
		{"nounit.hgrm", Options{}, "does not say the unit", "--unit"},
		{"two-columns.csv", Options{}, "several columns may hold the latency: queue_duration_ms, run_duration_ms", "--column"},
		{"unquoted-commas.csv", Options{}, "more cells than the 2 columns", "quote cells"},
		{"no-column.csv", Options{}, "no column holds latencies; columns are id, class, cost", "--column"},
		{"no-column.csv", Options{Column: "latency"}, `no column "latency"`, "columns are id, class, cost"},
		{"tokens-only.csv", Options{}, "tells tokens, and no latency", ""},
		{"metric-average.csv", Options{}, "averages are no basis", ""},
		{"ab-percentiles.csv", Options{}, "a list of percentiles, as ab -e writes it", "-g FILE"},
		{"jhiccup.hlog", Options{}, "compressed HdrHistogram", "HistogramLogProcessor"},
		{"locust_stats.csv", Options{Percentile: 99.5}, "and no p99.5", ""},
		{"locust_stats.csv", Options{Where: []string{"a=b"}}, "no rows to choose", ""},
		{"mostly-bad.csv", Options{}, "2 of 3 rows are no latencies", "--column"},
		{"bad-rows.csv", Options{Strict: true}, `bad-rows.csv:3: stands for no value: "2,NaN"`, "--strict"},
		{"utf16.csv", Options{}, "UTF-16", "iconv"},
		{"array.json", Options{}, "JSON", "jq"},
		{"empty.csv", Options{}, "it is empty", ""},
		{"header-only.csv", Options{}, "no rows", ""},
		{"steps.csv", Options{Percentile: 100}, "not between 0 and 100", ""},
		{"steps.csv", Options{Worst: "week"}, `no window "week"`, "hour, day"},
		{"steps.csv", Options{Format: "xml"}, `no format "xml"`, "plain"},
		{"steps.csv", Options{Where: []string{"class"}}, "has no =", "COLUMN=VALUE"},
		{"steps.csv", Options{Where: []string{"class=x"}}, "none of 200 rows", ""},
		{"steps.csv", Options{ClassColumn: "kind"}, `--class-column: there is no column "kind"`, "duration_ms"},
		{"steps.csv", Options{Column: "class"}, `column "class" holds no latencies, but scan`, ""},
		{"report.log", Options{ClassColumn: "x"}, "has no columns", ""},
		{"missing.csv", Options{}, "no such file", ""},
	} {
		want.opt.Files = []string{"testdata/" + want.file}
		_, err := Read(context.Background(), want.opt)
		if err == nil || !strings.Contains(err.Error(), want.err) {
			t.Errorf("%s: error is %v; want %q", want.file, err, want.err)
			continue
		}
		var hinted interface{ Hint() string }
		hint := ""
		if errors.As(err, &hinted) {
			hint = hinted.Hint()
		}
		if !strings.Contains(hint, want.hint) {
			t.Errorf("%s: hint is %q; want %q", want.file, hint, want.hint)
		}
	}
}

func TestBadRowsAreShown(t *testing.T) {
	res := mustRead(t, Options{}, "testdata/bad-rows.csv")
	var got []string
	for _, b := range res.First {
		got = append(got, b.String())
	}
	want := []string{
		`testdata/bad-rows.csv:3: stands for no value: "2,NaN"`,
		`testdata/bad-rows.csv:4: is negative: "3,-5"`,
		`testdata/bad-rows.csv:5: is empty: "4,"`,
		`testdata/bad-rows.csv:6: stands for no value: "5,inf"`,
		`testdata/bad-rows.csv:7: is not a number: "6,twelve"`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestMixedFilesAreRefused(t *testing.T) {
	for _, files := range [][]string{{"testdata/steps.csv", "testdata/locust_stats.csv"}, {"testdata/locust_stats.csv", "testdata/steps.csv"}} {
		if _, err := Read(context.Background(), Options{Files: files}); !errors.Is(err, errMixed) {
			t.Errorf("%v: %v", files, err)
		}
	}
}

func TestInterruption(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := t.TempDir()
	_, err := Read(ctx, Options{Files: []string{"-"}, Stdin: strings.NewReader("duration_ms\n1\n2\n"), TempDir: dir, tuning: tuning{spillKept: 1}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%s is left behind", left[0].Name())
	}
}

func TestSpillWithoutRoom(t *testing.T) {
	var text strings.Builder
	text.WriteString("duration_ms\n")
	for range 5000 {
		text.WriteString("1\n2\n")
	}
	_, err := Read(context.Background(), Options{Files: []string{"-"}, Stdin: strings.NewReader(text.String()), TempDir: "testdata/steps.csv", tuning: tuning{spillKept: 1}})
	if err == nil || !strings.Contains(err.Error(), "keep samples of a pipe") {
		t.Errorf("error is %v", err)
	}
}

func TestCutOff(t *testing.T) {
	res := mustRead(t, Options{}, "testdata/cutoff.csv")
	if res.CutOff == nil || res.CutOff.At != 30*time.Second || res.CutOff.N != 24 {
		t.Errorf("cut off is %+v; want 24 at 30s", res.CutOff)
	}
	for _, whole := range []string{"steps.csv", "langfuse.csv", "k6.csv"} {
		if res := mustRead(t, Options{}, "testdata/"+whole); res.CutOff != nil {
			t.Errorf("%s: cut off is %+v; want none", whole, res.CutOff)
		}
	}
}

func TestLatencyFacts(t *testing.T) {
	res := mustRead(t, Options{ClassColumn: "class"}, "testdata/steps.csv")
	l := res.Latency()
	tail, ok := l.Tail.Get()
	if want, _ := res.Whole.At(99); !ok || tail != want {
		t.Errorf("tail is %v; want %v", tail, want)
	}
	if o := l.Tail.Origin(); o.Kind != "measured" || o.Detail != "duration_ms" || o.Pos.File != "testdata/steps.csv" {
		t.Errorf("origin is %+v", o)
	}
	classes := res.FactClasses()
	if len(classes) != 2 || classes[0].Name != "invoice" || classes[1].Name != "scan" {
		t.Errorf("classes are %+v", classes)
	}
	if b, ok := res.Basis(); ok {
		t.Errorf("a plain file has basis %q; only its owner knows", b)
	}
	if b, _ := mustRead(t, Options{}, "testdata/report.log").Basis(); b != facts.PerInvocation {
		t.Errorf("basis of a Lambda log is %q", b)
	}
	curve := mustRead(t, Options{}, "testdata/jmeter-aggregate.csv").Latency()
	if _, ok := curve.P999.Get(); ok {
		t.Error("a percentile is known that the file does not hold")
	}
}

// Where commas are decimal, a dot separates thousands, in every cell.
func TestDotsBesideDecimalCommas(t *testing.T) {
	text := "id;duration_ms\n1;12,5\n2;1.234\n3;7,25\n4;1.234,5\n"
	res := mustRead(t, Options{Stdin: strings.NewReader(text), Ranks: func(int) []int { return []int{1, 2, 3} }}, "-")
	for rank, want := range map[int]time.Duration{1: 7250 * time.Microsecond, 2: 12500 * time.Microsecond, 3: 1234 * time.Millisecond, 4: 1234500 * time.Microsecond} {
		if d, ok := res.Whole.Rank(rank); !ok || d != want {
			t.Errorf("rank %d is %v, %v; want %v", rank, d, ok, want)
		}
	}
}

// A file that changes between two looks is an error, never a wrong number.
func TestChangedFile(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"shorter":      func(path string) error { return os.Truncate(path, 200) },
		"other values": func(path string) error { return overwrite(path, strings.Repeat("9.999999\n", 900)) },
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			b.WriteString("duration_ms\n")
			for i := range 1000 {
				fmt.Fprintf(&b, "1.%06d\n", i)
			}
			path := filepath.Join(t.TempDir(), "f.csv")
			if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
				t.Fatal(err)
			}
			changed := false
			_, err := Read(t.Context(), Options{Files: []string{path}, Ranks: func(int) []int { // is asked for after the first look
				if !changed {
					changed = true
					if err := change(path); err != nil {
						t.Error(err)
					}
				}
				return nil
			}})
			if err == nil || !strings.Contains(err.Error(), "changed while it was read") {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

// And so is a file that is shorter than it was when it was opened.
func TestShortenedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.csv")
	if err := os.WriteFile(path, []byte("duration_ms\n"+strings.Repeat("1.25\n", 5000)), 0o600); err != nil {
		t.Fatal(err)
	}
	shortened := false
	_, err := Read(t.Context(), Options{Files: []string{path}, tuning: tuning{sampleFrom: 1, sampleBlock: 512}, Ranks: func(int) []int { // is asked for after the sample
		if !shortened {
			shortened = true
			if err := os.Truncate(path, 12_000); err != nil {
				t.Error(err)
			}
		}
		return nil
	}})
	if err == nil || !strings.Contains(err.Error(), "changed while it was read") {
		t.Errorf("the error is %v", err)
	}
}

// So is a class or an hour that was not there at the first look.
func TestChangedClass(t *testing.T) {
	rows := func(at int, class string) string {
		var b strings.Builder
		for i := range 600 {
			fmt.Fprintf(&b, "%d,%s,1.%06d\n", at+12*i, class, i*7%1000)
		}
		return b.String()
	}
	const header = "timestamp,class,duration_ms\n"
	for name, other := range map[string]string{"class": rows(1_790_000_000, "bb"), "hour": rows(1_890_000_000, "aa")} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "f.csv")
			if err := os.WriteFile(path, []byte(header+rows(1_790_000_000, "aa")), 0o600); err != nil {
				t.Fatal(err)
			}
			changed := false
			_, err := Read(t.Context(), Options{Files: []string{path}, ClassColumn: "class", Workers: 1, Ranks: func(int) []int {
				if !changed {
					changed = true
					if err := os.WriteFile(path, []byte(header+other), 0o600); err != nil {
						t.Error(err)
					}
				}
				return nil
			}})
			if err == nil || !strings.Contains(err.Error(), "changed while it was read") {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

// overwrite writes over the start of a file.
func overwrite(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt([]byte(text), 12)
	return errors.Join(err, f.Close())
}

// A function may log a lot before its first REPORT line, and k6 before its first
// request.
func TestReportBehindManyMessages(t *testing.T) {
	text := "@timestamp,@message\n" + strings.Repeat("2026-11-01 10:00:00.000,a message\n", 2*headRecords) +
		strings.Repeat("2026-11-01 10:00:00.000,REPORT RequestId: a\tDuration: 12.50 ms\tBilled Duration: 13 ms\n", 3)
	res := mustRead(t, Options{Stdin: strings.NewReader(text)}, "-")
	if res.Whole.N != 3 || res.Whole.Max != 12500*time.Microsecond {
		t.Errorf("n %d, max %v", res.Whole.N, res.Whole.Max)
	}
	text = "metric_name,timestamp,metric_value\n" + strings.Repeat("vus,1790000000,1.000000\n", 2*headRecords) + "http_req_duration,1790000000,7.500000\n"
	res = mustRead(t, Options{Stdin: strings.NewReader(text)}, "-")
	if res.Whole.N != 1 || res.Whole.Max != 7500*time.Microsecond {
		t.Errorf("k6: n %d, max %v", res.Whole.N, res.Whole.Max)
	}
}

// Of many files only one at a time is in memory.
func TestManyFiles(t *testing.T) {
	dir := t.TempDir()
	var text, gz bytes.Buffer
	text.WriteString("duration_ms\n" + strings.Repeat("83.035\n", headSize/5))
	g := gzip.NewWriter(&gz)
	g.Write(text.Bytes())
	g.Close()
	e := &engine{ctx: t.Context(), opt: &Options{}}
	for name, content := range map[string][]byte{"a.csv": text.Bytes(), "a.csv.gz": gz.Bytes()} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := openSource(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer s.close()
		if err := e.plan(s, &Result{}); err != nil {
			t.Fatal(err)
		}
		if s.head != nil || s.stream != nil {
			t.Errorf("%s: %d bytes are kept", name, len(s.head))
		}
		rows, err := s.rows()
		if err != nil {
			t.Fatal(err)
		}
		if n, err := io.Copy(io.Discard, rows); err != nil || n != int64(text.Len()-len("duration_ms\n")) {
			t.Errorf("%s: %d bytes of rows, %v", name, n, err)
		}
	}
}
