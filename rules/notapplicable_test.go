package rules

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"vtsize/internal/factstext"
)

// Subjects that a rule has nothing to say of are neither passed nor not
// checked, whatever else is unknown of them.
func TestNotApplicable(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "VT*", "not-applicable.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		rule := Find(filepath.Base(filepath.Dir(file)))
		for _, f := range archive.Files {
			t.Run(rule.ID+"/"+f.Name, func(t *testing.T) {
				d, err := factstext.Parse(f.Name, string(f.Data))
				if err != nil {
					t.Fatal(err)
				}
				r := Judge(d, Options{Only: []string{rule.ID}, Now: now})
				if r.NotApplicable == 0 || len(r.Findings)+len(r.NotChecked)+r.Passed > 0 {
					t.Errorf("%d not applicable, %d findings, %d not checked, %d passed", r.NotApplicable, len(r.Findings), len(r.NotChecked), r.Passed)
				}
			})
		}
	}
}
