package funcs

import (
	"errors"
	"fmt"
	"math/big"
	"net/netip"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

func prefix(v cty.Value) (netip.Prefix, error) {
	p, err := netip.ParsePrefix(v.AsString())
	if err != nil {
		return p, fmt.Errorf("%q is not a CIDR block", v.AsString())
	}
	return p.Masked(), nil
}

func toInt(a netip.Addr) *big.Int { return new(big.Int).SetBytes(a.AsSlice()) }

func toAddr(n *big.Int, like netip.Addr) (netip.Addr, bool) {
	b := make([]byte, like.BitLen()/8)
	if n.Sign() < 0 || n.BitLen() > like.BitLen() {
		return like, false
	}
	return netip.AddrFromSlice(n.FillBytes(b))
}

// subnet is the num-th block of the given length below p.
func subnet(p netip.Prefix, newbits int, num *big.Int) (netip.Prefix, error) {
	bits := p.Bits() + newbits
	if newbits < 0 || bits > p.Addr().BitLen() {
		return p, fmt.Errorf("no room for %d more bits in %s", newbits, p)
	}
	if num.Sign() < 0 || num.BitLen() > newbits {
		return p, fmt.Errorf("%d bits have no number %s", newbits, num)
	}
	off := new(big.Int).Lsh(num, uint(p.Addr().BitLen()-bits))
	a, ok := toAddr(off.Add(off, toInt(p.Addr())), p.Addr())
	if !ok {
		return p, errors.New("address out of range")
	}
	return netip.PrefixFrom(a, bits), nil
}

func whole(v cty.Value) (*big.Int, error) {
	f := v.AsBigFloat()
	if !f.IsInt() || f.MantExp(nil) > 200 {
		return nil, errors.New("a whole number is required")
	}
	n, _ := f.Int(nil)
	return n, nil
}

var blockParam = function.Parameter{Name: "prefix", Type: cty.String}

var cidrHostFunc = function.New(&function.Spec{
	Params: []function.Parameter{blockParam, {Name: "hostnum", Type: cty.Number}},
	Type:   function.StaticReturnType(cty.String),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		p, err := prefix(args[0])
		if err != nil {
			return cty.NilVal, err
		}
		n, err := whole(args[1])
		if err != nil {
			return cty.NilVal, err
		}
		size := new(big.Int).Lsh(big.NewInt(1), uint(p.Addr().BitLen()-p.Bits()))
		if n.Sign() < 0 {
			n.Add(n, size)
		}
		if n.Sign() < 0 || n.Cmp(size) >= 0 {
			return cty.NilVal, fmt.Errorf("%s has no such host", p)
		}
		a, ok := toAddr(n.Add(n, toInt(p.Addr())), p.Addr())
		if !ok {
			return cty.NilVal, errors.New("address out of range")
		}
		return str(a.String())
	},
})

var cidrNetmaskFunc = text(1, cty.String, func(a []string) (cty.Value, error) {
	p, err := prefix(cty.StringVal(a[0]))
	if err != nil {
		return cty.NilVal, err
	}
	if !p.Addr().Is4() {
		return cty.NilVal, errors.New("only IPv4 has net masks")
	}
	m := ^uint32(0) << (32 - p.Bits())
	if p.Bits() == 0 {
		m = 0
	}
	return str(netip.AddrFrom4([4]byte{byte(m >> 24), byte(m >> 16), byte(m >> 8), byte(m)}).String())
})

var cidrSubnetFunc = function.New(&function.Spec{
	Params: []function.Parameter{blockParam, {Name: "newbits", Type: cty.Number}, {Name: "netnum", Type: cty.Number}},
	Type:   function.StaticReturnType(cty.String),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		p, err := prefix(args[0])
		if err != nil {
			return cty.NilVal, err
		}
		bits, err := number(args[1])
		if err != nil {
			return cty.NilVal, err
		}
		n, err := whole(args[2])
		if err != nil {
			return cty.NilVal, err
		}
		if p, err = subnet(p, bits, n); err != nil {
			return cty.NilVal, err
		}
		return str(p.String())
	},
})

var cidrSubnetsFunc = function.New(&function.Spec{
	Params:   []function.Parameter{blockParam},
	VarParam: &function.Parameter{Name: "newbits", Type: cty.Number},
	Type:     function.StaticReturnType(cty.List(cty.String)),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		p, err := prefix(args[0])
		if err != nil {
			return cty.NilVal, err
		}
		next := toInt(p.Addr())
		var out []cty.Value
		for _, a := range args[1:] {
			bits, err := number(a)
			if err != nil {
				return cty.NilVal, err
			}
			length := p.Bits() + bits
			if bits < 1 || length > p.Addr().BitLen() {
				return cty.NilVal, fmt.Errorf("no room for %d more bits in %s", bits, p)
			}
			size := new(big.Int).Lsh(big.NewInt(1), uint(p.Addr().BitLen()-length))
			if rem := new(big.Int).Mod(next, size); rem.Sign() != 0 {
				next.Add(next, size).Sub(next, rem)
			}
			at, ok := toAddr(next, p.Addr())
			if !ok || !p.Contains(at) {
				return cty.NilVal, fmt.Errorf("not enough room in %s", p)
			}
			out = append(out, cty.StringVal(netip.PrefixFrom(at, length).String()))
			next.Add(next, size)
		}
		if len(out) == 0 {
			return cty.ListValEmpty(cty.String), nil
		}
		return cty.ListVal(out), nil
	},
})

var cidrContainsFunc = text(2, cty.Bool, func(a []string) (cty.Value, error) {
	p, err := prefix(cty.StringVal(a[0]))
	if err != nil {
		return cty.NilVal, err
	}
	if addr, err := netip.ParseAddr(a[1]); err == nil {
		return yes(p.Contains(addr))
	}
	q, err := prefix(cty.StringVal(a[1]))
	if err != nil {
		return cty.NilVal, err
	}
	return yes(p.Contains(q.Addr()) && q.Bits() >= p.Bits())
})
