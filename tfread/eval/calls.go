package eval

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// callNode is a module call with its instances.
type callNode struct {
	state     uint8
	instances []*ModuleInst
	value     cty.Value
	absent    string
	diags     hcl.Diagnostics
}

// module is the value of module.name.
func (m *ModuleInst) module(name string, rng hcl.Range) (cty.Value, hcl.Diagnostics) {
	c := m.cfg.Calls[name]
	if c == nil {
		return m.undeclared("module.", name, rng)
	}
	n := m.expandCall(c)
	if n.state == 1 {
		return cty.DynamicVal, errorAt(CycleProblem, rng, fmt.Sprintf("module.%s depends on itself", name), "")
	}
	return n.value, n.diags
}

// expandCall makes the instances of a module call.
func (m *ModuleInst) expandCall(c *ModuleCall) *callNode {
	if m.calls == nil {
		m.calls = map[string]*callNode{}
	}
	if n := m.calls[c.Name]; n != nil {
		return n
	}
	n := &callNode{state: 1}
	m.calls[c.Name] = n
	defer func() { n.state = 2 }()
	if m.root.modules > MaxModules {
		n.value, n.diags = cty.DynamicVal, limitDiag(c.DeclRange, "module instances", MaxModules, "")
		m.root.report(n.diags)
		return n
	}
	cfg, missing, source, diags := m.find(c)
	if diags.HasErrors() {
		m.root.report(diags)
	}
	if cfg != nil {
		m.root.note(cfg.Problems...)
	}
	exp := m.root.expand(c.Count, c.ForEach, m.scope())
	n.absent, n.diags = exp.absent, exp.diags
	for _, k := range exp.keys {
		mi := newModuleInst(m.root, cfg, m, m.Address("module."+c.Name)+keyText(k.key))
		mi.Name, mi.Call, mi.Missing, mi.Source = c.Name, c, missing, source
		mi.Symbolic = m.Symbolic || k.symbolic
		mi.outer = k.scope(m.scope())
		if m.root.modules > MaxModules {
			n.diags = limitDiag(c.DeclRange, "module instances", MaxModules, "")
			m.root.report(n.diags)
			break
		}
		n.instances = append(n.instances, mi)
	}
	values := make([]cty.Value, len(n.instances))
	for i, mi := range n.instances {
		values[i] = lazyVal(mi)
	}
	n.value = exp.collection(values)
	return n
}

// find locates the configuration of a called module, or says why it is not there.
func (m *ModuleInst) find(c *ModuleCall) (cfg *Module, missing, source string, diags hcl.Diagnostics) {
	if m.depth+1 > MaxDepth {
		return nil, "it calls itself", c.Source, limitDiag(c.DeclRange, "modules inside each other", MaxDepth, "")
	}
	if c.Source == "" {
		return nil, "its source is not a plain string", "", nil
	}
	if isLocal(c.Source) {
		if m.cfg.Dir == "" {
			return nil, "a built-in module has no others", c.Source, nil
		}
		dir := filepath.Join(m.cfg.Dir, filepath.FromSlash(c.Source))
		for p := m; p != nil; p = p.Parent {
			if p.cfg.Dir == dir {
				return nil, "it calls itself", c.Source, errorAt(CycleProblem, c.DeclRange, fmt.Sprintf("module %q calls itself: its source is %s", c.Name, c.Source), "")
			}
		}
		cfg, err := m.load(dir)
		if err != nil {
			return nil, err.Error(), c.Source, errorAt(ModuleProblem, c.DeclRange,
				fmt.Sprintf("module %q: %s: %v", c.Name, c.Source, err), "")
		}
		return cfg, "", "", nil
	}
	if dir, ok := m.root.installed(m, c); ok {
		if cfg, err := m.load(dir); err == nil {
			return cfg, "", c.Source, nil
		}
	}
	if m.root.cfg.Shims != nil {
		if cfg := m.root.cfg.Shims(c.Source, c.Version); cfg != nil {
			return cfg, "", c.Source, nil
		}
	}
	return nil, "the module is not on disk", c.Source, nil
}

// load reads a called module's directory. A link may lead there only if it
// stays below the fence.
func (m *ModuleInst) load(dir string) (*Module, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, reason(err)
	}
	if real != dir && !Below(real, m.root.cfg.Loader.fence) {
		return nil, errors.New("is a link that leads out of the directory given")
	}
	cfg, err := m.root.cfg.Loader.Called(dir)
	if err == nil {
		m.root.dirs[dir], m.root.dirs[real] = true, true
	}
	return cfg, err
}

func isLocal(source string) bool {
	return strings.HasPrefix(source, "./") || strings.HasPrefix(source, "../") || source == "." || source == ".."
}

// Calls lists the instances of every module call, in the order of the files.
func (m *ModuleInst) Calls() []*ModuleInst {
	if m.cfg == nil {
		return nil
	}
	var out []*ModuleInst
	for _, name := range m.cfg.CallOrder {
		out = append(out, m.expandCall(m.cfg.Calls[name]).instances...)
	}
	return out
}

// AbsentCalls yields the module calls that make no instance, with the reason.
func (m *ModuleInst) AbsentCalls(yield func(c *ModuleCall, reason string) bool) {
	if m.cfg == nil {
		return
	}
	for _, name := range m.cfg.CallOrder {
		c := m.cfg.Calls[name]
		if n := m.expandCall(c); n.absent != "" && !yield(c, n.absent) {
			return
		}
	}
}

// Argument evaluates an argument of the call that made the instance.
func (m *ModuleInst) Argument(name string) (cty.Value, hcl.Range, bool) {
	if m.Call == nil || m.Call.Args[name] == nil {
		return cty.NilVal, hcl.Range{}, false
	}
	a := m.Call.Args[name]
	v, diags := m.root.eval(a.Expr, m.outer)
	if diags.HasErrors() {
		return cty.DynamicVal, a.Expr.Range(), true
	}
	return v, a.Expr.Range(), true
}
