package csvread

import (
	"fmt"
	"slices"
	"strings"
)

// jmeterPlan reads a JTL: elapsed is in milliseconds, by JMeter's manual.
func jmeterPlan(h *head) (*plan, error) {
	value, label, success, message := h.column("elapsed"), h.column("label"), h.column("success"), h.column("response message")
	p, err := h.newPlan(choice{value: value, unit: "ms", clock: h.column("time stamp", "timestamp")})
	if err != nil {
		return nil, err
	}
	p.keepPlaces(label, success, message)
	p.sub.at, p.failed, p.sums = p.at(label), p.at(success), p.at(message)
	p.sub.bases = map[string]bool{}
	for _, name := range h.cells(label) {
		p.sub.bases[name] = true
	}
	return p, nil
}

// sumMark begins the message of a row that a transaction controller of JMeter
// adds: it takes as long as its samples together, and they have rows too.
var sumMark = []byte("Number of samples in transaction : ")

// keepPlaces looks at further columns, and keeps what pointed to the others.
func (p *plan) keepPlaces(more ...int) {
	before := slices.Clone(p.columns)
	for _, c := range more {
		p.look(c)
	}
	move := func(at int) int {
		if at < 0 {
			return at
		}
		return p.at(before[at])
	}
	p.value, p.class, p.clock = move(p.value), move(p.class), move(p.clock)
	for i := range p.filters {
		p.filters[i].at = move(p.filters[i].at)
	}
}

// k6Plan reads a file in long form: one row for each metric of a request, of
// which the one of the whole request is taken, in milliseconds.
func k6Plan(h *head) (*plan, error) {
	name, value := h.column("metric name"), h.column("metric value")
	metric := "http_req_duration"
	var seen []string
	for _, c := range h.cells(name) {
		if !slices.Contains(seen, c) {
			seen = append(seen, c)
		}
	}
	asked := slices.ContainsFunc(h.opt.Where, func(w string) bool { return strings.HasPrefix(w, "metric_name=") })
	if !asked && h.all() && !slices.Contains(seen, metric) {
		return nil, &NoColumnError{Columns: h.columns(), Why: fmt.Sprintf("there is no metric %s in it, but %s; choose one with --where metric_name=NAME", metric, quoteAll(seen))}
	}
	p, err := h.newPlan(choice{value: value, unit: "ms", clock: h.column("timestamp")})
	if err != nil || asked {
		return p, err
	}
	p.keepPlaces(name)
	p.filters = append(p.filters, filter{at: p.at(name), want: []byte(metric)})
	return p, nil
}

// heyPlan reads what "hey -o csv" prints: seconds.
func heyPlan(h *head) (*plan, error) {
	return h.newPlan(choice{value: h.column("response time"), unit: "s", clock: -1})
}

// isVegeta tells "vegeta encode -to csv" by its shape, as it has no header: a
// time in nanoseconds, a status, a latency in nanoseconds, and more.
func isVegeta(h *head) bool {
	if h.header != nil || h.delim != ',' || len(h.records) == 0 {
		return false
	}
	c := h.records[0].cells
	return len(c) >= 7 && decimals(c[0]) == 19 && len(c[0]) == 19 &&
		len(c[1]) <= 3 && decimals(c[1]) == len(c[1]) && c[2] != "" && decimals(c[2]) == len(c[2])
}

func vegetaPlan(h *head) (*plan, error) {
	return h.newPlan(choice{value: 2, unit: "ns", clock: 0})
}

// isInsights tells an export of CloudWatch Logs Insights, or of a log viewer.
func isInsights(h *head) bool {
	if h.has("@duration") || h.has("@message") {
		return true
	}
	return h.has("timestamp", "message") && hasReport(h.cells(h.column("message")))
}

// insightsPlan takes @duration, in milliseconds as Lambda logs it, else the
// REPORT lines among the messages.
func insightsPlan(h *head) (*plan, error) {
	clock := h.column("@timestamp", "timestamp")
	if at := h.column("@duration"); at >= 0 || h.opt.Column != "" {
		return h.newPlan(choice{value: at, unit: "ms", clock: clock})
	}
	at := h.column("@message", "message")
	if cells := h.cells(at); h.all() && !hasReport(cells) {
		return nil, &NoColumnError{Columns: h.columns(), Why: "no message is a REPORT line of Lambda"}
	}
	return h.reportPlan(at, clock)
}

// reportPlan reads REPORT lines within a column.
func (h *head) reportPlan(at, clock int) (*plan, error) {
	class, filterAt, p := -1, []int(nil), &plan{dialect: h.dialect, failed: -1, sums: -1, sub: subsamples{at: -1}}
	class, filterAt, err := h.wanted(p)
	if err != nil {
		return nil, err
	}
	if h.opt.Worst == NoWindows {
		clock = -1
	}
	p.look(at)
	p.look(clock)
	p.value, p.class, p.clock = p.at(at), p.at(class), p.at(clock)
	for i := range p.filters {
		p.filters[i].at = p.at(filterAt[i])
	}
	p.report, p.unit, p.column = true, "ms", "Duration of REPORT lines"
	p.begin(h)
	return p, nil
}

// llmSeconds are headers of traces of calls to models, whose exports give
// latencies in seconds without saying so.
var llmTokens = []string{"total tokens", "prompt tokens", "completion tokens", "input tokens", "output tokens", "tokens", "token count", "usage total", "usage input", "usage output", "total usage", "input usage", "output usage"}

// isTrace tells an export of calls to models by its columns of tokens.
func isTrace(h *head) bool { return h.column(llmTokens...) >= 0 }

// tracePlan takes the latency of a call to a model.
func tracePlan(h *head) (*plan, error) {
	at := h.column("latency", "latency seconds", "duration")
	unit := "s"
	if at < 0 || h.opt.Column != "" {
		unit = ""
		at = -1
		if found := h.durations(); len(found) == 1 {
			at = found[0]
		}
	} else if _, _, named := nameUnit(h.header[at]); named {
		unit = ""
	}
	if at < 0 && h.opt.Column == "" {
		return nil, &NoColumnError{Columns: h.columns(), Why: "it tells tokens, and no latency: tokens do not say how long a call took"}
	}
	return h.newPlan(choice{value: at, unit: unit, clock: h.timeColumn()})
}

// plainPlan reads any file with a column of durations, or one of numbers only.
func plainPlan(h *head) (*plan, error) {
	if h.opt.Column != "" {
		return h.newPlan(choice{value: -1, clock: h.timeColumn()})
	}
	if len(h.records) == 0 {
		return nil, &NoColumnError{Why: "it is empty"}
	}
	if h.header == nil {
		if len(h.records[0].cells) == 1 {
			return h.newPlan(choice{value: 0, clock: -1})
		}
		return nil, &NoColumnError{Columns: h.columns()}
	}
	found := h.durations()
	switch {
	case len(found) == 1:
		return h.newPlan(choice{value: found[0], clock: h.timeColumn()})
	case len(found) > 1:
		var names []string
		for _, at := range found {
			names = append(names, h.header[at])
		}
		return nil, usage("several columns may hold the latency: "+quoteAll(names), "choose one with --column")
	case len(h.header) == 1 && len(h.cells(0)) > 0:
		return h.newPlan(choice{value: 0, clock: -1})
	}
	return nil, &NoColumnError{Columns: h.columns()}
}

// durationNames are what columns of durations are called, without their unit.
var durationNames = []string{"duration", "latency", "elapsed", "response time", "processing time", "step time", "call time", "request time", "time taken", "took", "elapsed time", "execution time", "exec time", "run time", "runtime", "total time", "wall time", "handle time", "service time", "work time", "request duration", "call duration", "step duration", "total duration", "response latency", "rt", "@duration", "duration time", "time"}

// durations finds the columns that may hold the latency: those with one of the
// usual names, else those whose name has "duration" or "latency" in it.
func (h *head) durations() (found []int) {
	for _, loose := range []bool{false, true} {
		for i, cell := range h.header {
			bare, _, named := nameUnit(cell)
			switch {
			case strings.Contains(bare, "billed"), strings.Contains(bare, "timeout"), strings.Contains(bare, "init "):
			case bare == "time" && !named: // a time of day
			case !loose && slices.Contains(durationNames, bare), loose && hasWord(bare, "duration", "latency", "elapsed"):
				found = append(found, i)
			}
		}
		if found != nil {
			return found
		}
	}
	return nil
}

func hasWord(name string, any ...string) bool {
	for _, w := range strings.Fields(name) {
		if slices.Contains(any, w) {
			return true
		}
	}
	return false
}

// timeColumn finds the column that says when, by its name and what is in it.
func (h *head) timeColumn() int {
	at := h.column("timestamp", "@timestamp", "time stamp", "ts", "start time", "started at", "start", "time", "datetime", "date time", "date", "created at", "received at", "event time", "request time", "end time", "finished at", "completed at")
	for _, cell := range h.cells(at) {
		if isTime(cell) {
			return at
		}
	}
	return -1
}
