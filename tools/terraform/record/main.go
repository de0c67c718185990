// Record asks OpenTofu what the conformance cases of vtsize come to, and writes
// the answers beside them.
//
//	record -tofu PATH -provider PATH DIR
//
// Every folder of DIR is a configuration, planned with the stand-in provider;
// want.json gets its outputs and the attributes of its resources. Where a folder
// has a plan.json, that is written anew too. DIR/expressions.json is a list of
// expressions.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

const requirement = `terraform {
  required_providers {
    aws = { source = "example.com/hashicorp/aws" }
  }
}
`

func main() {
	log.SetFlags(0)
	tofu := flag.String("tofu", "tofu", "the OpenTofu binary")
	prov := flag.String("provider", "miniaws", "the stand-in provider's binary")
	only := flag.String("only", "", "record one case only")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("usage: record -tofu PATH -provider PATH DIR")
	}
	r, err := newRecorder(*tofu, *prov)
	if err == nil {
		defer os.RemoveAll(r.work)
		err = r.all(flag.Arg(0), *only)
	}
	if err != nil {
		log.Fatal(err)
	}
}

type recorder struct {
	tofu, work string
	env        []string
}

// newRecorder lays out a mirror that has the provider and nothing else.
func newRecorder(tofu, prov string) (*recorder, error) {
	work, err := os.MkdirTemp("", "record")
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(work, "mirror", "example.com", "hashicorp", "aws", "6.0.0", runtime.GOOS+"_"+runtime.GOARCH)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	bin, err := os.ReadFile(prov)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "terraform-provider-aws_v6.0.0"), bin, 0o755); err != nil {
		return nil, err
	}
	rc := filepath.Join(work, "tofurc")
	conf := fmt.Sprintf("provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", filepath.Join(work, "mirror"))
	if err := os.WriteFile(rc, []byte(conf), 0o644); err != nil {
		return nil, err
	}
	env := append(os.Environ(), "TF_CLI_CONFIG_FILE="+rc, "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1")
	return &recorder{tofu: tofu, work: work, env: env}, nil
}

func (r *recorder) all(root, only string) error {
	entries, err := os.ReadDir(root)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() && (only == "" || only == e.Name()) {
			if err := r.one(filepath.Join(root, e.Name())); err != nil {
				return fmt.Errorf("%s: %w", e.Name(), err)
			}
			fmt.Println(e.Name())
		}
	}
	if only == "" || only == "expressions" {
		return r.expressions(filepath.Join(root, "expressions.json"))
	}
	return nil
}

// args are what a case is run with.
type args struct {
	Vars      []string          `json:"vars"`
	VarFiles  []string          `json:"var_files"`
	Env       map[string]string `json:"env"`
	Workspace string            `json:"workspace"`
}

func (r *recorder) run(dir string, env map[string]string, arg ...string) ([]byte, error) {
	cmd := exec.Command(r.tofu, arg...)
	cmd.Dir = dir
	cmd.Env = r.env
	for k, v := range env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, stderr.String())
	}
	return out, err
}

func (r *recorder) one(src string) error {
	dir := filepath.Join(r.work, "cases", filepath.Base(src))
	if err := copyCase(src, dir); err != nil {
		return err
	}
	var a args
	if b, err := os.ReadFile(filepath.Join(src, "args.json")); err == nil {
		if err := json.Unmarshal(b, &a); err != nil {
			return err
		}
	}
	env := map[string]string{}
	maps.Copy(env, a.Env)
	plan := []string{"plan", "-input=false", "-lock=false", "-refresh=false", "-out=p.bin", "-no-color"}
	for _, v := range a.Vars {
		plan = append(plan, "-var", v)
	}
	for _, f := range a.VarFiles {
		plan = append(plan, "-var-file", f)
	}
	if _, err := r.run(dir, env, "init", "-input=false", "-no-color"); err != nil {
		return r.refused(src, err)
	}
	if a.Workspace != "" {
		if _, err := r.run(dir, env, "workspace", "new", a.Workspace); err != nil {
			return err
		}
	}
	if _, err := r.run(dir, env, plan...); err != nil {
		return r.refused(src, err)
	}
	out, err := r.run(dir, env, "show", "-json", "p.bin")
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(src, "plan.json")); err == nil {
		if err := writePlan(filepath.Join(src, "plan.json"), out); err != nil {
			return err
		}
	}
	w, err := wantOf(out)
	if err != nil {
		return err
	}
	return write(filepath.Join(src, "want.json"), w)
}

// refused records that OpenTofu does not accept the configuration.
func (r *recorder) refused(src string, err error) error {
	summary := "refused"
	for line := range strings.Lines(err.Error()) {
		if i := strings.Index(line, "Error: "); i >= 0 {
			summary = strings.TrimSpace(line[i+len("Error: "):])
			break
		}
	}
	return write(filepath.Join(src, "want.json"), map[string]any{"refused": summary})
}

// copyCase copies a configuration, and asks for the stand-in in every module.
func copyCase(src, dst string) error {
	return filepath.WalkDir(src, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(src, p)
		if err != nil {
			return err
		}
		to := filepath.Join(dst, rel)
		if d.IsDir() {
			if err := os.MkdirAll(to, 0o755); err != nil {
				return err
			}
			found, err := filepath.Glob(filepath.Join(p, "*.t[fo]*"))
			if err == nil && len(found) > 0 {
				err = os.WriteFile(filepath.Join(to, "zz_peer.tf"), []byte(requirement), 0o644)
			}
			return err
		}
		if name := d.Name(); name == "want.json" || name == "plan.json" || name == "args.json" || name == "gaps.txt" {
			return nil
		}
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		return os.WriteFile(to, b, 0o644)
	})
}

// writePlan keeps a plan without what changes from run to run.
func writePlan(path string, out []byte) error {
	var plan map[string]any
	dec := json.NewDecoder(bytes.NewReader(out))
	dec.UseNumber()
	if err := dec.Decode(&plan); err != nil {
		return err
	}
	delete(plan, "timestamp")
	return write(path, plan)
}

func write(path string, v any) error {
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(b, '\n'), 0o644)
}

// answer is a value as OpenTofu gives it.
type answer struct {
	Value   any  `json:"value,omitempty"`
	Null    bool `json:"null,omitempty"`
	Unknown bool `json:"unknown,omitempty"`
	Partly  bool `json:"partly,omitempty"` // some of it is not known
	Refused bool `json:"refused,omitempty"`
}

type want struct {
	Outputs   map[string]answer            `json:"outputs"`
	Resources map[string]map[string]answer `json:"resources"`
}

type change struct {
	Actions      []string `json:"actions"`
	After        any      `json:"after"`
	AfterUnknown any      `json:"after_unknown"`
}

func wantOf(out []byte) (want, error) {
	var plan struct {
		ResourceChanges []struct {
			Address string `json:"address"`
			Mode    string `json:"mode"`
			Type    string `json:"type"`
			Change  change `json:"change"`
		} `json:"resource_changes"`
		OutputChanges map[string]change `json:"output_changes"`
	}
	dec := json.NewDecoder(bytes.NewReader(out))
	dec.UseNumber()
	if err := dec.Decode(&plan); err != nil {
		return want{}, err
	}
	w := want{Outputs: map[string]answer{}, Resources: map[string]map[string]answer{}}
	for name, c := range plan.OutputChanges {
		w.Outputs[name] = answerOf(c.After, c.AfterUnknown)
	}
	for _, rc := range plan.ResourceChanges {
		if rc.Mode != "managed" || !strings.HasPrefix(rc.Type, "aws_") {
			continue
		}
		attrs := map[string]answer{}
		after, _ := rc.Change.After.(map[string]any)
		unknown, _ := rc.Change.AfterUnknown.(map[string]any)
		for name, v := range after {
			attrs[name] = answerOf(v, unknown[name])
		}
		for name, u := range unknown {
			if _, ok := attrs[name]; !ok {
				attrs[name] = answerOf(nil, u)
			}
		}
		w.Resources[rc.Address] = attrs
	}
	return w, nil
}

func answerOf(v, unknown any) answer {
	if unknown == true {
		return answer{Unknown: true}
	}
	a := answer{Value: v, Null: v == nil}
	a.Partly = anyTrue(unknown)
	return a
}

func anyTrue(v any) bool {
	switch v := v.(type) {
	case bool:
		return v
	case []any:
		return slices.ContainsFunc(v, anyTrue)
	case map[string]any:
		for _, e := range v {
			if anyTrue(e) {
				return true
			}
		}
	}
	return false
}

type expression struct {
	Expression string `json:"expression"`
	answer
}

// expressions asks for each expression by itself, since one that is refused
// would take the others with it.
func (r *recorder) expressions(path string) error {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var list []expression
	if err := json.Unmarshal(b, &list); err != nil {
		return err
	}
	dir := filepath.Join(r.work, "expressions")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "x.txt"), []byte("X"), 0o644); err != nil {
		return err
	}
	for i := range list {
		a, err := r.expression(dir, list[i].Expression)
		if err != nil {
			return fmt.Errorf("%s: %w", list[i].Expression, err)
		}
		list[i].answer = a
	}
	return write(path, list)
}

func (r *recorder) expression(dir, x string) (answer, error) {
	src := "output \"x\" {\n  value = " + x + "\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "main.tf"), []byte(src), 0o644); err != nil {
		return answer{}, err
	}
	plan := filepath.Join(r.work, "expression.bin")
	if _, err := r.run(dir, nil, "plan", "-input=false", "-lock=false", "-out="+plan, "-no-color"); err != nil {
		return answer{Refused: true}, nil
	}
	out, err := r.run(dir, nil, "show", "-json", plan)
	if err != nil {
		return answer{}, err
	}
	w, err := wantOf(out)
	if err != nil {
		return answer{}, err
	}
	if a, ok := w.Outputs["x"]; ok {
		return a, nil
	}
	return answer{Null: true}, nil // a null output is no change
}
