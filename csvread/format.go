package csvread

import (
	"fmt"
	"slices"
	"strings"

	"vtsize/facts"
)

// format is a kind of latency file. Adding one is adding a record to formats.
type format struct {
	Name string
	// basis is what the format's latencies are measured on; "": only its owner
	// knows.
	basis facts.Basis
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
		{Name: "ab-percentiles", is: func(h *head) bool { return h.has("percentage served", "time in ms") }, refuse: usage("it is a list of percentiles, as ab -e writes it, and no list of samples", "let ab write its samples with -g FILE, and read that with --column ttime --unit ms")},
		{Name: "hgrm", basis: facts.PerCall, is: isHgrm, curve: hgrmCurve},
		{Name: "lambda-report", basis: facts.PerInvocation, is: isReportText, plan: reportTextPlan},
		{Name: "cloudwatch-metrics", is: isMetricExport, curve: metricCurve},
		{Name: "jmeter-aggregate", basis: facts.PerCall, is: isJMeterAggregate, curve: jmeterCurve},
		{Name: "locust-history", basis: facts.PerCall, is: isLocustHistory, curve: locustHistoryCurve},
		{Name: "locust-stats", basis: facts.PerCall, is: isLocustStats, curve: locustCurve},
		{Name: "jmeter", basis: facts.PerCall, is: func(h *head) bool { return h.has("time stamp", "elapsed", "label") }, plan: jmeterPlan},
		{Name: "k6", basis: facts.PerCall, is: func(h *head) bool { return h.has("metric name", "metric value") }, plan: k6Plan},
		{Name: "hey", basis: facts.PerCall, is: func(h *head) bool { return h.has("response time", "dns dialup", "request write") }, plan: heyPlan},
		{Name: "vegeta", basis: facts.PerCall, is: isVegeta, plan: vegetaPlan},
		{Name: "logs-insights", basis: facts.PerInvocation, is: isInsights, plan: insightsPlan},
		{Name: "llm-trace", basis: facts.PerCall, is: isTrace, plan: tracePlan},
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
	p := &plan{dialect: h.dialect, class: -1, clock: -1, failed: -1, sums: -1, sub: subsamples{at: -1}}
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
	if h.crowded() {
		return nil, usage(fmt.Sprintf("rows have more cells than the %d columns of the header", len(h.header)), "quote cells that have the separator in them, as numbers with decimal commas")
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
		p.filters = append(p.filters, filter{want: []byte(strings.TrimSpace(value))})
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
