package csvread

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Eight bytes at a time: the same byte in every lane of a word.
const (
	lanes01 = 0x0101010101010101
	lanes80 = 0x8080808080808080
	lanes0  = 0x3030303030303030 // '0'
	lanesDt = 0x2E2E2E2E2E2E2E2E // '.'
)

// longest is the largest duration that a row can have: about 292 years.
const longest = math.MaxInt64

// unit is a unit of time: one of it is mult × 10^exp nanoseconds.
type unit struct {
	name string
	mult uint64
	exp  int
}

// scale turns decimal numbers of one unit into whole nanoseconds. What is
// finer than a nanosecond is rounded up: that keeps the order, so that every
// nearest-rank percentile is the exact one rounded up, and no latency is ever
// understated.
type scale struct {
	unit unit
	// pow[f] is what the digits of a number with f decimals are multiplied
	// with; 0 where the unit does not reach as far as f decimals.
	pow [16]uint64
}

func newScale(u unit) *scale {
	s := &scale{unit: u}
	for f := range s.pow {
		if f <= u.exp {
			s.pow[f] = u.mult * pow10[u.exp-f]
		}
	}
	return s
}

var pow10 = func() (p [20]uint64) {
	p[0] = 1
	for i := 1; i < len(p); i++ {
		p[i] = p[i-1] * 10
	}
	return p
}()

// plain reads buf[i:j] where it is nothing but up to 15 digits with at most one
// dot among them, which nearly every number of a latency file is. Eight bytes
// must be readable from i on, and eight before j where there are more than
// eight.
func (s *scale) plain(buf []byte, i, j int) (ns uint64, ok bool) {
	n := j - i
	if uint(n-1) >= 16 {
		return 0, false
	}
	w := binary.LittleEndian.Uint64(buf[i:])
	if n <= 8 {
		shift := uint(64 - 8*n)
		w = w<<shift | lanes0>>(64-shift)
		w, decimals, dots := dropDot(w)
		if !digits(w) || dots == uint(n) {
			return 0, false
		}
		return s.times(eight(w), decimals)
	}
	shift := uint(128 - 8*n)
	w = w<<shift | lanes0>>(64-shift)
	v := binary.LittleEndian.Uint64(buf[j-8:])
	w, wd, wdots := dropDot(w)
	v, vd, vdots := dropDot(v)
	if !digits(w) || !digits(v) || wdots+vdots > 1 {
		return 0, false
	}
	if vdots == 1 {
		return s.times(eight(w)*10_000_000+eight(v), vd)
	}
	return s.times(eight(w)*100_000_000+eight(v), wd+8*wdots)
}

// long reads buf[i:j] like plain where it has 17 to 20 characters: floating
// point numbers written in full. Units that are no power of ten are left to the
// thorough way.
func (s *scale) long(buf []byte, i, j int) (ns uint64, ok bool) {
	n := j - i
	if uint(n-17) > 3 || s.unit.mult != 1 {
		return 0, false
	}
	a, ad, adots := dropDot(binary.LittleEndian.Uint64(buf[i:]))
	b, bd, bdots := dropDot(binary.LittleEndian.Uint64(buf[i+8:]))
	rest := uint(n - 16)
	shift := 64 - 8*rest
	c, cd, cdots := dropDot(binary.LittleEndian.Uint64(buf[j-8:])>>shift<<shift | lanes0>>(64-shift))
	dots := adots + bdots + cdots
	if !digits(a) || !digits(b) || !digits(c) || dots > 1 || uint(n)-dots > 19 {
		return 0, false
	}
	m := eight(a)*pow10[8-bdots] + eight(b)
	m = m*pow10[rest-cdots] + eight(c)
	var decimals uint
	switch {
	case adots > 0:
		decimals = ad + 8 + rest
	case bdots > 0:
		decimals = bd + rest
	default:
		decimals = cd
	}
	if exp := uint(s.unit.exp); exp < decimals {
		div := pow10[decimals-exp]
		ns = m / div
		if m%div != 0 {
			ns++
		}
	} else if hi, lo := bits.Mul64(m, pow10[exp-decimals]); hi == 0 {
		ns = lo
	} else {
		return 0, false
	}
	return ns, ns < longest
}

// times multiplies digits with what that many decimals ask for.
func (s *scale) times(m uint64, decimals uint) (uint64, bool) {
	hi, lo := bits.Mul64(m, s.pow[decimals&15])
	if hi != 0 || lo > longest || s.pow[decimals&15] == 0 {
		return 0, false
	}
	return lo, true
}

// dropDot takes the dot out of eight characters, the first of which is the
// lowest byte, and closes the gap with a leading zero. It says how many
// decimals followed the dot.
func dropDot(w uint64) (without uint64, decimals, dots uint) {
	x := w ^ lanesDt
	m := (x - lanes01) &^ x & lanes80
	if m == 0 {
		return w, 0, 0
	}
	at := uint(bits.TrailingZeros64(m)) &^ 7 // the bit where the dot begins
	before := w & (1<<at - 1)
	after := w &^ (1<<at - 1) &^ (0xff << at)
	return after | before<<8 | '0', 7 - at/8, 1
}

// digits reports whether all eight characters are digits.
func digits(w uint64) bool {
	const high = 0xF0F0F0F0F0F0F0F0
	return (w&high)|((w+0x0606060606060606)&high)>>4 == 0x3333333333333333
}

// eight is the number that eight digits make, the first being the lowest byte.
func eight(w uint64) uint64 {
	w -= lanes0
	w = w*10 + w>>8
	return ((w&0x000000FF000000FF)*0x000F424000000064 + (w>>16&0x000000FF000000FF)*0x0000271000000001) >> 32
}

// decimal is a number as it is written: digits × 10^exp, and more where some
// digits did not fit.
type decimal struct {
	hi, lo uint64 // the digits, in 128 bits: at least 34 of them
	exp    int
	more   bool // digits that are not zero were left out at the end
}

// fits is how large the upper half may be for one more digit, and then a unit,
// to be multiplied in.
const fits = 1 << 52

// add appends a digit. Beyond those that fit, digits only count as being there.
func (d *decimal) add(c byte, fraction bool) {
	if d.hi < fits {
		if d.hi == 0 && d.lo < 1e18 { // nearly always
			d.lo = d.lo*10 + uint64(c-'0')
		} else {
			over, lo := bits.Mul64(d.lo, 10)
			lo, carry := bits.Add64(lo, uint64(c-'0'), 0)
			d.hi, d.lo = d.hi*10+over+carry, lo
		}
		if fraction {
			d.exp--
		}
		return
	}
	d.more = d.more || c != '0'
	if !fraction {
		d.exp++
	}
}

// in gives the number in nanoseconds, rounded up. It fails for what is longer
// than 292 years.
func (d decimal) in(u unit) (ns uint64, ok bool) {
	if d.hi == 0 && d.lo == 0 {
		return 0, true
	}
	over, lo := bits.Mul64(d.lo, u.mult)
	hi := d.hi*u.mult + over
	exp := d.exp + u.exp
	for ; exp > 0; exp-- {
		if hi != 0 || lo > longest/10 {
			return 0, false
		}
		lo *= 10
	}
	rest := d.more
	for exp < 0 {
		if hi == 0 && lo == 0 {
			break
		}
		step := min(-exp, 19)
		var r1, r2 uint64
		hi, r1 = hi/pow10[step], hi%pow10[step]
		lo, r2 = bits.Div64(r1, lo, pow10[step])
		rest = rest || r2 != 0
		exp += step
	}
	if hi != 0 || lo >= longest {
		return 0, false
	}
	if rest {
		lo++
	}
	return lo, true
}
