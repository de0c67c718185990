package eval

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// variable evaluates an input variable.
func (m *ModuleInst) variable(name string, rng hcl.Range) (cty.Value, hcl.Diagnostics) {
	v := m.cfg.Variables[name]
	if v == nil {
		if v = m.generated(name); v == nil {
			return m.undeclared("var.", name, rng)
		}
	}
	return m.root.force(memo(&m.vars, name), "var."+name, v.DeclRange, func() (cty.Value, hcl.Diagnostics) {
		val, diags := m.variableValue(v)
		if v.Sensitive && !diags.HasErrors() {
			val = val.Mark(sensitive)
		}
		return val, diags
	})
}

// defaultsIn names the root variables in an expression that nobody set, so that
// what was made of their defaults can be labelled.
func (m *ModuleInst) defaultsIn(x hclsyntax.Expression) string {
	if m.Call != nil {
		return ""
	}
	var names []string
	for _, t := range hclsyntax.Variables(x) {
		name, ok := second(t, 1)
		if _, given := m.root.cfg.Values[name]; ok && !given && t.RootName() == "var" && m.cfg.Variables[name] != nil && !slices.Contains(names, "var."+name) {
			names = append(names, "var."+name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "default of " + strings.Join(names, ", ")
}

// generated is a variable that nobody declares, but that has a value from
// outside, or that Terragrunt may well declare when it runs.
func (m *ModuleInst) generated(name string) *Variable {
	if m.Call != nil {
		return nil
	}
	given, ok := m.root.cfg.Values[name]
	if !ok && !m.cfg.Terragrunt {
		return nil
	}
	return &Variable{Name: name, Type: cty.DynamicPseudoType, Nullable: true, DeclRange: given.Pos}
}

func (m *ModuleInst) variableValue(v *Variable) (cty.Value, hcl.Diagnostics) {
	given, pos, diags := m.given(v)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	if given != cty.NilVal {
		if u, _ := given.Unmark(); !u.IsNull() || v.Nullable {
			return m.convertVariable(v, given, pos)
		}
	}
	if v.Default != nil {
		val, diags := m.root.eval(v.Default, &scope{mod: m, sealed: true})
		if diags.HasErrors() {
			return cty.DynamicVal, diags
		}
		return m.convertVariable(v, val, v.Default.Range())
	}
	if given != cty.NilVal {
		return cty.DynamicVal, errorAt(ValueProblem, pos, fmt.Sprintf("var.%s must not be null", v.Name), "")
	}
	if m.Parent != nil && m.Call != nil {
		m.root.note(Problem{Kind: ReferenceProblem, Pos: m.Call.DeclRange,
			Summary: fmt.Sprintf("module %q does not set %s, which has no default", m.Name, v.Name)})
	}
	if v.typeFailed {
		return cty.DynamicVal, nil
	}
	val := m.root.symbolic(v.Type, m.Path+"|var."+v.Name, m.parentOwn("var."+v.Name), v.DeclRange, false)
	if val.Type() == cty.String && val.IsKnown() {
		if i, ok := tokenAt(val.AsString(), 0); ok {
			m.root.tokens.list[i].NotNull = true
		}
	}
	return val, nil
}

func (m *ModuleInst) parentOwn(expr string) string {
	if m.Path == "" {
		return expr
	}
	return m.Path + "." + expr
}

// given is the value that the caller passes: a module call, or the outside.
func (m *ModuleInst) given(v *Variable) (cty.Value, hcl.Range, hcl.Diagnostics) {
	if m.Call != nil {
		a := m.Call.Args[v.Name]
		if a == nil {
			return cty.NilVal, hcl.Range{}, nil
		}
		val, diags := m.root.eval(a.Expr, m.outer)
		return val, a.Expr.Range(), diags
	}
	given, ok := m.root.cfg.Values[v.Name]
	if !ok {
		return cty.NilVal, hcl.Range{}, nil
	}
	if given.Text {
		val, diags := textValue(given, v)
		return val, given.Pos, diags
	}
	return given.Value, given.Pos, nil
}

// convertVariable applies optional() defaults and the type constraint.
func (m *ModuleInst) convertVariable(v *Variable, val cty.Value, pos hcl.Range) (cty.Value, hcl.Diagnostics) {
	if v.typeFailed || v.Type == cty.DynamicPseudoType && v.Defaults == nil {
		return val, nil
	}
	val, diags := m.root.solid(val)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	val, marks := val.UnmarkDeepWithPaths()
	if v.Defaults != nil && !val.IsNull() {
		val = v.Defaults.Apply(val)
	}
	out, err := m.root.convert(val, v.Type)
	if err != nil {
		return cty.DynamicVal, errorAt(ValueProblem, pos, fmt.Sprintf("the value for var.%s does not fit: %s", v.Name, m.root.Show(err.Error())), "")
	}
	if len(marks) > 0 {
		out = out.Mark(sensitive)
	}
	return out, nil
}

// convert is type conversion in which a stand-in becomes whatever is asked for.
func (r *Root) convert(v cty.Value, want cty.Type) (cty.Value, error) {
	out, err := convert.Convert(v, want)
	if err == nil {
		return out, nil
	}
	if !v.IsNull() && v.IsKnown() {
		switch ty := v.Type(); {
		case ty == cty.String:
			if ts := r.tokens.find(v.AsString()); len(ts) > 0 {
				t := r.tokens.list[ts[0]]
				return r.symbolic(want, v.AsString(), t.Expr, t.Pos, t.Symbolic), nil
			}
		case v.CanIterateElements() && len(r.tokenIn(v)) > 0:
			if w, ok := r.convertParts(v, want); ok {
				if out, err2 := convert.Convert(w, want); err2 == nil {
					return out, nil
				}
			}
			return cty.UnknownVal(want), nil
		}
	}
	return cty.DynamicVal, err
}

// convertParts replaces the stand-ins in v that do not fit by unknown values.
func (r *Root) convertParts(v cty.Value, want cty.Type) (cty.Value, bool) {
	part := func(k, e cty.Value) (cty.Type, bool) {
		switch {
		case want.IsCollectionType():
			return want.ElementType(), true
		case want.IsObjectType() && k.Type() == cty.String && want.HasAttribute(k.AsString()):
			return want.AttributeType(k.AsString()), true
		case want.IsTupleType():
			i, _ := k.AsBigFloat().Int64()
			if k.Type() == cty.Number && int(i) < want.Length() {
				return want.TupleElementType(int(i)), true
			}
		}
		return cty.NilType, false
	}
	named := map[string]cty.Value{}
	var list []cty.Value
	for it := v.ElementIterator(); it.Next(); {
		k, e := it.Element()
		if ty, ok := part(k, e); ok {
			w, err := r.convert(e, ty)
			if err != nil {
				return cty.NilVal, false
			}
			e = w
		}
		if k.Type() == cty.String && !v.Type().IsSetType() {
			named[k.AsString()] = e
		} else {
			list = append(list, e)
		}
	}
	if v.Type().IsObjectType() || v.Type().IsMapType() {
		return cty.ObjectVal(named), true
	}
	return cty.TupleVal(list), true
}
