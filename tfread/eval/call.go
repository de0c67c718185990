package eval

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"vtsize/tfread/funcs"
)

// special are the functions that need the evaluator itself.
var special map[string]func(*Root, *hclsyntax.FunctionCallExpr, *scope) (cty.Value, hcl.Diagnostics)

func init() {
	special = map[string]func(*Root, *hclsyntax.FunctionCallExpr, *scope) (cty.Value, hcl.Diagnostics){
		"try": (*Root).try, "can": (*Root).can,
		"templatefile": (*Root).templateFile, "templatestring": (*Root).templateString,
	}
}

// call evaluates a function call.
func (r *Root) call(x *hclsyntax.FunctionCallExpr, s *scope) (cty.Value, hcl.Diagnostics) {
	name := strings.TrimPrefix(x.Name, "core::")
	if f := special[name]; f != nil {
		return f(r, x, s)
	}
	if strings.Contains(name, "::") {
		return cty.DynamicVal, nil // a provider's function
	}
	args, ranges, known, diags := r.args(x, s)
	if diags.HasErrors() || !known {
		return cty.DynamicVal, diags
	}
	if fileFuncs[name] {
		return r.fileFunc(name, args, x)
	}
	f, ok := funcs.Table[name]
	if !ok {
		return cty.DynamicVal, errorAt(ReferenceProblem, x.NameRange, fmt.Sprintf("there is no function %q", x.Name), "")
	}
	if name == "plantimestamp" {
		return r.standIn("plantimestamp", Token{Kind: Opaque, Expr: "plantimestamp()", Cause: AfterApply, Pos: x.NameRange, NotEmpty: true}), nil
	}
	if err := r.guardSize(name, args); err != nil {
		return cty.DynamicVal, hcl.Diagnostics{{Severity: hcl.DiagError, Summary: err.Error(), Subject: x.Range().Ptr(), Extra: err}}
	}
	if f.Class != funcs.Selects {
		for i := range args {
			if args[i], diags = r.solid(args[i]); diags.HasErrors() {
				return cty.DynamicVal, diags
			}
		}
	}
	if name == "jsonencode" || name == "yamlencode" {
		for i := range args {
			args[i] = r.fillUnknown(args[i], x.Args[min(i, len(x.Args)-1)], s)
		}
	}
	v, diags := r.guarded(name, f, args, ranges, x)
	if diags.HasErrors() {
		return v, diags
	}
	return r.checkResult(v, x)
}

// checkResult bounds what a function may return.
func (r *Root) checkResult(v cty.Value, x *hclsyntax.FunctionCallExpr) (cty.Value, hcl.Diagnostics) {
	u, _ := v.Unmark()
	switch {
	case u.IsNull() || !u.IsKnown():
	case u.Type() == cty.String && len(u.AsString()) > MaxString:
		return cty.DynamicVal, limitDiag(x.Range(), "length of a string", MaxString, "bytes")
	case u.Type() == cty.Number && hugeNumber(u):
		return cty.DynamicVal, limitDiag(x.Range(), "exponent of a number", maxExponent, "bits")
	case !u.Type().IsPrimitiveType() && !u.Type().IsCapsuleType() && u.CanIterateElements():
		if diags := r.step(u.LengthInt(), x.Range()); diags.HasErrors() {
			return cty.DynamicVal, diags
		}
		if nodes(u, MaxNodes) >= MaxNodes {
			return cty.DynamicVal, limitDiag(x.Range(), "elements of one value", MaxNodes, "")
		}
	}
	return v, nil
}

// args evaluates the arguments; known is false where the expanded last one is not.
func (r *Root) args(x *hclsyntax.FunctionCallExpr, s *scope) (args []cty.Value, ranges []hcl.Range, known bool, diags hcl.Diagnostics) {
	for i, a := range x.Args {
		v, diags := r.eval(a, s)
		if diags.HasErrors() {
			return nil, nil, false, diags
		}
		if !x.ExpandFinal || i < len(x.Args)-1 {
			args, ranges = append(args, v), append(ranges, a.Range())
			continue
		}
		u, marks := v.Unmark()
		switch {
		case u.IsNull():
			return nil, nil, false, errorAt(ValueProblem, a.Range(), "a null list cannot be expanded into arguments", "")
		case !u.IsKnown() || len(marks) > 0 || r.anySymbolic(u) && x.Name != "merge" && x.Name != "concat":
			return nil, nil, false, nil
		case !(u.Type().IsTupleType() || u.Type().IsListType() || u.Type().IsSetType()):
			if len(r.tokenIn(u)) > 0 {
				return nil, nil, false, nil
			}
			return nil, nil, false, errorAt(ValueProblem, a.Range(), "only a list can be expanded into arguments", "")
		}
		for it := u.ElementIterator(); it.Next(); {
			if diags := r.step(1, a.Range()); diags.HasErrors() {
				return nil, nil, false, diags
			}
			_, e := it.Element()
			args, ranges = append(args, e), append(ranges, a.Range())
		}
	}
	return args, ranges, true, nil
}

// invoke calls a function through hclsyntax, for its conversions and messages.
func invoke(name string, f function.Function, args []cty.Value, ranges []hcl.Range, x *hclsyntax.FunctionCallExpr) (cty.Value, hcl.Diagnostics) {
	call := hclsyntax.FunctionCallExpr{Name: name, NameRange: x.NameRange, OpenParenRange: x.OpenParenRange, CloseParenRange: x.CloseParenRange}
	for i, a := range args {
		call.Args = append(call.Args, lit(a, ranges[i]))
	}
	return call.Value(&hcl.EvalContext{Functions: map[string]function.Function{name: f}})
}

// guarded calls a function so that the letters of stand-ins decide nothing.
func (r *Root) guarded(name string, f funcs.Func, args []cty.Value, ranges []hcl.Range, x *hclsyntax.FunctionCallExpr) (cty.Value, hcl.Diagnostics) {
	var found []int
	for _, a := range args {
		found = append(found, r.tokenIn(a)...)
	}
	if len(found) == 0 && !(f.Class == funcs.Selects && r.lazySymbolic(args)) {
		return invoke(name, f.Function, args, ranges, x)
	}
	if f.Class != funcs.Selects && slices.ContainsFunc(args, cty.Value.IsNull) {
		if v, diags := invoke(name, f.Function, args, ranges, x); diags.HasErrors() {
			return v, diags // null is refused whatever else the arguments are
		}
	}
	if v, done, diags := r.guardedByName(name, f, args, ranges, x); done {
		return v, diags
	}
	switch f.Class {
	case funcs.Selects:
		v, diags := invoke(name, f.Function, args, ranges, x)
		if diags.HasErrors() {
			return cty.DynamicVal, nil // a stand-in may well have hidden the type
		}
		return v, nil
	case funcs.Compares, funcs.Reads:
		return r.unknownOf(name, f, args, found, x), nil
	case funcs.Keeps:
		v, diags := invoke(name, f.Function, args, ranges, x)
		if !diags.HasErrors() {
			return v, nil
		}
	case funcs.Edits:
		if r.allSegments(found) {
			v, diags := invoke(name, f.Function, args, ranges, x)
			if !diags.HasErrors() && r.conserved(v, found) {
				return v, nil
			}
		}
	}
	return r.unknownOf(name, f, args, found, x), nil
}

// lazySymbolic reports a resource collection of unknown size among args.
func (r *Root) lazySymbolic(args []cty.Value) bool {
	for _, a := range args {
		if hasLazy(a) && r.anySymbolic(a) {
			return true
		}
	}
	return false
}

func (r *Root) allSegments(found []int) bool {
	for _, i := range found {
		if r.tokens.list[i].Kind != Segment {
			return false
		}
	}
	return true
}

// conserved reports that v still has a token, and no piece of one.
func (r *Root) conserved(v cty.Value, found []int) bool {
	if len(r.tokenIn(v)) == 0 {
		return false
	}
	whole := true
	r.walkStrings(v, func(s string) bool {
		whole = whole && !broken(s)
		return whole
	})
	return whole
}

// unknownOf is the result of a function on stand-ins whose letters would
// decide it. The same call gives the same unknown string.
func (r *Root) unknownOf(name string, f funcs.Func, args []cty.Value, found []int, x *hclsyntax.FunctionCallExpr) cty.Value {
	ty, err := f.ReturnTypeForValues(args)
	if err != nil {
		return cty.DynamicVal
	}
	if ty != cty.String || impure[name] {
		return cty.UnknownVal(ty)
	}
	key := name
	for _, a := range args {
		if !a.IsWhollyKnown() {
			return cty.UnknownVal(cty.String)
		}
		key += fmt.Sprintf("|%#v", a)
	}
	return r.derived(key, name+"("+r.source(x.Args[0])+")", found)
}
