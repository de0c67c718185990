package tfread

import (
	"github.com/zclconf/go-cty/cty"

	"vtsize/facts"
	"vtsize/tfread/eval"
)

// nested is a resource or a block in one, wherever it was read from.
type nested struct {
	pos    facts.Pos
	get    func(name string) eval.Value
	blocks func(name string) ([]nested, bool)
}

// item is a resource instance.
type item struct {
	nested
	address  string // with stand-ins for symbolic keys
	path     string // of the module instance
	typ      string
	symbolic bool
	calls    []facts.Call
}

// itemOf wraps an instance that is evaluated.
func (rd *reader) itemOf(i *eval.Instance) *item {
	return &item{address: i.Address, path: i.Module.Path, typ: i.Resource.Type, symbolic: i.Symbolic, calls: rd.calls(i.Module),
		nested: nested{pos: pos(i.Place()), get: i.Get,
			blocks: func(name string) ([]nested, bool) {
				bs, known := i.Blocks(name)
				return wrapBlocks(bs, known, i)
			}}}
}

func wrapBlocks(bs []eval.Block, known bool, of *eval.Instance) ([]nested, bool) {
	var out []nested
	for _, b := range bs {
		n := nested{pos: pos(b.Pos), get: b.Get,
			blocks: func(name string) ([]nested, bool) {
				bs, known := b.Blocks(name)
				return wrapBlocks(bs, known, of)
			}}
		if of.BuiltIn() {
			n.pos = pos(of.Place())
			n.get = func(name string) eval.Value {
				v := b.Get(name)
				v.Pos = of.Place()
				return v
			}
		}
		out = append(out, n)
	}
	return out, known
}

// own is what an item is called by itself, as its name; a stand-in where that
// is not known.
func (rd *reader) own(i *item, attr string) string {
	v := i.get(attr).V
	if v != cty.NilVal && v.Type() == cty.String && v.IsKnown() && !v.IsNull() && v.AsString() != "" {
		return v.AsString()
	}
	return rd.root.StandIn(eval.Token{Kind: eval.Segment, Address: i.address, Attr: attr, Expr: i.address + "." + attr,
		Cause: eval.AfterApply, NotEmpty: true, Symbolic: i.symbolic})
}
