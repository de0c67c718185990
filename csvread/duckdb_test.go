package csvread

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

// duckDB gives a function that runs bench/duckdb.mjs. Without Node or the
// package the test is skipped, or fails where VTSIZE_PEERS=required.
func duckDB(t *testing.T) func(t *testing.T, args ...string) []byte {
	t.Helper()
	miss := t.Skipf
	if os.Getenv("VTSIZE_PEERS") == "required" {
		miss = t.Fatalf
	}
	node, err := exec.LookPath("node")
	if err != nil {
		miss("DuckDB is not asked: Node is not installed")
	}
	if _, err := os.Stat("../bench/node_modules/@duckdb/node-api"); err != nil {
		if os.Getenv("VTSIZE_PEERS") != "required" {
			t.Skip("DuckDB is not asked: run npm install in bench/")
		}
		npm := exec.Command("npm", "install", "--no-audit", "--no-fund", "--no-package-lock")
		npm.Dir = "../bench"
		if out, err := npm.CombinedOutput(); err != nil {
			t.Fatalf("npm install in bench/: %v\n%s", err, out)
		}
	}
	return func(t *testing.T, args ...string) []byte {
		t.Helper()
		var stderr bytes.Buffer
		cmd := exec.Command(node, append([]string{"../bench/duckdb.mjs"}, args...)...)
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("duckdb.mjs %v: %v\n%s", args, err, stderr.String())
		}
		return out
	}
}

// DuckDB, which sorts out percentiles for a living, must say the same.
func TestDuckDBAgrees(t *testing.T) {
	ask := duckDB(t)
	for i, shape := range []string{"log-normal", "one value", "two values", "wide", "one bin", "17 digits", "short decimals", "exponents", "sorted"} {
		t.Run(shape, func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(i), 11))
			text, _ := makeFile(t, r, shapes[shape], 9000+r.IntN(3000), 4, []quoting{inside, none, all}[i%3])
			if i%3 == 1 { // there is more in them than DuckDB takes
				text = bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("# a comment\n\n"), nil), []byte{'\r'}, nil)
			}
			path := filepath.Join(t.TempDir(), "f.csv")
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			res := mustRead(t, Options{ClassColumn: "class", tuning: tuning{sampleFrom: 1, sampleBlock: 4096}}, path)
			groups := map[string]*Samples{"": res.Whole}
			for _, c := range res.Classes {
				groups[c.Name] = c.Samples
			}
			lines := bytes.Split(bytes.TrimSpace(ask(t, path, "duration_ms", "class")), []byte{'\n'})
			if len(lines) != len(groups) {
				t.Fatalf("DuckDB has %d groups; want %d", len(lines), len(groups))
			}
			for _, line := range lines {
				if err := agrees(t, line, groups); err != nil {
					t.Errorf("%s: %v", line, err)
				}
			}
		})
	}
}

// agrees compares one group of DuckDB's with ours.
func agrees(t *testing.T, line []byte, groups map[string]*Samples) error {
	var class, n string
	var percentiles []string
	if err := json.Unmarshal(line, &[]any{&class, &n, &percentiles}); err != nil {
		return err
	}
	s := groups[class]
	if s == nil {
		return fmt.Errorf("there is no class %q", class)
	}
	if n != strconv.Itoa(s.N) {
		return fmt.Errorf("n is %d", s.N)
	}
	for i, p := range standard {
		d, exact := s.At(p)
		if want := exactly(t, percentiles[i], 1e6); !exact || uint64(d) != want {
			return fmt.Errorf("p%v is %d ns; want %d", p, d, want)
		}
	}
	return nil
}
