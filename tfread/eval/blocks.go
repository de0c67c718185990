package eval

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// Block is one nested block of an instance.
type Block struct {
	Pos   hcl.Range
	body  *hclsyntax.Body
	scope *scope
	root  *Root
}

// Blocks lists the nested blocks of a type, with what dynamic blocks make; it
// reports false where their number is not known.
func (i *Instance) Blocks(name string) ([]Block, bool) {
	if a := i.Resource.Body.Attributes[name]; a != nil {
		return i.Module.root.jsonBlocks(a.Expr, i.scope)
	}
	return i.Module.root.blocks(i.Resource.Body, name, i.scope)
}

// Blocks lists the blocks nested in this one.
func (b Block) Blocks(name string) ([]Block, bool) {
	if a := b.body.Attributes[name]; a != nil {
		return b.root.jsonBlocks(a.Expr, b.scope)
	}
	return b.root.blocks(b.body, name, b.scope)
}

func (r *Root) blocks(body *hclsyntax.Body, name string, s *scope) ([]Block, bool) {
	var out []Block
	known := true
	for _, b := range body.Blocks {
		switch {
		case b.Type == name:
			out = append(out, Block{Pos: b.DefRange(), body: b.Body, scope: s, root: r})
		case b.Type == "dynamic" && len(b.Labels) == 1 && b.Labels[0] == name:
			bs, ok := r.dynamic(b, s)
			out = append(out, bs...)
			known = known && ok
		}
	}
	return out, known
}

// jsonBlocks reads the blocks that JSON syntax writes as an argument.
func (r *Root) jsonBlocks(x hclsyntax.Expression, s *scope) ([]Block, bool) {
	switch x := x.(type) {
	case *hclsyntax.ObjectConsExpr:
		body := &hclsyntax.Body{Attributes: hclsyntax.Attributes{}, SrcRange: x.SrcRange}
		for _, item := range x.Items {
			v, diags := r.eval(item.KeyExpr, s)
			if diags.HasErrors() || v.Type() != cty.String || !v.IsKnown() || v.IsNull() {
				return nil, false
			}
			name := v.AsString()
			body.Attributes[name] = &hclsyntax.Attribute{Name: name, Expr: item.ValueExpr, NameRange: item.KeyExpr.Range(), SrcRange: item.ValueExpr.Range()}
		}
		return []Block{{Pos: x.SrcRange, body: body, scope: s, root: r}}, true
	case *hclsyntax.TupleConsExpr:
		var out []Block
		known := true
		for _, e := range x.Exprs {
			bs, ok := r.jsonBlocks(e, s)
			out = append(out, bs...)
			known = known && ok
		}
		return out, known
	case *hclsyntax.LiteralValueExpr:
		return nil, x.Val.IsNull()
	}
	return nil, false
}

// dynamic expands a dynamic block.
func (r *Root) dynamic(b *hclsyntax.Block, s *scope) ([]Block, bool) {
	each := b.Body.Attributes["for_each"]
	var content *hclsyntax.Block
	for _, c := range b.Body.Blocks {
		if c.Type == "content" {
			content = c
		}
	}
	if each == nil || content == nil {
		r.report(errorAt(ValueProblem, b.DefRange(), "a dynamic block needs for_each and content", ""))
		return nil, false
	}
	v, diags := r.eval(each.Expr, s)
	if diags.HasErrors() {
		r.report(diags)
		return nil, false
	}
	v, _ = v.Unmark()
	if l, ok := asLazy(v); ok {
		v, _ = l.whole()
	}
	if v.IsNull() || !v.IsKnown() || !v.CanIterateElements() {
		return nil, v.IsKnown() && v.IsNull()
	}
	iterator := b.Labels[0]
	if a := b.Body.Attributes["iterator"]; a != nil {
		if kw := hcl.ExprAsKeyword(a.Expr); kw != "" {
			iterator = kw
		}
	}
	var out []Block
	known := true
	for it := v.ElementIterator(); it.Next(); {
		if diags := r.step(1, b.DefRange()); diags.HasErrors() {
			r.report(diags)
			return nil, false
		}
		k, e := it.Element()
		if v.Type().IsSetType() {
			k = e
		}
		known = known && !r.isSymbolic(k)
		c := s.child()
		c.vars = map[string]cty.Value{iterator: cty.ObjectVal(map[string]cty.Value{"key": k, "value": e})}
		out = append(out, Block{Pos: content.DefRange(), body: content.Body, scope: c, root: r})
	}
	return out, known
}

// Get evaluates an argument of the block.
func (b Block) Get(name string) Value {
	out := Value{V: cty.NilVal, Pos: b.Pos, scope: b.scope}
	a := b.body.Attributes[name]
	if a == nil {
		return out
	}
	out.Pos, out.Expr = a.Expr.Range(), a.Expr
	v, diags := b.root.eval(a.Expr, b.scope)
	if !diags.HasErrors() {
		v, diags = b.root.solid(v)
	}
	if diags.HasErrors() {
		b.root.report(diags)
		out.V, out.Diags, out.Set = cty.DynamicVal, diags, true
		return out
	}
	out.Secret = v.ContainsMarked()
	out.V, _ = v.UnmarkDeep()
	out.Set = !out.V.IsNull()
	return out
}

// object is the block as a value.
func (b Block) object() cty.Value {
	out := map[string]cty.Value{}
	for name, a := range b.body.Attributes {
		v, diags := b.root.eval(a.Expr, b.scope)
		if diags.HasErrors() {
			v = cty.DynamicVal
		}
		out[name] = v
	}
	seen := map[string]bool{}
	for _, inner := range b.body.Blocks {
		name := blockName(inner)
		if seen[name] {
			continue
		}
		seen[name] = true
		bs, known := b.Blocks(name)
		if !known {
			out[name] = cty.DynamicVal
			continue
		}
		var vals []cty.Value
		for _, x := range bs {
			vals = append(vals, x.object())
		}
		out[name] = cty.TupleVal(vals)
	}
	return cty.ObjectVal(out)
}
