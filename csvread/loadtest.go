package csvread

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// percentileColumns finds the columns whose header is a percentile, as "99.9%"
// or "99% Line", by column.
func (h *head) percentileColumns(suffix string) map[int]float64 {
	found := map[int]float64{}
	for i, cell := range h.header {
		number, ok := strings.CutSuffix(strings.TrimSpace(cell), suffix)
		if !ok {
			continue
		}
		if p, err := strconv.ParseFloat(strings.TrimSpace(number), 64); err == nil && p > 0 && p <= 100 {
			found[i] = p
		}
	}
	return found
}

// rowCurve reads the percentiles, the mean and the count of one row.
type rowCurve struct {
	reader
	points      map[int]float64
	mean, count int
	method      string
}

// into adds what a row holds. It reports whether there was anything.
func (r *rowCurve) into(c *Curve, cells []string) bool {
	any := false
	for at, p := range r.points {
		if at >= len(cells) {
			continue
		}
		if d, why := r.read([]byte(cells[at])); why == "" {
			c.set(p, time.Duration(d))
			any = true
		}
	}
	if any && r.mean >= 0 && r.mean < len(cells) {
		if d, why := r.read([]byte(cells[r.mean])); why == "" {
			c.Mean = time.Duration(d)
		}
	}
	if any && r.count >= 0 && r.count < len(cells) {
		if n, err := strconv.Atoi(cells[r.count]); err == nil {
			c.N = n
		}
	}
	c.Method, c.unit = r.method, r.scale.unit.name
	return any
}

func isJMeterAggregate(h *head) bool {
	return h.header != nil && h.has("label", "average", "median") && len(h.percentileColumns("% Line")) > 0
}

// jmeterCurve reads the table of JMeter's aggregate report, in milliseconds.
func jmeterCurve(h *head, _ float64) (*Curve, error) {
	points := h.percentileColumns("% Line")
	points[h.column("median")] = 50
	if at := h.column("max"); at >= 0 {
		points[at] = 100
	}
	return h.labelled(&rowCurve{points: points, mean: h.column("average"), count: h.column("# samples", "samples"), method: "percentiles of JMeter's aggregate report"},
		h.column("label"), "TOTAL", "% Line")
}

func isLocustStats(h *head) bool {
	return h.header != nil && h.has("name", "request count") && len(h.percentileColumns("%")) > 2
}

// locustCurve reads _stats.csv of Locust, in milliseconds.
func locustCurve(h *head, _ float64) (*Curve, error) {
	return h.labelled(&rowCurve{points: h.percentileColumns("%"), mean: h.column("average response time"), count: h.column("request count"), method: "percentiles of Locust's statistics"},
		h.column("name"), "Aggregated", "%")
}

// labelled reads a table with a row for each label, and one for all of them.
func (h *head) labelled(r *rowCurve, label int, total, column string) (*Curve, error) {
	s, err := h.unitFor("ms")
	if err != nil {
		return nil, err
	}
	r.scale = s
	all := &Curve{}
	haveTotal := false
	var classes []ClassCurve
	for _, row := range h.data() {
		if label >= len(row.cells) {
			continue
		}
		c := &Curve{}
		if !r.into(c, row.cells) {
			continue
		}
		name := row.cells[label]
		if strings.EqualFold(name, total) {
			all, haveTotal = c, true
			continue
		}
		classes = append(classes, ClassCurve{name, c})
	}
	if !haveTotal {
		if len(classes) == 0 {
			return nil, &NoColumnError{Columns: h.columns(), Why: "no row has percentiles"}
		}
		all = worstOf(classes, total)
	}
	all.column = "column " + column
	all.classes = classes
	slices.SortFunc(all.classes, func(a, b ClassCurve) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// worstOf stands in for a missing row of all labels: no percentile of a
// mixture is above the highest one of its parts.
func worstOf(classes []ClassCurve, total string) *Curve {
	all := &Curve{Method: classes[0].Curve.Method, unit: classes[0].Curve.unit}
	for _, c := range classes {
		for _, p := range c.Curve.Points {
			all.set(p.Percentile, p.Value)
		}
		all.N += c.Curve.N
	}
	if len(classes) > 1 {
		all.doubts = append(all.doubts, fmt.Sprintf("there is no row %q, so each percentile is the highest of %d rows", total, len(classes)))
	}
	return all
}

func isLocustHistory(h *head) bool {
	return h.header != nil && h.has("timestamp", "user count") && len(h.percentileColumns("%")) > 2
}

// locustHistoryCurve reads _stats_history.csv of Locust, in milliseconds: each
// row has the percentiles of a short stretch, of which the worst are taken.
func locustHistoryCurve(h *head, _ float64) (*Curve, error) {
	s, err := h.unitFor("ms")
	if err != nil {
		return nil, err
	}
	r := &rowCurve{reader: reader{scale: s}, points: h.percentileColumns("%"), mean: -1, count: h.column("total request count"), method: "percentiles of Locust's history, the worst stretch"}
	c := &Curve{column: "column %"}
	rows := 0
	name := h.column("name")
	for _, row := range h.data() {
		if name >= 0 && (name >= len(row.cells) || row.cells[name] != "Aggregated") {
			continue
		}
		if r.into(c, row.cells) {
			rows++
		}
	}
	if rows == 0 {
		return nil, &NoColumnError{Columns: h.columns(), Why: "no row named Aggregated has percentiles"}
	}
	c.notes = append(c.notes, fmt.Sprintf("each percentile is the highest of %d stretches of the run", rows))
	return c, nil
}
