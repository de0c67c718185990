package eval

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Terraform orders whole resources, while this package evaluates attribute by
// attribute and may well find a value where Terraform finds a cycle. So cycles
// are looked for apart, in the references that the sources have.

// ref is a node of the reference graph.
type ref struct {
	mod *ModuleInst
	key string // "local.a", "var.a", "output.a", "aws_sqs_queue.q"
}

func (n ref) String() string { return n.mod.root.ShowAddress(n.mod.Address(n.key)) }

type cycleFinder struct {
	state map[ref]uint8 // 1 under way, 2 done
	path  []ref
	root  *Root
}

// FindCycles reports the cycles among resources, that Terraform would refuse,
// which can be reached from resources of the types given.
func (r *Root) FindCycles(types map[string]bool) {
	f := cycleFinder{state: map[ref]uint8{}, root: r}
	f.module(r.main, types)
}

func (f *cycleFinder) module(m *ModuleInst, types map[string]bool) {
	if m.cfg == nil {
		return
	}
	for _, key := range m.cfg.Order {
		if types[m.cfg.Resources[key].Type] {
			f.visit(ref{m, key})
		}
	}
	for _, name := range m.cfg.CallOrder {
		if insts := m.expandCall(m.cfg.Calls[name]).instances; len(insts) > 0 {
			f.module(insts[0], types)
		}
	}
}

func (f *cycleFinder) visit(n ref) {
	switch f.state[n] {
	case 2:
		return
	case 1:
		f.found(n)
		return
	}
	f.state[n] = 1
	f.path = append(f.path, n)
	f.follow(n)
	f.path = f.path[:len(f.path)-1]
	f.state[n] = 2
}

// found reports a cycle once, beginning with its first name, so that the same
// cycle reads the same wherever it is entered.
func (f *cycleFinder) found(n ref) {
	loop := slices.Clone(f.path[slices.Index(f.path, n):])
	var names []string
	for _, x := range loop {
		if !strings.HasPrefix(x.key, "var.") && !strings.HasPrefix(x.key, "output.") {
			names = append(names, x.String())
		}
	}
	if len(names) == 0 {
		return
	}
	first := slices.Index(names, slices.Min(names))
	names = append(names[first:], names[:first]...)
	f.root.note(Problem{Kind: CycleProblem, Pos: loopPos(loop, names[0]),
		Summary: "cycle: " + strings.Join(names, " → ") + " → " + names[0]})
}

func loopPos(loop []ref, name string) hcl.Range {
	for _, n := range loop {
		if n.String() != name {
			continue
		}
		if res := n.mod.cfg.Resources[n.key]; res != nil {
			return res.DeclRange
		}
		if l := n.mod.cfg.Locals[strings.TrimPrefix(n.key, "local.")]; l != nil {
			return l.Pos
		}
	}
	return hcl.Range{}
}

// follow visits what a node refers to.
func (f *cycleFinder) follow(n ref) {
	m := n.mod
	kind, name, _ := strings.Cut(n.key, ".")
	switch kind {
	case "local":
		if l := m.cfg.Locals[name]; l != nil {
			f.expr(l.Expr, m)
		}
	case "output":
		if o := m.cfg.Outputs[name]; o != nil && o.Expr != nil {
			f.expr(o.Expr, m)
		}
	case "var":
		if m.Call != nil && m.Call.Args[name] != nil {
			f.expr(m.Call.Args[name].Expr, m.Parent)
		}
	default:
		if res := m.cfg.Resources[n.key]; res != nil {
			f.body(res.Body, m)
		}
	}
}

func (f *cycleFinder) body(b *hclsyntax.Body, m *ModuleInst) {
	for _, name := range slices.Sorted(maps.Keys(b.Attributes)) {
		f.expr(b.Attributes[name].Expr, m)
	}
	for _, inner := range b.Blocks {
		// ignore_changes names attributes, and provisioners may look at self.
		if inner.Type != "lifecycle" && inner.Type != "provisioner" && inner.Type != "connection" {
			f.body(inner.Body, m)
		}
	}
}

func (f *cycleFinder) expr(x hclsyntax.Expression, m *ModuleInst) {
	for _, t := range hclsyntax.Variables(x) {
		f.reference(t, m)
	}
}

func (f *cycleFinder) reference(t hcl.Traversal, m *ModuleInst) {
	name, ok := second(t, 1)
	if !ok || m.cfg == nil {
		return
	}
	switch root := t.RootName(); root {
	case "each", "count", "self", "path", "terraform", "tofu":
	case "local", "var":
		f.visit(ref{m, root + "." + name})
	case "module":
		f.call(name, t, m)
	case "data":
		if typ := name; len(t) > 2 {
			if name, ok = second(t, 2); ok {
				f.visit(ref{m, fmt.Sprintf("data.%s.%s", typ, name)})
			}
		}
	default:
		switch key := root + "." + name; {
		case m.cfg.Resources[key] != nil:
			f.visit(ref{m, key})
		case strings.HasPrefix(root, "aws_"):
			// Terraform refuses it wherever it stands, in try() too.
			_, diags := m.undeclared("", key, t.SourceRange())
			f.root.report(diags)
		}
	}
}

// call visits the output that a reference to a module means, or all of them.
func (f *cycleFinder) call(name string, t hcl.Traversal, m *ModuleInst) {
	c := m.cfg.Calls[name]
	if c == nil {
		return
	}
	insts := m.expandCall(c).instances
	if len(insts) == 0 || insts[0].cfg == nil {
		return
	}
	child := insts[0]
	at := 2
	if len(t) > 2 {
		if _, index := t[2].(hcl.TraverseIndex); index {
			at = 3
		}
	}
	if out, ok := second(t, at); ok {
		if child.cfg.Outputs[out] != nil {
			f.visit(ref{child, "output." + out})
		}
		return
	}
	for _, out := range slices.Sorted(maps.Keys(child.cfg.Outputs)) {
		f.visit(ref{child, "output." + out})
	}
}
