package eval

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// instanceKey is one instance that count or for_each makes.
type instanceKey struct {
	key      cty.Value // NilVal: the only one, without count or for_each
	value    cty.Value // each.value
	symbolic bool
}

func (k instanceKey) scope(s *scope) *scope {
	c := s.child()
	switch {
	case k.key == cty.NilVal:
	case k.value != cty.NilVal:
		c.eachKey, c.eachValue = k.key, k.value
	case k.symbolic:
		c.count = k.key
	default:
		c.count = k.key
	}
	return c
}

// expansion is what count or for_each comes to.
type expansion struct {
	keys   []instanceKey
	kind   byte   // 0 single, 'c' count, 'e' for_each
	absent string // why there are no instances
	diags  hcl.Diagnostics
	known  bool
}

// expand evaluates count or for_each. Where it is not known, one symbolic
// instance stands for all.
func (r *Root) expand(count, forEach hclsyntax.Expression, s *scope) expansion {
	switch {
	case count != nil:
		return r.expandCount(count, s)
	case forEach != nil:
		return r.expandForEach(forEach, s)
	}
	return expansion{keys: []instanceKey{{}}, known: true}
}

func (r *Root) expandCount(x hclsyntax.Expression, s *scope) expansion {
	e := expansion{kind: 'c'}
	v, diags := r.eval(x, s)
	if diags.HasErrors() {
		r.report(diags)
		e.diags = diags
	}
	v, _ = v.Unmark()
	symbolic := expansion{kind: 'c', diags: nil, keys: []instanceKey{{key: cty.Zero, symbolic: true}}}
	if diags.HasErrors() || len(r.tokenIn(v)) > 0 || !v.IsKnown() {
		return symbolic
	}
	v, err := convert.Convert(v, cty.Number)
	if err != nil || v.IsNull() {
		r.report(errorAt(ValueProblem, x.Range(), "count must be a number that is not null", ""))
		return symbolic
	}
	if !v.IsKnown() {
		return symbolic
	}
	f := v.AsBigFloat()
	n, _ := f.Int64()
	switch {
	case !f.IsInt() || n < 0:
		r.report(errorAt(ValueProblem, x.Range(), "count must be a whole number, zero or above", ""))
		return symbolic
	case n > MaxInstances:
		e.diags = limitDiag(x.Range(), "count", MaxInstances, "instances")
		r.report(e.diags)
		return e
	case n == 0:
		e.absent = "count is 0"
	}
	e.known = true
	for i := range n {
		e.keys = append(e.keys, instanceKey{key: cty.NumberIntVal(i)})
	}
	return e
}

func (r *Root) expandForEach(x hclsyntax.Expression, s *scope) expansion {
	e := expansion{kind: 'e'}
	v, diags := r.eval(x, s)
	if diags.HasErrors() {
		r.report(diags)
		v = cty.DynamicVal
	}
	v, _ = v.Unmark()
	if l, ok := asLazy(v); ok { // a single resource: its attributes
		v, _ = l.whole()
	}
	if !v.IsKnown() || v.Type() == cty.String && len(r.tokenIn(v)) > 0 {
		return r.symbolicEach(x, s, v)
	}
	ty := v.Type()
	switch {
	case v.IsNull() || !(ty.IsObjectType() || ty.IsMapType() || ty.IsSetType() || ty.IsTupleType() || ty.IsListType()):
		r.report(errorAt(ValueProblem, x.Range(), "for_each must be a map or a set of strings", ""))
		return r.symbolicEach(x, s, v)
	case ty.IsTupleType() || ty.IsListType():
		r.report(errorAt(ValueProblem, x.Range(), fmt.Sprintf("for_each must be a map or a set of strings, not a %s", ty.FriendlyName()), ""))
		return r.symbolicEach(x, s, v)
	case v.LengthInt() > MaxInstances:
		e.diags = limitDiag(x.Range(), "for_each", MaxInstances, "instances")
		r.report(e.diags)
		return e
	case v.LengthInt() == 0:
		e.absent = "for_each is empty"
	}
	e.known = true
	for it := v.ElementIterator(); it.Next(); {
		k, w := it.Element()
		k, _ = k.Unmark()
		if !k.IsKnown() || k.IsNull() || k.Type() != cty.String {
			return r.symbolicEach(x, s, v)
		}
		sym := r.isSymbolic(k)
		e.known = e.known && !sym
		e.keys = append(e.keys, instanceKey{key: k, value: w, symbolic: sym})
	}
	return e
}

// symbolicEach makes the one instance of an unknown for_each. Its key is named
// after the collection, so that resources over the same one join.
func (r *Root) symbolicEach(x hclsyntax.Expression, s *scope, v cty.Value) expansion {
	id := r.collectionID(x, s)
	if v.Type() == cty.String && v.IsKnown() && !v.IsNull() {
		id = "s:" + v.AsString()
	}
	key := r.standIn("k:"+id, Token{Kind: Key, Expr: "each.key", Symbolic: true, NotEmpty: true, Cause: Unresolved, Pos: x.Range()})
	value := r.standIn("e:"+id, Token{Kind: Opaque, Expr: "each.value", Symbolic: true, Cause: Unresolved, Pos: x.Range()})
	if v.Type().IsSetType() {
		value = key
	}
	return expansion{kind: 'e', keys: []instanceKey{{key: key, value: value, symbolic: true}}}
}

// collectionID names the collection that an expression is made from, seeing
// through locals, arguments and functions that keep the keys.
func (r *Root) collectionID(x hclsyntax.Expression, s *scope) string {
	for range 50 {
		switch e := x.(type) {
		case *hclsyntax.ParenthesesExpr:
			x = e.Expression
			continue
		case *hclsyntax.FunctionCallExpr:
			if len(e.Args) == 1 && (e.Name == "toset" || e.Name == "keys" || e.Name == "tomap" || e.Name == "nonsensitive") {
				x = e.Args[0]
				continue
			}
		case *hclsyntax.ScopeTraversalExpr:
			name, ok := second(e.Traversal, 1)
			if _, inner := s.lookup(e.Traversal.RootName()); inner || !ok || len(e.Traversal) != 2 {
				break
			}
			switch e.Traversal.RootName() {
			case "local":
				if l := s.mod.cfg.Locals[name]; l != nil {
					x, s = l.Expr, s.mod.scope()
					continue
				}
			case "var":
				if c := s.mod.Call; c != nil && c.Args[name] != nil {
					x, s = c.Args[name].Expr, s.mod.outer
					continue
				}
			}
		}
		break
	}
	if id := identity(x, s); id != "" {
		return id
	}
	rng := x.Range()
	return fmt.Sprintf("%s|%s", s.mod.Path, rng.String())
}

// collection is the value of the whole resource or module call.
func (e expansion) collection(values []cty.Value) cty.Value {
	switch e.kind {
	case 'c':
		return cty.TupleVal(values)
	case 'e':
		attrs := map[string]cty.Value{}
		for i, v := range values {
			attrs[e.keys[i].key.AsString()] = v
		}
		return cty.ObjectVal(attrs)
	}
	if len(values) == 0 {
		return cty.DynamicVal
	}
	return values[0]
}
