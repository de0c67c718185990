package eval

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// node is a resource block in one module instance.
type node struct {
	state     uint8
	instances []*Instance
	value     cty.Value
	absent    string
	known     bool
	diags     hcl.Diagnostics
}

// Instance is one instance of a resource.
type Instance struct {
	Resource *Resource
	Module   *ModuleInst
	Address  string
	Symbolic bool // stands for an unknown number of instances
	Key      cty.Value

	scope *scope
	attrs map[string]*thunk
}

// resource is the value of a resource by its key.
func (m *ModuleInst) resource(key string, rng hcl.Range) (cty.Value, hcl.Diagnostics) {
	res := m.cfg.Resources[key]
	if res == nil {
		return m.undeclared("", key, rng)
	}
	n := m.expandResource(res)
	if n.state == 1 {
		return cty.DynamicVal, errorAt(CycleProblem, rng, key+" depends on itself", "")
	}
	return n.value, n.diags
}

func (m *ModuleInst) expandResource(res *Resource) *node {
	if m.nodes == nil {
		m.nodes = map[string]*node{}
	}
	key := res.Key()
	if n := m.nodes[key]; n != nil {
		return n
	}
	n := &node{state: 1}
	m.nodes[key] = n
	defer func() { n.state = 2 }()
	addr := m.Address(key)
	exp := m.root.expand(res.Count, res.ForEach, m.scope())
	n.absent, n.diags, n.known = exp.absent, exp.diags, exp.known
	if m.root.total += len(exp.keys); m.root.total > MaxTotal {
		n.diags = limitDiag(res.DeclRange, "resource instances", MaxTotal, "")
		m.root.report(n.diags)
		n.value = cty.DynamicVal
		return n
	}
	var values []cty.Value
	for _, k := range exp.keys {
		inst := &Instance{Resource: res, Module: m, Address: addr + keyText(k.key), Symbolic: m.Symbolic || k.symbolic, Key: k.key}
		inst.scope = k.scope(m.scope())
		inst.scope.self = inst
		n.instances = append(n.instances, inst)
		values = append(values, inst.lazy())
	}
	n.value = exp.collection(values)
	return n
}

// Instances lists the instances of a resource block, or says why there are none.
func (m *ModuleInst) Instances(res *Resource) (instances []*Instance, absent string) {
	n := m.expandResource(res)
	return n.instances, n.absent
}

// CountKnown reports whether count and for_each of a block are known.
func (m *ModuleInst) CountKnown(res *Resource) bool { return m.expandResource(res).known }

func (i *Instance) lazy() cty.Value { return lazyVal(i) }

func (i *Instance) schema() *Schema {
	if i.Module.root.cfg.Provider == nil {
		return nil
	}
	return i.Module.root.cfg.Provider.Schema(i.Resource.Type, i.Resource.Data)
}

func (i *Instance) member(name string, rng hcl.Range) (cty.Value, hcl.Diagnostics) {
	return i.attribute(name, rng)
}

// metaAttrs are arguments of a resource block that are not its attributes.
var metaAttrs = map[string]bool{"count": true, "for_each": true, "provider": true, "depends_on": true, "lifecycle": true}

func (i *Instance) attribute(name string, rng hcl.Range) (cty.Value, hcl.Diagnostics) {
	r := i.Module.root
	if rng.Filename == "" {
		rng = i.Resource.DeclRange
	}
	return r.force(memo(&i.attrs, name), i.Address+"."+name, rng, func() (cty.Value, hcl.Diagnostics) {
		v, diags, _ := i.configured(name)
		if diags.HasErrors() {
			return cty.DynamicVal, diags
		}
		if v != cty.NilVal {
			if u, _ := v.Unmark(); !u.IsNull() {
				return v, nil
			}
		}
		return i.computed(name), nil
	})
}

// configured is what the block sets the attribute to: NilVal where it does not.
func (i *Instance) configured(name string) (cty.Value, hcl.Diagnostics, hcl.Range) {
	r := i.Module.root
	var want cty.Type
	if s := i.schema(); s != nil {
		if a, ok := s.Attrs[name]; ok {
			want = a.Type
		}
	}
	if a := i.Resource.Body.Attributes[name]; a != nil && !metaAttrs[name] {
		v, diags := r.eval(a.Expr, i.scope)
		if diags.HasErrors() {
			return cty.DynamicVal, diags, a.Expr.Range()
		}
		if want != cty.NilType && !hasLazy(v) {
			u, marks := v.Unmark()
			w, err := r.convert(u, want)
			if err != nil {
				return cty.DynamicVal, errorAt(ValueProblem, a.Expr.Range(),
					fmt.Sprintf("%s of %s does not fit: %s", name, r.ShowAddress(i.Address), r.Show(err.Error())), ""), a.Expr.Range()
			}
			v = w.WithMarks(marks)
		}
		return v, nil, a.Expr.Range()
	}
	blocks, known := i.Blocks(name)
	if len(blocks) == 0 && known {
		return cty.NilVal, nil, hcl.Range{}
	}
	if !known {
		return cty.DynamicVal, nil, i.Resource.DeclRange
	}
	var vals []cty.Value
	for _, b := range blocks {
		vals = append(vals, b.object())
	}
	return cty.TupleVal(vals), nil, blocks[0].Pos
}

// computed is what the provider makes of an attribute that is not set.
func (i *Instance) computed(name string) cty.Value {
	r := i.Module.root
	if s := i.schema(); s != nil {
		if a, ok := s.Attrs[name]; ok {
			switch {
			case a.Compute != nil:
				return a.Compute(i)
			case a.Default != cty.NilVal:
				return a.Default
			case i.Resource.Data:
				return r.symbolicAttr(i, name, a.Type)
			}
			return cty.NullVal(a.Type)
		}
		if s.Blocks[name] {
			return cty.EmptyTupleVal
		}
	}
	if i.Resource.Type == "terraform_data" && !i.Resource.Data {
		switch name {
		case "output":
			v, diags := i.attribute("input", hcl.Range{})
			if diags.HasErrors() {
				return cty.DynamicVal
			}
			return v
		case "input", "triggers_replace":
			return cty.NullVal(cty.DynamicPseudoType)
		}
	}
	return i.StandIn(name, Opaque)
}

func (r *Root) symbolicAttr(i *Instance, name string, ty cty.Type) cty.Value {
	if ty == cty.String || ty == cty.DynamicPseudoType {
		return i.StandIn(name, Opaque)
	}
	return cty.UnknownVal(ty)
}

// StandIn is the stand-in for an attribute that is decided at apply.
func (i *Instance) StandIn(name string, kind TokenKind) cty.Value { return i.Part(name, name, kind) }

// Part is the stand-in for a part of an attribute, as the region in an ARN.
func (i *Instance) Part(name, of string, kind TokenKind) cty.Value {
	return i.Module.root.standIn("r:"+i.Address+"."+name, Token{Kind: kind, Address: i.Address, Attr: name,
		Expr: i.Address + "." + of, Cause: AfterApply, Pos: i.Resource.DeclRange,
		NotEmpty: kind == Segment || name == "arn" || name == "id", Symbolic: i.Symbolic})
}

// whole is the instance with every attribute that is known of.
func (i *Instance) whole() (cty.Value, hcl.Diagnostics) {
	out := map[string]cty.Value{}
	add := func(name string) {
		if _, done := out[name]; done || metaAttrs[name] {
			return
		}
		v, diags := i.attribute(name, hcl.Range{})
		if !diags.HasErrors() {
			v, diags = i.Module.root.solid(v)
		}
		if diags.HasErrors() {
			v = cty.DynamicVal
		}
		out[name] = v
	}
	for _, name := range slices.Sorted(maps.Keys(i.Resource.Body.Attributes)) {
		add(name)
	}
	for _, b := range i.Resource.Body.Blocks {
		if name := blockName(b); name != "lifecycle" && name != "provisioner" && name != "connection" {
			add(name)
		}
	}
	if s := i.schema(); s != nil {
		for _, name := range slices.Sorted(maps.Keys(s.Attrs)) {
			add(name)
		}
		for _, name := range slices.Sorted(maps.Keys(s.Blocks)) {
			add(name)
		}
	}
	add("id")
	return cty.ObjectVal(out), nil
}

// Value is an attribute as the facts need it.
type Value struct {
	V      cty.Value // unmarked; NilVal where neither set nor computed
	Set    bool      // set in the configuration, to something that is not null
	Pos    hcl.Range // the expression, or the block where it is not set
	Secret bool
	Diags  hcl.Diagnostics
	Detail string               // where there is no position: what it is called
	Expr   hclsyntax.Expression // nil where not set
	scope  *scope
}

// Get evaluates an attribute of the instance.
func (i *Instance) Get(name string) Value {
	r := i.Module.root
	out := Value{Pos: i.Resource.DeclRange, scope: i.scope}
	if a := i.Resource.Body.Attributes[name]; a != nil {
		out.Pos, out.Expr = a.Expr.Range(), a.Expr
	}
	passed := i.relocate(&out)
	v, diags := i.attribute(name, hcl.Range{})
	if diags.HasErrors() {
		r.report(diags)
		out.V, out.Diags, out.Set = cty.DynamicVal, diags, out.Expr != nil
		return out
	}
	if v, diags = r.solid(v); diags.HasErrors() {
		v = cty.DynamicVal
	}
	out.Secret = v.HasMark(sensitive) || v.ContainsMarked()
	if out.Expr != nil {
		out.Detail = i.Module.defaultsIn(out.Expr)
	}
	out.V, _ = v.UnmarkDeep()
	if out.Expr != nil {
		c, diags, _ := i.configured(name)
		if !diags.HasErrors() && c != cty.NilVal {
			u, _ := c.Unmark()
			out.Set = !u.IsNull() && passed
		}
	}
	return out
}

// relocate moves a place within a module that is only stood in for to its call:
// to the argument, where the value is one. It reports false where the value is
// an argument that the call does not set, and so the module's default.
func (i *Instance) relocate(v *Value) bool {
	m := i.Module
	if m.cfg == nil || m.cfg.Dir != "" || m.Call == nil {
		return true
	}
	v.Pos = m.Call.DeclRange
	if v.Expr == nil {
		return true
	}
	inputs := 0
	for _, t := range hclsyntax.Variables(v.Expr) {
		name, ok := second(t, 1)
		if !ok || t.RootName() != "var" {
			continue
		}
		inputs++
		if a := m.Call.Args[name]; a != nil {
			v.Pos = a.Expr.Range()
			return true
		}
	}
	return inputs == 0
}

// Place is where the instance is defined: its block, or the call of a module
// that is only stood in for.
func (i *Instance) Place() hcl.Range {
	if m := i.Module; m.cfg != nil && m.cfg.Dir == "" && m.Call != nil {
		return m.Call.DeclRange
	}
	return i.Resource.DeclRange
}

// BuiltIn reports whether the instance is in a module that is only stood in for.
func (i *Instance) BuiltIn() bool { return i.Module.cfg != nil && i.Module.cfg.Dir == "" }
