package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"html"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vtsize/facts"
	"vtsize/internal/factstext"
	"vtsize/report"
	"vtsize/rules"
)

// rich is a document of everything that there is to say: findings of all
// severities with and without a file, gaps, suppressions, problems, and names
// that every format has to escape.
func rich(t *testing.T) *report.Document {
	t.Helper()
	d, err := factstext.Parse("modules/a b/main.tf", `
queue orders
  visibility_timeout = 30s
  redrive = none
  consumer lambda handle
    function_timeout = 60s
    batch_size = 10
    batching_window = unknown after_apply
queue invoices
  visibility_timeout = 30s
  redrive = none
  consumer lambda pay
    function_timeout = unknown denied lambda:GetFunctionConfiguration
    batching_window = 0
queue evil
  visibility_timeout = 30s
  redrive = none
  consumer worker
    basis = step
    p99 = 45s
queue mail
  visibility_timeout = 30s
  redrive = none
  consumer lambda send
    function_timeout = 20s
    batching_window = 0
`)
	if err != nil {
		t.Fatal(err)
	}
	at := func(line int) facts.Pos { return facts.Pos{File: "main.tf", Line: line, Column: 3} }
	orders, evil, mail := d.Queues[0], d.Queues[2], d.Queues[3]
	orders.Address, orders.ID = "module.orders.aws_sqs_queue.this[0]", "module.orders.aws_sqs_queue.this[0]"
	orders.Calls = []facts.Call{{Module: "module.orders", Pos: at(7)}}
	evil.ID = "arn:aws:sqs:eu-west-1:123456789012:evil"
	evil.Name = "100% | @team #1 `x` <b>${a}</b> [l](http://x) ]]> ##[error]\r\n\x1b\ufffe\u202e"
	evil.Pos = facts.Pos{}
	readers, _ := evil.Consumers.Get()
	readers[0].Pos = facts.Pos{}
	evil.VisibilityTimeout = facts.Known(30*time.Second, facts.Origin{Kind: facts.AWS, Detail: "sqs:GetQueueAttributes"})
	d.Unjoined = []facts.Unjoined{{Address: "aws_lambda_event_source_mapping.x", Function: "x", Reason: "its source is a variable without a value", Pos: at(20)}}
	d.Ignores = []facts.Ignore{
		{Rule: "VT301", Queue: orders.ID, Reason: "known | being rewritten", Until: time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC), Pos: facts.Pos{File: "vtsize.yaml", Line: 4, Column: 5}},
		{Rule: "VT302", Reason: "rarely called", Pos: mail.Pos, File: mail.Pos.File, FirstLine: mail.Pos.Line, LastLine: mail.Pos.Line + 6},
		{Rule: "VT401", Reason: "of no use", Pos: at(40), File: "other.tf", FirstLine: 1, LastLine: 2},
	}
	return &report.Document{
		Command: "check", Version: "1.2.3", Dir: "infra",
		Report: rules.Judge(d, rules.Options{Now: now, Only: []string{"VT101", "VT301", "VT302", "VT305", "VT401", "VT402", "VT601"}}),
		Problems: []report.Problem{
			{Message: "resource \"aws_sqs_queue\" \"x\" is defined twice", Pos: at(9)},
			{Message: "broken.tf does not parse: 100 % <wrong>", Pos: facts.Pos{File: "broken.tf", Line: 2}, Fatal: true},
		},
		Absent: []report.Absent{{Address: "aws_sqs_queue.spare", Reason: "count is 0", Pos: facts.Pos{File: "plan.json"}}},
		Notes:  []string{"the account id was masked ##[group]"},
	}
}

func write(t *testing.T, format string, d *report.Document) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.Formats[format](&b, d); err != nil {
		t.Fatalf("%s: %v", format, err)
	}
	return b.String()
}

// UPDATE=1 rewrites the golden files.
func TestGolden(t *testing.T) {
	for _, format := range report.FormatNames() {
		file := filepath.Join("testdata", "golden", "rich."+format)
		got := write(t, format, rich(t))
		if os.Getenv("UPDATE") != "" {
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
}

// content is what a reader of a format finds: the findings by rule and message,
// and the gaps, each as one text with all that belongs to it.
type content struct {
	findings []string
	gaps     []string
}

func key(rule, message string) string { return rule + " " + message }

// readers take the formats apart again, each by the rules of its format.
var readers = map[string]func(t *testing.T, out string) content{
	"text": func(t *testing.T, out string) content {
		c := content{gaps: labelled(out)}
		flat := strings.Join(strings.Fields(out), " ")
		for _, m := range regexp.MustCompile(`(?:error|warning|info): (.*?) \[(VT\d+)\]`).FindAllStringSubmatch(flat, -1) {
			c.findings = append(c.findings, key(m[2], m[1]))
		}
		return c
	},
	"table": func(t *testing.T, out string) content {
		c := content{gaps: labelled(out)}
		for _, m := range regexp.MustCompile(`(?m)^│ (VT\d+) `).FindAllStringSubmatch(out, -1) {
			c.findings = append(c.findings, key(m[1], "")) // messages are wrapped in their cells
		}
		return c
	},
	"json": func(t *testing.T, out string) content {
		var v struct {
			Findings []struct{ Rule, Message string }
			Gaps     []struct {
				Rule, Queue, Class string
				Missing            []struct{ Input, Cause string }
			} `json:"not_checked"`
		}
		unmarshal(t, out, &v)
		var c content
		for _, f := range v.Findings {
			c.findings = append(c.findings, key(f.Rule, f.Message))
		}
		for _, g := range v.Gaps {
			for _, m := range g.Missing {
				if g.Class == "gap" {
					c.gaps = append(c.gaps, strings.Join([]string{g.Rule, g.Queue, m.Input, strings.ReplaceAll(m.Cause, "_", " ")}, " "))
				}
			}
		}
		return c
	},
	"sarif": func(t *testing.T, out string) content {
		var c content
		run := parseSARIF(t, out).Runs[0]
		for _, r := range run.Results {
			if len(r.Suppressions) == 0 {
				c.findings = append(c.findings, key(*r.RuleID, braces.Replace(*r.Message.Text)))
			}
		}
		for _, n := range run.Invocations[0].ToolExecutionNotifications {
			if *n.Descriptor.ID == "not-checked" {
				c.gaps = append(c.gaps, braces.Replace(*n.Message.Text))
			}
		}
		return c
	},
	"github": func(t *testing.T, out string) content {
		var c content
		for _, a := range annotations(out) {
			if rule := regexp.MustCompile(`^VT\d+`).FindString(a.properties["title"]); rule != "" {
				c.findings = append(c.findings, key(rule, a.message))
			} else if a.properties["title"] == "not checked" {
				c.gaps = append(c.gaps, a.message)
			}
		}
		return c
	},
	"junit": func(t *testing.T, out string) content {
		var c content
		for _, s := range parseJUnit(t, out).Suites {
			for _, k := range s.Cases {
				rule, _, _ := strings.Cut(k.Name, " ")
				if k.Failure != nil {
					c.findings = append(c.findings, key(rule, k.Failure.Message))
				}
				if k.Skipped != nil && strings.HasPrefix(k.Skipped.Text, "not checked") {
					c.gaps = append(c.gaps, s.Name+" "+k.Name+" "+k.Skipped.Text)
				}
			}
		}
		return c
	},
	"gitlab": func(t *testing.T, out string) content {
		var c content
		for _, e := range parseGitLab(t, out) {
			if strings.HasPrefix(e.CheckName, "VT") {
				c.findings = append(c.findings, key(e.CheckName, e.Description))
			} else if e.CheckName == "not-checked" {
				c.gaps = append(c.gaps, e.Description)
			}
		}
		return c
	},
	"markdown": func(t *testing.T, out string) content {
		var c content
		section := ""
		for line := range strings.Lines(out) {
			if m := regexp.MustCompile(`^\| (?:error|warning|info) \| (VT\d+) \S+ \| .* \| (.*) \|\n$`).FindStringSubmatch(line); m != nil {
				c.findings = append(c.findings, key(m[1], plainText(m[2])))
			}
			if m := regexp.MustCompile(`<summary>(.*) \(\d+\)`).FindStringSubmatch(line); m != nil {
				section = m[1]
			}
			if item, ok := strings.CutPrefix(line, "- "); ok && section == "Not checked" {
				c.gaps = append(c.gaps, plainText(item))
			}
		}
		return c
	},
}

var braces = strings.NewReplacer("{{", "{", "}}", "}")

// plainText is what a reader of markdown sees.
func plainText(s string) string {
	s = html.UnescapeString(regexp.MustCompile(`\\([!-/:-@\[-`+"`"+`{-~])`).ReplaceAllString(s, "$1"))
	return strings.ReplaceAll(s, "\u200b", "")
}

// paragraphs joins what was wrapped: a line belongs to the one before where it
// is indented further.
func paragraphs(out string) []string {
	var all []string
	indent := 0
	for line := range strings.Lines(out) {
		text := strings.TrimLeft(line, " ")
		n := len(line) - len(text)
		if len(all) > 0 && n > indent {
			all[len(all)-1] += " " + strings.TrimSpace(text)
			continue
		}
		indent, all = n, append(all, strings.TrimSpace(text))
	}
	return all
}

func labelled(out string) []string {
	return slices.DeleteFunc(paragraphs(out), func(p string) bool { return !strings.HasPrefix(p, "not checked: ") })
}

func unmarshal(t *testing.T, out string, v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(out))
	if err := d.Decode(v); err != nil {
		t.Fatal(err)
	}
	if d.More() {
		t.Fatal("more than one value")
	}
}

// Every finding is in every format exactly once, and every gap is in all of
// them with its rule, queue, input and cause.
func TestEveryFormatSaysEverything(t *testing.T) {
	if a, b := slices.Sorted(maps.Keys(readers)), report.FormatNames(); !slices.Equal(a, b) {
		t.Fatalf("readers of %v for formats %v", a, b)
	}
	docs := map[string]*report.Document{"rich": rich(t)}
	for name, d := range deployments(t) {
		docs[name] = &report.Document{Command: "audit", Report: rules.Judge(d, rules.Options{Now: now})}
	}
	for name, doc := range docs {
		for format, read := range readers {
			got := read(t, write(t, format, doc))
			left := got.findings
			for _, f := range doc.Report.Findings {
				message := report.Escape(f.Message)
				switch format {
				case "json":
					message = f.Message
				case "table":
					message = ""
				}
				i := slices.IndexFunc(left, func(s string) bool { return strings.HasPrefix(s, f.Rule.ID+" ") && strings.Contains(s, message) })
				if i < 0 {
					t.Errorf("%s as %s: no %s %q in %q", name, format, f.Rule.ID, message, left)
					continue
				}
				left = slices.Delete(left, i, i+1)
			}
			if len(left) > 0 {
				t.Errorf("%s as %s: findings that are none, or twice: %q", name, format, left)
			}
			checkGaps(t, name, format, doc.Report, got.gaps)
		}
	}
}

func checkGaps(t *testing.T, name, format string, r *rules.Report, gaps []string) {
	t.Helper()
	n := 0
	for _, nc := range r.NotChecked {
		for _, m := range nc.Missing {
			if !m.Cause.IsGap() {
				continue
			}
			n++
			words := []string{nc.Rule.ID, report.Escape(nc.Queue.ID), m.Input, strings.ReplaceAll(m.Cause.String(), "_", " ")}
			if !slices.ContainsFunc(gaps, func(g string) bool {
				return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(g, w) })
			}) {
				t.Errorf("%s as %s: no gap with %q in %q", name, format, words, gaps)
			}
		}
	}
	if n == 0 && len(gaps) > 0 {
		t.Errorf("%s as %s: gaps that are none: %q", name, format, gaps)
	}
}

// all is one report of all the cases: many queues with the same names.
func all(t *testing.T) *report.Document {
	t.Helper()
	r := &rules.Report{}
	for _, d := range deployments(t) {
		r.Add(rules.Judge(d, rules.Options{Now: now}))
	}
	return &report.Document{Command: "check", Version: "1.2.3", Report: r}
}

// The last line of a text that people read is the summary.
func TestSummaryIsTheLastLine(t *testing.T) {
	for _, doc := range []*report.Document{rich(t), all(t), {Report: &rules.Report{}}} {
		for _, format := range []string{"text", "table", "github", "markdown"} {
			lines := strings.Split(strings.TrimSuffix(write(t, format, doc), "\n"), "\n")
			if last := lines[len(lines)-1]; last != report.Summary(doc.Report) {
				t.Errorf("%s: the last line is %q", format, last)
			}
		}
	}
}

type annotation struct {
	command    string
	properties map[string]string
	message    string
}

// annotations reads a log as the runner does.
// https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
func annotations(out string) []annotation {
	var all []annotation
	data := strings.NewReplacer("%0D", "\r", "%0A", "\n", "%25", "%")
	property := strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%")
	for line := range strings.Lines(out) {
		head, message, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "::"), "::")
		if !ok || !strings.HasPrefix(line, "::") {
			continue
		}
		a := annotation{properties: map[string]string{}, message: data.Replace(message)}
		var rest string
		a.command, rest, _ = strings.Cut(head, " ")
		for p := range strings.SplitSeq(rest, ",") {
			k, v, _ := strings.Cut(p, "=")
			a.properties[k] = property.Replace(v)
		}
		all = append(all, a)
	}
	return all
}

// A file or a name with the signs of the commands' own syntax in it arrives as
// it is; outside a command nothing is taken for one.
func TestGitHubCommandsAreEscaped(t *testing.T) {
	doc := rich(t)
	doc.Problems = []report.Problem{{Message: "50 %: a::b, c%0A", Pos: facts.Pos{File: "a,b:c=100%25::.tf", Line: 3, Column: 7}, Fatal: true}}
	doc.Dir = ""
	out := write(t, "github", doc)
	i := slices.IndexFunc(annotations(out), func(a annotation) bool { return a.properties["title"] == "problem" })
	if i < 0 {
		t.Fatal("no problem")
	}
	want := annotation{"error", map[string]string{"file": "a,b:c=100%25::.tf", "line": "3", "col": "7", "title": "problem"}, "problem: 50 %: a::b, c%0A"}
	if diff := cmp.Diff(want, annotations(out)[i], cmp.AllowUnexported(annotation{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for line := range strings.Lines(out) {
		if !strings.HasPrefix(line, "::") && strings.Contains(line, "##[") {
			t.Errorf("a runner takes this for a command: %q", line)
		}
	}
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Failure *junitOutcome `xml:"failure"`
	Error   *junitOutcome `xml:"error"`
	Skipped *junitOutcome `xml:"skipped"`
}

type junitOutcome struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

type junitCounts struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Skipped  int `xml:"skipped,attr"`
}

type junitSuite struct {
	Name string `xml:"name,attr"`
	junitCounts
	Properties []struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	} `xml:"properties>property"`
	Cases []junitCase `xml:"testcase"`
	Out   string      `xml:"system-out"`
}

type junitSuites struct {
	XMLName xml.Name `xml:"testsuites"`
	junitCounts
	Suites []junitSuite `xml:"testsuite"`
}

func parseJUnit(t *testing.T, out string) junitSuites {
	t.Helper()
	var v junitSuites
	if err := xml.Unmarshal([]byte(out), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// The counts of a suite are those of its cases, the counts of the whole those
// of the suites, and all of them those of the report.
func TestJUnitCounts(t *testing.T) {
	for _, doc := range []*report.Document{rich(t), all(t), {Report: &rules.Report{}}} {
		v := parseJUnit(t, write(t, "junit", doc))
		var total junitCounts
		undeclared := "0"
		for _, s := range v.Suites {
			var got junitCounts
			for _, c := range s.Cases {
				got.Tests++
				if c.Failure != nil {
					got.Failures++
				}
				if c.Error != nil {
					got.Errors++
				}
				if c.Skipped != nil {
					got.Skipped++
				}
			}
			if got != s.junitCounts {
				t.Errorf("suite %q says %+v and has %+v", s.Name, s.junitCounts, got)
			}
			total.Tests, total.Failures = total.Tests+got.Tests, total.Failures+got.Failures
			total.Errors, total.Skipped = total.Errors+got.Errors, total.Skipped+got.Skipped
			if len(s.Properties) > 0 && s.Properties[0].Name == "undeclared" && s.Properties[0].Value != "0" {
				undeclared = s.Properties[0].Value
			}
		}
		if total != v.junitCounts {
			t.Errorf("the suites say %+v and have %+v", v.junitCounts, total)
		}
		r := doc.Report
		gaps, n := r.CountNotChecked()
		ofRun := len(v.Suites[len(v.Suites)-1].Cases)
		if want := r.Passed + len(r.Findings) + len(r.Suppressed) + gaps + ofRun; total.Tests != want || total.Failures != len(r.Findings) {
			t.Errorf("%d tests with %d failures, want %d with %d", total.Tests, total.Failures, want, len(r.Findings))
		}
		if n > 0 && undeclared == "0" {
			t.Errorf("%d undeclared are not counted", n)
		}
		if !strings.HasSuffix(v.Suites[len(v.Suites)-1].Out, report.Summary(r)) {
			t.Error("no summary")
		}
	}
}

// GitLab takes one test of each class and name.
func TestJUnitNamesAreUnique(t *testing.T) {
	for name, d := range deployments(t) {
		seen := map[string]bool{}
		for _, s := range parseJUnit(t, write(t, "junit", &report.Document{Report: rules.Judge(d, rules.Options{Now: now})})).Suites {
			for _, c := range s.Cases {
				if seen[c.Class+"\n"+c.Name] {
					t.Errorf("%s: two cases %q of %q", name, c.Name, c.Class)
				}
				seen[c.Class+"\n"+c.Name] = true
			}
		}
	}
}

type gitlabEntry struct {
	Description string
	CheckName   string `json:"check_name"`
	Fingerprint string
	Severity    string
	Location    struct {
		Path  string
		Lines struct{ Begin int }
	}
}

func parseGitLab(t *testing.T, out string) []gitlabEntry {
	t.Helper()
	var v []gitlabEntry
	unmarshal(t, out, &v)
	return v
}

// What GitLab requires of an entry, and that no two are taken for one.
func TestGitLabEntries(t *testing.T) {
	for _, doc := range []*report.Document{rich(t), all(t)} {
		seen := map[string]bool{}
		for _, e := range parseGitLab(t, write(t, "gitlab", doc)) {
			if e.Description == "" || e.CheckName == "" || e.Fingerprint == "" || e.Location.Path == "" || e.Location.Lines.Begin < 1 {
				t.Errorf("incomplete: %+v", e)
			}
			if !slices.Contains([]string{"info", "minor", "major", "critical", "blocker"}, e.Severity) {
				t.Errorf("no severity of GitLab: %q", e.Severity)
			}
			if seen[e.Fingerprint] {
				t.Errorf("two entries %s", e.Fingerprint)
			}
			seen[e.Fingerprint] = true
		}
	}
	if out := write(t, "gitlab", &report.Document{Report: &rules.Report{}}); out != "[]\n" {
		t.Errorf("an empty report is %q", out)
	}
}

// Entries keep their fingerprints when lines move.
func TestGitLabFingerprintsStay(t *testing.T) {
	prints := func(text string) []string {
		d, err := factstext.Parse("main.tf", text)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, e := range parseGitLab(t, write(t, "gitlab", &report.Document{Report: rules.Judge(d, rules.Options{Now: now})})) {
			out = append(out, e.CheckName+" "+e.Fingerprint)
		}
		return out
	}
	text := "queue orders\nvisibility_timeout = 30s\nredrive = none\nconsumer lambda handle\nfunction_timeout = 60s\nbatching_window = unknown after_apply\n"
	a, b := prints(text), prints("\n\n# moved\n"+text)
	if !slices.ContainsFunc(a, func(s string) bool { return strings.HasPrefix(s, "not-checked ") }) {
		t.Fatalf("no gap in %q", a)
	}
	if !slices.Equal(a, b) {
		t.Errorf("%q became %q", a, b)
	}
}

// Nothing from outside notifies people, opens a cell, a link or an element.
func TestMarkdownIsEscaped(t *testing.T) {
	out := write(t, "markdown", rich(t))
	for _, raw := range []string{"@team", "#1", "<b>", "[l]", "http://", " | @"} {
		if strings.Contains(out, raw) {
			t.Errorf("%q came through:\n%s", raw, out)
		}
	}
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "| ") {
			if n := len(regexp.MustCompile(`(?:^|[^\\])\|`).FindAllString(line, -1)); n != 5 { // a bar behind a backslash is text
				t.Errorf("%d bars in %q", n, line)
			}
		}
	}
	if open, end := strings.Count(out, "<details>"), strings.Count(out, "</details>"); open != end || open == 0 {
		t.Errorf("%d details opened, %d closed", open, end)
	}
}
