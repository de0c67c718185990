// Command latencies measures how fast latency files are read, beside DuckDB.
//
//	npm install --prefix bench
//	go run ./bench/latencies -dir /some/where -rows 20000000
//
// Whole processes are measured, warm, in turns, and the median of the ratios
// is told. Both must print the same percentiles. Some kinds of files are read
// without DuckDB, and only their pace is told. With -others, miller and datamash
// are timed beside the usual file.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	dir := flag.String("dir", os.TempDir(), "where files are made, and kept")
	rows := flag.Int("rows", 20_000_000, "rows of a file")
	runs := flag.Int("runs", 7, "runs of each")
	only := flag.String("only", "", "measure just the kind of file of this name")
	others := flag.Bool("others", false, "measure miller and datamash too")
	flag.Parse()
	if err := run(*dir, *rows, *runs, *only, *others); err != nil {
		fmt.Fprintln(os.Stderr, "latencies:", err)
		os.Exit(1)
	}
}

func run(dir string, rows, runs int, only string, others bool) error {
	reader := filepath.Join(dir, "vtsize-read")
	if out, err := exec.Command("go", "build", "-o", reader, "./bench/latencies/read").CombinedOutput(); err != nil {
		return fmt.Errorf("build the reader: %w\n%s", err, out)
	}
	fmt.Println("| file | size | vtsize | memory | MB/s | DuckDB | memory | times as fast | at least |")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
	for _, k := range kinds {
		if only != "" && only != k.name {
			continue
		}
		path, size, err := k.make(dir, rows)
		if err != nil {
			return err
		}
		if err := k.measure(reader, path, size, runs); err != nil {
			return err
		}
	}
	if !others {
		return nil
	}
	path, _, err := kinds[0].make(dir, rows)
	if err != nil {
		return err
	}
	return measureOthers(reader, path, runs)
}

// process is one measured run.
type process struct {
	took time.Duration
	rss  int64 // KiB
	out  []byte
}

// piped reports whether a kind is read through a pipe.
func (k *kind) piped() bool { return k.stdin || k.copies > 0 }

// start runs a command, with a file piped into it where its kind asks for that.
func (k *kind) start(cmd *exec.Cmd, path string) (p process, err error) {
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var feed *exec.Cmd
	if k.piped() {
		feed = exec.Command("cat", slices.Repeat([]string{path}, max(k.copies, 1))...)
		pipe, err := feed.StdoutPipe()
		if err != nil {
			return p, err
		}
		cmd.Stdin = pipe.(*os.File) // a pipe from process to process
		if err := feed.Start(); err != nil {
			return p, err
		}
	}
	began := time.Now()
	err = cmd.Run()
	p.took = time.Since(began)
	if feed != nil {
		feed.Wait()
	}
	if err != nil {
		return p, fmt.Errorf("%v: %w\n%s", cmd.Args, err, stderr.Bytes())
	}
	p.rss = cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	p.out = stdout.Bytes()
	return p, nil
}

// measure runs both in turns and prints a line of the table.
func (k *kind) measure(reader, path string, size int64, runs int) error {
	file, duckFile := path, path
	if k.piped() {
		file, duckFile = "-", "/dev/stdin"
	}
	var ours, theirs []process
	var ratios []float64
	for i := range runs + 1 {
		a, err := k.start(exec.Command(reader, "-class-column", "class", "-column", k.column, file), path)
		if err != nil {
			return err
		}
		var b process
		if k.bar > 0 {
			if b, err = k.start(exec.Command("node", "bench/duckdb.mjs", duckFile, k.column, "class"), path); err != nil {
				return err
			}
			if err := same(a.out, b.out); err != nil {
				return fmt.Errorf("%s: %w", k.name, err)
			}
		}
		if i == 0 {
			continue // to warm up
		}
		ours, theirs = append(ours, a), append(theirs, b)
		ratios = append(ratios, float64(b.took)/float64(a.took))
	}
	slices.Sort(ratios)
	took := seconds(ours)
	fmt.Printf("| %s | %d MB | %.2f s | %d MB | %.0f |", k.name, size/1e6, took, memory(ours), float64(size)/1e6/took)
	if k.bar == 0 {
		fmt.Println("  |  |  |  |")
		return nil
	}
	fmt.Printf(" %.2f s | %d MB | %.1f | %g |\n", seconds(theirs), memory(theirs), ratios[len(ratios)/2], k.bar)
	return nil
}

// seconds gives the median time.
func seconds(all []process) float64 {
	slices.SortFunc(all, func(a, b process) int { return int(a.took - b.took) })
	return all[len(all)/2].took.Seconds()
}

// memory gives the most resident memory, in MB.
func memory(all []process) int64 {
	return slices.MaxFunc(all, func(a, b process) int { return int(a.rss - b.rss) }).rss / 1000
}

// same compares the percentiles that both printed.
func same(ours, theirs []byte) error {
	a, b := strings.Split(strings.TrimSpace(string(ours)), "\n"), strings.Split(strings.TrimSpace(string(theirs)), "\n")
	if len(a) != len(b) {
		return fmt.Errorf("%d groups here and %d in DuckDB", len(a), len(b))
	}
	for i := range a {
		var class, n string
		var p []string
		if err := json.Unmarshal([]byte(b[i]), &[]any{&class, &n, &p}); err != nil {
			return err
		}
		f := strings.Fields(a[i])
		if class == "" {
			f = append([]string{""}, f...)
		}
		if f[0] != class || f[1] != n || !near(f[2:], p) {
			return fmt.Errorf("%q here and %q in DuckDB", a[i], b[i])
		}
	}
	return nil
}

// near compares numbers as texts, up to the nanosecond where there are more
// decimals.
func near(ours, theirs []string) bool {
	return slices.EqualFunc(ours, theirs, func(a, b string) bool {
		var x, y float64
		fmt.Sscan(a, &x)
		fmt.Sscan(b, &y)
		return x-y >= -1e-9*x-1e-12 && x-y < 1e-6+1e-9*x
	})
}

// others are commands that tell percentiles as well. None does all that vtsize
// is asked for.
var others = []struct{ name, script string }{
	{"miller, overall", "mlr --icsv --ojson stats1 -a p50,p90,p95,p99,p99.9 -f duration_ms "},
	{"miller, by class", "mlr --icsv --ojson stats1 -a p50,p90,p95,p99,p99.9 -f duration_ms -g class "},
	{"datamash, overall", "datamash -t, --header-in perc:50 3 perc:90 3 perc:95 3 perc:99 3 < "},
}

// measureOthers runs them and vtsize in turns, and prints a table.
func measureOthers(reader, path string, runs int) error {
	fmt.Println("\n| command | time | memory | vtsize | times as fast |\n| --- | --- | --- | --- | --- |")
	usual := kinds[0]
	for _, o := range others {
		name, _, _ := strings.Cut(o.script, " ")
		if _, err := exec.LookPath(name); err != nil {
			return fmt.Errorf("%s is not installed", name)
		}
		var ours, theirs []process
		var ratios []float64
		for range runs {
			a, err := usual.start(exec.Command(reader, "-class-column", "class", "-column", usual.column, path), path)
			if err != nil {
				return err
			}
			b, err := usual.start(exec.Command("sh", "-c", o.script+path), path)
			if err != nil {
				return err
			}
			ours, theirs = append(ours, a), append(theirs, b)
			ratios = append(ratios, float64(b.took)/float64(a.took))
		}
		slices.Sort(ratios)
		fmt.Printf("| %s | %.1f s | %d MB | %.2f s | %.0f |\n", o.name, seconds(theirs), memory(theirs), seconds(ours), ratios[len(ratios)/2])
	}
	return nil
}
