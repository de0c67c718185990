package tfread

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"vtsize/tfread/eval"
)

// answer is what OpenTofu said of a value; tools/terraform/record.sh writes it.
type answer struct {
	Value   any  `json:"value"`
	Null    bool `json:"null"`
	Unknown bool `json:"unknown"`
	Partly  bool `json:"partly"`
	Refused bool `json:"refused"`
}

type caseArgs struct {
	Vars      []string          `json:"vars"`
	VarFiles  []string          `json:"var_files"`
	Env       map[string]string `json:"env"`
	Workspace string            `json:"workspace"`
}

func readJSON(t *testing.T, path string, into any) bool {
	t.Helper()
	b, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	if err := dec.Decode(into); err != nil {
		t.Fatal(path, err)
	}
	return true
}

// caseReader evaluates a conformance case.
func caseReader(t *testing.T, dir string) *reader {
	t.Helper()
	var a caseArgs
	readJSON(t, filepath.Join(dir, "args.json"), &a)
	opt := Options{Workspace: a.Workspace}
	for _, v := range a.Vars {
		in, err := ParseInput(v)
		if err != nil {
			t.Fatal(err)
		}
		opt.Inputs = append(opt.Inputs, in)
	}
	for _, f := range a.VarFiles {
		opt.Inputs = append(opt.Inputs, Input{File: filepath.Join(dir, f)})
	}
	for k, v := range a.Env {
		opt.Env = append(opt.Env, k+"="+v)
	}
	rd, err := readDirectory(t.Context(), dir, nil, opt)
	if err != nil {
		t.Fatal(err)
	}
	return rd
}

// TestConformance compares every value with what OpenTofu makes of it. What
// OpenTofu knows and vtsize does not must stand in the case's gaps.txt; what
// both know must be the same.
func TestConformance(t *testing.T) {
	entries, err := os.ReadDir("testdata/conformance")
	if err != nil {
		t.Fatal(err)
	}
	cases, values := 0, 0
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		cases++
		t.Run(e.Name(), func(t *testing.T) { values += conform(t, filepath.Join("testdata/conformance", e.Name())) })
	}
	if cases < 60 {
		t.Errorf("%d cases, want at least 60", cases)
	}
	t.Logf("%d cases, %d values", cases, values)
}

func conform(t *testing.T, dir string) int {
	var want struct {
		Outputs   map[string]answer            `json:"outputs"`
		Resources map[string]map[string]answer `json:"resources"`
		Refused   string                       `json:"refused"`
	}
	if !readJSON(t, filepath.Join(dir, "want.json"), &want) {
		t.Fatal("no want.json; run tools/terraform/record.sh")
	}
	rd := caseReader(t, dir)
	problems := rd.result(DirectoryKind).Problems
	if want.Refused != "" {
		if len(problems) == 0 {
			t.Errorf("OpenTofu refuses this (%s), and nothing is said about it", want.Refused)
		}
		return 1
	}
	for _, p := range problems {
		t.Errorf("unexpected problem: %s %s", p.Kind, p)
	}
	c := comparer{t: t, root: rd.root, gaps: gapsOf(t, dir)}
	for name, a := range want.Outputs {
		v, diags := rd.root.Main().Output(name)
		c.compare("output."+name, v, diags, a)
	}
	instances := map[string]*eval.Instance{}
	collectInstances(rd.root.Main(), instances)
	for addr, attrs := range want.Resources {
		i := instances[addr]
		if i == nil {
			t.Errorf("%s is missing", addr)
			continue
		}
		delete(instances, addr)
		for name, a := range attrs {
			if !rd.comparable(i, name) {
				continue
			}
			got := i.Get(name)
			c.compare(addr+"."+name, got.V, got.Diags, a)
		}
	}
	for addr := range instances {
		t.Errorf("%s is not in the plan", addr)
	}
	for _, g := range c.gaps {
		t.Errorf("%s is listed as a gap and is none", g)
	}
	return c.n
}

// comparable leaves out nested blocks, which are compared through the facts,
// and what nobody set of attributes that no fact is made of.
func (rd *reader) comparable(i *eval.Instance, name string) bool {
	s := awsProvider.Schema(i.Resource.Type, i.Resource.Data)
	if s == nil || s.Blocks[name] {
		return false
	}
	_, known := s.Attrs[name]
	return known || i.Resource.Body.Attributes[name] != nil
}

func gapsOf(t *testing.T, dir string) []string {
	b, err := os.ReadFile(filepath.Join(dir, "gaps.txt"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.Fields(string(b))
}

func collectInstances(m *eval.ModuleInst, into map[string]*eval.Instance) {
	cfg := m.Config()
	if cfg == nil {
		return
	}
	for _, key := range cfg.Order {
		res := cfg.Resources[key]
		if res.Data || !strings.HasPrefix(res.Type, "aws_") {
			continue
		}
		insts, _ := m.Instances(res)
		for _, i := range insts {
			into[i.Address] = i
		}
	}
	for _, c := range m.Calls() {
		collectInstances(c, into)
	}
}

type comparer struct {
	t    *testing.T
	root *eval.Root
	gaps []string
	n    int
}

func (c *comparer) compare(what string, v cty.Value, diags hcl.Diagnostics, want answer) {
	c.t.Helper()
	c.n++
	got, known := plain(c.root, v, diags)
	switch {
	case want.Unknown || want.Partly:
		// vtsize may say more, as that a redrive policy has a count: what it says
		// of a value that is only partly known is compared through the facts.
	case !known:
		if i := slices.Index(c.gaps, what); i >= 0 {
			c.gaps = slices.Delete(c.gaps, i, i+1)
			return
		}
		c.t.Errorf("%s is unknown (%v), and OpenTofu says %s", what, diags, show(want.Value))
	case !same(got, want.Value):
		c.t.Errorf("%s is %s, and OpenTofu says %s", what, show(got), show(want.Value))
	}
}

// plain is a value as JSON has it; false where any of it is not known.
func plain(r *eval.Root, v cty.Value, diags hcl.Diagnostics) (any, bool) {
	if diags.HasErrors() {
		return nil, false
	}
	if v == cty.NilVal {
		return nil, true
	}
	v, _ = v.UnmarkDeep()
	if !v.IsWhollyKnown() {
		return nil, false
	}
	b, err := ctyjson.Marshal(v, v.Type())
	if err != nil || eval.TokenPattern.Match(b) {
		return nil, false
	}
	var out any
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	if dec.Decode(&out) != nil {
		return nil, false
	}
	return out, true
}

func show(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// same compares JSON values, numbers by value.
func same(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		b, ok := b.(json.Number)
		if !ok {
			return false
		}
		x, _, err := big.ParseFloat(a.String(), 10, 200, big.ToNearestEven)
		y, _, err2 := big.ParseFloat(b.String(), 10, 200, big.ToNearestEven)
		return err == nil && err2 == nil && x.Cmp(y) == 0
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, same)
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k := range a {
			if w, ok := b[k]; !ok || !same(a[k], w) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a, b)
}

// TestExpressions compares single expressions with OpenTofu's answers.
func TestExpressions(t *testing.T) {
	var list []struct {
		Expression string
		answer
	}
	if !readJSON(t, "testdata/conformance/expressions.json", &list) {
		t.Fatal("no expressions")
	}
	dir := t.TempDir()
	write := func(name, s string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("x.txt", "X")
	for _, e := range list {
		write("main.tf", fmt.Sprintf("output \"x\" {\n  value = %s\n}\n", e.Expression))
		rd, err := readDirectory(t.Context(), dir, nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		v, diags := rd.root.Main().Output("x")
		if e.Refused {
			// An output that is sensitive is refused whatever its value is.
			if !diags.HasErrors() && v.IsWhollyKnown() && !v.IsMarked() {
				t.Errorf("%s is %#v, and OpenTofu refuses it", e.Expression, v)
			}
			continue
		}
		c := comparer{t: t, root: rd.root}
		c.compare(e.Expression, v, diags, e.answer)
	}
	t.Logf("%d expressions", len(list))
}
