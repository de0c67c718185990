package funcs

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
)

// conversion is tostring and its kin.
func conversion(to func(cty.Type) cty.Type) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "v", Type: cty.DynamicPseudoType, AllowNull: true, AllowMarked: true, AllowDynamicType: true}},
		Type: func(args []cty.Value) (cty.Type, error) {
			got := args[0].Type()
			want := to(got)
			if got.Equals(want) {
				return want, nil
			}
			v, _ := args[0].UnmarkDeep()
			out, err := convert.Convert(v, want)
			if err != nil {
				return cty.NilType, function.NewArgErrorf(0, "cannot convert %s to %s: %s", got.FriendlyName(), want.FriendlyNameForConstraint(), err)
			}
			return out.Type(), nil
		},
		Impl: func(args []cty.Value, ret cty.Type) (cty.Value, error) {
			v, err := convert.Convert(args[0], ret)
			if err != nil {
				return cty.NilVal, function.NewArgError(0, err)
			}
			return v, nil
		},
	})
}

func primitive(ty cty.Type) function.Function {
	return conversion(func(cty.Type) cty.Type { return ty })
}

var toStringFunc, toNumberFunc, toBoolFunc = primitive(cty.String), primitive(cty.Number), primitive(cty.Bool)

func toFunc(kind string) function.Function {
	want := map[string]cty.Type{"list": cty.List(cty.DynamicPseudoType), "set": cty.Set(cty.DynamicPseudoType), "map": cty.Map(cty.DynamicPseudoType)}[kind]
	return primitive(want)
}

// secret is the mark that sensitive() sets; the evaluator brings its own.
var secret any

// SetMark tells the library which mark means sensitive.
func SetMark(m any) { secret = m }

func marker(f func(cty.Value) cty.Value, ty func(cty.Value) cty.Type) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "value", Type: cty.DynamicPseudoType, AllowUnknown: true, AllowNull: true, AllowMarked: true, AllowDynamicType: true}},
		Type:   func(args []cty.Value) (cty.Type, error) { return ty(args[0]), nil },
		Impl:   func(args []cty.Value, _ cty.Type) (cty.Value, error) { return f(args[0]), nil },
	})
}

func sameType(v cty.Value) cty.Type { return v.Type() }

var (
	sensitiveFunc    = marker(func(v cty.Value) cty.Value { v, _ = v.Unmark(); return v.Mark(secret) }, sameType)
	nonsensitiveFunc = marker(func(v cty.Value) cty.Value { v, _ = v.Unmark(); return v }, sameType)
	isSensitiveFunc  = marker(func(v cty.Value) cty.Value { return cty.BoolVal(v.HasMark(secret)) }, func(cty.Value) cty.Type { return cty.Bool })
	// No value here is ephemeral.
	ephemeralAsNullFunc = marker(func(v cty.Value) cty.Value { return v }, sameType)
	typeFunc            = marker(func(v cty.Value) cty.Value { return cty.StringVal(v.Type().FriendlyName()) }, func(cty.Value) cty.Type { return cty.String })
)

// unknownString is a function whose result is decided at apply.
func unknownString(params ...string) function.Function {
	spec := &function.Spec{
		Type: function.StaticReturnType(cty.String),
		Impl: func([]cty.Value, cty.Type) (cty.Value, error) { return cty.UnknownVal(cty.String), nil },
	}
	if len(params) > 0 {
		spec.VarParam = &function.Parameter{Name: params[0], Type: cty.DynamicPseudoType, AllowUnknown: true, AllowNull: true}
	}
	return function.New(spec)
}

// number takes an int argument.
func number(v cty.Value) (int, error) {
	f := v.AsBigFloat()
	n, _ := f.Int64()
	if !f.IsInt() || n > 1<<31 || n < -1<<31 {
		return 0, fmt.Errorf("a whole number is required")
	}
	return int(n), nil
}
