package csvread

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// An export of CloudWatch metrics has a column of times and one for each
// series; above them are one or more lines that say what each series is.
type metricTable struct {
	labels []string // of each column: all that stands above its data
	rows   []record
}

var (
	metricPercentile = regexp.MustCompile(`(?i)\bp(\d{1,2}(?:\.\d+)?)\b`)
	metricMaximum    = regexp.MustCompile(`(?i)\b(max|maximum|p100)\b`)
	metricAverage    = regexp.MustCompile(`(?i)\b(avg|average|mean)\b`)
)

// metricUnits are the units of AWS's own metrics of durations.
var metricUnits = []struct{ in, unit string }{
	{"milliseconds", "ms"}, {"microseconds", "us"}, {"seconds", "s"},
	{"targetresponsetime", "s"}, // Application Load Balancer
	{"duration", "ms"},          // Lambda
	{"latency", "ms"},           // API Gateway
}

// metricTableOf finds the table in a file, or reports that there is none.
func metricTableOf(h *head) (t metricTable, ok bool) {
	first := -1
	for i, r := range h.records {
		if len(r.cells) > 1 && isTime(strings.TrimSuffix(r.cells[0], " UTC")) {
			first = i
			break
		}
	}
	if first < 1 || first > 20 {
		return t, false
	}
	t.rows = h.records[first:]
	t.labels = make([]string, len(t.rows[0].cells))
	for _, r := range h.records[:first] {
		for i := range t.labels {
			if i < len(r.cells) {
				t.labels[i] += " " + r.cells[i]
			}
		}
	}
	return t, true
}

// isMetricExport tells such a file by the statistics that its series name.
func isMetricExport(h *head) bool {
	t, ok := metricTableOf(h)
	if !ok {
		return false
	}
	statistics := 0
	for _, label := range t.labels[1:] {
		if metricPercentile.MatchString(label) || metricAverage.MatchString(label) || metricMaximum.MatchString(label) {
			statistics++
		}
	}
	return 2*statistics > len(t.labels)-1
}

// metricCurve takes the percentiles of each series, and of the periods the
// worst. An average is no basis for a timeout: half of the calls and more may
// take longer.
func metricCurve(h *head, _ float64) (*Curve, error) {
	t, _ := metricTableOf(h)
	all := strings.ToLower(strings.Join(t.labels, " "))
	unit := ""
	for _, u := range metricUnits {
		if strings.Contains(all, u.in) {
			unit = u.unit
			break
		}
	}
	points := map[int]float64{}
	averages := 0
	for i, label := range t.labels[1:] {
		if m := metricPercentile.FindStringSubmatch(label); m != nil {
			p, err := strconv.ParseFloat(m[1], 64)
			if err == nil && p > 0 {
				points[i+1] = p
			}
		} else if metricMaximum.MatchString(label) {
			points[i+1] = 100
		} else if metricAverage.MatchString(label) {
			averages++
		}
	}
	if len(points) == 0 {
		return nil, &NoColumnError{Columns: quoteAll(trimAll(t.labels)), Why: fmt.Sprintf("%d series of averages are no basis for a timeout, as an average says nothing of the slowest calls; export the statistic p99", averages)}
	}
	s, err := h.unitFor(unit)
	if err != nil {
		return nil, err
	}
	r := &rowCurve{reader: reader{scale: s}, points: points, mean: -1, count: -1}
	c := &Curve{}
	periods := 0
	for _, row := range t.rows {
		if r.into(c, row.cells) {
			periods++
		}
	}
	if periods == 0 {
		return nil, &NoColumnError{Columns: quoteAll(trimAll(t.labels)), Why: "no period has a value"}
	}
	c.Method = fmt.Sprintf("CloudWatch percentiles, worst of %d periods%s", periods, periodOf(t.rows))
	c.column = strings.TrimSpace(t.labels[1])
	if averages > 0 {
		c.notes = append(c.notes, fmt.Sprintf("%d series of averages are left out", averages))
	}
	return c, nil
}

func trimAll(labels []string) (trimmed []string) {
	for _, l := range labels {
		trimmed = append(trimmed, strings.TrimSpace(l))
	}
	return trimmed
}

// periodOf says how long a period is, where two rows tell.
func periodOf(rows []record) string {
	if len(rows) < 2 {
		return ""
	}
	a, _, aok := parseTime([]byte(strings.TrimSuffix(rows[0].cells[0], " UTC")))
	b, _, bok := parseTime([]byte(strings.TrimSuffix(rows[1].cells[0], " UTC")))
	if !aok || !bok || a == b {
		return ""
	}
	return fmt.Sprintf(" of %v", time.Duration(max(a-b, b-a))*time.Second)
}
