package rules

import (
	"embed"
	"fmt"
	"regexp"
	"strings"
	"time"

	"golang.org/x/tools/txtar"

	"vtsize/internal/factstext"
)

//go:embed testdata/VT*
var cases embed.FS

// Example is a case of a rule, as its documentation shows it.
type Example struct {
	Name    string
	Text    string // facts, in the notation of package factstext
	Finding string // "severity: message" of the rule on it, if it fires
}

// expected is the comment with which a case says what is expected of a line.
var expected = regexp.MustCompile(" *# (want|not checked) `[^`]*`")

// Examples are the cases of a rule of one kind: "fires", "passes" or
// "not-checked".
func Examples(r *Rule, kind string) []Example {
	data, err := cases.ReadFile("testdata/" + r.ID + "/" + kind + ".txtar")
	if err != nil {
		return nil // the tests demand that every rule has its cases
	}
	var out []Example
	for _, f := range txtar.Parse(data).Files {
		text := expected.ReplaceAllString(string(f.Data), "")
		out = append(out, Example{Name: f.Name, Text: text, Finding: findingOn(r, text)})
	}
	return out
}

func findingOn(r *Rule, text string) string {
	d, err := factstext.Parse("example", text)
	if err != nil {
		return ""
	}
	var lines []string
	for _, f := range Judge(d, Options{Now: time.Unix(0, 0)}).Findings {
		if f.Rule == r {
			lines = append(lines, fmt.Sprintf("%s: %s", f.Severity, f.Message))
		}
	}
	return strings.Join(lines, "\n")
}
