package report

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"vtsize/checklist"
	"vtsize/internal/factstext"
	"vtsize/rules"
)

func checklists(t *testing.T) []checklist.List {
	t.Helper()
	d, err := factstext.Parse("main.tf", `
queue orders|<b>
  visibility_timeout = 30s (aws)
  consumer worker
    checkpoints = true
    delete = after-result
    useful_for = none
queue mail
  consumers = none
`)
	if err != nil {
		t.Fatal(err)
	}
	return checklist.Of(d, rules.Judge(d, rules.Options{Now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}))
}

func TestChecklistJSON(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "docs", "schema", "vtsize.checklist.v1.json"))
	if err != nil {
		t.Fatal(err)
	}
	for name, lists := range map[string][]checklist.List{"two queues": checklists(t), "none": nil} {
		var b bytes.Buffer
		if err := Checklist(&b, "json", lists, []string{"a note"}, 0); err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(&b)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A name from outside breaks no table.
func TestChecklistMarkdown(t *testing.T) {
	var b strings.Builder
	if err := Checklist(&b, "markdown", checklists(t), []string{"a <note>"}, 0); err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(b.String()) {
		if strings.HasPrefix(line, "| ") {
			rows++
			if n := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|"); n != 6 {
				t.Errorf("%d bars: %s", n, line)
			}
		}
	}
	if rows != 2*15 || strings.Contains(b.String(), "<b>") || strings.Contains(b.String(), "<note>") {
		t.Errorf("%d rows of\n%s", rows, b.String())
	}
}
