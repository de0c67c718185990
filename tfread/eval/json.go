package eval

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/json"
	"github.com/zclconf/go-cty/cty"
)

// parseJSON reads Terraform's JSON syntax into the tree that the native syntax
// gives, so that one evaluator serves both.
func parseJSON(src []byte, display string) (*hclsyntax.Body, []Problem) {
	var err error
	switch {
	case tokensOf(src) > MaxTokens:
		err = &LimitError{What: "words and signs of one file", Limit: MaxTokens}
	case !jsonShallow(src):
		err = &LimitError{What: "nesting", Limit: MaxNesting, Unit: "levels"}
	}
	if err != nil {
		return nil, []Problem{{Kind: LimitProblem, Pos: hcl.Range{Filename: display}, Summary: err.Error()}}
	}
	f, diags := json.Parse(src, display)
	if diags.HasErrors() {
		return nil, []Problem{fromDiag(ParseProblem, diags[0])}
	}
	attrs, diags := f.Body.JustAttributes()
	if diags.HasErrors() {
		return nil, []Problem{fromDiag(ParseProblem, diags[0])}
	}
	c := &jsonConverter{}
	body := &hclsyntax.Body{Attributes: hclsyntax.Attributes{}}
	for name, a := range attrs {
		if n, ok := labels[name]; ok {
			for _, x := range listOf(a.Expr) {
				c.blocks(body, name, n, x, nil)
			}
		}
	}
	return body, c.problems
}

type jsonConverter struct{ problems []Problem }

func listOf(x hcl.Expression) []hcl.Expression {
	if xs, diags := hcl.ExprList(x); !diags.HasErrors() {
		return xs
	}
	return []hcl.Expression{x}
}

// blocks descends through the labels of a block.
func (c *jsonConverter) blocks(into *hclsyntax.Body, typ string, labels int, x hcl.Expression, have []string) {
	pairs, diags := hcl.ExprMap(x)
	if diags.HasErrors() {
		c.problems = append(c.problems, fromDiag(ParseProblem, diags[0]))
		return
	}
	if len(have) < labels {
		for _, p := range pairs {
			label, ok := jsonKey(p.Key)
			if !ok || label == "//" {
				continue
			}
			for _, inner := range listOf(p.Value) {
				c.blocks(into, typ, labels, inner, append(have[:len(have):len(have)], label))
			}
		}
		return
	}
	rng := x.StartRange()
	b := &hclsyntax.Block{Type: typ, Labels: have, TypeRange: rng, OpenBraceRange: rng, CloseBraceRange: endOf(x.Range()),
		Body: &hclsyntax.Body{Attributes: hclsyntax.Attributes{}, SrcRange: x.Range(), EndRange: endOf(x.Range())}}
	for range have {
		b.LabelRanges = append(b.LabelRanges, rng)
	}
	for _, p := range pairs {
		name, ok := jsonKey(p.Key)
		if !ok || name == "//" {
			continue
		}
		value := c.expr(p.Value)
		if typ == "variable" {
			value = c.literal(p.Value)
		}
		b.Body.Attributes[name] = &hclsyntax.Attribute{Name: name, Expr: value, NameRange: p.Key.Range(),
			SrcRange: hcl.RangeBetween(p.Key.Range(), p.Value.Range())}
	}
	into.Blocks = append(into.Blocks, b)
}

func endOf(r hcl.Range) hcl.Range { return hcl.Range{Filename: r.Filename, Start: r.End, End: r.End} }

func jsonKey(x hcl.Expression) (string, bool) {
	v, diags := x.Value(nil)
	if diags.HasErrors() || v.Type() != cty.String {
		return "", false
	}
	return v.AsString(), true
}

// literal keeps strings as they are: variable blocks are not templates.
func (c *jsonConverter) literal(x hcl.Expression) hclsyntax.Expression {
	v, diags := x.Value(nil)
	if diags.HasErrors() {
		c.problems = append(c.problems, fromDiag(ParseProblem, diags[0]))
		v = cty.DynamicVal
	}
	return &hclsyntax.LiteralValueExpr{Val: v, SrcRange: x.Range()}
}

func (c *jsonConverter) expr(x hcl.Expression) hclsyntax.Expression {
	if pairs, diags := hcl.ExprMap(x); !diags.HasErrors() {
		obj := &hclsyntax.ObjectConsExpr{SrcRange: x.Range(), OpenRange: x.StartRange()}
		for _, p := range pairs {
			if name, ok := jsonKey(p.Key); ok && name == "//" {
				continue
			}
			obj.Items = append(obj.Items, hclsyntax.ObjectConsItem{KeyExpr: c.expr(p.Key), ValueExpr: c.expr(p.Value)})
		}
		return obj
	}
	if xs, diags := hcl.ExprList(x); !diags.HasErrors() {
		tup := &hclsyntax.TupleConsExpr{SrcRange: x.Range(), OpenRange: x.StartRange()}
		for _, e := range xs {
			tup.Exprs = append(tup.Exprs, c.expr(e))
		}
		return tup
	}
	v, diags := x.Value(nil)
	if !diags.HasErrors() && v.Type() == cty.String && !v.IsNull() {
		return c.template(v.AsString(), x.Range())
	}
	return c.literal(x)
}

func (c *jsonConverter) template(s string, rng hcl.Range) hclsyntax.Expression {
	start := rng.Start
	start.Column++ // after the quote
	start.Byte++
	if at, err := checkNesting([]byte(s), rng.Filename, true); err != nil {
		c.problems = append(c.problems, Problem{Kind: LimitProblem, Pos: at, Summary: err.Error()})
		return &hclsyntax.LiteralValueExpr{Val: cty.DynamicVal, SrcRange: rng}
	}
	x, diags := hclsyntax.ParseTemplate([]byte(s), rng.Filename, start)
	if diags.HasErrors() {
		c.problems = append(c.problems, fromDiag(ParseProblem, diags[0]))
		return &hclsyntax.LiteralValueExpr{Val: cty.DynamicVal, SrcRange: rng}
	}
	return x
}

// jsonShallow measures the nesting of JSON text, and refuses numbers of
// absurd length.
func jsonShallow(src []byte) bool {
	depth, digits := 0, 0
	inString := false
	for i := 0; i < len(src); i++ {
		c := src[i]
		if '0' <= c && c <= '9' && !inString {
			if digits++; digits > 400 {
				return false
			}
			continue
		}
		digits = 0
		switch {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '[' || c == '{':
			if depth++; depth > MaxNesting {
				return false
			}
		case c == ']' || c == '}':
			depth--
		}
	}
	return true
}
