package eval

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// Reason says what an expression lacked.
type Reason struct {
	Cause Cause
	Text  string // "var.env has no value"
	Pos   hcl.Range
}

// impure are the functions whose result Terraform decides at apply.
var impure = map[string]bool{"uuid": true, "timestamp": true, "bcrypt": true, "plantimestamp": true}

// Why finds the first thing that keeps an expression from being known.
func (r *Root) Why(x hclsyntax.Expression, s *scope) Reason {
	out := Reason{Pos: x.Range(), Text: "it could not be evaluated"}
	if s == nil {
		return out
	}
	// What has no value at all goes before what has a stand-in: of the two only
	// the first is always in the way.
	for _, tokens := range []bool{false, true} {
		w := whyWalker{root: r, scope: s, tokens: tokens}
		if w.walk(x, 0); w.found {
			return w.reason
		}
	}
	return out
}

// WhyValue explains an attribute that is not known.
func (r *Root) WhyValue(v Value) Reason {
	if v.Secret {
		return Reason{Cause: Secret, Text: "it is marked as sensitive", Pos: v.Pos}
	}
	if v.Diags.HasErrors() {
		d := v.Diags[0]
		out := Reason{Text: r.Show(d.Summary), Pos: v.Pos}
		if d.Detail != "" {
			out.Text += ": " + r.Show(d.Detail)
		}
		return out
	}
	if v.V != cty.NilVal {
		if t, ok := r.firstToken(v.V); ok {
			return r.TokenReason(t)
		}
	}
	if v.Expr == nil {
		return Reason{Cause: AfterApply, Text: "it is decided at apply", Pos: v.Pos}
	}
	return r.Why(v.Expr, v.scope)
}

func (r *Root) firstToken(v cty.Value) (Token, bool) {
	if ts := r.tokenIn(v); len(ts) > 0 {
		return r.tokens.list[ts[0]], true
	}
	return Token{}, false
}

// TokenReason says why what a token stands for is not known.
func (r *Root) TokenReason(t Token) Reason {
	expr := r.ShowAddress(t.Expr)
	out := Reason{Cause: t.Cause, Pos: t.Pos}
	if t.Reason != "" {
		out.Text = r.ShowAddress(t.Reason)
		return out
	}
	switch t.Cause {
	case AfterApply:
		out.Text = expr + " is decided at apply"
	case NotSet:
		out.Text = expr + " has no value"
	default:
		out.Text = expr + " is not known"
	}
	return out
}

// whyWalker looks through an expression for the first reference that is not
// known, following locals, variables and outputs to where they stop.
type whyWalker struct {
	root   *Root
	scope  *scope
	tokens bool // look at stand-ins too
	found  bool
	reason Reason
}

func (w *whyWalker) walk(x hclsyntax.Expression, depth int) {
	if depth > 40 {
		return
	}
	// Loop variables are not in scope here: what they come from is found in
	// the collection.
	_ = hclsyntax.VisitAll(x, func(n hclsyntax.Node) hcl.Diagnostics {
		if w.found {
			return nil
		}
		switch n := n.(type) {
		case *hclsyntax.FunctionCallExpr:
			if impure[n.Name] {
				w.set(Reason{Cause: AfterApply, Text: n.Name + "() is decided at apply", Pos: n.NameRange})
			}
		case *hclsyntax.ScopeTraversalExpr:
			w.reference(n, depth)
		}
		return nil
	})
}

func (w *whyWalker) set(r Reason) { w.found, w.reason = true, r }

func (w *whyWalker) reference(x *hclsyntax.ScopeTraversalExpr, depth int) {
	r, s := w.root, w.scope
	name, ok := second(x.Traversal, 1)
	if _, local := s.lookup(x.Traversal.RootName()); local || !ok {
		return
	}
	v, diags := r.reference(x.Traversal, s)
	if diags.HasErrors() {
		if kindOf(diags[0]) != ValueProblem {
			w.set(Reason{Text: r.Show(diags[0].Summary), Pos: x.Range()})
		}
		return
	}
	u, _ := v.UnmarkDeep()
	if t, ok := r.firstToken(u); ok && w.tokens {
		w.set(r.TokenReason(t))
		return
	}
	if u.IsWhollyKnown() || hasLazy(u) {
		return
	}
	switch x.Traversal.RootName() {
	case "local":
		if l := s.mod.cfg.Locals[name]; l != nil {
			w.within(l.Expr, s.mod.scope(), depth)
		}
	case "var":
		w.variable(name, depth)
	case "each":
		w.each(depth)
	default:
		w.set(Reason{Text: traversalText(x.Traversal) + " is not known", Pos: x.Range()})
	}
}

func (w *whyWalker) within(x hclsyntax.Expression, s *scope, depth int) {
	inner := whyWalker{root: w.root, scope: s, tokens: w.tokens}
	inner.walk(x, depth+1)
	if inner.found {
		w.set(inner.reason)
	}
}

// each looks for what keeps each.key or each.value from being known.
func (w *whyWalker) each(depth int) {
	s := w.scope
	switch {
	case s.self != nil && s.self.Resource.ForEach != nil:
		w.within(s.self.Resource.ForEach, s.mod.scope(), depth)
	case s.mod.calls != nil:
		for name, n := range s.mod.calls {
			for _, mi := range n.instances {
				if c := s.mod.cfg.Calls[name]; mi.outer == s && c.ForEach != nil {
					w.within(c.ForEach, s.mod.scope(), depth)
					return
				}
			}
		}
	}
}

func (w *whyWalker) variable(name string, depth int) {
	m := w.scope.mod
	if m.Call != nil {
		if a := m.Call.Args[name]; a != nil {
			w.within(a.Expr, m.outer, depth)
			return
		}
	}
	if v := m.cfg.Variables[name]; v != nil {
		w.set(Reason{Cause: NotSet, Text: m.root.ShowAddress(m.parentOwn("var."+name)) + " has no value", Pos: v.DeclRange})
	}
}
