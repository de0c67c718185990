package tfread

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"vtsize/facts"
	"vtsize/tfread/eval"
)

// stringsIn lists every string that can be reached from v, private ones too.
func stringsIn(v reflect.Value, seen map[uintptr]bool, f func(string)) {
	switch v.Kind() {
	case reflect.String:
		f(v.String())
	case reflect.Pointer:
		if v.IsNil() || seen[v.Pointer()] {
			return
		}
		seen[v.Pointer()] = true
		stringsIn(v.Elem(), seen, f)
	case reflect.Interface:
		if !v.IsNil() {
			stringsIn(v.Elem(), seen, f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			stringsIn(v.Field(i), seen, f)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			stringsIn(v.Index(i), seen, f)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			stringsIn(it.Key(), seen, f)
			stringsIn(it.Value(), seen, f)
		}
	}
}

// wellFormed checks what holds of every result: ids are unique, no stand-in
// shows, what is unknown has a reason, and positions are within their files.
func wellFormed(t testing.TB, res *Result) {
	t.Helper()
	shown := *res
	shown.Sources = nil
	stringsIn(reflect.ValueOf(&shown), map[uintptr]bool{}, func(s string) {
		if eval.TokenPattern.MatchString(s) {
			t.Errorf("a stand-in shows in %q", s)
		}
	})
	ids := map[string]bool{}
	for _, q := range res.Deployment.Queues {
		if q.ID == "" || ids[q.ID] {
			t.Errorf("queue id %q is empty or twice there", q.ID)
		}
		ids[q.ID] = true
		reasoned(t, q.ID+".visibility", q.VisibilityTimeout)
		reasoned(t, q.ID+".redrive", q.Redrive)
		inFile(t, res, q.Pos)
		inFile(t, res, q.VisibilityTimeout.Origin().Pos)
		cs, ok := q.Consumers.Get()
		if !ok {
			t.Errorf("the consumers of %s are not known", q.ID)
		}
		for _, c := range cs {
			if c.ID == "" || ids[c.ID] {
				t.Errorf("consumer id %q is empty or twice there", c.ID)
			}
			ids[c.ID] = true
			if c.Kind == facts.Lambda {
				reasoned(t, c.ID+".timeout", c.FunctionTimeout)
				reasoned(t, c.ID+".batch", c.BatchSize)
				reasoned(t, c.ID+".mappings", c.Mappings)
			}
			inFile(t, res, c.Pos)
		}
	}
	for _, p := range res.Problems {
		if p.Message == "" {
			t.Errorf("a problem without a message: %+v", p)
		}
		inFile(t, res, p.Pos)
	}
}

func reasoned[T any](t testing.TB, name string, v facts.Value[T]) {
	t.Helper()
	if !v.IsKnown() && v.Origin().Detail == "" {
		t.Errorf("%s is unknown (%s) without a reason", name, v.Cause())
	}
}

func inFile(t testing.TB, res *Result, p facts.Pos) {
	t.Helper()
	if p.Line <= 1 || strings.HasPrefix(p.File, "builtin/") {
		return
	}
	if _, ok := res.Sources.Line(p.File, p.Line); !ok {
		t.Errorf("%v is not in the file", p)
	}
}

func TestResultsAreWellFormed(t *testing.T) {
	dirs, err := filepath.Glob("testdata/*/*/")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		res, err := Read(t.Context(), dir, Options{})
		if err != nil {
			continue // a folder of plans
		}
		wellFormed(t, res)
	}
	for _, tt := range hostile {
		if tt.main == "" || len(tt.main) > 1<<20 {
			continue
		}
		dir := t.TempDir()
		writeFile(t, dir, "main.tf", tt.main)
		res, err := Read(t.Context(), dir, Options{})
		if err != nil {
			t.Error(tt.name, err)
			continue
		}
		wellFormed(t, res)
	}
}

func seeds(f *testing.F, pattern string) {
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		f.Fatal("no seeds", pattern, err)
	}
	for _, p := range paths {
		b, err := os.ReadFile(p)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
}

func FuzzDirectory(f *testing.F) {
	seeds(f, "testdata/conformance/*/main.tf")
	f.Fuzz(func(t *testing.T, src []byte) {
		dir := t.TempDir()
		writeFile(t, dir, "main.tf", string(src))
		res, err := Read(t.Context(), dir, Options{})
		if err != nil {
			return
		}
		wellFormed(t, res)
	})
}

func FuzzJSONSyntax(f *testing.F) {
	seeds(f, "testdata/conformance/*/*.tf.json")
	f.Fuzz(func(t *testing.T, src []byte) {
		dir := t.TempDir()
		writeFile(t, dir, "main.tf.json", string(src))
		res, err := Read(t.Context(), dir, Options{})
		if err != nil {
			return
		}
		wellFormed(t, res)
	})
}

func FuzzPlan(f *testing.F) {
	seeds(f, "testdata/conformance/*/plan.json")
	f.Fuzz(func(t *testing.T, src []byte) {
		res, err := Bytes(t.Context(), "plan.json", src, Options{})
		if err != nil {
			return
		}
		wellFormed(t, res)
	})
}

func FuzzIgnore(f *testing.F) {
	f.Add("VT302 until=2027-03-01 reason")
	f.Add("VT302,VT101 because")
	f.Fuzz(func(t *testing.T, s string) {
		got, err := parseIgnore(s)
		if err != nil {
			return
		}
		for _, ig := range got {
			if ig.Reason == "" || !ruleID.MatchString(ig.Rule) {
				t.Errorf("%q gives %+v", s, ig)
			}
		}
	})
}
