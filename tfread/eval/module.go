package eval

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// ModuleInst is one instance of a module.
type ModuleInst struct {
	Path     string // address prefix: module.a["k"]; "" for the root
	Name     string // the call's name
	Parent   *ModuleInst
	Call     *ModuleCall
	Symbolic bool   // stands for an unknown number of instances
	Missing  string // why the module's configuration is not there; "" if it is
	Source   string // of a module that is not local

	root  *Root
	cfg   *Module // nil if Missing
	depth int
	outer *scope // where the arguments are evaluated

	vars, locals, outputs map[string]*thunk
	nodes                 map[string]*node
	calls                 map[string]*callNode
}

func newModuleInst(r *Root, m *Module, parent *ModuleInst, path string) *ModuleInst {
	mi := &ModuleInst{root: r, cfg: m, Parent: parent, Path: path}
	if parent != nil {
		mi.depth = parent.depth + 1
	}
	r.modules++
	return mi
}

// Config is the module's configuration, nil where it is missing.
func (m *ModuleInst) Config() *Module { return m.cfg }

// Address is the address of something in the module.
func (m *ModuleInst) Address(rest string) string {
	if m.Path == "" {
		return rest
	}
	return m.Path + "." + rest
}

func (m *ModuleInst) scope() *scope { return &scope{mod: m} }

// memo finds or makes the thunk of a name.
func memo(of *map[string]*thunk, name string) *thunk {
	if *of == nil {
		*of = map[string]*thunk{}
	}
	t := (*of)[name]
	if t == nil {
		t = &thunk{}
		(*of)[name] = t
	}
	return t
}

// undeclared is the error for a name that is not there. Where a file could not
// be read it may well be in that file, and then the value is only unknown.
func (m *ModuleInst) undeclared(what, name string, rng hcl.Range) (cty.Value, hcl.Diagnostics) {
	if m.cfg.Partial {
		return cty.DynamicVal, nil
	}
	where := "the root module"
	if m.Path != "" {
		where = m.root.ShowAddress(m.Path)
	}
	return cty.DynamicVal, errorAt(ReferenceProblem, rng, fmt.Sprintf("%s%s is not declared in %s", what, name, where), "")
}

func (m *ModuleInst) local(name string, rng hcl.Range) (cty.Value, hcl.Diagnostics) {
	l := m.cfg.Locals[name]
	if l == nil {
		return m.undeclared("local.", name, rng)
	}
	return m.root.force(memo(&m.locals, name), "local."+name, l.Pos, func() (cty.Value, hcl.Diagnostics) {
		return m.root.eval(l.Expr, m.scope())
	})
}

// Output evaluates an output of the module.
func (m *ModuleInst) Output(name string) (cty.Value, hcl.Diagnostics) {
	return m.output(name, hcl.Range{})
}

func (m *ModuleInst) output(name string, rng hcl.Range) (cty.Value, hcl.Diagnostics) {
	if m.cfg == nil {
		expr := fmt.Sprintf("module.%s.%s", m.Name, name)
		return m.root.standIn("o:"+m.Path+"."+name, Token{Kind: Opaque, Address: m.Path, Attr: name, Expr: m.parentPrefix() + expr,
			Cause: Unresolved, Reason: m.missingReason(), Pos: m.Call.DeclRange, Symbolic: m.Symbolic}), nil
	}
	o := m.cfg.Outputs[name]
	if o == nil || o.Expr == nil {
		if m.cfg.Partial || m.Source != "" {
			return cty.DynamicVal, nil
		}
		return m.undeclared("output ", name, rng)
	}
	return m.root.force(memo(&m.outputs, name), "output "+name, o.DeclRange, func() (cty.Value, hcl.Diagnostics) {
		v, diags := m.root.eval(o.Expr, m.scope())
		if o.Sensitive && !diags.HasErrors() {
			v = v.Mark(sensitive)
		}
		return v, diags
	})
}

// missingReason says why nothing is known of what a module gives.
func (m *ModuleInst) missingReason() string {
	why := fmt.Sprintf("module.%s is not known: %s", m.Name, m.Missing)
	if m.Source != "" {
		why += fmt.Sprintf(" (source %q)", m.Source)
	}
	return why
}

func (m *ModuleInst) parentPrefix() string {
	if m.Parent == nil || m.Parent.Path == "" {
		return ""
	}
	return m.Parent.Path + "."
}

func (m *ModuleInst) member(name string, rng hcl.Range) (cty.Value, hcl.Diagnostics) {
	return m.output(name, rng)
}

func (m *ModuleInst) whole() (cty.Value, hcl.Diagnostics) {
	if m.cfg == nil {
		return cty.DynamicVal, nil
	}
	out := map[string]cty.Value{}
	for _, name := range slices.Sorted(maps.Keys(m.cfg.Outputs)) {
		v, diags := m.output(name, hcl.Range{})
		if diags.HasErrors() {
			v = cty.DynamicVal
		}
		if v, diags = m.root.solid(v); diags.HasErrors() {
			v = cty.DynamicVal
		}
		out[name] = v
	}
	return cty.ObjectVal(out), nil
}

// path is path.module, path.root or path.cwd.
func (m *ModuleInst) path(name string) cty.Value {
	switch name {
	case "module":
		return cty.StringVal(m.root.rel(m.cfg.Dir))
	case "root":
		return cty.StringVal(".")
	case "cwd":
		return cty.StringVal(m.root.main.cfg.Dir)
	}
	return cty.NilVal
}
