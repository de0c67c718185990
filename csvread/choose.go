package csvread

import (
	"fmt"
	"strings"
)

// chooseUnit finds the unit of a column: the user says it, or the format, the
// name of the column or its cells do. It is never guessed.
func (h *head) chooseUnit(p *plan, c choice) error {
	cells := h.cells(c.value)
	comma, err := decimalComma(cells, h.delim)
	if err != nil {
		return fmt.Errorf("column %q: %w", p.column, err)
	}
	p.dialect.decimalComma = comma
	p.reader.decimalComma = comma
	_, named, isNamed := nameUnit(p.column)
	withUnit := reader{decimalComma: comma}
	inCells, without := 0, 0
	for _, cell := range cells {
		switch _, why := withUnit.read([]byte(cell)); why {
		case "":
			inCells++
		case whyNoUnit:
			without++
		}
	}
	var u unit
	switch {
	case h.opt.Unit != "":
		var ok bool
		if u, ok = units[strings.ToLower(h.opt.Unit)]; !ok {
			return usage(fmt.Sprintf("there is no unit %q", h.opt.Unit), "units are ns, us, ms, s, m and h")
		}
	case c.unit != "":
		u = units[c.unit]
	case isNamed:
		u = named
	case inCells > without:
		p.unit = "in the cells"
		return nil
	case inCells+without == 0:
		return fmt.Errorf("column %q holds no latencies%s; columns are %s", p.column, example(cells), h.columns())
	default:
		return usage(fmt.Sprintf("column %q does not say its unit, and nor does the format", p.column), "add --unit ns, us, ms, s or m")
	}
	p.unit, p.reader.scale = u.name, newScale(u)
	return nil
}

// example shows the first cell that is not empty.
func example(cells []string) string {
	for _, c := range cells {
		if c != "" {
			return ", but " + quoteAll([]string{c})
		}
	}
	return ""
}

// decimalComma tells whether the cells of a column are written with decimal
// commas: by a comma that cannot separate thousands.
func decimalComma(cells []string, delim byte) (bool, error) {
	unclear := ""
	dots := false
	for _, c := range cells {
		comma, dot := strings.LastIndexByte(c, ','), strings.LastIndexByte(c, '.')
		dots = dots || dot >= 0
		switch {
		case comma < 0:
		case dot >= 0:
			return comma > dot, nil
		case strings.Count(c, ",") > 1:
			return false, nil
		case decimals(c[comma+1:]) != 3 || comma > 3 || comma == 0 || c[0] == '0':
			return true, nil
		default:
			unclear = c
		}
	}
	if unclear == "" || dots || delim == ',' {
		return false, nil
	}
	return false, usage(fmt.Sprintf("%s may be a thousand and more, or a number with three decimals", unclear), "write the file with decimal points")
}

// decimals counts the digits at the start of s.
func decimals(s string) (n int) {
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
