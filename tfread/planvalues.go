package tfread

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"

	"vtsize/facts"
	"vtsize/tfread/eval"
)

// item wraps a resource of a plan, so that it looks like an evaluated one.
func (p *planReader) item(r *planResource) *item {
	cfg := p.at[withoutKeys(r.module)+"|"+r.typ+"."+r.name]
	var exprs map[string]*tfjson.Expression
	if cfg != nil {
		exprs = cfg.Expressions
	}
	n := p.nested(r, r.address, r.values, r.unknown, r.sensitive, exprs)
	return &item{nested: n, address: r.address, path: r.module, typ: r.typ, calls: planCalls(r.module, p.name)}
}

// planCalls is the chain of module calls in a module's address.
func planCalls(module, file string) []facts.Call {
	var out []facts.Call
	for i := 0; i < len(module); {
		end := i + len("module.")
		quoted := false
		for ; end < len(module) && (quoted || module[end] != '.'); end++ {
			if module[end] == '"' {
				quoted = !quoted
			}
		}
		out = append(out, facts.Call{Module: module[:min(end, len(module))], Pos: facts.Pos{File: file}})
		i = end + 1
	}
	return out
}

func (p *planReader) nested(r *planResource, label string, values, unknown, sensitive map[string]any, exprs map[string]*tfjson.Expression) nested {
	n := nested{pos: facts.Pos{File: p.name}}
	n.get = func(name string) eval.Value {
		return p.value(r, label+"."+name, name, values[name], unknown[name], sensitive[name], exprs[name])
	}
	n.blocks = func(name string) ([]nested, bool) {
		if unknown[name] == true {
			return nil, false
		}
		list, _ := values[name].([]any)
		if one, ok := values[name].(map[string]any); ok {
			list = []any{one}
		}
		us, _ := unknown[name].([]any)
		ss, _ := sensitive[name].([]any)
		var out []nested
		for i, e := range list {
			v, _ := e.(map[string]any)
			xs := blockExprs(exprs[name], i)
			b := p.nested(r, fmt.Sprintf("%s.%s[%d]", label, name, i), v, at(us, i), at(ss, i), xs)
			if get := b.get; xs == nil { // a dynamic block, of which the plan has no expressions
				b.get = func(name string) eval.Value {
					v := get(name)
					v.Set = v.Set || !isNull(v.V)
					return v
				}
			}
			out = append(out, b)
		}
		return out, true
	}
	return n
}

func at(list []any, i int) map[string]any {
	if i >= len(list) {
		return nil
	}
	m, _ := list[i].(map[string]any)
	return m
}

func blockExprs(x *tfjson.Expression, i int) map[string]*tfjson.Expression {
	if x == nil || x.ExpressionData == nil || i >= len(x.NestedBlocks) {
		return nil
	}
	return x.NestedBlocks[i]
}

// value is one attribute of a plan as the facts need it.
func (p *planReader) value(r *planResource, label, name string, v, unknown, sensitive any, x *tfjson.Expression) eval.Value {
	set := x != nil && x.ExpressionData != nil
	out := eval.Value{Pos: hcl.Range{Filename: p.name}, Detail: label, Set: set || !p.known && v != nil}
	if sensitive == true {
		out.Secret, out.V = true, cty.DynamicVal
		return out
	}
	link := func() (string, bool) { return "", false }
	if set {
		link = func() (string, bool) { return p.link(r, name, x.References) }
	}
	if unknown == true && p.known && !set && strings.HasPrefix(name, "redrive_") {
		// The provider may compute it, and nobody asks for one: a queue that is
		// made without a policy has none.
		out.V = cty.NullVal(cty.String)
		return out
	}
	if unknown == true {
		out.Set = true
		out.V = p.unknownValue(r, name, link)
		return out
	}
	out.V = toCty(v, unknown, link)
	return out
}

// unknownValue stands for what is decided at apply: a stand-in for the resource
// that the expression refers to, where there is one.
func (p *planReader) unknownValue(r *planResource, name string, link func() (string, bool)) cty.Value {
	s, ok := link()
	switch {
	case name == "redrive_policy" && ok:
		// The text is decided at apply, and which queue it names is plain.
		n := p.root.StandIn(eval.Token{Kind: eval.Opaque, Address: r.address, Attr: "redrive_policy.maxReceiveCount",
			Expr: r.address + ".redrive_policy", Cause: eval.AfterApply})
		return cty.StringVal(fmt.Sprintf(`{"deadLetterTargetArn":%q,"maxReceiveCount":%q}`, s, n))
	case ok:
		return cty.StringVal(s)
	case name == "name" || name == "function_name" && r.typ == "aws_lambda_function":
		return cty.UnknownVal(cty.String)
	}
	return cty.DynamicVal
}

// toCty turns JSON into a value; what is unknown in it becomes a stand-in.
func toCty(v, unknown any, link func() (string, bool)) cty.Value {
	if unknown == true {
		if s, ok := link(); ok {
			return cty.StringVal(s)
		}
		return cty.DynamicVal
	}
	switch v := v.(type) {
	case bool:
		return cty.BoolVal(v)
	case float64:
		return cty.NumberFloatVal(v)
	case json.Number:
		if n, err := cty.ParseNumberVal(v.String()); err == nil {
			return n
		}
		return cty.DynamicVal
	case string:
		return cty.StringVal(v)
	case []any:
		us, _ := unknown.([]any)
		out := make([]cty.Value, 0, len(v))
		for i, e := range v {
			var u any
			if i < len(us) {
				u = us[i]
			}
			out = append(out, toCty(e, u, link))
		}
		for i := len(v); i < len(us); i++ {
			out = append(out, toCty(nil, us[i], link))
		}
		return cty.TupleVal(out)
	case map[string]any:
		us, _ := unknown.(map[string]any)
		out := map[string]cty.Value{}
		for k, e := range v {
			out[k] = toCty(e, us[k], link)
		}
		for k, u := range us {
			if _, ok := out[k]; !ok {
				out[k] = toCty(nil, u, link)
			}
		}
		return cty.ObjectVal(out)
	}
	return cty.NullVal(cty.DynamicPseudoType)
}

// link finds the one resource that an attribute's references lead to, and makes
// a stand-in for its identifier.
func (p *planReader) link(r *planResource, name string, refs []string) (string, bool) {
	l := linker{p: p, accept: accepted(name)}
	l.follow(r.module, r, refs, 0)
	if len(l.found) != 1 {
		return "", false
	}
	return p.root.StandIn(eval.Token{Kind: eval.Segment, Address: l.found[0], Attr: "arn", Expr: l.found[0] + ".arn", Cause: eval.AfterApply, NotEmpty: true}), true
}

// accepted says which resource types an attribute may mean; nil for any.
func accepted(name string) map[string]bool {
	switch name {
	case "function_name", "target":
		return map[string]bool{"aws_lambda_function": true, "aws_lambda_alias": true}
	case "redrive_policy", "redrive_allow_policy", "queue_url", "dimensions":
		return map[string]bool{"aws_sqs_queue": true}
	}
	return nil
}

// withoutKeys takes the instance keys out of an address.
func withoutKeys(addr string) string {
	if !strings.Contains(addr, "[") {
		return addr
	}
	var b strings.Builder
	depth, quoted := 0, false
	for i := 0; i < len(addr); i++ {
		c := addr[i]
		switch {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[':
			depth++
		case c == ']':
			depth--
		case depth == 0:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// indexText writes the key of an instance as in its address.
func indexText(index any) string {
	switch k := index.(type) {
	case string:
		return "[" + strconv.Quote(k) + "]"
	case float64:
		return "[" + strconv.FormatFloat(k, 'f', -1, 64) + "]"
	case json.Number:
		return "[" + k.String() + "]"
	}
	return ""
}
