package csvread

import (
	"fmt"
	"slices"
	"strings"
)

// format is a kind of latency file. Adding one is adding a record to formats.
type format struct {
	Name string
	// is reports whether a file, by its header or shape, is of the format.
	is func(h *head) bool
	// Either samples, or a curve of percentiles, or a refusal with its reason.
	plan   func(h *head) (*plan, error)
	curve  func(h *head, p float64) (*Curve, error)
	refuse error
}

// formats are tried in this order: those with the most telling header come
// first, the ones that need no header last. It is filled by init, as the
// functions in it look formats up.
var formats []*format

func init() {
	formats = []*format{
		{Name: "hdrhistogram-log", is: isHistogramLog, refuse: usage("it is a log of compressed HdrHistogram intervals, as jHiccup writes it", "turn it into percentiles with HistogramLogProcessor, and read the .hgrm file that it makes")},
		{Name: "hgrm", is: isHgrm, curve: hgrmCurve},
		{Name: "lambda-report", is: isReportText, plan: reportTextPlan},
		{Name: "cloudwatch-metrics", is: isMetricExport, curve: metricCurve},
		{Name: "jmeter-aggregate", is: isJMeterAggregate, curve: jmeterCurve},
		{Name: "locust-history", is: isLocustHistory, curve: locustHistoryCurve},
		{Name: "locust-stats", is: isLocustStats, curve: locustCurve},
		{Name: "jmeter", is: func(h *head) bool { return h.has("time stamp", "elapsed", "label") }, plan: jmeterPlan},
		{Name: "k6", is: func(h *head) bool { return h.has("metric name", "metric value") }, plan: k6Plan},
		{Name: "hey", is: func(h *head) bool { return h.has("response time", "dns dialup", "request write") }, plan: heyPlan},
		{Name: "vegeta", is: isVegeta, plan: vegetaPlan},
		{Name: "logs-insights", is: isInsights, plan: insightsPlan},
		{Name: "llm-trace", is: isTrace, plan: tracePlan},
		{Name: "plain", is: func(h *head) bool { return true }, plan: plainPlan},
	}
}

// Formats gives the names that Options.Format can have.
func Formats() (names []string) {
	for _, f := range formats {
		if f.refuse == nil {
			names = append(names, f.Name)
		}
	}
	return names
}

// formatOf tells the format of a file, or takes the one that was asked for.
func formatOf(h *head, asked string) (*format, error) {
	for _, f := range formats {
		if asked == "" && f.is(h) || asked == f.Name && f.refuse == nil {
			return f, nil
		}
	}
	return nil, usage(fmt.Sprintf("there is no format %q", asked), "formats are "+strings.Join(Formats(), ", "))
}

// choice is what a format knows of its columns.
type choice struct {
	value int
	unit  string // "": the name of the column, the cells or the user tell
	clock int
}

// newPlan makes the plan for reading samples from the columns that a format
// knows, or that the user named.
func (h *head) newPlan(c choice) (*plan, error) {
	p := &plan{dialect: h.dialect, class: -1, clock: -1, failed: -1, sub: subsamples{at: -1}}
	if h.opt.Column != "" {
		at, err := h.named(h.opt.Column, "--column")
		if err != nil {
			return nil, err
		}
		if at != c.value {
			c.value, c.unit = at, ""
		}
	}
	if c.value < 0 {
		return nil, &NoColumnError{Columns: h.columns()}
	}
	p.column = h.columnName(c.value)
	if h.header != nil {
		p.reader.header = h.header[min(c.value, len(h.header)-1)]
	}
	if err := h.chooseUnit(p, c); err != nil {
		return nil, err
	}
	p.look(c.value)
	classAt, filterAt, err := h.wanted(p)
	if err != nil {
		return nil, err
	}
	if h.opt.Worst == NoWindows || c.clock == c.value {
		c.clock = -1
	}
	p.look(c.clock)
	p.value, p.class, p.clock = p.at(c.value), p.at(classAt), p.at(c.clock)
	for i := range p.filters {
		p.filters[i].at = p.at(filterAt[i])
	}
	p.begin(h)
	return p, nil
}

// begin says where the rows begin: behind the header, if there is one.
func (p *plan) begin(h *head) {
	if h.header != nil {
		p.start = int64(h.records[0].end)
	} else if strings.HasPrefix(h.text, "\uFEFF") {
		p.start = int64(len("\uFEFF"))
	}
	if h.header == nil {
		if _, end, ok := saidSeparator(h.text[p.start:]); ok {
			p.start += int64(end)
		}
	}
	p.start = min(p.start, int64(len(h.text)))
	p.lines = strings.Count(h.text[:p.start], "\n")
}

// wanted adds the columns that the user named for classes and filters.
func (h *head) wanted(p *plan) (classAt int, filterAt []int, err error) {
	classAt = -1
	if h.opt.ClassColumn != "" {
		if classAt, err = h.named(h.opt.ClassColumn, "--class-column"); err != nil {
			return 0, nil, err
		}
		p.look(classAt)
	}
	for _, w := range h.opt.Where {
		name, value, ok := strings.Cut(w, "=")
		if !ok {
			return 0, nil, usage(fmt.Sprintf("--where %q has no =", w), "write it as --where COLUMN=VALUE")
		}
		at, err := h.named(name, "--where")
		if err != nil {
			return 0, nil, err
		}
		filterAt = append(filterAt, at)
		p.filters = append(p.filters, filter{want: []byte(value)})
		p.look(at)
	}
	if len(p.columns) > maxColumns-4 {
		return 0, nil, usage("too many --where", "")
	}
	return classAt, filterAt, nil
}

// columnName names a column for messages and origins.
func (h *head) columnName(at int) string {
	if at < len(h.header) && h.header[at] != "" {
		return h.header[at]
	}
	return fmt.Sprintf("column %d", at+1)
}

// named finds a column by its name, or by its number from 1.
func (h *head) named(name, flag string) (int, error) {
	if i := slices.Index(h.header, name); i >= 0 {
		return i, nil
	}
	if i := slices.IndexFunc(h.header, func(c string) bool { return strings.EqualFold(c, name) }); i >= 0 {
		return i, nil
	}
	number := 0
	for _, c := range name {
		if c < '0' || c > '9' || number > 1e6 {
			number = 0
			break
		}
		number = number*10 + int(c-'0')
	}
	width := len(h.header)
	if width == 0 && len(h.records) > 0 {
		width = len(h.records[0].cells)
	}
	if number >= 1 && number <= width {
		return number - 1, nil
	}
	return 0, usage(fmt.Sprintf("%s: there is no column %q", flag, name), "columns are "+h.columns())
}

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
