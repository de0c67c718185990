package main

import (
	"bytes"
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"vtsize/internal/cli"
	"vtsize/report"
	"vtsize/rules"
)

// run runs a command line in this process and returns all that it prints.
func run(t *testing.T, args []string) string {
	t.Helper()
	var out bytes.Buffer
	env := cli.Env{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Environ: []string{"AWS_EC2_METADATA_DISABLED=true"},
		Now:      func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) },
		Terminal: func(any) (int, bool) { return 0, false },
	}
	cli.Main(context.Background(), env, append([]string{"vtsize"}, args...))
	return out.String()
}

var update = os.Getenv("UPDATE") != ""

// console finds the blocks of a document that show commands with their output.
var console = regexp.MustCompile("(?s)```console\n(.*?)```")

// What the documents show is what the program prints. UPDATE=1 rewrites it.
func TestDocumentsAreTrue(t *testing.T) {
	files, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, "README.md") {
		t.Run(file, func(t *testing.T) {
			old, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text := console.ReplaceAllStringFunc(string(old), func(block string) string { return replay(t, block) })
			text = between(text, "rules", func() string {
				var b strings.Builder
				if err := report.RuleMarkdown(&b, rules.All()); err != nil {
					t.Fatal(err)
				}
				return b.String()
			})
			same(t, file, string(old), text)
		})
	}
}

// same fails where a generated file is not what it should be, or mends it.
func same(t *testing.T, file, old, text string) {
	t.Helper()
	if text == old {
		return
	}
	if !update {
		t.Fatalf("%s is out of date: UPDATE=1 go test . rewrites it", file)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// replay runs the commands of a block and puts their output in place.
func replay(t *testing.T, block string) string {
	t.Helper()
	body := strings.TrimSuffix(strings.TrimPrefix(block, "```console\n"), "```")
	var b strings.Builder
	b.WriteString("```console\n")
	for line := range strings.SplitSeq(body, "\n") {
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue
		}
		args, ok := strings.CutPrefix(command, "go run . ")
		if !ok {
			args, ok = strings.CutPrefix(command, "vtsize ")
		}
		if !ok {
			t.Fatalf("do not know how to run %q", command)
		}
		b.WriteString(line + "\n" + run(t, strings.Fields(args)))
	}
	b.WriteString("```")
	return b.String()
}

// between replaces what stands between <!-- name --> and <!-- /name -->.
func between(text, name string, content func() string) string {
	open, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
	before, rest, ok := strings.Cut(text, open)
	if !ok {
		return text
	}
	_, after, _ := strings.Cut(rest, end)
	return before + open + content() + end + after
}

// The reference of the rules is generated from them and their cases.
func TestRulePagesAreGenerated(t *testing.T) {
	var b strings.Builder
	if err := report.RulePages(&b, rules.All()); err != nil {
		t.Fatal(err)
	}
	old, _ := os.ReadFile("docs/rules.md")
	same(t, "docs/rules.md", string(old), b.String())
}

// layers says what each package may import of ours: imports go down only.
var layers = map[string][]string{
	"facts":                {},
	"sizing":               {},
	"assess":               {"facts", "sizing"},
	"awsfetch":             {"facts"},
	"internal/factstext":   {"facts", "sizing"},
	"rules":                {"facts", "sizing", "assess", "internal/factstext"},
	"report":               {"facts", "sizing", "assess", "rules", "lease", "checklist", "csvread", "plot", "risk"},
	"risk":                 {"sizing"},
	"bench":                {},
	"internal/fakeaws":     {},
	"bench/latencies":      {},
	"bench/latencies/read": {"csvread"},
	"plot":                 {},
	"csvread":              {"facts"},
	"internal/schemas":     {},
	"internal/spell":       {},
	"workload":             {"facts", "sizing", "rules", "internal/spell"},
	"checklist":            {"facts", "sizing", "assess", "rules"},
	"lease":                {"facts", "sizing", "assess"},
	"internal/peers":       {},
	"tfread/funcs":         {},
	"tfread/eval":          {"tfread/funcs"},
	"tfread/shims":         {"tfread/eval"},
	"tfread":               {"facts", "tfread/eval", "tfread/shims"},
	"simulate":             {"sizing"},
	"simview":              {"sizing", "simulate"},
	"simpage":              {"sizing", "simulate"},
	"simpage/build":        {"simpage/build/engine"},
	"simpage/build/engine": {},
	"internal/wasm":        {"simview"},
	"trace":                {"facts", "sizing"},
	"traceview":            {"facts", "sizing", "assess", "rules", "report", "trace"},
	"internal/cli":         {"facts", "sizing", "assess", "rules", "report", "awsfetch", "tfread", "csvread", "simulate", "simview", "simpage", "trace", "traceview", "workload", "checklist", "lease", "internal/spell", "plot", "risk"},
	".":                    {"internal/cli"},
}

func TestImportsGoDown(t *testing.T) {
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && d.Name() != "." || d.Name() == "testdata" || d.Name() == "node_modules") {
			return filepath.SkipDir
		}
		if d.IsDir() && file != "." {
			if _, err := os.Stat(filepath.Join(file, "go.mod")); err == nil {
				return filepath.SkipDir // a module of its own
			}
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		dir := path.Dir(filepath.ToSlash(file))
		if dir == "bench" || strings.HasPrefix(dir, "bench/") {
			return nil // programs that measure may use anything
		}
		allowed, ok := layers[dir]
		if !ok {
			return fmt.Errorf("package %s has no place in the layers of %s", dir, "docs_test.go")
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, imp := range f.Imports {
			name, _ := strconv.Unquote(imp.Path.Value)
			if ours, ok := strings.CutPrefix(name, "vtsize/"); ok && !slices.Contains(allowed, ours) {
				t.Errorf("%s imports %s, which is not below %s", file, ours, dir)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
