package workload

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"vtsize/facts"
	"vtsize/internal/spell"
)

// show is a problem as the command line prints it.
func show(err error) string {
	var p *Problem
	if !errors.As(err, &p) {
		return err.Error() + "\n"
	}
	text := p.Error() + "\n"
	for _, line := range p.Excerpt() {
		text += line + "\n"
	}
	if p.Hint != "" {
		text += "hint: " + p.Hint + "\n"
	}
	return text
}

// Every kind of mistake, with the exact message, the line and the mark. A case
// is a file and, after a line of dashes, what is said of it. UPDATE=1 rewrites
// what is said.
func TestProblems(t *testing.T) {
	name := filepath.Join("testdata", "problems.txtar")
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	changed := false
	for i, c := range archive.Files {
		t.Run(c.Name, func(t *testing.T) {
			text, want, _ := strings.Cut(string(c.Data), "----\n")
			_, problems := Load("vtsize.yaml", []byte(text))
			if len(problems) == 0 {
				t.Fatal("no problem")
			}
			got := ""
			for _, p := range problems {
				got += show(p)
			}
			if got == want {
				return
			}
			if os.Getenv("UPDATE") == "" {
				t.Fatalf("got\n%s\nwant\n%s", got, want)
			}
			archive.Files[i].Data, changed = []byte(text+"----\n"+got), true
		})
	}
	if changed {
		if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// A broken latency file points to the entry that names it.
func TestReadCSV(t *testing.T) {
	f := mustLoad(t, "version: 1\nqueues:\n  - match: orders\n    latency: {csv: steps.csv, column: ms, unit: ms, class: kind, basis: step}\n")
	want := CSV{File: "steps.csv", Column: "ms", Unit: "ms", Class: "kind", Pos: facts.Pos{File: "vtsize.yaml", Line: 4, Column: 20}}
	problems := f.ReadCSV(func(c CSV) (facts.Latency, []facts.Class, error) {
		if c != want {
			t.Errorf("%+v", c)
		}
		return facts.Latency{}, nil, errors.New("no such file")
	})
	if len(problems) != 1 || problems[0].Error() != "vtsize.yaml:4:20: no such file" {
		t.Error(problems)
	}
	f.ReadCSV(func(CSV) (facts.Latency, []facts.Class, error) {
		return facts.Latency{Samples: facts.Known(400, facts.Origin{Kind: facts.Measured})}, []facts.Class{{Name: "refund"}}, nil
	})
	w := f.Entries[0].Work
	stages, _ := w.Stages.Get()
	classes, _ := w.Classes.Get()
	if n, _ := stages[0].Latency.Samples.Get(); n != 400 || len(classes) != 1 {
		t.Errorf("%d samples, %d classes", n, len(classes))
	}
}

func TestNearestKey(t *testing.T) {
	// What an owner coming from the flags writes first.
	for _, name := range []string{"heart_beat", "usefulfor", "frameworks"} {
		if spell.Nearest(name, []string{"heartbeat", "useful_for", "framework"}) == "" {
			t.Errorf("nothing near %q", name)
		}
	}
}

// Places are right whatever the line breaks are.
func TestLineBreaks(t *testing.T) {
	for _, end := range []string{"\n", "\r\n"} {
		_, problems := Load("vtsize.yaml", []byte(strings.ReplaceAll("version: 1\nqueues:\n  - match: orders\n    rat: 1/s\n", "\n", end)))
		if len(problems) != 1 || !strings.HasPrefix(show(problems[0]), "vtsize.yaml:4:5: no key \"rat\" in an entry of queues\n  4 |     rat: 1/s\n") {
			t.Errorf("%q: %v", end, problems)
		}
	}
}

// What would take the parser minutes is refused.
func TestTooDeep(t *testing.T) {
	for name, text := range map[string]string{
		"brackets": strings.Repeat("[", 100_000), "mappings": strings.Repeat("{a: ", 10_000), "dashes": strings.Repeat("- ", 50_000),
		"lines": strings.Repeat("[\n", 100_000), "size": strings.Repeat("# a comment\n", 200_000),
	} {
		start := time.Now()
		if _, problems := Load("vtsize.yaml", []byte(text)); len(problems) != 1 || time.Since(start) > 2*time.Second {
			t.Errorf("%s: %v after %v", name, problems, time.Since(start))
		}
	}
}

// Whatever is in a file, reading it ends, and problems are within it.
func FuzzLoad(f *testing.F) {
	for _, pattern := range []string{filepath.Join("testdata", "*.txtar"), filepath.Join("..", "testdata", "workload", "*.yaml")} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
			for _, c := range txtar.Parse(text).Files {
				f.Add(c.Data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		file, problems := Load("vtsize.yaml", text)
		if (file == nil) != (len(problems) > 0) {
			t.Fatalf("file %v, problems %v", file, problems)
		}
		lines := len(strings.FieldsFunc("x"+strings.NewReplacer("\n", "x\n", "\r", "x\r").Replace(string(text))+"x", func(r rune) bool { return r == '\n' || r == '\r' })) + 1
		for _, err := range problems {
			var p *Problem
			if !errors.As(err, &p) || p.Pos.Line < 0 || p.Pos.Line > lines || p.Message == "" {
				t.Errorf("%v", err)
			}
			p.Excerpt()
		}
		if file != nil {
			d, _ := deployment(30e9)
			file.Apply(d)
		}
	})
}
