package csvread

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// The percentile curves of HdrHistogram, as .hgrm files, wrk2 and vegeta's
// hdrplot print them: a value, the share of samples up to it, how many those
// are, and more.
var (
	hgrmHeader = regexp.MustCompile(`(?m)^[ \t]*"?Value(?:\((\w+)\))?"?[ \t,]+"?Percentile"?[ \t,]+"?TotalCount"?`)
	hgrmTotal  = regexp.MustCompile(`Total count\s*=\s*(\d+)`)
	hgrmMean   = regexp.MustCompile(`#\[Mean\s*=\s*([0-9.]+)`)
)

// isHgrm looks for the header, which few files have: most of them are told
// apart without the expression, which takes its time.
func isHgrm(h *head) bool {
	return strings.Contains(h.text, "TotalCount") && hgrmHeader.MatchString(h.text)
}

// isHistogramLog tells a log of compressed histograms.
func isHistogramLog(h *head) bool {
	return strings.Contains(h.text, "Interval_Compressed_Histogram") ||
		strings.Contains(h.text, "#[Histogram log format version") || strings.Contains(h.text, "#[Logged with jHiccup")
}

func hgrmCurve(h *head, _ float64) (*Curve, error) {
	at := hgrmHeader.FindStringSubmatchIndex(h.text)
	// wrk2 -U prints a second curve, of the uncorrected latencies.
	if next := hgrmHeader.FindStringIndex(h.text[at[1]:]); next != nil {
		h.text = h.text[:at[1]+next[0]]
	}
	known := ""
	if at[2] >= 0 {
		known = strings.ToLower(h.text[at[2]:at[3]])
	} else if strings.Contains(h.text[:at[0]], "Detailed Percentile spectrum") {
		known = "ms" // wrk2 prints milliseconds
	}
	s, err := h.unitFor(known)
	if err != nil {
		return nil, err
	}
	c := &Curve{Method: "percentile curve of HdrHistogram", column: "Value", unit: s.unit.name, dense: true}
	r := reader{scale: s}
	for line := range strings.Lines(h.text[at[1]:]) {
		f := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' || r == '\n' || r == '\r' })
		if len(f) < 3 || strings.HasPrefix(f[0], "#") {
			continue
		}
		d, why := r.read([]byte(f[0]))
		p, perr := strconv.ParseFloat(f[1]+"e2", 64)
		n, nerr := strconv.Atoi(f[2])
		if why != "" || perr != nil || nerr != nil || p < 0 || p > 100 {
			continue
		}
		c.set(p, time.Duration(d))
		c.N = max(c.N, n)
	}
	if m := hgrmTotal.FindStringSubmatch(h.text); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			c.N = n
		}
	}
	if m := hgrmMean.FindStringSubmatch(h.text); m != nil {
		if d, why := r.read([]byte(m[1])); why == "" {
			c.Mean = time.Duration(d)
		}
	}
	if len(c.Points) == 0 {
		return nil, &NoColumnError{Columns: "Value, Percentile, TotalCount", Why: "the percentile curve has no points"}
	}
	return c, nil
}
