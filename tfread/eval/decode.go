package eval

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// decoder gathers the blocks of a directory into a Module.
type decoder struct {
	m        *Module
	override bool
}

func newDecoder(dir string) *decoder {
	return &decoder{m: &Module{
		Dir:       dir,
		Variables: map[string]*Variable{},
		Locals:    map[string]*Local{},
		Outputs:   map[string]*Output{},
		Calls:     map[string]*ModuleCall{},
		Resources: map[string]*Resource{},
	}}
}

func (d *decoder) fail(p Problem) {
	d.m.Problems = append(d.m.Problems, p)
	if p.Kind == ParseProblem || p.Kind == LimitProblem {
		d.m.Partial = true
	}
}

func (d *decoder) problem(kind ProblemKind, rng hcl.Range, format string, args ...any) {
	d.fail(Problem{Kind: kind, Pos: rng, Summary: fmt.Sprintf(format, args...)})
}

func (d *decoder) file(src []byte, display string, override bool) *hclsyntax.Body {
	body, problems := parse(src, display)
	for _, p := range problems {
		d.fail(p)
	}
	if body == nil {
		return nil
	}
	d.override = override
	for _, b := range body.Blocks {
		d.block(b)
	}
	return body
}

// labels is how many labels a block has.
var labels = map[string]int{"variable": 1, "output": 1, "module": 1, "resource": 2, "data": 2, "locals": 0}

func (d *decoder) block(b *hclsyntax.Block) {
	want, known := labels[b.Type]
	if !known {
		return // terraform, moved, check, …: nothing that evaluates to a fact
	}
	if len(b.Labels) != want {
		d.problem(ParseProblem, b.DefRange(), "a %s block has %d labels, not %d", b.Type, want, len(b.Labels))
		return
	}
	switch b.Type {
	case "variable":
		d.variable(b)
	case "locals":
		for _, name := range slices.Sorted(maps.Keys(b.Body.Attributes)) {
			a := b.Body.Attributes[name]
			if old, ok := d.m.Locals[name]; ok && !d.override {
				d.duplicate(a.NameRange, "local."+name, old.Pos)
				continue
			}
			d.m.Locals[name] = &Local{Name: name, Expr: a.Expr, Pos: a.NameRange}
		}
	case "output":
		d.output(b)
	case "module":
		d.call(b)
	default:
		d.resource(b)
	}
}

func (d *decoder) duplicate(rng hcl.Range, what string, first hcl.Range) {
	d.problem(DuplicateProblem, rng, "%s is defined twice; the first definition is at %s", what, describeRange(first))
}

// literal evaluates an attribute that may not refer to anything.
func literal(a *hclsyntax.Attribute) (cty.Value, bool) {
	if a == nil {
		return cty.NilVal, false
	}
	v, diags := a.Expr.Value(nil)
	return v, !diags.HasErrors() && v.IsKnown() && !v.IsNull()
}

func literalBool(a *hclsyntax.Attribute, or bool) bool {
	if v, ok := literal(a); ok {
		if v.Type() == cty.Bool {
			return v.True()
		}
		if v.Type() == cty.String {
			return v.AsString() == "true"
		}
	}
	return or
}

func (d *decoder) variable(b *hclsyntax.Block) {
	name := b.Labels[0]
	v := d.m.Variables[name]
	switch {
	case v == nil:
		v = &Variable{Name: name, Type: cty.DynamicPseudoType, Nullable: true, DeclRange: b.DefRange()}
		d.m.Variables[name] = v
	case !d.override:
		d.duplicate(b.DefRange(), "var."+name, v.DeclRange)
		return
	}
	attrs := b.Body.Attributes
	if a := attrs["default"]; a != nil {
		v.Default = a.Expr
	}
	v.Nullable = literalBool(attrs["nullable"], v.Nullable)
	v.Sensitive = literalBool(attrs["sensitive"], v.Sensitive)
	if a := attrs["type"]; a != nil {
		v.typed = true
		ty, defaults, diags := variableType(a.Expr)
		if diags.HasErrors() {
			v.typeFailed = true
			d.fail(fromDiag(ValueProblem, diags[0]))
			return
		}
		v.Type, v.Defaults = ty, defaults
	}
}

// variableType reads a type constraint, in quotes too, as Terraform 0.11 wrote it.
func variableType(x hclsyntax.Expression) (cty.Type, *typeexpr.Defaults, hcl.Diagnostics) {
	if v, diags := x.Value(nil); !diags.HasErrors() && v.Type() == cty.String && v.IsKnown() && !v.IsNull() {
		switch s := v.AsString(); s {
		case "string":
			return cty.String, nil, nil
		case "list":
			return cty.List(cty.DynamicPseudoType), nil, nil
		case "map":
			return cty.Map(cty.DynamicPseudoType), nil, nil
		default:
			inner, diags := hclsyntax.ParseExpression([]byte(s), x.Range().Filename, x.Range().Start)
			if diags.HasErrors() {
				return cty.DynamicPseudoType, nil, diags
			}
			return typeexpr.TypeConstraintWithDefaults(inner)
		}
	}
	if hcl.ExprAsKeyword(x) == "list" {
		return cty.List(cty.DynamicPseudoType), nil, nil
	}
	if hcl.ExprAsKeyword(x) == "map" {
		return cty.Map(cty.DynamicPseudoType), nil, nil
	}
	return typeexpr.TypeConstraintWithDefaults(x)
}

func (d *decoder) output(b *hclsyntax.Block) {
	name := b.Labels[0]
	o := d.m.Outputs[name]
	if o == nil {
		o = &Output{Name: name, DeclRange: b.DefRange()}
		d.m.Outputs[name] = o
	} else if !d.override {
		d.duplicate(b.DefRange(), "output."+name, o.DeclRange)
		return
	}
	if a := b.Body.Attributes["value"]; a != nil {
		o.Expr = a.Expr
	}
	o.Sensitive = literalBool(b.Body.Attributes["sensitive"], o.Sensitive)
}

// metaArgs are the arguments of a module block that are not the module's.
var metaArgs = map[string]bool{"source": true, "version": true, "count": true, "for_each": true, "providers": true, "depends_on": true}

func (d *decoder) call(b *hclsyntax.Block) {
	name := b.Labels[0]
	c := d.m.Calls[name]
	if c == nil {
		c = &ModuleCall{Name: name, Args: map[string]*hclsyntax.Attribute{}, DeclRange: b.DefRange()}
		d.m.Calls[name] = c
		d.m.CallOrder = append(d.m.CallOrder, name)
	} else if !d.override {
		d.duplicate(b.DefRange(), "module."+name, c.DeclRange)
		return
	}
	for arg, a := range b.Body.Attributes {
		switch {
		case arg == "count":
			c.Count = a.Expr
		case arg == "for_each":
			c.ForEach = a.Expr
		case arg == "source":
			if v, ok := literal(a); ok && v.Type() == cty.String {
				c.Source = v.AsString()
			}
		case arg == "version":
			if v, ok := literal(a); ok && v.Type() == cty.String {
				c.Version = v.AsString()
			}
		case !metaArgs[arg]:
			c.Args[arg] = a
		}
	}
}

func (d *decoder) resource(b *hclsyntax.Block) {
	r := &Resource{Data: b.Type == "data", Type: b.Labels[0], Name: b.Labels[1], Body: b.Body,
		DeclRange: b.DefRange(), BodyRange: b.Range()}
	key := r.Key()
	old := d.m.Resources[key]
	switch {
	case old != nil && d.override:
		mergeBody(old.Body, b.Body)
		r = old
	case old != nil:
		d.duplicate(b.DefRange(), key, old.DeclRange)
		return
	default:
		d.m.Resources[key] = r
		d.m.Order = append(d.m.Order, key)
	}
	if a := r.Body.Attributes["count"]; a != nil {
		r.Count = a.Expr
	}
	if a := r.Body.Attributes["for_each"]; a != nil {
		r.ForEach = a.Expr
	}
}

// mergeBody merges an override: arguments one by one, nested blocks by type.
func mergeBody(into, from *hclsyntax.Body) {
	maps.Copy(into.Attributes, from.Attributes)
	replaced := map[string]bool{}
	for _, b := range from.Blocks {
		replaced[blockName(b)] = true
	}
	into.Blocks = slices.DeleteFunc(into.Blocks, func(b *hclsyntax.Block) bool { return replaced[blockName(b)] })
	into.Blocks = append(into.Blocks, from.Blocks...)
}

// blockName is the type of a nested block, of what a dynamic block makes too.
func blockName(b *hclsyntax.Block) string {
	if b.Type == "dynamic" && len(b.Labels) == 1 {
		return b.Labels[0]
	}
	return b.Type
}
