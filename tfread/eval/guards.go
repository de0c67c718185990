package eval

import (
	"regexp"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"vtsize/tfread/funcs"
)

// guardedByName handles the functions that can say more of stand-ins than
// their class does.
func (r *Root) guardedByName(name string, f funcs.Func, args []cty.Value, ranges []hcl.Range, x *hclsyntax.FunctionCallExpr) (cty.Value, bool, hcl.Diagnostics) {
	first := cty.NilVal
	if len(args) > 0 {
		first, _ = args[0].Unmark()
	}
	switch name {
	case "length":
		if first.Type() == cty.String || r.anySymbolic(first) || first.Type().IsSetType() && first.LengthInt() > 1 && r.mayCoincide(first) {
			return cty.UnknownVal(cty.Number), true, nil
		}
	case "contains":
		if len(args) == 2 && first.CanIterateElements() {
			for it := first.ElementIterator(); it.Next(); {
				if _, e := it.Element(); !hasLazy(e) && e.IsWhollyKnown() && e.RawEquals(args[1]) && !r.isSymbolic(e) {
					return cty.True, true, nil
				}
			}
		}
		return cty.UnknownVal(cty.Bool), true, nil
	case "coalesce":
		v, diags := r.coalesce(args, ranges, f, x)
		return v, true, diags
	case "compact":
		for it := first.ElementIterator(); first.CanIterateElements() && it.Next(); {
			_, e := it.Element()
			if e.Type() == cty.String && !e.IsNull() && e.IsKnown() && r.tokens.has(e.AsString()) &&
				!r.certain(e.AsString(), func(t Token) bool { return t.NotEmpty }) {
				return cty.UnknownVal(cty.List(cty.String)), true, nil
			}
		}
	case "lookup":
		if len(args) >= 2 && r.anySymbolic(first) {
			if k, _ := args[1].Unmark(); k.IsKnown() && !k.IsNull() && k.Type() == cty.String {
				if v, diags := hcl.Index(first, k, x.Range().Ptr()); !diags.HasErrors() {
					return v, true, nil
				}
			}
			return cty.DynamicVal, true, nil
		}
		if len(args) >= 2 && args[1].Type() == cty.String && len(r.tokenIn(args[1])) > 0 {
			return r.lookupUnknownKey(first, args)
		}
	case "trimprefix", "trimsuffix", "trim", "replace":
		if !r.editsAround(name, args) {
			return r.unknownOf(name, f, args, r.tokenIn(cty.TupleVal(args)), x), true, nil
		}
	case "split":
		return r.split(f, args, ranges, x)
	case "format", "formatlist":
		if len(args) > 0 && first.Type() == cty.String && first.IsKnown() && widths.MatchString(first.AsString()) {
			return r.unknownOf(name, f, args, r.tokenIn(cty.TupleVal(args)), x), true, nil
		}
		for _, a := range args[1:] {
			if name == "formatlist" && r.anySymbolic(a) {
				break // one element stands for all: the result does so too
			}
		}
	case "jsondecode":
		return r.jsonDecode(first, f, args, ranges, x)
	case "tonumber", "tobool":
		return cty.UnknownVal(map[string]cty.Type{"tonumber": cty.Number, "tobool": cty.Bool}[name]), true, nil
	case "tolist", "toset", "tomap", "tostring":
		if first.Type() == cty.String && name != "tostring" {
			return cty.DynamicVal, true, nil
		}
	case "sum", "max", "min":
		return cty.UnknownVal(cty.Number), true, nil
	case "alltrue", "anytrue":
		return cty.UnknownVal(cty.Bool), true, nil
	case "issensitive", "nonsensitive", "sensitive", "type":
		v, diags := invoke(name, f.Function, args, ranges, x)
		return v, true, diags
	}
	return cty.NilVal, false, nil
}

// widths are format verbs that count letters or quote them.
var widths = regexp.MustCompile(`%[-+ #0]*(\d|\.|\*|q)`)

// mayCoincide reports that two stand-ins of a set could turn out equal.
func (r *Root) mayCoincide(set cty.Value) bool {
	for _, i := range r.tokenIn(set) {
		if r.tokens.list[i].Kind != Segment {
			return true
		}
	}
	return false
}

func (r *Root) lookupUnknownKey(m cty.Value, args []cty.Value) (cty.Value, bool, hcl.Diagnostics) {
	if m.Type().IsObjectType() || m.Type().IsMapType() {
		if v, diags := hcl.Index(m, args[1], nil); !diags.HasErrors() {
			return v, true, nil
		}
		if e, ok := onlyElement(m); ok && len(args) == 3 && args[2].IsWhollyKnown() && e.RawEquals(args[2]) {
			return e, true, nil
		}
	}
	return cty.DynamicVal, true, nil
}

// coalesce takes the first argument that is certain to be taken.
func (r *Root) coalesce(args []cty.Value, ranges []hcl.Range, f funcs.Func, x *hclsyntax.FunctionCallExpr) (cty.Value, hcl.Diagnostics) {
	for i, a := range args {
		u, _ := a.Unmark()
		switch {
		case !u.IsKnown():
			return cty.DynamicVal, nil
		case u.IsNull() || emptyString(u):
		case u.Type() == cty.String && r.tokens.has(u.AsString()):
			if r.certain(u.AsString(), func(t Token) bool { return t.NotEmpty }) {
				return a, nil
			}
			return cty.DynamicVal, nil
		default:
			var rest []cty.Value
			var rngs []hcl.Range
			for j := i; j < len(args); j++ { // a stand-in further on must not make it a string
				if !r.typeless(args[j]) {
					rest, rngs = append(rest, args[j]), append(rngs, ranges[j])
				}
			}
			return invoke("coalesce", f.Function, rest, rngs, x)
		}
	}
	return invoke("coalesce", f.Function, args, ranges, x)
}

// editsAround reports that a function that takes text away or replaces it cannot
// touch what the stand-ins in its first argument stand for.
func (r *Root) editsAround(name string, args []cty.Value) bool {
	if len(args) < 2 {
		return false
	}
	text, what := stringOf(args[0]), stringOf(args[1])
	if r.tokens.has(what) {
		return false
	}
	n := len(what)
	switch name {
	case "trimprefix":
		return len(text) >= n && !broken(text[:n]) && !TokenPattern.MatchString(text[:n])
	case "trimsuffix":
		return len(text) >= n && !broken(text[len(text)-n:]) && !TokenPattern.MatchString(text[len(text)-n:])
	case "trim":
		return len(text) > 2*tokenLen && !r.tokens.has(text[:tokenLen]) && !r.tokens.has(text[len(text)-tokenLen:])
	}
	// A part of an identifier has no separator and no quote in it. What is made
	// of nothing else, or is a pattern with quotes, as for numbers in JSON,
	// cannot match there.
	if n > 1 && what[0] == '/' && what[n-1] == '/' {
		return strings.Contains(what, `"`)
	}
	return n > 0 && strings.Trim(what, `:/"`) == ""
}

func stringOf(v cty.Value) string {
	v, _ = v.Unmark()
	if v.Type() != cty.String || v.IsNull() || !v.IsKnown() {
		return ""
	}
	return v.AsString()
}

// split may cut at separators that cannot be inside the stand-ins.
func (r *Root) split(f funcs.Func, args []cty.Value, ranges []hcl.Range, x *hclsyntax.FunctionCallExpr) (cty.Value, bool, hcl.Diagnostics) {
	found := r.tokenIn(cty.TupleVal(args))
	sep, _ := args[0].Unmark()
	if len(args) == 2 && sep.Type() == cty.String && sep.IsKnown() && (sep.AsString() == ":" || sep.AsString() == "/") && r.allSegments(found) {
		v, diags := invoke("split", f.Function, args, ranges, x)
		return v, true, diags
	}
	return cty.UnknownVal(cty.List(cty.String)), true, nil
}

// bareToken is a stand-in that stands in JSON without quotes, as a number would.
var bareToken = regexp.MustCompile(`([:\[,]\s*)(?i:(vtq[a-p]{6}qtv))(\s*[,\]}])`)

// QuoteBare puts quotes around stand-ins that JSON text has in place of numbers.
func QuoteBare(s string) string {
	if !TokenPattern.MatchString(s) {
		return s
	}
	s = bareToken.ReplaceAllString(s, `$1"$2"$3`)
	return bareToken.ReplaceAllString(s, `$1"$2"$3`)
}

func (r *Root) jsonDecode(v cty.Value, f funcs.Func, args []cty.Value, ranges []hcl.Range, x *hclsyntax.FunctionCallExpr) (cty.Value, bool, hcl.Diagnostics) {
	if v.Type() != cty.String {
		return cty.DynamicVal, true, nil
	}
	out, diags := invoke("jsondecode", f.Function, []cty.Value{cty.StringVal(QuoteBare(v.AsString()))}, ranges, x)
	if diags.HasErrors() || len(r.tokenIn(out)) == 0 {
		return cty.DynamicVal, true, nil
	}
	return out, true, nil
}

// fillUnknown replaces the unknown leaves of v by stand-ins; x is what v is from.
func (r *Root) fillUnknown(v cty.Value, x hclsyntax.Expression, s *scope) cty.Value {
	if v.IsWhollyKnown() {
		return v
	}
	why := r.Why(x, s)
	out, err := cty.Transform(v, func(p cty.Path, e cty.Value) (cty.Value, error) {
		if e.IsKnown() {
			return e, nil
		}
		return r.standIn("", Token{Kind: Opaque, Expr: "…", Cause: why.Cause, Reason: why.Text, Pos: x.Range()}), nil
	})
	if err != nil { // elements of a list no longer agree
		return v
	}
	return out
}
