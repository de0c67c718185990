package report_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"vtsize/facts"
	"vtsize/report"
	"vtsize/rules"
)

// parseSARIF reads a log with another's types.
func parseSARIF(t *testing.T, out string) *sarif.Report {
	t.Helper()
	var v sarif.Report
	unmarshal(t, out, &v)
	return &v
}

// The schema of OASIS, as go-sarif carries it, takes what is written. What it
// holds against the schema is what it writes again: all that is in ours, which
// is compared, and an empty value for each property that is not. Three of those
// may not be empty.
func TestSARIFMatchesItsSchema(t *testing.T) {
	for name, doc := range map[string]*report.Document{"rich": rich(t), "all": all(t), "empty": {Report: &rules.Report{}}} {
		out := write(t, "sarif", doc)
		log, err := sarif.FromString(out)
		if err != nil {
			t.Fatal(err)
		}
		run := log.Runs[0]
		run.Language, run.Tool.Driver.Language, run.NewlineSequences = "en", "en", []string{"\n"}
		if err := log.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		again, err := json.Marshal(log)
		if err != nil {
			t.Fatal(err)
		}
		var a, b any
		unmarshal(t, out, &a)
		unmarshal(t, string(again), &b)
		if path := missing(a, b); path != "" {
			t.Errorf("%s: SARIF has nothing like %s", name, path)
		}
	}
}

// missing is the path of the first value of a that b does not have.
func missing(a, b any) string {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		for k, v := range a {
			if list, is := v.([]any); is && len(list) == 0 {
				continue // left out again
			}
			if _, there := b[k]; !ok || !there {
				return "." + k
			}
			if path := missing(v, b[k]); path != "" {
				return "." + k + path
			}
		}
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return "[]"
		}
		for i, v := range a {
			if path := missing(v, b[i]); path != "" {
				return fmt.Sprintf("[%d]%s", i, path)
			}
		}
	default:
		if a == nil || a != b {
			return fmt.Sprintf(" %v", a)
		}
	}
	return ""
}

// What the schema does not say: references are to what is there, and viewers
// get all that they show.
func TestSARIFIsCoherent(t *testing.T) {
	for name, doc := range map[string]*report.Document{"rich": rich(t), "all": all(t)} {
		run := parseSARIF(t, write(t, "sarif", doc)).Runs[0]
		driver := run.Tool.Driver
		for _, r := range driver.Rules {
			// https://docs.github.com/en/code-security/reference/code-scanning/sarif-files/sarif-support-for-code-scanning
			if n := len(*r.ShortDescription.Text); n == 0 || n > 1024 {
				t.Errorf("%s: short description of %d characters", *r.ID, n)
			}
			if n := len(*r.FullDescription.Text); n == 0 || n > 1024 {
				t.Errorf("%s: full description of %d characters", *r.ID, n)
			}
			if u, err := url.Parse(*r.HelpURI); err != nil || u.Scheme != "https" {
				t.Errorf("%s: help at %q", *r.ID, *r.HelpURI)
			}
			if *r.Help.Text == "" || *r.Help.Markdown == "" {
				t.Errorf("%s: no help", *r.ID)
			}
		}
		suppressed := 0
		for _, r := range run.Results {
			if got := *driver.Rules[r.RuleIndex].ID; got != *r.RuleID {
				t.Errorf("%s: rule %s has the index of %s", name, *r.RuleID, got)
			}
			if len(r.Locations) != 1 || len(r.Locations[0].LogicalLocations) != 1 {
				t.Errorf("%s: %s is nowhere", name, *r.RuleID)
			}
			if r.Suppressions == nil {
				t.Errorf("%s: %s has null for suppressions, others not (§3.27.23)", name, *r.RuleID)
			}
			suppressed += len(r.Suppressions)
		}
		if suppressed != len(doc.Report.Suppressed) {
			t.Errorf("%s: %d suppressed, want %d", name, suppressed, len(doc.Report.Suppressed))
		}
		invocation := run.Invocations[0]
		for _, n := range append(invocation.ToolExecutionNotifications, invocation.ToolConfigurationNotifications...) {
			if got := *driver.Notifications[n.Descriptor.Index].ID; got != *n.Descriptor.ID {
				t.Errorf("%s: notification %s has the index of %s", name, *n.Descriptor.ID, got)
			}
		}
	}
}

// A run is successful unless not everything could be read.
func TestSARIFExecution(t *testing.T) {
	for _, tt := range []struct {
		problems []report.Problem
		want     bool
		level    string
	}{
		{nil, true, ""},
		{[]report.Problem{{Message: "defined twice"}}, true, "warning"},
		{[]report.Problem{{Message: "does not parse", Fatal: true}}, false, "error"},
	} {
		doc := &report.Document{Report: &rules.Report{}, Problems: tt.problems}
		i := parseSARIF(t, write(t, "sarif", doc)).Runs[0].Invocations[0]
		if *i.ExecutionSuccessful != tt.want {
			t.Errorf("%v: successful: %v", tt.problems, *i.ExecutionSuccessful)
		}
		if len(i.ToolExecutionNotifications) > 0 && i.ToolExecutionNotifications[0].Level != tt.level {
			t.Errorf("%v: level %s", tt.problems, i.ToolExecutionNotifications[0].Level)
		}
	}
}

// Paths are URI references that lead back to the file.
func TestSARIFPaths(t *testing.T) {
	for file, want := range map[string]string{
		"main.tf":           "main.tf",
		"a b/100%/é#1?.tf":  "a%20b/100%25/%C3%A9%231%3F.tf",
		"../x/main.tf":      "../x/main.tf",
		"/srv/infra/a b.tf": "file:///srv/infra/a%20b.tf",
		"c:main.tf":         "./c:main.tf",
		"a\x1b\u202e.tf":    "a%1B%E2%80%AE.tf",
		"standard input":    "standard%20input",
	} {
		doc := &report.Document{Report: &rules.Report{}, Problems: []report.Problem{{Message: "x", Pos: facts.Pos{File: file, Line: 1}}}}
		n := parseSARIF(t, write(t, "sarif", doc)).Runs[0].Invocations[0].ToolExecutionNotifications[0]
		if got := *n.Locations[0].PhysicalLocation.ArtifactLocation.URI; got != want {
			t.Errorf("%q is at %q, want %q", file, got, want)
		}
	}
}
