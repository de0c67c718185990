package eval

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// TokenKind says what the letters behind a token could be.
type TokenKind uint8

// The kinds of token.
const (
	// Segment is one part of an identifier that a service assigns: a region, an
	// account, a generated name. It is not empty and has no ':' and no '/'.
	Segment TokenKind = iota
	// Opaque could be any string and, where its type is not known, any value.
	Opaque
	// Key is the symbolic key or element of a collection that is not known.
	Key
)

// Token is what a stand-in stands for.
type Token struct {
	Kind     TokenKind
	Address  string // of the resource instance, empty for others
	Attr     string
	Expr     string // as people know it: "var.env"
	Cause    Cause
	Reason   string // why it is not known, where Cause does not say it all
	Pos      hcl.Range
	NotEmpty bool // neither null nor ""
	NotNull  bool // taken not to be null: a variable that has no default
	Derived  bool // what a function makes of something of Address
	Symbolic bool // stands for each of an unknown number of values
}

// Cause says why something is not known.
type Cause uint8

// The causes.
const (
	Unresolved Cause = iota // could not be evaluated
	AfterApply              // decided when the configuration is applied
	NotSet                  // a variable without a value
	Secret                  // marked as sensitive
)

// A token is 12 plain letters, so that upper, title and name patterns keep it.
const (
	tokenHead = "vtq"
	tokenTail = "qtv"
	tokenLen  = 12
)

// TokenPattern matches a token in text; no output may contain one.
var TokenPattern = regexp.MustCompile(`(?i)vtq[a-p]{6}qtv`)

// tokens is the table of one root.
type tokens struct {
	list []Token
	keys map[string]int
}

// make returns the token text for key, adding t on first sight; an empty key
// is always new.
func (t *tokens) make(key string, tok Token) string {
	if key != "" {
		if i, ok := t.keys[key]; ok {
			return encodeToken(i)
		}
		if t.keys == nil {
			t.keys = map[string]int{}
		}
		t.keys[key] = len(t.list)
	}
	t.list = append(t.list, tok)
	return encodeToken(len(t.list) - 1)
}

func encodeToken(i int) string {
	var b [tokenLen]byte
	copy(b[:], tokenHead)
	for k := 8; k >= 3; k-- {
		b[k] = byte('a' + i&15)
		i >>= 4
	}
	copy(b[9:], tokenTail)
	return string(b[:])
}

func lower(c byte) byte { return c | 0x20 }

// tokenAt decodes the token that starts at s[i].
func tokenAt(s string, i int) (int, bool) {
	if i+tokenLen > len(s) || !strings.EqualFold(s[i:i+3], tokenHead) || !strings.EqualFold(s[i+9:i+12], tokenTail) {
		return 0, false
	}
	n := 0
	for k := i + 3; k < i+9; k++ {
		c := lower(s[k])
		if c < 'a' || c > 'p' {
			return 0, false
		}
		n = n<<4 | int(c-'a')
	}
	return n, true
}

// find lists the tokens in s, in order.
func (t *tokens) find(s string) []int {
	if len(t.list) == 0 || len(s) < tokenLen {
		return nil
	}
	var out []int
	for i := 0; i+tokenLen <= len(s); i++ {
		if lower(s[i]) != 'v' {
			continue
		}
		if n, ok := tokenAt(s, i); ok && n < len(t.list) {
			out = append(out, n)
			i += tokenLen - 1
		}
	}
	return out
}

// has reports whether s has a token in it.
func (t *tokens) has(s string) bool {
	if len(t.list) == 0 {
		return false
	}
	for i := 0; i+tokenLen <= len(s); i++ {
		if lower(s[i]) == 'v' {
			if n, ok := tokenAt(s, i); ok && n < len(t.list) {
				return true
			}
		}
	}
	return false
}

// broken reports whether a piece of a token is left in s.
func broken(s string) bool {
	s = strings.ToLower(TokenPattern.ReplaceAllString(s, " "))
	return strings.Contains(s, tokenHead) || strings.Contains(s, tokenTail)
}

// forged reports whether a source file contains what could be taken for a
// token. Nobody writes one by accident.
func forged(src []byte) bool {
	for rest := src; ; {
		i := bytes.IndexAny(rest, "qQ")
		if i < 0 {
			return false
		}
		if i+2 < len(rest) && lower(rest[i+1]) == 't' && lower(rest[i+2]) == 'v' {
			return TokenPattern.Match(src)
		}
		rest = rest[i+1:]
	}
}

// Tokens lists what the stand-ins in s stand for, in order.
func (r *Root) Tokens(s string) []Token {
	var out []Token
	for _, i := range r.tokens.find(s) {
		out = append(out, r.tokens.list[i])
	}
	return out
}

// Show replaces every stand-in in s by the expression it stands for, in the
// way Terraform writes it: "${var.env}-jobs".
func (r *Root) Show(s string) string {
	if !r.tokens.has(s) {
		return s
	}
	return TokenPattern.ReplaceAllStringFunc(s, func(m string) string {
		i, ok := tokenAt(m, 0)
		if !ok || i >= len(r.tokens.list) {
			return m
		}
		if t := r.tokens.list[i]; t.Expr != "" {
			return "${" + r.Show(t.Expr) + "}"
		}
		return "${?}"
	})
}

// ShowAddress is Show for addresses, where a symbolic key becomes a star:
// aws_sqs_queue.q["*"].
func (r *Root) ShowAddress(s string) string {
	if !r.tokens.has(s) {
		return s
	}
	return TokenPattern.ReplaceAllString(s, "*")
}

// standIn makes a string value with one token in it.
func (r *Root) standIn(key string, t Token) cty.Value {
	return cty.StringVal(r.tokens.make(key, t))
}

// derived is the stand-in for what a function makes of stand-ins: the same
// arguments give the same value, whatever it is.
func (r *Root) derived(key, expr string, from []int) cty.Value {
	t := Token{Kind: Opaque, Expr: expr, Cause: Unresolved, Derived: true}
	for n, i := range from {
		f := r.tokens.list[i]
		t.Symbolic = t.Symbolic || f.Symbolic
		if n == 0 {
			t.Cause, t.Pos, t.Address = f.Cause, f.Pos, f.Address
		} else if t.Address != f.Address {
			t.Address = ""
		}
	}
	return r.standIn("f:"+key, t)
}

// tokenIn finds the tokens anywhere in v. Lazy values count as none: nothing
// has looked at them.
func (r *Root) tokenIn(v cty.Value) []int {
	if len(r.tokens.list) == 0 {
		return nil
	}
	var out []int
	r.walkStrings(v, func(s string) bool {
		out = append(out, r.tokens.find(s)...)
		return len(out) < 64
	})
	return out
}

// walkStrings calls f with every string in v, keys too, until f returns false.
func (r *Root) walkStrings(v cty.Value, f func(string) bool) bool {
	v, _ = v.Unmark()
	ty := v.Type()
	if v.IsNull() || !v.IsKnown() || ty.IsCapsuleType() {
		return true
	}
	switch {
	case ty == cty.String:
		return f(v.AsString())
	case ty.IsPrimitiveType():
		return true
	case v.CanIterateElements():
		for it := v.ElementIterator(); it.Next(); {
			k, e := it.Element()
			if !ty.IsSetType() && k.Type() == cty.String && !f(k.AsString()) {
				return false
			}
			if !r.walkStrings(e, f) {
				return false
			}
		}
	}
	return true
}

func describeRange(rng hcl.Range) string {
	if rng.Filename == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", rng.Filename, rng.Start.Line)
}

// StandIn makes a token for an attribute of a resource that is not evaluated
// here, as one in a plan.
func (r *Root) StandIn(t Token) string {
	return r.tokens.make("r:"+t.Address+"."+t.Attr, t)
}
