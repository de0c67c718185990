package tfread

import (
	"fmt"
	"time"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"vtsize/facts"
	"vtsize/tfread/eval"
)

// causes maps what the engine says to what facts say.
var causes = map[eval.Cause]facts.Cause{
	eval.Unresolved: facts.NotResolved,
	eval.AfterApply: facts.AfterApply,
	eval.NotSet:     facts.NotResolved,
	eval.Secret:     facts.Sensitive,
}

// origin is where a value stands: the expression, or the block where the
// provider's default counts.
func (rd *reader) origin(v eval.Value) facts.Origin {
	if v.Set {
		return facts.Origin{Kind: rd.kind, Detail: v.Detail, Pos: pos(v.Pos)}
	}
	return facts.Origin{Kind: facts.Default, Detail: "AWS default", Pos: pos(v.Pos)}
}

// unknown is a value that could not be told, with the reason as its detail.
func unknown[T any](rd *reader, v eval.Value) facts.Value[T] {
	why := rd.root.WhyValue(v)
	return facts.Unknown[T](causes[why.Cause], facts.Origin{Kind: rd.kind, Detail: clean(why.Text), Pos: pos(v.Pos)})
}

// unreadable is a value that is there and makes no sense.
func unreadable[T any](rd *reader, v eval.Value, format string, args ...any) facts.Value[T] {
	return facts.Unknown[T](facts.Unreadable, facts.Origin{Kind: rd.kind, Detail: rd.root.Show(fmt.Sprintf(format, args...)), Pos: pos(v.Pos)})
}

// whole reads an integer; absent means null.
func (rd *reader) whole(v eval.Value) (n int, absent bool, bad *facts.Value[int]) {
	fail := func(x facts.Value[int]) (int, bool, *facts.Value[int]) { return 0, false, &x }
	if v.Secret || v.Diags.HasErrors() {
		return fail(unknown[int](rd, v))
	}
	if v.V == cty.NilVal || v.V.IsNull() {
		return 0, true, nil
	}
	if len(rd.root.Tokens(asString(v.V))) > 0 || !v.V.IsKnown() {
		return fail(unknown[int](rd, v))
	}
	c, err := convert.Convert(v.V, cty.Number)
	if err != nil || c.IsNull() {
		return fail(unreadable[int](rd, v, "not a number"))
	}
	f := c.AsBigFloat()
	i, _ := f.Int64()
	if !f.IsInt() || i > 1<<40 || i < -1<<40 {
		return fail(unreadable[int](rd, v, "%s is not a whole number that fits", f.Text('g', 10)))
	}
	return int(i), false, nil
}

// asString is a known string, else "".
func asString(v cty.Value) string {
	if v == cty.NilVal || v.Type() != cty.String || v.IsNull() || !v.IsKnown() {
		return ""
	}
	return v.AsString()
}

func (rd *reader) integer(v eval.Value, or int) facts.Value[int] {
	n, absent, bad := rd.whole(v)
	switch {
	case bad != nil:
		return *bad
	case absent:
		v.Set = false
		return facts.Known(or, rd.origin(v))
	}
	return facts.Known(n, rd.origin(v))
}

func (rd *reader) seconds(v eval.Value, or int) facts.Value[time.Duration] {
	return facts.Map(rd.integer(v, or), func(n int) time.Duration { return time.Duration(n) * time.Second })
}

// optional is an integer that is absent unless set.
func (rd *reader) optional(v eval.Value) facts.Value[*int] {
	n, absent, bad := rd.whole(v)
	switch {
	case bad != nil:
		return facts.Unknown[*int](bad.Cause(), bad.Origin())
	case absent:
		v.Set = false
		return facts.Known[*int](nil, rd.origin(v))
	}
	return facts.Known(&n, rd.origin(v))
}

func (rd *reader) boolean(v eval.Value, or bool) facts.Value[bool] {
	switch {
	case v.Secret || v.Diags.HasErrors():
		return unknown[bool](rd, v)
	case v.V == cty.NilVal || v.V.IsNull():
		v.Set = false
		return facts.Known(or, rd.origin(v))
	case !v.V.IsKnown() || len(rd.root.Tokens(asString(v.V))) > 0:
		return unknown[bool](rd, v)
	}
	b, err := convert.Convert(v.V, cty.Bool)
	if err != nil || b.IsNull() || !b.IsKnown() {
		return unreadable[bool](rd, v, "neither true nor false")
	}
	return facts.Known(b.True(), rd.origin(v))
}

// stringOf is a string with its stand-ins; known is false where there is none.
func (rd *reader) stringOf(v eval.Value) (s string, absent, known bool) {
	switch {
	case v.Diags.HasErrors():
		return "", false, false
	case v.V == cty.NilVal || v.V.IsNull():
		return "", true, true
	case !v.V.IsKnown() || v.V.Type() != cty.String:
		return "", false, false
	}
	return v.V.AsString(), false, true
}
