package eval

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// iterable prepares a value for a loop.
func (r *Root) iterable(v cty.Value, rng hcl.Range) (cty.Value, cty.ValueMarks, hcl.Diagnostics) {
	v, marks := v.Unmark()
	if l, ok := asLazy(v); ok {
		w, diags := l.whole()
		return w, marks, diags
	}
	if v.Type() == cty.String && v.IsKnown() && !v.IsNull() {
		if ts := r.tokens.find(v.AsString()); len(ts) > 0 {
			// A stand-in of no known type: one element stands for all of it.
			t := r.tokens.list[ts[0]]
			w := r.symbolic(cty.Map(cty.DynamicPseudoType), v.AsString(), t.Expr, t.Pos, true)
			return w, marks, nil
		}
	}
	switch {
	case v.Type() == cty.DynamicPseudoType && !v.IsKnown():
		return cty.DynamicVal, marks, nil
	case v.IsNull():
		return v, marks, errorAt(ValueProblem, rng, "a null value cannot be iterated", "")
	case !v.IsKnown() && (v.Type().IsCollectionType() || v.Type().IsObjectType() || v.Type().IsTupleType()):
		return cty.DynamicVal, marks, nil
	case !v.CanIterateElements():
		return v, marks, errorAt(ValueProblem, rng, fmt.Sprintf("a %s cannot be iterated", v.Type().FriendlyName()), "")
	}
	return v, marks, nil
}

// forLoop gathers what a for expression produces.
type forLoop struct {
	x      *hclsyntax.ForExpr
	vals   map[string][]cty.Value
	tuple  []cty.Value
	known  bool
	secret bool
}

func (r *Root) forExpr(x *hclsyntax.ForExpr, s *scope) (cty.Value, hcl.Diagnostics) {
	coll, diags := r.eval(x.CollExpr, s)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	coll, marks, diags := r.iterable(coll, x.CollExpr.Range())
	if diags.HasErrors() || !coll.IsKnown() {
		return cty.DynamicVal.WithMarks(marks), diags
	}
	f := forLoop{x: x, vals: map[string][]cty.Value{}, known: true, secret: len(marks) > 0}
	for it := coll.ElementIterator(); it.Next(); {
		if diags := r.step(1, x.SrcRange); diags.HasErrors() {
			return cty.DynamicVal, diags
		}
		k, v := it.Element()
		c := s.child()
		c.vars = map[string]cty.Value{x.ValVar: v}
		if x.KeyVar != "" {
			c.vars[x.KeyVar] = k
		}
		if diags := r.forElement(&f, c, r.isSymbolic(k)); diags.HasErrors() {
			return cty.DynamicVal, diags
		}
	}
	return f.result(), nil
}

func (r *Root) forElement(f *forLoop, c *scope, symbolic bool) hcl.Diagnostics {
	x := f.x
	if x.CondExpr != nil {
		include, known, diags := r.forCondition(f, c)
		if diags.HasErrors() {
			return diags
		}
		// Of an element that stands for many, some may well be taken.
		if !known && !symbolic {
			f.known = false
			return nil
		}
		if known && !include {
			return nil
		}
	}
	if x.KeyExpr == nil {
		v, diags := r.eval(x.ValExpr, c)
		f.tuple = append(f.tuple, v)
		return diags
	}
	k, diags := r.eval(x.KeyExpr, c)
	if diags.HasErrors() {
		return diags
	}
	k, marks := k.Unmark()
	f.secret = f.secret || len(marks) > 0
	if !k.IsKnown() {
		f.known = false
		return nil
	}
	ks, err := convert.Convert(k, cty.String)
	if err != nil || ks.IsNull() {
		return errorAt(ValueProblem, x.KeyExpr.Range(), "the key of a for expression must be a string that is not null", "")
	}
	v, diags := r.eval(x.ValExpr, c)
	if diags.HasErrors() {
		return diags
	}
	name := ks.AsString()
	if len(f.vals[name]) > 0 && !x.Group {
		return errorAt(ValueProblem, x.KeyExpr.Range(), fmt.Sprintf("two elements produce the key %q", name), "")
	}
	f.vals[name] = append(f.vals[name], v)
	return nil
}

func (r *Root) forCondition(f *forLoop, c *scope) (include, known bool, diags hcl.Diagnostics) {
	v, diags := r.eval(f.x.CondExpr, c)
	if diags.HasErrors() {
		return false, false, diags
	}
	if v, diags = r.operand(v, cty.Bool); diags.HasErrors() {
		return false, false, diags
	}
	v, marks := v.Unmark()
	f.secret = f.secret || len(marks) > 0
	if !v.IsKnown() {
		return false, false, nil
	}
	b, err := convert.Convert(v, cty.Bool)
	if err != nil || b.IsNull() {
		return false, false, errorAt(ValueProblem, f.x.CondExpr.Range(), "the condition of a for expression must be true or false", "")
	}
	return b.True(), true, nil
}

func (f *forLoop) result() cty.Value {
	var v cty.Value
	switch {
	case !f.known:
		v = cty.DynamicVal
	case f.x.KeyExpr == nil:
		v = cty.TupleVal(f.tuple)
	default:
		out := make(map[string]cty.Value, len(f.vals))
		for k, vs := range f.vals {
			if f.x.Group {
				out[k] = cty.TupleVal(vs)
			} else {
				out[k] = vs[0]
			}
		}
		v = cty.ObjectVal(out)
	}
	if f.secret {
		v = v.Mark(sensitive)
	}
	return v
}

// splat is x[*] and x.*: over a list, or over one value as a list of one.
func (r *Root) splat(x *hclsyntax.SplatExpr, s *scope) (cty.Value, hcl.Diagnostics) {
	src, diags := r.eval(x.Source, s)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	src, marks := src.Unmark()
	ty := src.Type()
	list := ty.IsTupleType() || ty.IsListType() || ty.IsSetType()
	switch {
	case src.IsNull() && list:
		return cty.DynamicVal, errorAt(ValueProblem, x.Source.Range(), "a null list has no elements for [*]", "")
	case src.IsNull():
		return cty.EmptyTupleVal.WithMarks(marks), nil
	case !src.IsKnown(), ty == cty.DynamicPseudoType:
		return cty.DynamicVal.WithMarks(marks), nil
	case !list:
		src = cty.TupleVal([]cty.Value{src})
	}
	vals := make([]cty.Value, 0, src.LengthInt())
	for it := src.ElementIterator(); it.Next(); {
		if diags := r.step(1, x.SrcRange); diags.HasErrors() {
			return cty.DynamicVal, diags
		}
		_, e := it.Element()
		c := s.child()
		c.anon, c.item = x.Item, e
		v, diags := r.eval(x.Each, c)
		if diags.HasErrors() {
			return cty.DynamicVal, diags
		}
		vals = append(vals, v)
	}
	if list && !ty.IsTupleType() && len(vals) > 0 && cty.CanListVal(vals) {
		return cty.ListVal(vals).WithMarks(marks), nil
	}
	if list && !ty.IsTupleType() && len(vals) == 0 {
		return cty.ListValEmpty(cty.DynamicPseudoType).WithMarks(marks), nil
	}
	return cty.TupleVal(vals).WithMarks(marks), nil
}
