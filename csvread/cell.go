package csvread

import (
	"bytes"
	"strings"
)

// The reasons for which a cell is no latency. They are shown with the row.
const (
	whyEmpty    = "is empty"
	whyNotThere = "stands for no value"
	whyNegative = "is negative"
	whyNumber   = "is not a number"
	whyTooLong  = "is longer than 292 years"
	whyNoUnit   = "has no unit, unlike other cells of its column"
)

// reader reads the cells of a column of latencies.
type reader struct {
	*scale              // of cells without a unit; nil: they must have one
	decimalComma bool   // "1.234,5" is one thousand and so many
	header       string // a repeated header is no bad row
}

// read reads a cell of any form in which a latency is written: "83.035",
// "1,234.5", "1.23 s", "1m2.5s", "2.5e3". It gives the reason where it cannot.
func (r *reader) read(cell []byte) (ns uint64, why string) {
	cell = bytes.TrimSpace(cell)
	if len(cell) == 0 {
		return 0, whyEmpty
	}
	if isAbsent(cell) {
		return 0, whyNotThere
	}
	negative := cell[0] == '-'
	if negative || cell[0] == '+' {
		cell = cell[1:]
	}
	ns, why = r.readParts(cell)
	if why == "" && negative && ns > 0 {
		return 0, whyNegative
	}
	return ns, why
}

// readParts adds up the numbers of a cell, each with its unit, as in "1m2.5s".
func (r *reader) readParts(cell []byte) (ns uint64, why string) {
	for first := true; first || len(cell) > 0; first = false {
		d, rest, ok := r.number(cell)
		if !ok {
			return 0, whyNumber
		}
		name, rest := unitName(rest)
		if len(name) == 0 && (!first || len(rest) > 0) {
			return 0, whyNumber
		}
		u, why := r.unitOf(name)
		if why != "" {
			return 0, why
		}
		part, ok := d.in(u)
		ns += part
		if !ok || ns > longest {
			return 0, whyTooLong
		}
		cell = rest
	}
	return ns, ""
}

// unitOf finds a unit by the name it has in a cell, or the reason why not.
func (r *reader) unitOf(name []byte) (u unit, why string) {
	if len(name) == 0 {
		if r.scale == nil {
			return unit{}, whyNoUnit
		}
		return r.scale.unit, ""
	}
	u, ok := units[string(name)]
	if !ok {
		u, ok = units[strings.ToLower(string(name))]
	}
	if !ok {
		return unit{}, whyNumber
	}
	return u, ""
}

// withUnit reads the cell buf[i:j] where it is a number that plain reads, and
// the name of a unit in small letters with at most one space before it.
func withUnit(buf []byte, i, j int) (ns uint64, ok bool) {
	end := j
	for end > i && buf[end-1] >= 'a' && buf[end-1] <= 'z' {
		end--
	}
	s := scales[string(buf[end:j])]
	if s == nil {
		return 0, false
	}
	if end > i && buf[end-1] == ' ' {
		end--
	}
	return s.plain(buf, i, end)
}

// unitName splits the unit off that follows a number.
func unitName(b []byte) (name, rest []byte) {
	b = bytes.TrimLeft(b, " ")
	end := 0
	for end < len(b) && (b[end]|0x20 >= 'a' && b[end]|0x20 <= 'z' || b[end] >= 0x80) {
		end++
	}
	return b[:end], bytes.TrimLeft(b[end:], " ")
}

// number reads the digits at the start of b, and gives what follows them.
func (r *reader) number(b []byte) (d decimal, rest []byte, ok bool) {
	point, group := byte('.'), byte(',')
	if r.decimalComma {
		point, group = ',', '.'
	}
	i, seen, grouped, fraction := 0, 0, -1, false
	for ; i < len(b); i++ {
		switch c := b[i]; {
		case c >= '0' && c <= '9':
			d.add(c, fraction)
			seen++
			continue
		case c == point && !fraction:
			fraction = true
			if grouped >= 0 && seen-grouped != 3 {
				return d, nil, false
			}
			grouped = -1
			continue
		case c == group && !fraction && seen > 0 && (grouped < 0 && seen <= 3 || seen-grouped == 3):
			grouped = seen
			continue
		}
		break
	}
	if seen == 0 || grouped >= 0 && seen-grouped != 3 {
		return d, nil, false
	}
	exp, rest, ok := exponent(b[i:])
	d.exp += exp
	return d, rest, ok
}

// exponent reads "e3" and the like; no exponent is 0.
func exponent(b []byte) (exp int, rest []byte, ok bool) {
	if len(b) < 2 || b[0]|0x20 != 'e' {
		return 0, b, true
	}
	i, sign := 1, 1
	switch b[1] {
	case '-':
		i, sign = 2, -1
	case '+':
		i = 2
	}
	start := i
	for ; i < len(b) && b[i] >= '0' && b[i] <= '9'; i++ {
		exp = min(exp*10+int(b[i]-'0'), 1000) // beyond that all is zero, or too long
	}
	return sign * exp, b[i:], i > start
}

// isAbsent reports whether a cell says that there is no value.
func isAbsent(cell []byte) bool {
	if len(cell) > 9 || cell[0] >= '0' && cell[0] <= '9' {
		return false
	}
	switch strings.ToLower(string(cell)) {
	case "na", "n/a", "nan", "null", "none", "nil", "-", "--", "inf", "+inf", "-inf", "infinity", "+infinity", "-infinity", "∞", "undefined":
		return true
	}
	return false
}
