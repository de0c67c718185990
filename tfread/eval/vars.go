package eval

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/json"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// Fence is the directory that links may not lead out of.
func (l *Loader) Fence() string { return l.fence }

// ParseVars reads a file of variable values, in either syntax.
func ParseVars(src []byte, display string) (map[string]VarValue, []Problem) {
	var body hcl.Body
	if strings.HasSuffix(display, ".json") {
		if !jsonShallow(src) {
			err := &LimitError{What: "nesting", Limit: MaxNesting, Unit: "levels"}
			return nil, []Problem{{Kind: LimitProblem, Pos: hcl.Range{Filename: display}, Summary: err.Error()}}
		}
		f, diags := json.Parse(src, display)
		if diags.HasErrors() {
			return nil, []Problem{fromDiag(ParseProblem, diags[0])}
		}
		body = f.Body
	} else {
		if rng, err := checkNesting(src, display, false); err != nil {
			return nil, []Problem{{Kind: LimitProblem, Pos: rng, Summary: err.Error()}}
		}
		f, diags := hclsyntax.ParseConfig(src, display, hcl.Pos{Line: 1, Column: 1})
		if diags.HasErrors() {
			return nil, []Problem{fromDiag(ParseProblem, diags[0])}
		}
		body = f.Body
	}
	attrs, diags := body.JustAttributes()
	var problems []Problem
	if diags.HasErrors() {
		problems = append(problems, fromDiag(ParseProblem, diags[0]))
	}
	out := map[string]VarValue{}
	for name, a := range attrs {
		v, diags := a.Expr.Value(nil)
		if diags.HasErrors() {
			problems = append(problems, fromDiag(ParseProblem, diags[0]))
			continue
		}
		out[name] = VarValue{Value: v, Pos: a.Expr.Range()}
	}
	return out, problems
}

// textValue reads a value that came as text, as Terraform reads --var: a plain
// string for variables of simple types, else an expression.
func textValue(given VarValue, v *Variable) (cty.Value, hcl.Diagnostics) {
	text := given.Value.AsString()
	if v.Type.IsPrimitiveType() || !v.typed {
		return cty.StringVal(text), nil
	}
	if rng, err := checkNesting([]byte(text), given.From, false); err != nil {
		return cty.DynamicVal, limitDiag(rng, "nesting", MaxNesting, "levels")
	}
	x, diags := hclsyntax.ParseExpression([]byte(text), given.From, hcl.Pos{Line: 1, Column: 1})
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	val, diags := x.Value(nil)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	if _, err := convert.Convert(val, v.Type); err != nil && v.Defaults == nil {
		return cty.DynamicVal, errorAt(ValueProblem, hcl.Range{Filename: given.From}, fmt.Sprintf("the value of var.%s does not fit: %v", v.Name, err), "")
	}
	return val, nil
}
