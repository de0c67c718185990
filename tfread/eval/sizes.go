package eval

import (
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// guardSize refuses calls whose result would be too large to compute.
func (r *Root) guardSize(name string, args []cty.Value) error {
	text := func(i int) (string, bool) {
		if i >= len(args) {
			return "", false
		}
		u, _ := args[i].Unmark()
		if u.Type() != cty.String || u.IsNull() || !u.IsKnown() {
			return "", false
		}
		return u.AsString(), true
	}
	for _, a := range args {
		if hugeNumber(a) {
			return &LimitError{What: "exponent of a number", Limit: maxExponent, Unit: "bits"}
		}
	}
	switch name {
	case "setproduct":
		n := 1
		for _, a := range args {
			if u, _ := a.Unmark(); u.IsKnown() && !u.IsNull() && u.CanIterateElements() {
				if n *= max(u.LengthInt(), 1); n*len(args) > MaxNodes {
					return &LimitError{What: "elements of one value", Limit: MaxNodes}
				}
			}
		}
	case "format", "formatlist":
		if s, ok := text(0); ok && longWidth.MatchString(s) {
			return &LimitError{What: "width in a format", Limit: maxPad}
		}
		for _, a := range args[min(1, len(args)):] { // %*d takes its width from an argument
			if u, _ := a.Unmark(); u.Type() == cty.Number && u.IsKnown() && !u.IsNull() {
				if s, ok := text(0); ok && strings.Contains(s, "*") && u.AsBigFloat().Cmp(bigPad) > 0 {
					return &LimitError{What: "width in a format", Limit: maxPad}
				}
			}
		}
	case "indent":
		if len(args) == 2 {
			if u, _ := args[0].Unmark(); u.Type() == cty.Number && u.IsKnown() && !u.IsNull() && u.AsBigFloat().Cmp(bigPad) > 0 {
				return &LimitError{What: "indentation", Limit: maxPad}
			}
		}
	case "jsondecode", "yamldecode":
		if s, ok := text(0); ok {
			return decodable(name, s)
		}
	case "tonumber", "parseint":
		if s, ok := text(0); ok && !shortNumber(s) {
			return &LimitError{What: "exponent of a number", Limit: maxExponent, Unit: "bits"}
		}
	case "regex", "regexall":
		if len(args) == 2 {
			return matchable(text, 0, 1)
		}
	case "replace":
		if p, ok := text(1); ok && len(p) > 1 && p[0] == '/' && p[len(p)-1] == '/' {
			if err := matchable(text, 1, 0); err != nil {
				return err
			}
		}
		return r.guardGrowth(name, args)
	case "join":
		return r.guardGrowth(name, args)
	}
	return nil
}

// guardGrowth bounds functions that repeat one argument as often as another
// has places for it.
func (r *Root) guardGrowth(name string, args []cty.Value) error {
	size := func(v cty.Value) int {
		n := 0
		r.walkStrings(v, func(s string) bool { n += len(s); return n <= MaxString })
		return n
	}
	total := 0
	switch {
	case name == "join" && len(args) > 1:
		for _, a := range args[1:] {
			u, _ := a.Unmark()
			if u.IsKnown() && !u.IsNull() && u.CanIterateElements() {
				total += size(u) + u.LengthInt()*size(args[0])
			}
		}
	case name == "replace" && len(args) == 3:
		total = (size(args[0]) + 1) * max(size(args[2]), 1) / max(size(args[1]), 1)
	}
	if total > 8*MaxString {
		return &LimitError{What: "length of a string", Limit: MaxString, Unit: "bytes"}
	}
	return nil
}

// matchable bounds what a regular expression is matched with: each instruction
// of it may look at each byte.
func matchable(text func(int) (string, bool), pattern, subject int) error {
	p, known := text(pattern)
	s, given := text(subject)
	if !known || !given || len(p)*len(s) < 1<<12 {
		return nil
	}
	re, err := syntax.Parse(p, syntax.Perl)
	if err != nil {
		return nil // the function says it
	}
	prog, err := syntax.Compile(re.Simplify())
	if err == nil && len(prog.Inst)*len(s) > maxRegex {
		return &LimitError{What: "length of a regular expression times that of its text", Limit: maxRegex}
	}
	return nil
}

// decodable bounds what the JSON and YAML parsers are given: they recurse, and
// aliases of YAML multiply.
func decodable(name, s string) error {
	if longExponent.MatchString(s) {
		return &LimitError{What: "exponent of a number", Limit: maxExponent, Unit: "bits"}
	}
	if name == "jsondecode" {
		if !jsonShallow([]byte(s)) {
			return &LimitError{What: "nesting", Limit: MaxNesting, Unit: "levels"}
		}
		return nil
	}
	indent, flow := 0, 0
	for line := range strings.Lines(s) {
		indent = max(indent, len(line)-len(strings.TrimLeft(line, " -?:")))
		flow += strings.Count(line, "[") + strings.Count(line, "{")
	}
	if indent > MaxNesting || flow > 20*MaxNesting {
		return &LimitError{What: "nesting", Limit: MaxNesting, Unit: "levels"}
	}
	if strings.Count(s, "*") > 20 && strings.Contains(s, "&") {
		return &LimitError{What: "aliases in YAML", Limit: 20}
	}
	return nil
}

// shortNumber refuses text that is a number too long to write out.
func shortNumber(s string) bool {
	if len(s) > 400 {
		return false
	}
	i := strings.LastIndexAny(s, "eE")
	return i < 0 || len(strings.TrimLeft(s[i+1:], "+-0")) <= 4
}

var longExponent = regexp.MustCompile(`\d[eE][+-]?0*[1-9]\d{3}`)

var longWidth = regexp.MustCompile(`%[-+ #0]*\d{5,}|%[-+ #0]*\d*\.\d{5,}`)

var bigPad = cty.NumberIntVal(maxPad).AsBigFloat()
