// Package funcs is the function library of the Terraform language.
//
// Most functions are those of go-cty; what differs from it or is missing there
// is written here after OpenTofu's documentation. Functions that touch the file
// system or need the evaluator (try, can, templatefile, …) are elsewhere.
package funcs

import (
	yaml "github.com/zclconf/go-cty-yaml"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// Class says what a function does with the characters of its strings, which
// decides what may be said of its result while they are not known.
type Class uint8

// The classes.
const (
	Reads    Class = iota // the result depends on the characters: length, md5
	Selects               // takes values apart and puts them together whole: merge
	Keeps                 // strings stand unchanged in the result: join, jsonencode
	Edits                 // changes around what it is not told to change: replace
	Compares              // the result depends on which are equal or smaller: sort
)

// Func is a function with its class.
type Func struct {
	function.Function
	Class Class
}

// Table holds the functions by name.
var Table = map[string]Func{}

func add(class Class, fs map[string]function.Function) {
	for name, f := range fs {
		Table[name] = Func{f, class}
	}
}

func init() {
	add(Selects, map[string]function.Function{
		"chunklist": stdlib.ChunklistFunc, "coalescelist": stdlib.CoalesceListFunc, "concat": stdlib.ConcatFunc,
		"element": stdlib.ElementFunc, "flatten": stdlib.FlattenFunc, "keys": stdlib.KeysFunc, "merge": stdlib.MergeFunc,
		"reverse": stdlib.ReverseListFunc, "setproduct": stdlib.SetProductFunc, "slice": stdlib.SliceFunc,
		"values": stdlib.ValuesFunc, "zipmap": stdlib.ZipmapFunc, "lookup": lookupFunc, "length": lengthFunc,
		"coalesce": coalesceFunc, "one": oneFunc, "tolist": toFunc("list"), "toset": toFunc("set"), "tomap": toFunc("map"),
		"compact": stdlib.CompactFunc, "sensitive": sensitiveFunc, "nonsensitive": nonsensitiveFunc,
		"issensitive": isSensitiveFunc, "ephemeralasnull": ephemeralAsNullFunc, "transpose": transposeFunc,
	})
	add(Compares, map[string]function.Function{
		"contains": stdlib.ContainsFunc, "distinct": stdlib.DistinctFunc, "index": indexFunc, "matchkeys": matchKeysFunc,
		"setintersection": stdlib.SetIntersectionFunc, "setsubtract": stdlib.SetSubtractFunc,
		"setunion": stdlib.SetUnionFunc, "sort": stdlib.SortFunc,
	})
	add(Keeps, map[string]function.Function{
		"join": stdlib.JoinFunc, "format": stdlib.FormatFunc, "formatlist": stdlib.FormatListFunc,
		"jsonencode": stdlib.JSONEncodeFunc, "yamlencode": yaml.YAMLEncodeFunc, "jsondecode": stdlib.JSONDecodeFunc,
		"tostring": toStringFunc, "indent": stdlib.IndentFunc,
	})
	add(Edits, map[string]function.Function{
		"lower": stdlib.LowerFunc, "upper": stdlib.UpperFunc, "title": stdlib.TitleFunc, "replace": replaceFunc,
		"split": stdlib.SplitFunc, "regex": stdlib.RegexFunc, "trim": stdlib.TrimFunc, "trimprefix": stdlib.TrimPrefixFunc,
		"trimsuffix": stdlib.TrimSuffixFunc, "trimspace": stdlib.TrimSpaceFunc, "chomp": stdlib.ChompFunc,
		"yamldecode": yaml.YAMLDecodeFunc, "csvdecode": stdlib.CSVDecodeFunc,
	})
	add(Reads, map[string]function.Function{
		"abs": stdlib.AbsoluteFunc, "ceil": stdlib.CeilFunc, "floor": stdlib.FloorFunc, "log": stdlib.LogFunc, "max": stdlib.MaxFunc,
		"min": stdlib.MinFunc, "parseint": stdlib.ParseIntFunc, "pow": stdlib.PowFunc, "signum": signumFunc, "sum": sumFunc,
		"range": stdlib.RangeFunc, "regexall": stdlib.RegexAllFunc, "strrev": stdlib.ReverseFunc, "substr": stdlib.SubstrFunc,
		"formatdate": stdlib.FormatDateFunc, "timeadd": stdlib.TimeAddFunc, "timecmp": timeCmpFunc, "timestamp": unknownString(),
		"plantimestamp": unknownString(), "uuid": unknownString(), "bcrypt": unknownString("str", "cost"), "uuidv5": uuidV5Func,
		"alltrue": allTrueFunc, "anytrue": anyTrueFunc, "startswith": startsWithFunc, "endswith": endsWithFunc,
		"strcontains": strContainsFunc, "tobool": toBoolFunc, "tonumber": toNumberFunc, "urlencode": urlEncodeFunc, "urldecode": urlDecodeFunc,
		"base64encode": base64EncodeFunc, "base64decode": base64DecodeFunc, "base64gzip": base64GzipFunc, "base64gunzip": base64GunzipFunc,
		"textencodebase64": textEncodeFunc, "textdecodebase64": textDecodeFunc, "md5": md5Func, "sha1": sha1Func,
		"sha256": sha256Func, "sha512": sha512Func, "base64sha256": base64SHA256Func, "base64sha512": base64SHA512Func,
		"rsadecrypt": unknownString("ciphertext", "privatekey"), "cidrhost": cidrHostFunc, "cidrnetmask": cidrNetmaskFunc,
		"cidrsubnet": cidrSubnetFunc, "cidrsubnets": cidrSubnetsFunc, "cidrcontains": cidrContainsFunc,
		"basename": baseNameFunc, "dirname": dirNameFunc, "type": typeFunc,
	})
}
