package funcs

import (
	"errors"
	"fmt"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
	"github.com/zclconf/go-cty/cty/gocty"
)

func dynamic(name string) function.Parameter {
	return function.Parameter{Name: name, Type: cty.DynamicPseudoType, AllowDynamicType: true, AllowUnknown: true}
}

// lookupFunc differs from go-cty's in that it takes objects whose default is of
// another type, and a missing default.
var lookupFunc = function.New(&function.Spec{
	Params: []function.Parameter{
		{Name: "inputMap", Type: cty.DynamicPseudoType, AllowMarked: true},
		{Name: "key", Type: cty.String, AllowMarked: true},
	},
	VarParam: &function.Parameter{Name: "default", Type: cty.DynamicPseudoType, AllowUnknown: true, AllowDynamicType: true, AllowNull: true, AllowMarked: true},
	Type: func(args []cty.Value) (cty.Type, error) {
		if len(args) > 3 {
			return cty.NilType, fmt.Errorf("lookup takes two or three arguments, not %d", len(args))
		}
		ty := args[0].Type()
		switch {
		case ty.IsObjectType():
			if !args[1].IsKnown() {
				return cty.DynamicPseudoType, nil
			}
			k, _ := args[1].Unmark()
			if ty.HasAttribute(k.AsString()) {
				return ty.AttributeType(k.AsString()), nil
			}
			if len(args) == 3 {
				return args[2].Type(), nil
			}
			return cty.NilType, function.NewArgErrorf(0, "the object has no attribute %q", k.AsString())
		case ty.IsMapType():
			if len(args) == 3 {
				if _, err := convert.Convert(args[2], ty.ElementType()); err != nil {
					return cty.NilType, function.NewArgErrorf(2, "the default must have the type of the map's elements")
				}
			}
			return ty.ElementType(), nil
		}
		return cty.NilType, function.NewArgErrorf(0, "lookup needs a map")
	},
	Impl: func(args []cty.Value, ret cty.Type) (cty.Value, error) {
		m, marks := args[0].Unmark()
		k, kmarks := args[1].Unmark()
		if !m.IsKnown() || !k.IsKnown() {
			return cty.UnknownVal(ret).WithMarks(marks, kmarks), nil
		}
		key := k.AsString()
		switch {
		case m.Type().IsObjectType() && m.Type().HasAttribute(key):
			return m.GetAttr(key).WithMarks(marks, kmarks), nil
		case m.Type().IsMapType() && m.HasIndex(k).True():
			return m.Index(k).WithMarks(marks, kmarks), nil
		case len(args) == 3:
			v, err := convert.Convert(args[2], ret)
			if err != nil {
				return cty.NilVal, function.NewArgErrorf(2, "%s", err)
			}
			return v.WithMarks(marks, kmarks), nil
		}
		return cty.NilVal, fmt.Errorf("the map has no element %q", key)
	},
})

// lengthFunc counts characters of strings too.
var lengthFunc = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "value", Type: cty.DynamicPseudoType, AllowDynamicType: true, AllowUnknown: true, AllowMarked: true}},
	Type: func(args []cty.Value) (cty.Type, error) {
		ty := args[0].Type()
		if ty == cty.String || ty.IsTupleType() || ty.IsObjectType() || ty.IsCollectionType() || ty == cty.DynamicPseudoType {
			return cty.Number, nil
		}
		return cty.Number, errors.New("length needs a string or a collection")
	},
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		v, marks := args[0].Unmark()
		ty := v.Type()
		var out cty.Value
		var err error
		switch {
		case ty == cty.DynamicPseudoType:
			return cty.UnknownVal(cty.Number).WithMarks(marks), nil
		case ty.IsTupleType():
			out = cty.NumberIntVal(int64(len(ty.TupleElementTypes())))
		case ty.IsObjectType():
			out = cty.NumberIntVal(int64(len(ty.AttributeTypes())))
		case ty == cty.String:
			out, err = stdlib.Strlen(v)
		default:
			out, err = stdlib.Length(v)
		}
		if err != nil {
			return cty.NilVal, err
		}
		return out.WithMarks(marks), nil
	},
})

// coalesceFunc passes over empty strings too.
var coalesceFunc = function.New(&function.Spec{
	VarParam: &function.Parameter{Name: "vals", Type: cty.DynamicPseudoType, AllowUnknown: true, AllowDynamicType: true, AllowNull: true},
	Type: func(args []cty.Value) (cty.Type, error) {
		types := make([]cty.Type, len(args))
		for i, a := range args {
			types[i] = a.Type()
		}
		ty, _ := convert.UnifyUnsafe(types)
		if ty == cty.NilType {
			return cty.NilType, errors.New("all arguments must have the same type")
		}
		return ty, nil
	},
	Impl: func(args []cty.Value, ret cty.Type) (cty.Value, error) {
		for _, a := range args {
			v, err := convert.Convert(a, ret)
			if err != nil {
				return cty.NilVal, err
			}
			if !v.IsKnown() {
				return cty.UnknownVal(ret), nil
			}
			if v.IsNull() || ret == cty.String && v.RawEquals(cty.StringVal("")) {
				continue
			}
			return v, nil
		}
		return cty.NilVal, errors.New("no argument that is neither null nor an empty string")
	},
})

var oneFunc = function.New(&function.Spec{
	Params: []function.Parameter{dynamic("list")},
	Type: func(args []cty.Value) (cty.Type, error) {
		ty := args[0].Type()
		switch {
		case ty.IsListType() || ty.IsSetType():
			return ty.ElementType(), nil
		case ty.IsTupleType():
			switch etys := ty.TupleElementTypes(); len(etys) {
			case 0:
				return cty.DynamicPseudoType, nil
			case 1:
				return etys[0], nil
			}
			return cty.NilType, function.NewArgErrorf(0, "must be a list, set, or tuple value with either zero or one elements")
		case ty == cty.DynamicPseudoType:
			return ty, nil
		}
		return cty.NilType, function.NewArgErrorf(0, "must be a list, set, or tuple value")
	},
	Impl: func(args []cty.Value, ret cty.Type) (cty.Value, error) {
		v := args[0]
		if !v.IsKnown() {
			return cty.UnknownVal(ret), nil
		}
		if v.IsNull() {
			return cty.NilVal, function.NewArgErrorf(0, "must not be null")
		}
		switch n := v.LengthInt(); n {
		case 0:
			return cty.NullVal(ret), nil
		case 1:
			it := v.ElementIterator()
			it.Next()
			_, e := it.Element()
			return e, nil
		}
		return cty.NilVal, function.NewArgErrorf(0, "must be a list, set, or tuple value with either zero or one elements")
	},
})

// indexFunc finds the position of a value, where go-cty's is the [] operator.
var indexFunc = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "list", Type: cty.DynamicPseudoType}, {Name: "value", Type: cty.DynamicPseudoType}},
	Type:   function.StaticReturnType(cty.Number),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		if !args[0].Type().IsListType() && !args[0].Type().IsTupleType() {
			return cty.NilVal, function.NewArgErrorf(0, "must be a list")
		}
		for it := args[0].ElementIterator(); it.Next(); {
			i, e := it.Element()
			eq, err := stdlib.Equal(e, args[1])
			if err != nil {
				return cty.NilVal, err
			}
			if !eq.IsKnown() {
				return cty.UnknownVal(cty.Number), nil
			}
			if eq.True() {
				return i, nil
			}
		}
		return cty.NilVal, errors.New("item not found")
	},
})

var matchKeysFunc = function.New(&function.Spec{
	Params: []function.Parameter{
		{Name: "values", Type: cty.List(cty.DynamicPseudoType)},
		{Name: "keys", Type: cty.List(cty.DynamicPseudoType)},
		{Name: "searchset", Type: cty.List(cty.DynamicPseudoType)},
	},
	Type: func(args []cty.Value) (cty.Type, error) { return args[0].Type(), nil },
	Impl: func(args []cty.Value, ret cty.Type) (cty.Value, error) {
		if args[0].LengthInt() != args[1].LengthInt() {
			return cty.NilVal, errors.New("values and keys must have the same length")
		}
		if !args[1].IsWhollyKnown() || !args[2].IsWhollyKnown() {
			return cty.UnknownVal(ret), nil
		}
		var out []cty.Value
		for it := args[1].ElementIterator(); it.Next(); {
			i, k := it.Element()
			for s := args[2].ElementIterator(); s.Next(); {
				_, want := s.Element()
				if eq, err := stdlib.Equal(k, want); err == nil && eq.IsKnown() && eq.True() {
					out = append(out, args[0].Index(i))
					break
				}
			}
		}
		if len(out) == 0 {
			return cty.ListValEmpty(ret.ElementType()), nil
		}
		return cty.ListVal(out), nil
	},
})

var transposeFunc = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "values", Type: cty.Map(cty.List(cty.String))}},
	Type:   function.StaticReturnType(cty.Map(cty.List(cty.String))),
	Impl: func(args []cty.Value, ret cty.Type) (cty.Value, error) {
		if !args[0].IsWhollyKnown() {
			return cty.UnknownVal(ret), nil
		}
		var in map[string][]string
		if err := gocty.FromCtyValue(args[0], &in); err != nil {
			return cty.NilVal, err
		}
		out := map[string][]cty.Value{}
		for it := args[0].ElementIterator(); it.Next(); {
			k, _ := it.Element()
			for _, v := range in[k.AsString()] {
				out[v] = append(out[v], k)
			}
		}
		if len(out) == 0 {
			return cty.MapValEmpty(cty.List(cty.String)), nil
		}
		vals := map[string]cty.Value{}
		for k, vs := range out {
			vals[k] = cty.ListVal(vs)
		}
		return cty.MapVal(vals), nil
	},
})

func boolFold(name string, start bool) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "list", Type: cty.List(cty.Bool)}},
		Type:   function.StaticReturnType(cty.Bool),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			unknown := false
			for it := args[0].ElementIterator(); it.Next(); {
				_, v := it.Element()
				if !v.IsKnown() {
					unknown = true
					continue
				}
				if b := !v.IsNull() && v.True(); b != start {
					return cty.BoolVal(!start), nil
				}
			}
			if unknown {
				return cty.UnknownVal(cty.Bool), nil
			}
			return cty.BoolVal(start), nil
		},
	})
}

var allTrueFunc, anyTrueFunc = boolFold("alltrue", true), boolFold("anytrue", false)

// signumFunc takes whole numbers only, where go-cty's takes any.
var signumFunc = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "num", Type: cty.Number}},
	Type:   function.StaticReturnType(cty.Number),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		f := args[0].AsBigFloat()
		if !f.IsInt() {
			return cty.NilVal, errors.New("a whole number is required")
		}
		return cty.NumberIntVal(int64(f.Sign())), nil
	},
})

var sumFunc = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "list", Type: cty.DynamicPseudoType}},
	Type:   function.StaticReturnType(cty.Number),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		ty := args[0].Type()
		if !args[0].CanIterateElements() || ty.IsObjectType() || ty.IsMapType() {
			return cty.NilVal, function.NewArgErrorf(0, "must be a list, set, or tuple of numbers")
		}
		if args[0].LengthInt() == 0 {
			return cty.NilVal, function.NewArgErrorf(0, "cannot sum an empty list")
		}
		total := cty.Zero
		for it := args[0].ElementIterator(); it.Next(); {
			_, e := it.Element()
			n, err := convert.Convert(e, cty.Number)
			if err != nil || n.IsNull() {
				return cty.NilVal, function.NewArgErrorf(0, "must be a list, set, or tuple of numbers")
			}
			if !n.IsKnown() {
				return cty.UnknownVal(cty.Number), nil
			}
			total = total.Add(n)
		}
		return total, nil
	},
})
