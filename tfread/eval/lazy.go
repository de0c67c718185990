package eval

import (
	"fmt"
	"reflect"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// lazyType is the type of resources and module instances in expressions: they
// are evaluated attribute by attribute, when something looks into them.
var lazyType = cty.Capsule("resource", reflect.TypeFor[lazyObject]())

// lazyObject is an *Instance or a *ModuleInst.
type lazyObject struct{ of lazy }

type lazy interface {
	member(name string, rng hcl.Range) (cty.Value, hcl.Diagnostics)
	whole() (cty.Value, hcl.Diagnostics)
}

func lazyVal(l lazy) cty.Value { return cty.CapsuleVal(lazyType, &lazyObject{l}) }

func asLazy(v cty.Value) (lazy, bool) {
	if v.Type() != lazyType || v.IsNull() || !v.IsKnown() {
		return nil, false
	}
	return v.EncapsulatedValue().(*lazyObject).of, true
}

// hasLazy reports whether v is or contains a lazy value.
func hasLazy(v cty.Value) bool { return typeHasLazy(v.Type()) }

func typeHasLazy(ty cty.Type) bool {
	switch {
	case ty == lazyType:
		return true
	case ty.IsPrimitiveType() || ty == cty.DynamicPseudoType || ty.IsCapsuleType():
		return false
	case ty.IsObjectType():
		for _, t := range ty.AttributeTypes() {
			if typeHasLazy(t) {
				return true
			}
		}
	case ty.IsTupleType():
		for _, t := range ty.TupleElementTypes() {
			if typeHasLazy(t) {
				return true
			}
		}
	case ty.IsCollectionType():
		return typeHasLazy(ty.ElementType())
	}
	return false
}

// solid replaces the lazy values in v by what they hold.
func (r *Root) solid(v cty.Value) (cty.Value, hcl.Diagnostics) {
	if !hasLazy(v) {
		return v, nil
	}
	v, marks := v.Unmark()
	if l, ok := asLazy(v); ok {
		w, diags := l.whole()
		return w.WithMarks(marks), diags
	}
	ty := v.Type()
	if v.IsNull() || !v.IsKnown() || !v.CanIterateElements() {
		return cty.DynamicVal.WithMarks(marks), nil
	}
	if ty.IsObjectType() || ty.IsMapType() {
		out := map[string]cty.Value{}
		for it := v.ElementIterator(); it.Next(); {
			k, e := it.Element()
			e, diags := r.solid(e)
			if diags.HasErrors() {
				return cty.DynamicVal, diags
			}
			out[k.AsString()] = e
		}
		return cty.ObjectVal(out).WithMarks(marks), nil
	}
	var out []cty.Value
	for it := v.ElementIterator(); it.Next(); {
		_, e := it.Element()
		e, diags := r.solid(e)
		if diags.HasErrors() {
			return cty.DynamicVal, diags
		}
		out = append(out, e)
	}
	return cty.TupleVal(out).WithMarks(marks), nil
}

// attr is v.name.
func (r *Root) attr(v cty.Value, name string, rng hcl.Range) (cty.Value, hcl.Diagnostics) {
	u, marks := v.Unmark()
	if l, ok := asLazy(u); ok {
		w, diags := l.member(name, rng)
		return w.WithMarks(marks), diags
	}
	if w, ok := r.memberOfToken(u, "."+name); ok {
		return w.WithMarks(marks), nil
	}
	if u.Type() == lazyType && !u.IsKnown() {
		return cty.DynamicVal, nil
	}
	w, diags := hcl.GetAttr(v, name, &rng)
	if diags.HasErrors() {
		if e, ok := r.symbolicElement(u); ok {
			return e.WithMarks(marks), nil
		}
		return cty.DynamicVal, diags
	}
	return w, nil
}

// index is v[key].
func (r *Root) index(v, key cty.Value, rng hcl.Range) (cty.Value, hcl.Diagnostics) {
	u, marks := v.Unmark()
	k, _ := key.Unmark()
	if l, ok := asLazy(u); ok {
		if k.Type() == cty.String && k.IsKnown() && !k.IsNull() {
			return l.member(k.AsString(), rng)
		}
		// Terraform 0.11 let an only instance be indexed; so do modules that
		// still look like that.
		return cty.DynamicVal, errorAt(ValueProblem, rng, "the resource has no instances to index", "")
	}
	if w, ok := r.memberOfToken(u, keyText(k)); ok {
		return w.WithMarks(marks), nil
	}
	if !k.IsNull() && k.IsKnown() && k.Type() == cty.String && r.tokens.has(k.AsString()) {
		if w, diags := hcl.Index(u, k, &rng); !diags.HasErrors() {
			return w.WithMarks(marks), nil
		}
		if e, ok := r.symbolicElement(u); ok {
			return e.WithMarks(marks), nil
		}
		if e, ok := onlyElement(u); ok {
			return e, nil
		}
		return cty.DynamicVal, nil // which one is not known
	}
	w, diags := hcl.Index(v, key, &rng)
	if diags.HasErrors() {
		if e, ok := r.symbolicElement(u); ok {
			return e.WithMarks(marks), nil
		}
		return cty.DynamicVal, diags
	}
	return w, nil
}

// onlyElement is the value that any key of v gives, where all agree.
func onlyElement(v cty.Value) (cty.Value, bool) {
	if v.IsNull() || !v.IsKnown() || !v.CanIterateElements() || v.LengthInt() == 0 || v.LengthInt() > 100 {
		return cty.NilVal, false
	}
	var first cty.Value
	for it := v.ElementIterator(); it.Next(); {
		_, e := it.Element()
		if first == cty.NilVal {
			first = e
		}
		if hasLazy(e) || !e.IsWhollyKnown() || !e.RawEquals(first) {
			return cty.NilVal, false
		}
	}
	return first, true
}

// memberOfToken is what looking into a stand-in gives: a stand-in again.
func (r *Root) memberOfToken(v cty.Value, suffix string) (cty.Value, bool) {
	if v.Type() != cty.String || v.IsNull() || !v.IsKnown() {
		return cty.NilVal, false
	}
	s := v.AsString()
	ts := r.tokens.find(s)
	if len(ts) == 0 {
		return cty.NilVal, false
	}
	t := r.tokens.list[ts[0]]
	expr := s
	if len(s) == tokenLen {
		expr = t.Expr
	}
	return r.standIn("m:"+s+suffix, Token{Kind: Opaque, Expr: expr + suffix, Cause: t.Cause, Pos: t.Pos, Symbolic: t.Symbolic}), true
}

// symbolicElement is the element that stands for each of an unknown number.
func (r *Root) symbolicElement(v cty.Value) (cty.Value, bool) {
	if v.IsNull() || !v.IsKnown() || !v.CanIterateElements() {
		return cty.NilVal, false
	}
	ty := v.Type()
	keyed := ty.IsObjectType() || ty.IsMapType()
	for it := v.ElementIterator(); it.Next(); {
		k, e := it.Element()
		if keyed && r.isSymbolic(k) || !keyed && r.isSymbolic(e) {
			return e, true
		}
	}
	return cty.NilVal, false
}

// isSymbolic reports whether v stands for an unknown number of values.
func (r *Root) isSymbolic(v cty.Value) bool {
	v, _ = v.Unmark()
	if l, ok := asLazy(v); ok {
		switch l := l.(type) {
		case *Instance:
			return l.Symbolic
		case *ModuleInst:
			return l.Symbolic
		}
	}
	for _, i := range r.tokenIn(v) {
		if r.tokens.list[i].Symbolic {
			return true
		}
	}
	return false
}

// anySymbolic reports whether a collection has a symbolic element or key.
func (r *Root) anySymbolic(v cty.Value) bool {
	v, _ = v.Unmark()
	_, ok := r.symbolicElement(v)
	return ok
}

func (r *Root) symbolic(ty cty.Type, key, expr string, rng hcl.Range, sym bool) cty.Value {
	tok := Token{Kind: Opaque, Expr: expr, Cause: NotSet, Pos: rng, Symbolic: sym}
	switch {
	case ty == cty.String || ty == cty.DynamicPseudoType:
		return r.standIn("v:"+key, tok)
	case ty.IsObjectType():
		attrs := map[string]cty.Value{}
		for name, t := range ty.AttributeTypes() {
			attrs[name] = r.symbolic(t, key+"."+name, expr+"."+name, rng, sym)
		}
		return cty.ObjectVal(attrs)
	case ty.IsTupleType():
		var elems []cty.Value
		for i, t := range ty.TupleElementTypes() {
			at := fmt.Sprintf("[%d]", i)
			elems = append(elems, r.symbolic(t, key+at, expr+at, rng, sym))
		}
		return cty.TupleVal(elems)
	case ty.IsMapType():
		e := r.symbolic(ty.ElementType(), key+"[*]", expr+"[*]", rng, true)
		k := r.tokens.make("k:"+key, Token{Kind: Key, Expr: expr + "[*]", Cause: NotSet, Pos: rng, Symbolic: true, NotEmpty: true})
		return cty.MapVal(map[string]cty.Value{k: e})
	case ty.IsListType() || ty.IsSetType():
		e := r.symbolic(ty.ElementType(), key+"[*]", expr+"[*]", rng, true)
		if !r.isSymbolic(e) {
			return cty.UnknownVal(ty)
		}
		if ty.IsSetType() {
			return cty.SetVal([]cty.Value{e})
		}
		return cty.ListVal([]cty.Value{e})
	}
	return cty.UnknownVal(ty)
}
