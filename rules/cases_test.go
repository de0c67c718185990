package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"vtsize/facts"
	"vtsize/internal/factstext"
)

var now = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// expectation is a comment "# want `regexp`" or "# not checked `regexp`" on
// the line at fault.
type expectation struct {
	line int
	kind string
	re   *regexp.Regexp
	met  bool
}

var comment = regexp.MustCompile("# (want|not checked) `([^`]*)`")

func expectations(t *testing.T, text string) []*expectation {
	t.Helper()
	var out []*expectation
	for i, line := range strings.Split(text, "\n") {
		for _, m := range comment.FindAllStringSubmatch(line, -1) {
			re, err := regexp.Compile(m[2])
			if err != nil {
				t.Fatalf("line %d: %v", i+1, err)
			}
			out = append(out, &expectation{line: i + 1, kind: m[1], re: re})
		}
	}
	return out
}

// meet marks the expectations that a text at an origin meets.
func meet(all []*expectation, kind, text string, o facts.Origin) bool {
	met := false
	for _, e := range all {
		if e.kind == kind && e.re.MatchString(text) && (!o.Pos.IsValid() || o.Pos.Line == e.line) {
			e.met, met = true, true
		}
	}
	return met
}

// Every rule has a case that fires, one that passes and one that is not checked.
func TestCases(t *testing.T) {
	for _, rule := range All() {
		for _, name := range []string{"fires", "passes", "not-checked"} {
			t.Run(rule.ID+"/"+name, func(t *testing.T) {
				archive, err := txtar.ParseFile(filepath.Join("testdata", rule.ID, name+".txtar"))
				if err != nil {
					t.Fatal(err)
				}
				if len(archive.Files) == 0 {
					t.Fatal("no cases")
				}
				for _, f := range archive.Files {
					t.Run(f.Name, func(t *testing.T) { runCase(t, rule, name, f) })
				}
			})
		}
	}
}

func runCase(t *testing.T, rule *Rule, name string, f txtar.File) {
	d, err := factstext.Parse(f.Name, string(f.Data))
	if err != nil {
		t.Fatal(err)
	}
	opt := Options{Now: now}
	if !rule.Last {
		opt.Only = []string{rule.ID}
	}
	r := Judge(d, opt)
	wants := expectations(t, string(f.Data))
	for _, e := range wants {
		if (e.kind == "want") != (name == "fires") {
			t.Fatalf("line %d: a %q comment in %s.txtar", e.line, e.kind, name)
		}
	}
	fired := 0
	for _, g := range r.Findings {
		if g.Rule != rule {
			continue
		}
		fired++
		text := g.Severity.String() + ": " + g.Message
		if !meet(wants, "want", text, g.Origin) {
			t.Errorf("unexpected finding at %s: %s", g.Origin, text)
		}
		checkWording(t, g)
	}
	missed := 0
	for _, n := range r.NotChecked {
		if n.Rule != rule {
			continue
		}
		missed++
		for _, m := range n.Missing {
			text := fmt.Sprintf("%s: %s", m.Input, m.Cause)
			if !meet(wants, "not checked", text, m.Origin) && name != "fires" {
				t.Errorf("unexpected not checked at %s: %s", m.Origin, text)
			}
		}
	}
	for _, e := range wants {
		if !e.met {
			t.Errorf("line %d: nothing matches %q", e.line, e.re)
		}
	}
	switch name {
	case "fires":
		if fired == 0 {
			t.Error("does not fire")
		}
	case "passes":
		if fired > 0 || missed > 0 || !rule.Last && r.Passed == 0 {
			t.Errorf("does not pass: %d findings, %d not checked, %d passed", fired, missed, r.Passed)
		}
	case "not-checked":
		if fired > 0 || missed == 0 {
			t.Errorf("%d findings, %d not checked", fired, missed)
		}
	}
}

// Findings are lower case, without a period, and say what to do.
func checkWording(t *testing.T, f Finding) {
	t.Helper()
	if f.Message == "" || strings.HasSuffix(f.Message, ".") || strings.ContainsAny(f.Message, "\n\t") ||
		'A' <= f.Message[0] && f.Message[0] <= 'Z' && !('A' <= f.Message[1] && f.Message[1] <= 'Z') && !strings.HasPrefix(f.Message, "MaximumConcurrency") {
		t.Errorf("wording of %q", f.Message)
	}
	if f.Fix == "" {
		t.Error("no fix")
	}
	if f.Current.Known && f.Unit == "" {
		t.Error("amounts without a unit")
	}
	if f.Required.Known && f.Recommended.Known {
		// What is recommended is on the far side of what is required.
		need, advice := f.Required.Value-f.Current.Value, f.Recommended.Value-f.Current.Value
		if need > 0 && advice < need || need < 0 && advice > need {
			t.Errorf("%v %s, required %v, recommended %v", f.Current.Value, f.Unit, f.Required.Value, f.Recommended.Value)
		}
	}
}

// No folder of cases is left over from a rule that is gone, and the stories of
// several rules are the only other ones.
func TestNoOrphanCases(t *testing.T) {
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if Find(e.Name()) == nil && !slices.Contains([]string{"together"}, e.Name()) {
			t.Errorf("testdata/%s belongs to no rule", e.Name())
		}
	}
}

func TestRulesAreDescribed(t *testing.T) {
	name := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	seen := map[string]bool{}
	for _, r := range All() {
		if !regexp.MustCompile(`^VT\d{3}$`).MatchString(r.ID) || !name.MatchString(r.Name) || seen[r.Name] {
			t.Errorf("%s: bad or double name %q", r.ID, r.Name)
		}
		seen[r.Name] = true
		if strings.HasSuffix(r.Title, ".") || len(r.Title) > 70 {
			t.Errorf("%s: title %q", r.ID, r.Title)
		}
		if _, err := os.Stat(strings.ToLower(r.ID) + ".go"); err != nil && !strings.HasPrefix(r.ID, "VT60") {
			t.Errorf("%s is not in a file of its own: %v", r.ID, err)
		}
		for _, s := range r.Sources {
			if !strings.HasPrefix(s.URL, "https://") {
				t.Errorf("%s: source %q", r.ID, s.URL)
			}
		}
	}
}

// Stories are run with all rules; their wants, "VT101 error: …", are all the
// errors and warnings there are.
func TestTogether(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join("testdata", "together", "*.txtar"))
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			t.Run(filepath.Base(file)+"/"+f.Name, func(t *testing.T) {
				d, err := factstext.Parse(f.Name, string(f.Data))
				if err != nil {
					t.Fatal(err)
				}
				wants := expectations(t, string(f.Data))
				for _, g := range Judge(d, Options{Now: now}).Findings {
					text := fmt.Sprintf("%s %s: %s", g.Rule.ID, g.Severity, g.Message)
					if !meet(wants, "want", text, g.Origin) {
						t.Errorf("unexpected at %s: %s", g.Origin, text)
					}
				}
				for _, e := range wants {
					if !e.met {
						t.Errorf("line %d: nothing matches %q", e.line, e.re)
					}
				}
			})
		}
	}
}
