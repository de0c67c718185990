package csvread

import (
	"bytes"
	"strings"
)

// A Lambda function's log has a line at the end of each run, with its parts
// separated by tabs, or by spaces where it was copied:
//
//	REPORT RequestId: ... Duration: 12.34 ms Billed Duration: 13 ms ... Status: timeout
var (
	reportMark   = []byte("REPORT RequestId:")
	durationMark = []byte("Duration: ")
	timeoutMark  = []byte("Status: timeout")
)

// hasReport reports whether any of the cells has a REPORT line in it.
func hasReport(cells []string) bool {
	for _, c := range cells {
		if strings.Contains(c, string(reportMark)) {
			return true
		}
	}
	return false
}

// isReportText tells a log as it is, from "aws logs tail" or a console.
func isReportText(h *head) bool {
	if h.has("message") || h.has("@message") {
		return false
	}
	return strings.Contains(h.text, string(reportMark))
}

// reportTextPlan takes every line as one cell.
func reportTextPlan(h *head) (*plan, error) {
	if h.opt.ClassColumn != "" || len(h.opt.Where) > 0 || h.opt.Column != "" {
		return nil, usage("a log of REPORT lines has no columns", "leave --column, --class-column and --where out")
	}
	h.delim, h.quotes, h.header = 0, false, nil
	return h.reportPlan(0, -1)
}

// reported reads the REPORT line in a cell. A cell without one is not looked
// for. Billed Duration is rounded up, and Init Duration is not part of a run.
func (w *worker) reported(cell []byte) (ns uint64, ok bool, why string) {
	at := bytes.Index(cell, reportMark)
	if at < 0 {
		w.filtered++
		return 0, false, ""
	}
	line := cell[at:]
	for rest := line; ; {
		d := bytes.Index(rest, durationMark)
		if d < 0 {
			return 0, false, "is a REPORT line without a Duration"
		}
		before := rest[:d]
		rest = rest[d+len(durationMark):]
		if bytes.HasSuffix(before, []byte("Billed ")) || bytes.HasSuffix(before, []byte("Init ")) || bytes.HasSuffix(before, []byte("Restore ")) {
			continue
		}
		number, _, found := bytes.Cut(rest, []byte(" ms"))
		if !found {
			return 0, false, "has a Duration that is not in ms"
		}
		r := reader{scale: reportScale}
		if ns, why = r.read(number); why != "" {
			return 0, false, why
		}
		if bytes.Contains(line, timeoutMark) {
			w.timedOut++
		}
		return ns, true, ""
	}
}

var reportScale = newScale(unit{"ms", 1, 6})
