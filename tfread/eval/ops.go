package eval

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// hugeNumber reports a number that would take too long to write out.
func hugeNumber(v cty.Value) bool {
	v, _ = v.Unmark()
	if v.Type() != cty.Number || v.IsNull() || !v.IsKnown() {
		return false
	}
	f := v.AsBigFloat()
	exp := f.MantExp(nil)
	return f.IsInf() || exp > maxExponent || exp < -maxExponent
}

// operand prepares a value for an operation on numbers or booleans: a stand-in
// becomes an unknown value of the type.
func (r *Root) operand(v cty.Value, ty cty.Type) (cty.Value, hcl.Diagnostics) {
	v, diags := r.solid(v)
	if diags.HasErrors() {
		return v, diags
	}
	u, marks := v.Unmark()
	if u.Type() == cty.String && u.IsKnown() && !u.IsNull() && r.tokens.has(u.AsString()) {
		return cty.UnknownVal(ty).WithMarks(marks), nil
	}
	return v, nil
}

func (r *Root) binary(x *hclsyntax.BinaryOpExpr, s *scope) (cty.Value, hcl.Diagnostics) {
	l, diags := r.eval(x.LHS, s)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	// && and || do not look at the right side where the left one decides; what
	// Terraform would refuse there is then no matter for us.
	rv, rdiags := r.eval(x.RHS, s)
	if x.Op == hclsyntax.OpEqual || x.Op == hclsyntax.OpNotEqual {
		if rdiags.HasErrors() {
			return cty.DynamicVal, rdiags
		}
		return r.equal(x, l, rv)
	}
	ty := cty.Number
	if x.Op == hclsyntax.OpLogicalAnd || x.Op == hclsyntax.OpLogicalOr {
		ty = cty.Bool
	}
	if l, diags = r.operand(l, ty); diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	if rdiags.HasErrors() {
		if ty == cty.Bool {
			if b, err := convert.Convert(l, cty.Bool); err == nil && b.IsKnown() && !b.IsNull() && !b.IsMarked() &&
				b.True() == (x.Op == hclsyntax.OpLogicalOr) {
				return b, nil
			}
		}
		return cty.DynamicVal, rdiags
	}
	if rv, diags = r.operand(rv, ty); diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	e := hclsyntax.BinaryOpExpr{LHS: lit(l, x.LHS.Range()), Op: x.Op, RHS: lit(rv, x.RHS.Range()), SrcRange: x.SrcRange}
	v, diags := e.Value(nil)
	if !diags.HasErrors() && hugeNumber(v) {
		return cty.DynamicVal, limitDiag(x.SrcRange, "exponent of a number", maxExponent, "bits")
	}
	return v, diags
}

// equal is == and !=, in which the letters of a stand-in never decide.
func (r *Root) equal(x *hclsyntax.BinaryOpExpr, l, rv cty.Value) (cty.Value, hcl.Diagnostics) {
	if l2, ok := asLazy(l); ok && rv.IsNull() {
		_ = l2 // a resource is never null
		return cty.BoolVal(x.Op == hclsyntax.OpNotEqual), nil
	}
	l, diags := r.solid(l)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	if rv, diags = r.solid(rv); diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	ul, ml := l.UnmarkDeep()
	ur, mr := rv.UnmarkDeep()
	if len(r.tokenIn(ul)) > 0 || len(r.tokenIn(ur)) > 0 {
		v := r.equalTokens(ul, ur)
		if x.Op == hclsyntax.OpNotEqual {
			v = v.Not()
		}
		return v.WithMarks(ml, mr), nil
	}
	e := hclsyntax.BinaryOpExpr{LHS: lit(l, x.LHS.Range()), Op: x.Op, RHS: lit(rv, x.RHS.Range()), SrcRange: x.SrcRange}
	return e.Value(nil)
}

func (r *Root) equalTokens(a, b cty.Value) cty.Value {
	if a.IsWhollyKnown() && b.IsWhollyKnown() && a.Type().Equals(b.Type()) && a.RawEquals(b) && !r.isSymbolic(a) {
		return cty.True
	}
	if b.IsNull() || emptyString(b) {
		a, b = b, a
	}
	switch {
	case a.IsNull() && b.Type() == cty.String:
		if r.certain(b.AsString(), func(t Token) bool { return t.NotEmpty || t.NotNull }) {
			return cty.False
		}
	case a.IsNull():
		return cty.False
	case emptyString(a) && b.Type() == cty.String && b.IsKnown() && !b.IsNull():
		if r.certain(b.AsString(), func(t Token) bool { return t.NotEmpty }) {
			return cty.False
		}
	}
	return cty.UnknownVal(cty.Bool)
}

// certain reports that a string has letters of its own or a token that f is
// sure of.
func (r *Root) certain(s string, f func(Token) bool) bool {
	found := r.tokens.find(s)
	if len(s) > len(found)*tokenLen {
		return true
	}
	for _, i := range found {
		if f(r.tokens.list[i]) {
			return true
		}
	}
	return false
}

func emptyString(v cty.Value) bool {
	return v.Type() == cty.String && v.IsKnown() && !v.IsNull() && v.AsString() == ""
}

func (r *Root) unary(x *hclsyntax.UnaryOpExpr, s *scope) (cty.Value, hcl.Diagnostics) {
	v, diags := r.eval(x.Val, s)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	ty := cty.Number
	if x.Op == hclsyntax.OpLogicalNot {
		ty = cty.Bool
	}
	if v, diags = r.operand(v, ty); diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	e := hclsyntax.UnaryOpExpr{Op: x.Op, Val: lit(v, x.Val.Range()), SrcRange: x.SrcRange, SymbolRange: x.SymbolRange}
	return e.Value(nil)
}

// conditional evaluates both branches, since the type of the result comes from
// both; an error in the branch not taken is no error.
func (r *Root) conditional(x *hclsyntax.ConditionalExpr, s *scope) (cty.Value, hcl.Diagnostics) {
	c, diags := r.eval(x.Condition, s)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	if c, diags = r.operand(c, cty.Bool); diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	c, marks := c.Unmark()
	cb, err := convert.Convert(c, cty.Bool)
	if err != nil || cb.IsNull() {
		return cty.DynamicVal, errorAt(ValueProblem, x.Condition.Range(), "the condition is not true or false", "")
	}
	t, tdiags := r.eval(x.TrueResult, s)
	f, fdiags := r.eval(x.FalseResult, s)
	if !cb.IsKnown() {
		if tdiags.HasErrors() || fdiags.HasErrors() {
			return cty.DynamicVal.WithMarks(marks), nil
		}
		return r.either(t, f).WithMarks(marks), nil
	}
	taken, other, diags, otherDiags := t, f, tdiags, fdiags
	if !cb.True() {
		taken, other, diags, otherDiags = f, t, fdiags, tdiags
	}
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	if otherDiags.HasErrors() || hasLazy(taken) || hasLazy(other) || r.typeless(taken) || r.typeless(other) {
		if d, ok := isLimit(otherDiags); ok {
			return cty.DynamicVal, hcl.Diagnostics{d}
		}
		return taken.WithMarks(marks), nil
	}
	e := hclsyntax.ConditionalExpr{Condition: lit(cty.BoolVal(cb.True()), x.Condition.Range()),
		TrueResult: lit(t, x.TrueResult.Range()), FalseResult: lit(f, x.FalseResult.Range()), SrcRange: x.SrcRange}
	v, diags := e.Value(nil)
	if diags.HasErrors() {
		if len(r.tokenIn(t)) > 0 || len(r.tokenIn(f)) > 0 {
			return taken.WithMarks(marks), nil // a stand-in has hidden the type
		}
		return cty.DynamicVal, diags
	}
	return v.WithMarks(marks), nil
}

// typeless reports a stand-in that need not stand for a string.
func (r *Root) typeless(v cty.Value) bool {
	u, _ := v.Unmark()
	if u.Type() != cty.String || !u.IsKnown() || u.IsNull() || len(u.AsString()) != tokenLen {
		return false
	}
	i, ok := tokenAt(u.AsString(), 0)
	return ok && i < len(r.tokens.list) && r.tokens.list[i].Kind == Opaque
}

// either is the value of which only one of two is known to be it: what both
// agree on.
func (r *Root) either(a, b cty.Value) cty.Value {
	if hasLazy(a) || hasLazy(b) {
		if la, ok := asLazy(a); ok {
			if lb, ok := asLazy(b); ok && la == lb {
				return a
			}
		}
		return cty.DynamicVal
	}
	ua, ma := a.UnmarkDeep()
	ub, mb := b.UnmarkDeep()
	if u, err := convert.Convert(ub, ua.Type()); err == nil && ua.Type() != cty.DynamicPseudoType {
		ub = u
	} else if u, err := convert.Convert(ua, ub.Type()); err == nil {
		ua = u
	}
	switch {
	case ua.IsWhollyKnown() && ua.Type().Equals(ub.Type()) && ua.RawEquals(ub):
		return ua.WithMarks(ma, mb)
	case ua.Type().IsObjectType() && ub.Type().IsObjectType() && ua.IsKnown() && ub.IsKnown() && !ua.IsNull() && !ub.IsNull():
		out := map[string]cty.Value{}
		for name := range ua.Type().AttributeTypes() {
			if !ub.Type().HasAttribute(name) {
				return cty.DynamicVal.WithMarks(ma, mb)
			}
			out[name] = r.either(ua.GetAttr(name), ub.GetAttr(name))
		}
		if len(out) != len(ub.Type().AttributeTypes()) {
			return cty.DynamicVal.WithMarks(ma, mb)
		}
		return cty.ObjectVal(out).WithMarks(ma, mb)
	case ua.Type().Equals(ub.Type()):
		return cty.UnknownVal(ua.Type()).WithMarks(ma, mb)
	}
	return cty.DynamicVal.WithMarks(ma, mb)
}
