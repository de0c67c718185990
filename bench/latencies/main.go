// Command latencies measures how fast latency files are read, beside DuckDB.
//
//	npm install --prefix bench
//	go run ./bench/latencies -dir /some/where -rows 20000000
//
// Whole processes are measured, warm, in turns, and the median of the ratios
// is told. Both must print the same percentiles. With -others, miller and
// datamash are timed too, once each.
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
	others := flag.Bool("others", false, "time miller and datamash too")
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
	fmt.Println("| file | size | vtsize | memory | DuckDB | memory | times as fast | at least |")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- | --- |")
	for _, k := range kinds {
		if only != "" && only != k.name {
			continue
		}
		name := k.name
		if k.stdin {
			name = "usual" // the same file
		}
		path := filepath.Join(dir, fmt.Sprintf("%s-%d.csv", strings.ReplaceAll(name, " ", "-"), rows))
		if _, err := os.Stat(path); err != nil {
			if err := k.write(path, rows); err != nil {
				return err
			}
		}
		if err := k.measure(reader, path, runs); err != nil {
			return err
		}
		if others && !k.stdin {
			timeOthers(path)
		}
	}
	return nil
}

// process is one measured run.
type process struct {
	took time.Duration
	rss  int64 // KiB
	out  []byte
}

func (k *kind) start(cmd *exec.Cmd, path string) (p process, err error) {
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var feed *exec.Cmd
	if k.stdin {
		feed = exec.Command("cat", path)
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
func (k *kind) measure(reader, path string, runs int) error {
	file := path
	if k.stdin {
		file = "-"
	}
	duckFile := path
	if k.stdin {
		duckFile = "/dev/stdin"
	}
	var ours, theirs []process
	var ratios []float64
	for i := range runs + 1 {
		a, err := k.start(exec.Command(reader, "-class-column", "class", "-column", k.column, file), path)
		if err != nil {
			return err
		}
		b, err := k.start(exec.Command("node", "bench/duckdb.mjs", duckFile, k.column, "class"), path)
		if err != nil {
			return err
		}
		if err := same(a.out, b.out); err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
		if i == 0 {
			continue // to warm up
		}
		ours, theirs = append(ours, a), append(theirs, b)
		ratios = append(ratios, float64(b.took)/float64(a.took))
	}
	size, err := os.Stat(path)
	if err != nil {
		return err
	}
	slices.Sort(ratios)
	fmt.Printf("| %s | %d MB | %.2f s | %d MB | %.2f s | %d MB | %.1f | %g |\n", k.name, size.Size()/1e6,
		seconds(ours), memory(ours), seconds(theirs), memory(theirs), ratios[len(ratios)/2], k.bar)
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

// timeOthers times two more tools, for the whole of the column only.
func timeOthers(path string) {
	for _, script := range []string{
		"mlr --icsv --ojson stats1 -a p50,p95,p99,p99.9 -f duration_ms " + path,
		"datamash -t, --header-in perc:50 3 perc:95 3 perc:99 3 < " + path,
	} {
		name, _, _ := strings.Cut(script, " ")
		if _, err := exec.LookPath(name); err != nil {
			fmt.Fprintf(os.Stderr, "%s is not installed\n", name)
			continue
		}
		cmd := exec.Command("sh", "-c", script)
		began := time.Now()
		if err := cmd.Run(); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
			continue
		}
		took := time.Since(began)
		fmt.Fprintf(os.Stderr, "%s: %.1f s, %d MB\n", name, took.Seconds(), cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss/1000)
	}
}
