package eval

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// scope is what names mean at one place.
type scope struct {
	mod    *ModuleInst
	parent *scope
	vars   map[string]cty.Value // loop and template variables
	anon   *hclsyntax.AnonSymbolExpr
	item   cty.Value // of the splat that anon belongs to

	// Of the innermost repeated block.
	eachKey, eachValue, count cty.Value
	self                      *Instance
	sealed                    bool // templates see only their own variables
}

func (s *scope) child() *scope {
	c := *s
	c.parent, c.vars, c.anon = s, nil, nil
	return &c
}

func (s *scope) lookup(name string) (cty.Value, bool) {
	for ; s != nil; s = s.parent {
		if v, ok := s.vars[name]; ok {
			return v, true
		}
	}
	return cty.NilVal, false
}

// reference evaluates a traversal from a name in scope.
func (r *Root) reference(t hcl.Traversal, s *scope) (cty.Value, hcl.Diagnostics) {
	v, used, diags := r.start(t, s)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	return r.follow(v, t[used:])
}

// follow applies the rest of a traversal to v.
func (r *Root) follow(v cty.Value, rest hcl.Traversal) (cty.Value, hcl.Diagnostics) {
	for _, t := range rest {
		var diags hcl.Diagnostics
		switch t := t.(type) {
		case hcl.TraverseAttr:
			v, diags = r.attr(v, t.Name, t.SrcRange)
		case hcl.TraverseIndex:
			v, diags = r.index(v, t.Key, t.SrcRange)
		default:
			diags = errorAt(ValueProblem, t.SourceRange(), "unsupported traversal", "")
		}
		if diags.HasErrors() {
			return cty.DynamicVal, diags
		}
	}
	return v, nil
}

// second is the name after the root of a traversal.
func second(t hcl.Traversal, i int) (string, bool) {
	if len(t) <= i {
		return "", false
	}
	switch a := t[i].(type) {
	case hcl.TraverseAttr:
		return a.Name, true
	case hcl.TraverseIndex:
		if a.Key.Type() == cty.String && a.Key.IsKnown() && !a.Key.IsNull() {
			return a.Key.AsString(), true
		}
	}
	return "", false
}

// start evaluates the beginning of a traversal and says how many of its steps
// that took.
func (r *Root) start(t hcl.Traversal, s *scope) (cty.Value, int, hcl.Diagnostics) {
	root := t.RootName()
	if v, ok := s.lookup(root); ok {
		return v, 1, nil
	}
	rng := t.SourceRange()
	if s.sealed {
		return cty.DynamicVal, 1, errorAt(ReferenceProblem, rng, fmt.Sprintf("the template is not given a variable %q", root), "")
	}
	name, ok := second(t, 1)
	if !ok {
		return cty.DynamicVal, 1, errorAt(ReferenceProblem, rng, fmt.Sprintf("%q needs an attribute", root), "")
	}
	none := func(v cty.Value) (cty.Value, int, hcl.Diagnostics) {
		if v == cty.NilVal {
			return cty.DynamicVal, 2, errorAt(ReferenceProblem, rng, fmt.Sprintf("%s.%s is not available here", root, name), "")
		}
		return v, 2, nil
	}
	switch root {
	case "var":
		v, diags := s.mod.variable(name, rng)
		return v, 2, diags
	case "local":
		v, diags := s.mod.local(name, rng)
		return v, 2, diags
	case "module":
		v, diags := s.mod.module(name, rng)
		return v, 2, diags
	case "each":
		if name == "key" {
			return none(s.eachKey)
		}
		return none(s.eachValue)
	case "count":
		return none(s.count)
	case "path":
		return none(s.mod.path(name))
	case "terraform", "tofu":
		if name == "workspace" {
			return cty.StringVal(r.cfg.Workspace), 2, nil
		}
		return none(cty.NilVal)
	case "self":
		if s.self != nil {
			return s.self.lazy(), 1, nil
		}
		return none(cty.NilVal)
	case "data":
		typ := name
		if name, ok = second(t, 2); ok {
			v, diags := s.mod.resource("data."+typ+"."+name, rng)
			return v, 3, diags
		}
		return none(cty.NilVal)
	case "ephemeral":
		return cty.DynamicVal, len(t), nil
	}
	v, diags := s.mod.resource(root+"."+name, rng)
	return v, 2, diags
}

// traversalText writes a traversal as in a source file.
func traversalText(t hcl.Traversal) string {
	var b strings.Builder
	for _, step := range t {
		switch step := step.(type) {
		case hcl.TraverseRoot:
			b.WriteString(step.Name)
		case hcl.TraverseAttr:
			b.WriteString("." + step.Name)
		case hcl.TraverseIndex:
			b.WriteString(keyText(step.Key))
		case hcl.TraverseSplat:
			b.WriteString("[*]")
		}
	}
	return b.String()
}

// keyText writes an index as in an address: [0], ["a"].
func keyText(key cty.Value) string {
	switch {
	case key == cty.NilVal:
		return ""
	case !key.IsKnown() || key.IsNull():
		return "[?]"
	case key.Type() == cty.Number:
		return "[" + key.AsBigFloat().Text('f', -1) + "]"
	case key.Type() == cty.String:
		return "[" + quote(key.AsString()) + "]"
	}
	return "[?]"
}

func quote(s string) string {
	q := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "${", "$${", "%{", "%%{").Replace(s)
	return `"` + q + `"`
}

// identity names a reference so that the same unknown value read twice is one
// value; "" where the place decides.
func identity(x hclsyntax.Expression, s *scope) string {
	st, ok := x.(*hclsyntax.ScopeTraversalExpr)
	if !ok {
		return ""
	}
	if _, local := s.lookup(st.Traversal.RootName()); local {
		return ""
	}
	at := s.mod.Path
	switch st.Traversal.RootName() {
	case "each", "count", "self":
		if s.self == nil {
			return ""
		}
		at = s.self.Address
	}
	return at + "|" + traversalText(st.Traversal)
}
