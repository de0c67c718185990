package report_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/tools/txtar"

	"vtsize/facts"
	"vtsize/internal/factstext"
	"vtsize/internal/schemas"
	"vtsize/report"
	"vtsize/rules"
)

var now = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// deployments are those of all the cases of the rules: every finding and every
// kind of gap there is.
func deployments(t *testing.T) map[string]*facts.Deployment {
	t.Helper()
	out := map[string]*facts.Deployment{}
	files, _ := filepath.Glob("../rules/testdata/*/*.txtar")
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			d, err := factstext.Parse("case", string(f.Data))
			if err != nil {
				t.Fatal(err)
			}
			out[file+"/"+f.Name] = d
		}
	}
	if len(out) == 0 {
		t.Fatal("no cases")
	}
	return out
}

func TestJSONMatchesItsSchema(t *testing.T) {
	full, calc := schemas.Compile(t, "vtsize.report.v1.json"), schemas.Compile(t, "vtsize.calc.v1.json")
	for name, d := range deployments(t) {
		r := rules.Judge(d, rules.Options{Now: now})
		for _, doc := range []report.Document{{Command: "audit"}, {Command: "check"}, {Command: "calc"}} {
			doc.Report = r
			s := full
			if doc.Command == "calc" {
				if r.Queues[0].Sizing == nil {
					continue // calc always has a consumer
				}
				s = calc
				doc.Inputs = report.Inputs(r.Queues[0].Queue, r.Queues[0].Sizing.Consumer)
			}
			var b bytes.Buffer
			if err := report.JSON(&b, &doc); err != nil {
				t.Fatal(err)
			}
			v, err := jsonschema.UnmarshalJSON(bytes.NewReader(b.Bytes()))
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Validate(v); err != nil {
				t.Errorf("%s as %s: %v", name, doc.Command, err)
			}
		}
	}
}

// Every subject and rule has one outcome, and all of them are counted.
func TestEverythingIsCounted(t *testing.T) {
	for name, d := range deployments(t) {
		r := rules.Judge(d, rules.Options{Now: now})
		subjects := 0
		for _, q := range r.Queues {
			for _, rule := range r.Rules {
				switch {
				case rule.Scope == rules.PerQueue, len(q.Consumers) == 0:
					subjects++ // a queue that nothing is known to read has one, undeclared
				default:
					subjects += len(q.Consumers)
				}
			}
		}
		if got := r.Passed + len(r.Findings) + len(r.NotChecked) + len(r.Suppressed) + r.NotApplicable; got != subjects {
			t.Errorf("%s: %d outcomes of %d subjects", name, got, subjects)
		}
		var b bytes.Buffer
		if err := report.Text(&b, &report.Document{Command: "audit", Report: r}); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
		if last := lines[len(lines)-1]; last != report.Summary(r) {
			t.Errorf("%s: the last line is %q", name, last)
		}
		for _, line := range lines[:len(lines)-1] {
			if n := len([]rune(line)); n > 80 && strings.Contains(strings.TrimSpace(line), " ") {
				t.Errorf("%s: a line of %d columns: %q", name, n, line)
			}
		}
	}
}

// Text from outside cannot move the cursor, change colours or hide letters.
func TestControlCharactersAreEscaped(t *testing.T) {
	d, err := factstext.Parse("case", "queue orders\nvisibility_timeout = 30s\nredrive = none\nconsumer lambda handle\nfunction_timeout = 60s\nbatching_window = 0\n")
	if err != nil {
		t.Fatal(err)
	}
	evil := "a\x1b[31mb\r\n\u202ec\u200b\x00"
	q := d.Queues[0]
	q.Name, q.Region = evil, evil
	list, _ := q.Consumers.Get()
	list[0].Function = evil
	list[0].FunctionTimeout = facts.Known(time.Minute, facts.Origin{Kind: facts.File, Pos: facts.Pos{File: evil, Line: 1}})
	q.VisibilityTimeout = facts.Known(30*time.Second, facts.Origin{Kind: facts.File, Detail: evil})
	for name, write := range report.Formats {
		var b bytes.Buffer
		doc := &report.Document{Command: "audit", Report: rules.Judge(d, rules.Options{Now: now})}
		if err := write(&b, doc); err != nil {
			t.Fatal(err)
		}
		if name == "json" {
			if !json.Valid(b.Bytes()) {
				t.Error("not JSON")
			}
			continue
		}
		if strings.ContainsAny(b.String(), "\x1b\r\x00\u202e\u200b") {
			t.Errorf("%s lets control characters through: %q", name, b.String())
		}
	}
}

// A fingerprint stays when lines move, and differs between findings.
func TestFingerprints(t *testing.T) {
	text := "queue orders\nvisibility_timeout = 30s\nredrive = none\nconsumer lambda handle\nfunction_timeout = 60s\nbatching_window = 0\n"
	prints := func(text string) map[string]string {
		d, err := factstext.Parse("case", text)
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]string{}
		for _, f := range rules.Judge(d, rules.Options{Now: now}).Findings {
			out[report.Fingerprint(f)] = f.Rule.ID
		}
		return out
	}
	a, b := prints(text), prints("\n\n# moved\n"+text)
	if len(a) < 2 {
		t.Fatalf("want several findings, got %v", a)
	}
	for fp, rule := range a {
		if b[fp] != rule {
			t.Errorf("%s has another fingerprint when lines move", rule)
		}
	}
}
