package eval

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// try gives the first argument that evaluates. One that is not known may fail
// later, so then the result is not known either.
func (r *Root) try(x *hclsyntax.FunctionCallExpr, s *scope) (cty.Value, hcl.Diagnostics) {
	if len(x.Args) == 0 {
		return cty.DynamicVal, errorAt(ValueProblem, x.Range(), "try needs an argument", "")
	}
	var last hcl.Diagnostics
	for _, a := range x.Args {
		v, diags := r.eval(a, s)
		if _, limit := isLimit(diags); limit {
			return cty.DynamicVal, diags
		}
		if diags.HasErrors() {
			last = diags
			continue
		}
		if !hasLazy(v) && !v.IsWhollyKnown() {
			return r.partly(v), nil
		}
		if r.doubtful(v) && len(x.Args) > 1 {
			return cty.DynamicVal, nil
		}
		return v, nil
	}
	return cty.DynamicVal, last
}

// partly keeps the attributes of an object that are known: which of them exist
// does not depend on the others.
func (r *Root) partly(v cty.Value) cty.Value {
	if u, _ := v.Unmark(); u.IsKnown() && !u.IsNull() && u.Type().IsObjectType() {
		return v
	}
	return cty.DynamicVal
}

// doubtful reports a stand-in for something looked up in a value that is not
// known: it need not be there at all.
func (r *Root) doubtful(v cty.Value) bool {
	u, _ := v.Unmark()
	if u.Type() != cty.String || u.IsNull() || !u.IsKnown() || len(u.AsString()) != tokenLen {
		return false
	}
	i, ok := tokenAt(u.AsString(), 0)
	if !ok || i >= len(r.tokens.list) {
		return false
	}
	t := r.tokens.list[i]
	return t.Kind == Opaque && (t.Derived || t.Address == "") && !t.NotNull
}

func (r *Root) can(x *hclsyntax.FunctionCallExpr, s *scope) (cty.Value, hcl.Diagnostics) {
	if len(x.Args) != 1 {
		return cty.DynamicVal, errorAt(ValueProblem, x.Range(), "can needs one argument", "")
	}
	v, diags := r.eval(x.Args[0], s)
	if _, limit := isLimit(diags); limit {
		return cty.DynamicVal, diags
	}
	if diags.HasErrors() {
		return cty.False, nil
	}
	if !hasLazy(v) && !v.IsWhollyKnown() || r.doubtful(v) {
		return cty.UnknownVal(cty.Bool), nil
	}
	return cty.True, nil
}

// templateFile renders a file of the configuration.
func (r *Root) templateFile(x *hclsyntax.FunctionCallExpr, s *scope) (cty.Value, hcl.Diagnostics) {
	args, _, known, diags := r.args(x, s)
	if diags.HasErrors() || !known {
		return cty.DynamicVal, diags
	}
	if len(args) != 2 {
		return cty.DynamicVal, errorAt(ValueProblem, x.Range(), "templatefile needs a path and variables", "")
	}
	path, ok := r.pathArg(args[0])
	if !ok {
		return cty.DynamicVal, nil
	}
	src, display, err := r.readConfined(path)
	if err != nil {
		return cty.DynamicVal, fileError(err, path, x.Range())
	}
	return r.render(string(src), display, args[1], x)
}

func (r *Root) templateString(x *hclsyntax.FunctionCallExpr, s *scope) (cty.Value, hcl.Diagnostics) {
	args, _, known, diags := r.args(x, s)
	if diags.HasErrors() || !known {
		return cty.DynamicVal, diags
	}
	if len(args) != 2 {
		return cty.DynamicVal, errorAt(ValueProblem, x.Range(), "templatestring needs a template and variables", "")
	}
	t, _ := args[0].Unmark()
	if t.Type() != cty.String || t.IsNull() || !t.IsKnown() || r.tokens.has(t.AsString()) {
		return cty.DynamicVal, nil
	}
	return r.render(t.AsString(), x.Range().Filename, args[1], x)
}

func (r *Root) render(src, display string, vars cty.Value, x *hclsyntax.FunctionCallExpr) (cty.Value, hcl.Diagnostics) {
	if rng, err := checkNesting([]byte(src), display, true); err != nil {
		return cty.DynamicVal, hcl.Diagnostics{{Severity: hcl.DiagError, Summary: err.Error(), Subject: &rng, Extra: err}}
	}
	t, diags := hclsyntax.ParseTemplate([]byte(src), display, hcl.Pos{Line: 1, Column: 1})
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	vars, marks := vars.Unmark()
	if vars.IsNull() || !vars.IsKnown() || !vars.Type().IsObjectType() && !vars.Type().IsMapType() {
		return cty.DynamicVal, nil
	}
	c := &scope{mod: r.main, sealed: true, vars: map[string]cty.Value{}}
	for it := vars.ElementIterator(); it.Next(); {
		k, v := it.Element()
		c.vars[k.AsString()] = v
	}
	v, diags := r.eval(t, c)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	return v.WithMarks(marks), nil
}

// pathArg is a path that no stand-in decides.
func (r *Root) pathArg(v cty.Value) (string, bool) {
	v, _ = v.Unmark()
	if v.Type() != cty.String || v.IsNull() || !v.IsKnown() || r.tokens.has(v.AsString()) {
		return "", false
	}
	return v.AsString(), true
}

func fileError(err error, path string, rng hcl.Range) hcl.Diagnostics {
	if l, ok := err.(*LimitError); ok {
		return hcl.Diagnostics{{Severity: hcl.DiagError, Summary: l.Error(), Subject: &rng, Extra: l}}
	}
	msg := strings.TrimSpace(err.Error())
	return errorAt(ValueProblem, rng, fmt.Sprintf("file %q: %s", path, msg), "")
}
