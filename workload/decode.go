package workload

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"vtsize/facts"
	"vtsize/internal/spell"
)

// maxProblems is how many mistakes are told of one file.
const maxProblems = 50

// decoder walks the syntax tree. It goes on after a mistake, so that all are
// told at once.
type decoder struct {
	f        *File
	problems []error
}

// parse gives the body of the file's one document; nil for an empty one or a
// broken one.
func (d *decoder) parse(text []byte) ast.Node {
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		var at yaml.Error
		if errors.As(err, &at) && at.GetToken() != nil {
			d.add(d.pos(at.GetToken()), width(at.GetToken()), "", "%s", plainSyntax(at.GetMessage()))
		} else {
			d.add(facts.Pos{File: d.f.Name}, 0, "", "this is not YAML: %v", err)
		}
		return nil
	}
	var body ast.Node
	for _, doc := range file.Docs {
		switch {
		case doc.Body == nil:
		case body != nil:
			d.fail(doc.Body, "", "a second document begins here; write one document")
			return body
		default:
			body = doc.Body
		}
	}
	return body
}

// plainSyntax says what the parser says of a double key in our words.
func plainSyntax(message string) string {
	if key, ok := strings.CutPrefix(message, "mapping key "); ok {
		if key, at, ok := strings.Cut(key, " already defined at ["); ok {
			line, _, _ := strings.Cut(at, ":")
			return fmt.Sprintf("key %s is already there in line %s", key, line)
		}
	}
	return message
}

func (d *decoder) pos(t *token.Token) facts.Pos {
	return facts.Pos{File: d.f.Name, Line: t.Position.Line, Column: t.Position.Column}
}

// width is how many letters a token has in its line.
func width(t *token.Token) int {
	first, _, _ := strings.Cut(strings.TrimSpace(t.Origin), "\n")
	return utf8.RuneCountInString(first)
}

// first is the token that a node begins with: of a block mapping its first
// key, not the colon after it.
func first(n ast.Node) *token.Token {
	switch n := n.(type) {
	case *ast.MappingNode:
		if !n.IsFlowStyle && len(n.Values) > 0 {
			return first(n.Values[0])
		}
	case *ast.MappingValueNode:
		return n.Key.GetToken()
	}
	return n.GetToken()
}

func (d *decoder) fail(n ast.Node, hint, format string, args ...any) {
	t := first(n)
	d.add(d.pos(t), width(t), hint, format, args...)
}

// at tells of a mistake at the place of a value.
func (d *decoder) at(o facts.Origin, width int, hint, format string, args ...any) {
	d.add(o.Pos, width, hint, format, args...)
}

func (d *decoder) add(p facts.Pos, width int, hint, format string, args ...any) {
	if len(d.problems) < maxProblems {
		d.problems = append(d.problems, d.f.problem(p, width, hint, format, args...))
	}
}

func (d *decoder) origin(n ast.Node) facts.Origin { return declared(d.pos(first(n))) }

// fields are the keys of a mapping and what reads the value of each.
type fields map[string]func(ast.Node)

// pairs are the keys and values of a mapping. It reports false where the node
// is none.
func (d *decoder) pairs(n ast.Node, what string) ([]*ast.MappingValueNode, bool) {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, true
	}
	d.fail(n, "", "%s wants keys and values, and this is %s", what, kindOf(n))
	return nil, false
}

// object reads a mapping by its keys.
func (d *decoder) object(n ast.Node, what string, known fields) {
	pairs, _ := d.pairs(n, what)
	for _, pair := range pairs {
		name, ok := d.key(pair)
		if !ok {
			continue
		}
		read := known[name]
		if read == nil {
			names := slices.Sorted(maps.Keys(known))
			hint := "keys: " + strings.Join(names, ", ")
			if near := spell.Nearest(name, names); near != "" {
				hint = fmt.Sprintf("did you mean %q?", near)
			}
			d.fail(pair.Key, hint, "no key %q in %s", name, what)
			continue
		}
		if isNull(pair.Value) {
			d.fail(pair.Key, "", "%s has no value", name)
			continue
		}
		read(pair.Value)
	}
}

// key is the name of a pair. Merge keys are refused: a value would have two
// places.
func (d *decoder) key(pair *ast.MappingValueNode) (string, bool) {
	switch k := pair.Key.(type) {
	case *ast.StringNode:
		return k.Value, true
	case *ast.MergeKeyNode:
		d.fail(pair.Key, "a glob matches several queues: match: \"agent-*\"", "merge keys (<<) are not read; write the values out")
		return "", false
	}
	return pair.Key.GetToken().Value, true
}

func isNull(n ast.Node) bool {
	_, ok := n.(*ast.NullNode)
	return ok || n == nil
}

// list reads the items of a sequence.
func (d *decoder) list(n ast.Node, what string, read func(int, ast.Node)) {
	seq, ok := n.(*ast.SequenceNode)
	if !ok {
		d.fail(n, "", "%s wants a list, and this is %s", what, kindOf(n))
		return
	}
	for i, item := range seq.Values {
		if isNull(item) {
			d.fail(n, "", "%s has an empty item", what)
			continue
		}
		read(i, item)
	}
}

// text is the text of a scalar.
func (d *decoder) text(n ast.Node, what string) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return n.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, true
	}
	d.fail(n, "", "%s wants a single value, and this is %s", what, kindOf(n))
	return "", false
}

func kindOf(n ast.Node) string {
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.AnchorNode, *ast.AliasNode:
		return "an anchor or alias, which are not read"
	case *ast.TagNode:
		return "a tag, which is not read"
	case *ast.NullNode:
		return "nothing"
	}
	return "a single value"
}
