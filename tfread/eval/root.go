package eval

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// Provider tells the engine what only a provider can know of its resources.
type Provider interface {
	// Schema describes a resource type, or data source; nil where it is not known.
	Schema(typ string, data bool) *Schema
}

// Schema is what is known of a resource type.
type Schema struct {
	Attrs  map[string]Attr
	Blocks map[string]bool // nested blocks
}

// Attr is an attribute of a resource.
type Attr struct {
	Type    cty.Type
	Default cty.Value                 // what the provider takes where none is set; NilVal: nothing
	Compute func(*Instance) cty.Value // what apply decides where none is set; nil: nothing
}

// Shims stand in for registry modules that are not on disk.
type Shims func(source, version string) *Module

// Config is what evaluating a root module takes.
type Config struct {
	Loader    *Loader
	Provider  Provider
	Shims     Shims
	Workspace string
	Values    map[string]VarValue // values of root variables
	// Allowed are directories that file functions may read below, besides the
	// directories of the modules.
	Allowed []string
}

// VarValue is a value given to a root variable from outside.
type VarValue struct {
	Value cty.Value
	From  string    // "terraform.tfvars", "--var"
	Pos   hcl.Range // where in a file, if in one
	// Text is set where the value came as text from the command line or the
	// environment: the variable's type decides how to read it.
	Text bool
}

// Root is one root module under evaluation. It is not safe for concurrent use.
type Root struct {
	ctx      context.Context
	cfg      Config
	tokens   tokens
	main     *ModuleInst
	problems []Problem
	seen     map[string]bool
	dirs     map[string]bool // of the modules called, which may read their own files
	depth    int
	steps    int
	modules  int
	total    int
}

// NewRoot prepares the evaluation of a module; nothing is evaluated yet.
func NewRoot(ctx context.Context, m *Module, cfg Config) *Root {
	if cfg.Workspace == "" {
		cfg.Workspace = "default"
	}
	r := &Root{ctx: ctx, cfg: cfg, seen: map[string]bool{}, dirs: map[string]bool{}}
	r.main = newModuleInst(r, m, nil, "")
	r.note(m.Problems...)
	return r
}

// Main is the root module's only instance.
func (r *Root) Main() *ModuleInst { return r.main }

// Problems lists what was found wrong so far, without repetition.
func (r *Root) Problems() []Problem { return r.problems }

func (r *Root) note(ps ...Problem) {
	for _, p := range ps {
		p.Summary, p.Detail = r.Show(p.Summary), r.Show(p.Detail)
		key := p.Pos.String() + "\x00" + p.Summary
		if p.Kind == ReferenceProblem {
			key = p.Pos.Filename + "\x00" + p.Summary // once a file is enough
		}
		if !r.seen[key] {
			r.seen[key] = true
			r.problems = append(r.problems, p)
		}
	}
}

// Problem kinds travel with diagnostics in their Extra field.
type kindExtra ProblemKind

func errorAt(kind ProblemKind, rng hcl.Range, summary, detail string) hcl.Diagnostics {
	return hcl.Diagnostics{{Severity: hcl.DiagError, Summary: summary, Detail: detail, Subject: &rng, Extra: kindExtra(kind)}}
}

func kindOf(d *hcl.Diagnostic) ProblemKind {
	switch x := d.Extra.(type) {
	case *LimitError:
		return LimitProblem
	case kindExtra:
		return ProblemKind(x)
	}
	return ValueProblem
}

// report turns the errors of an expression that matters into problems.
func (r *Root) report(diags hcl.Diagnostics) {
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			r.note(fromDiag(kindOf(d), d))
		}
	}
}

// step counts one element visited; it ends evaluations that take too long.
func (r *Root) step(n int, rng hcl.Range) hcl.Diagnostics {
	r.steps += n
	if r.steps > MaxSteps {
		return limitDiag(rng, "elements visited by one expression", MaxSteps, "")
	}
	if r.ctx.Err() != nil {
		return errorAt(LimitProblem, rng, "evaluation stopped: "+r.ctx.Err().Error(), "")
	}
	return nil
}

// thunk is a value that is computed once, when it is first asked for.
type thunk struct {
	state uint8 // 0 new, 1 under way, 2 done
	v     cty.Value
	diags hcl.Diagnostics
}

// force computes t with f. Coming back to a value under way is a cycle.
func (r *Root) force(t *thunk, what string, rng hcl.Range, f func() (cty.Value, hcl.Diagnostics)) (cty.Value, hcl.Diagnostics) {
	switch t.state {
	case 2:
		return t.v, t.diags
	case 1:
		return cty.DynamicVal, errorAt(CycleProblem, rng, fmt.Sprintf("%s depends on itself", what), "")
	}
	t.state = 1
	steps := r.steps
	r.steps = 0
	t.v, t.diags = f()
	if t.v == cty.NilVal {
		t.v = cty.DynamicVal
	}
	if !t.diags.HasErrors() {
		if n := nodes(t.v, MaxNodes); n >= MaxNodes {
			t.v, t.diags = cty.DynamicVal, limitDiag(rng, "elements of one value", MaxNodes, "")
		}
	}
	r.steps = steps
	t.state = 2
	return t.v, t.diags
}

// nodes counts the nodes of v, up to limit.
func nodes(v cty.Value, limit int) int {
	v, _ = v.Unmark()
	ty := v.Type()
	if ty.IsPrimitiveType() || ty.IsCapsuleType() || v.IsNull() || !v.IsKnown() || !v.CanIterateElements() {
		return 1
	}
	n := 1
	for it := v.ElementIterator(); it.Next() && n < limit; {
		_, e := it.Element()
		n += nodes(e, limit-n)
	}
	return n
}

// fileBase is the directory that relative paths of file functions start from:
// Terraform resolves them against its working directory, the root module.
func (r *Root) fileBase() string { return r.main.cfg.Dir }

// rel gives a directory as path.module shows it.
func (r *Root) rel(dir string) string {
	p, err := filepath.Rel(r.main.cfg.Dir, dir)
	if err != nil {
		return filepath.ToSlash(dir)
	}
	return filepath.ToSlash(p)
}
