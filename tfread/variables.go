package tfread

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"vtsize/tfread/eval"
)

// variables gathers the values of root variables in Terraform's order of
// precedence, later ones winning: the environment, terraform.tfvars,
// terraform.tfvars.json, *.auto.tfvars and *.auto.tfvars.json by name, and then
// --var and --var-file as they stand on the command line.
// https://developer.hashicorp.com/terraform/language/values/variables#variable-definition-precedence (read 2026-11-30)
func (rd *reader) variables(m *eval.Module) (map[string]eval.VarValue, error) {
	values := map[string]eval.VarValue{}
	for _, kv := range rd.opt.Env {
		name, value, ok := strings.Cut(kv, "=")
		if name, is := strings.CutPrefix(name, "TF_VAR_"); ok && is {
			values[name] = eval.VarValue{Value: cty.StringVal(value), Text: true, From: "TF_VAR_" + name}
		}
	}
	auto, err := autoFiles(m.Dir)
	if err != nil {
		return nil, err
	}
	for _, name := range auto {
		path := filepath.Join(m.Dir, name)
		rd.varFile(path, rd.loader.Display(path), values)
	}
	for _, in := range rd.opt.Inputs {
		if in.value != cty.NilVal {
			values[in.Name] = eval.VarValue{Value: in.value, From: "plan"}
			continue
		}
		if in.File == "" {
			values[in.Name] = eval.VarValue{Value: cty.StringVal(in.Value), Text: true, From: "--var " + in.Name}
			continue
		}
		if _, err := os.Stat(in.File); err != nil {
			return nil, fmt.Errorf("variables file %q: %w", in.File, short(err))
		}
		rd.varFile(in.File, filepath.ToSlash(in.File), values)
	}
	return values, nil
}

// workspace is the one that is asked for, else the environment's.
func (o Options) workspace() string {
	if o.Workspace != "" {
		return o.Workspace
	}
	for _, kv := range o.Env {
		if name, ok := strings.CutPrefix(kv, "TF_WORKSPACE="); ok {
			return name
		}
	}
	return ""
}

// autoFiles are the files that Terraform loads by itself.
func autoFiles(dir string) ([]string, error) {
	if dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, short(err)
	}
	var first, auto []string
	for _, e := range entries {
		switch n := e.Name(); {
		case e.IsDir():
		case n == "terraform.tfvars" || n == "terraform.tfvars.json":
			first = append(first, n)
		case strings.HasSuffix(n, ".auto.tfvars") || strings.HasSuffix(n, ".auto.tfvars.json"):
			auto = append(auto, n)
		}
	}
	slices.Sort(first)
	slices.Sort(auto)
	return append(first, auto...), nil
}

// varFile reads a file of variable values. What is wrong with it is a problem
// with its place; the other files still count.
func (rd *reader) varFile(path, display string, into map[string]eval.VarValue) {
	src, err := eval.ReadFile(path, filepath.Dir(path))
	if err != nil && filepath.IsAbs(path) {
		src, err = eval.ReadFile(path, rd.loader.Fence())
	}
	if err != nil {
		rd.problems = append(rd.problems, Problem{Kind: ParseProblem, Pos: pos(hcl.Range{Filename: display}), Message: err.Error()})
		return
	}
	vars, problems := eval.ParseVars(src, display)
	for _, p := range problems {
		msg := p.Summary
		if p.Detail != "" {
			msg += ": " + p.Detail
		}
		rd.problems = append(rd.problems, Problem{Kind: ProblemKind(p.Kind), Pos: pos(p.Pos), Message: clean(msg)})
	}
	for name, v := range vars {
		v.From = display
		into[name] = v
	}
}
