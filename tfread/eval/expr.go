package eval

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"vtsize/tfread/funcs"
)

type sensitiveMark struct{}

// sensitive is the only mark there is.
var sensitive = sensitiveMark{}

// lit wraps a value for an operation of the hclsyntax package, whose rules for
// conversion and errors are then Terraform's own.
func lit(v cty.Value, rng hcl.Range) hclsyntax.Expression {
	return &hclsyntax.LiteralValueExpr{Val: v, SrcRange: rng}
}

// eval evaluates an expression. On errors the value means nothing.
func (r *Root) eval(x hclsyntax.Expression, s *scope) (cty.Value, hcl.Diagnostics) {
	if r.depth++; r.depth > maxCalls {
		r.depth--
		return cty.DynamicVal, limitDiag(x.Range(), "evaluations inside each other", maxCalls, "")
	}
	v, diags := r.evalNode(x, s)
	r.depth--
	return v, diags
}

func (r *Root) evalNode(x hclsyntax.Expression, s *scope) (cty.Value, hcl.Diagnostics) {
	switch x := x.(type) {
	case *hclsyntax.LiteralValueExpr:
		if x.Val.Type() == cty.Number && hugeNumber(x.Val) {
			return cty.DynamicVal, limitDiag(x.SrcRange, "exponent of a number", maxExponent, "bits")
		}
		return x.Val, nil
	case *hclsyntax.ParenthesesExpr:
		return r.eval(x.Expression, s)
	case *hclsyntax.TemplateWrapExpr:
		return r.eval(x.Wrapped, s)
	case *hclsyntax.TemplateExpr:
		return r.template(x, s)
	case *hclsyntax.TemplateJoinExpr:
		return r.templateJoin(x, s)
	case *hclsyntax.ScopeTraversalExpr:
		return r.reference(x.Traversal, s)
	case *hclsyntax.RelativeTraversalExpr:
		v, diags := r.eval(x.Source, s)
		if diags.HasErrors() {
			return cty.DynamicVal, diags
		}
		return r.follow(v, x.Traversal)
	case *hclsyntax.IndexExpr:
		v, diags := r.eval(x.Collection, s)
		if diags.HasErrors() {
			return cty.DynamicVal, diags
		}
		k, diags := r.eval(x.Key, s)
		if diags.HasErrors() {
			return cty.DynamicVal, diags
		}
		return r.index(v, k, x.SrcRange)
	case *hclsyntax.AnonSymbolExpr:
		for ; s != nil; s = s.parent {
			if s.anon == x {
				return s.item, nil
			}
		}
		return cty.DynamicVal, nil
	case *hclsyntax.SplatExpr:
		return r.splat(x, s)
	case *hclsyntax.FunctionCallExpr:
		return r.call(x, s)
	case *hclsyntax.ConditionalExpr:
		return r.conditional(x, s)
	case *hclsyntax.BinaryOpExpr:
		return r.binary(x, s)
	case *hclsyntax.UnaryOpExpr:
		return r.unary(x, s)
	case *hclsyntax.TupleConsExpr:
		return r.tuple(x, s)
	case *hclsyntax.ObjectConsExpr:
		return r.object(x, s)
	case *hclsyntax.ObjectConsKeyExpr:
		if !x.ForceNonLiteral {
			if kw := hcl.ExprAsKeyword(x.Wrapped); kw != "" {
				return cty.StringVal(kw), nil
			}
		}
		return r.eval(x.Wrapped, s)
	case *hclsyntax.ForExpr:
		return r.forExpr(x, s)
	}
	return cty.DynamicVal, errorAt(ValueProblem, x.Range(), fmt.Sprintf("unsupported expression %T", x), "")
}

func (r *Root) tuple(x *hclsyntax.TupleConsExpr, s *scope) (cty.Value, hcl.Diagnostics) {
	vals := make([]cty.Value, 0, len(x.Exprs))
	for _, e := range x.Exprs {
		v, diags := r.eval(e, s)
		if diags.HasErrors() {
			return cty.DynamicVal, diags
		}
		vals = append(vals, v)
	}
	return cty.TupleVal(vals), nil
}

func (r *Root) object(x *hclsyntax.ObjectConsExpr, s *scope) (cty.Value, hcl.Diagnostics) {
	vals := make(map[string]cty.Value, len(x.Items))
	known, secret := true, false
	for _, item := range x.Items {
		k, diags := r.eval(item.KeyExpr, s)
		if diags.HasErrors() {
			return cty.DynamicVal, diags
		}
		v, diags := r.eval(item.ValueExpr, s)
		if diags.HasErrors() {
			return cty.DynamicVal, diags
		}
		k, marks := k.Unmark()
		secret = secret || len(marks) > 0
		if k.IsNull() {
			return cty.DynamicVal, errorAt(ValueProblem, item.KeyExpr.Range(), "an object key must not be null", "")
		}
		ks, err := convert.Convert(k, cty.String)
		if err != nil {
			return cty.DynamicVal, errorAt(ValueProblem, item.KeyExpr.Range(), "an object key must be a string: "+err.Error(), "")
		}
		if !ks.IsKnown() {
			known = false
			continue
		}
		vals[ks.AsString()] = v
	}
	v := cty.ObjectVal(vals)
	if !known {
		v = cty.DynamicVal
	}
	if secret {
		v = v.Mark(sensitive)
	}
	return v, nil
}

// template joins the parts of a template. A part that is not known becomes a
// stand-in, so that its neighbours survive.
func (r *Root) template(x *hclsyntax.TemplateExpr, s *scope) (cty.Value, hcl.Diagnostics) {
	if len(x.Parts) == 1 {
		if l, ok := x.Parts[0].(*hclsyntax.LiteralValueExpr); ok && l.Val.Type() == cty.String {
			return l.Val, nil
		}
	}
	var b strings.Builder
	secret := false
	for _, p := range x.Parts {
		v, diags := r.eval(p, s)
		if diags.HasErrors() {
			return cty.DynamicVal, diags
		}
		text, marked, diags := r.text(v, p, s)
		if diags.HasErrors() {
			return cty.DynamicVal, diags
		}
		secret = secret || marked
		if b.Len()+len(text) > MaxString {
			return cty.DynamicVal, limitDiag(x.SrcRange, "length of a string", MaxString, "bytes")
		}
		b.WriteString(text)
	}
	v := cty.StringVal(b.String())
	if secret {
		v = v.Mark(sensitive)
	}
	return v, nil
}

// text is one part of a template as text.
func (r *Root) text(v cty.Value, p hclsyntax.Expression, s *scope) (string, bool, hcl.Diagnostics) {
	v, diags := r.solid(v)
	if diags.HasErrors() {
		return "", false, diags
	}
	secret := v.ContainsMarked()
	v, _ = v.UnmarkDeep()
	switch {
	case !v.IsKnown():
		key := identity(p, s)
		if key != "" {
			key = "t:" + key
		}
		why := r.Why(p, s)
		return r.tokens.make(key, Token{Kind: Opaque, Expr: r.source(p), Cause: why.Cause, Reason: why.Text, Pos: p.Range()}), secret, nil
	case v.IsNull():
		return "", secret, errorAt(ValueProblem, p.Range(), "a null value cannot be part of a string", "")
	}
	if hugeNumber(v) {
		return "", secret, limitDiag(p.Range(), "exponent of a number", maxExponent, "bits")
	}
	sv, err := convert.Convert(v, cty.String)
	if err != nil {
		return "", secret, errorAt(ValueProblem, p.Range(), "cannot be part of a string: "+err.Error(), "")
	}
	if !sv.IsKnown() {
		return r.tokens.make("", Token{Kind: Opaque, Expr: r.source(p), Pos: p.Range()}), secret, nil
	}
	return sv.AsString(), secret, nil
}

// source is an expression as people know it, as far as it is a reference.
func (r *Root) source(x hclsyntax.Expression) string {
	switch x := x.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		return traversalText(x.Traversal)
	case *hclsyntax.FunctionCallExpr:
		return x.Name + "(…)"
	}
	return "…"
}

func (r *Root) templateJoin(x *hclsyntax.TemplateJoinExpr, s *scope) (cty.Value, hcl.Diagnostics) {
	v, diags := r.eval(x.Tuple, s)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	v, marks := v.Unmark()
	if v.IsNull() || !v.IsKnown() || !v.CanIterateElements() {
		return cty.UnknownVal(cty.String).WithMarks(marks), nil
	}
	var b strings.Builder
	secret := len(marks) > 0
	for it := v.ElementIterator(); it.Next(); {
		_, e := it.Element()
		text, marked, diags := r.text(e, x.Tuple, s)
		if diags.HasErrors() {
			return cty.DynamicVal, diags
		}
		if b.Len()+len(text) > MaxString {
			return cty.DynamicVal, limitDiag(x.Range(), "length of a string", MaxString, "bytes")
		}
		secret = secret || marked
		b.WriteString(text)
	}
	out := cty.StringVal(b.String())
	if secret {
		out = out.Mark(sensitive)
	}
	return out, nil
}

func init() { funcs.SetMark(sensitive) }
