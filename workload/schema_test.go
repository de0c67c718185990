package workload

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/tools/txtar"
)

// valid says whether a file is valid by the published schema.
func valid(t *testing.T, schema *jsonschema.Schema, text []byte) error {
	t.Helper()
	converted, err := yaml.YAMLToJSON(text)
	if err != nil {
		return err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(converted))
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(doc)
}

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "docs", "schema", "vtsize.workload.v1.json"))
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func TestSchemaTakesWhatLoads(t *testing.T) {
	schema := compiled(t)
	text, err := os.ReadFile(filepath.Join("..", "testdata", "workload", "orders.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	init := example(t)
	everything := strings.NewReplacer("\n    # stages", "\n    # stages", "\n    # ", "\n    ", "\n# outage", "\noutage", "\n# severity", "\nseverity").Replace(init)
	for name, text := range map[string]string{"orders.yaml": string(text), "init": init, "every key": everything} {
		if err := valid(t, schema, []byte(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The schema refuses what Load refuses, but for what needs the tables of
// rules, presets and frameworks, or several values at once.
func TestSchemaRefuses(t *testing.T) {
	beyond := map[string]bool{}
	for _, name := range []string{
		"tag", "anchor", "zero", "above twelve hours", "part of a second", "no such framework", "no such preset", "the same match twice",
		"latency and stages", "basis twice", "percentiles that fall", "mean above the longest", "attempts and retries", "waits and attempts",
		"waits not known", "csv and percentiles", "column without a csv", "serial and concurrent", "two deadlines", "unbounded with a deadline",
		"threshold without looks", "heartbeat of no framework", "framework that does not renew", "handed over and not deleted before",
		"effect twice", "no such rule", "suppression of no rule", "two documents", "merge key",
	} {
		beyond[name] = true
	}
	schema := compiled(t)
	archive, err := txtar.ParseFile(filepath.Join("testdata", "problems.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range archive.Files {
		text, _, _ := strings.Cut(string(c.Data), "----\n")
		if err := valid(t, schema, []byte(text)); (err == nil) != beyond[c.Name] {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
}
