package report

import (
	"encoding/json"
	"io"
	"time"

	"vtsize/facts"
	"vtsize/rules"
)

// The names of the JSON schemas, published in docs/schema.
const (
	ReportSchema = "vtsize.report.v1"
	CalcSchema   = "vtsize.calc.v1"
)

// object is a JSON object whose keys are not all known beforehand.
type object = map[string]any

type jsonTool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type jsonSummary struct {
	Queues   int `json:"queues"`
	Rules    int `json:"rules"`
	Passed   int `json:"passed"`
	Findings struct {
		Error   int `json:"error"`
		Warning int `json:"warning"`
		Info    int `json:"info"`
	} `json:"findings"`
	NotChecked struct {
		Gap        int `json:"gap"`
		Undeclared int `json:"undeclared"`
	} `json:"not_checked"`
	NotApplicable int `json:"not_applicable"`
	Suppressed    int `json:"suppressed"`
}

type jsonQueue struct {
	ID        string         `json:"id"`
	Name      string         `json:"name"`
	Address   string         `json:"address"`
	ARN       string         `json:"arn"`
	Region    string         `json:"region"`
	External  bool           `json:"external"`
	Facts     object         `json:"facts"`
	Sizing    *jsonSizing    `json:"sizing"`
	Consumers []jsonConsumer `json:"consumers"`
}

type jsonConsumer struct {
	ID       string      `json:"id"`
	Address  string      `json:"address"`
	Kind     string      `json:"kind"`
	Function string      `json:"function"`
	Facts    object      `json:"facts"`
	Sizing   *jsonSizing `json:"sizing"`
}

type jsonUnjoined struct {
	Address  string `json:"address"`
	Function string `json:"function"`
	Reason   string `json:"reason"`
}

type jsonLocation struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

type jsonFinding struct {
	Rule        string        `json:"rule"`
	Name        string        `json:"name"`
	Severity    string        `json:"severity"`
	Queue       string        `json:"queue"`
	Consumer    *string       `json:"consumer"`
	Message     string        `json:"message"`
	Fix         string        `json:"fix"`
	Formula     string        `json:"formula"`
	Current     *float64      `json:"current"`
	Required    *float64      `json:"required"`
	Recommended *float64      `json:"recommended"`
	Unit        string        `json:"unit"`
	Fingerprint string        `json:"fingerprint"`
	Location    *jsonLocation `json:"location"`
	Origin      string        `json:"origin"`
	Related     []jsonRelated `json:"related"`
}

type jsonRelated struct {
	Message  string        `json:"message"`
	Location *jsonLocation `json:"location"`
	Origin   string        `json:"origin"`
}

type jsonNotChecked struct {
	Rule     string     `json:"rule"`
	Queue    string     `json:"queue"`
	Consumer *string    `json:"consumer"`
	Class    string     `json:"class"`
	Missing  []jsonMiss `json:"missing"`
}

type jsonMiss struct {
	Input  string `json:"input"`
	Cause  string `json:"cause"`
	Origin string `json:"origin"`
	Reason string `json:"reason"`
}

type jsonSuppressed struct {
	Rule     string        `json:"rule"`
	Queue    string        `json:"queue"`
	Consumer *string       `json:"consumer"`
	Reason   string        `json:"reason"`
	Until    *string       `json:"until"`
	Location *jsonLocation `json:"location"`
}

type jsonSuppression struct {
	Message  string        `json:"message"`
	Location *jsonLocation `json:"location"`
}

type jsonProblem struct {
	Message  string        `json:"message"`
	Fatal    bool          `json:"fatal"`
	Location *jsonLocation `json:"location"`
}

type jsonAbsent struct {
	Address  string        `json:"address"`
	Reason   string        `json:"reason"`
	Location *jsonLocation `json:"location"`
}

// JSON writes the report as vtsize.report.v1, or that of calc as
// vtsize.calc.v1.
func JSON(w io.Writer, d *Document) error {
	if d.Command == "calc" {
		return encodeJSON(w, calcJSON(d))
	}
	return reportJSON(w, d)
}

// encodeJSON writes indented JSON in which <, > and & stay legible.
func encodeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// reportJSON writes a report piece by piece: those of ten thousand queues have
// more than a hundred megabytes.
func reportJSON(w io.Writer, d *Document) error {
	r := d.Report
	o := beginObject(w)
	o.member("schema", ReportSchema)
	o.member("tool", jsonTool{"vtsize", d.Version})
	o.member("command", d.Command)
	o.member("summary", summaryJSON(r))
	if d.Latencies != nil { // of audit, with files
		o.member("latency", latencyJSON(d.Latencies))
	}
	array(o, "queues", r.Queues, queueJSON)
	array(o, "unjoined", r.Unjoined, func(u facts.Unjoined) any { return jsonUnjoined{u.Address, u.Function, u.Reason} })
	array(o, "findings", r.Findings, findingJSON)
	array(o, "not_checked", r.NotChecked, notCheckedJSON)
	array(o, "suppressed", r.Suppressed, suppressedJSON)
	array(o, "suppression_problems", r.Ignores, func(p rules.IgnoreProblem) any { return jsonSuppression{p.Message, location(p.Ignore.Pos)} })
	array(o, "problems", d.Problems, func(p Problem) any { return jsonProblem{p.Message, p.Fatal, location(p.Pos)} })
	array(o, "absent", d.Absent, func(a Absent) any { return jsonAbsent{a.Address, a.Reason, location(a.Pos)} })
	array(o, "notes", d.Notes, func(note string) any { return note })
	return o.end()
}

func calcJSON(d *Document) any {
	inputs := object{}
	for _, in := range d.Inputs {
		inputs[in.Name] = in.Fact
	}
	out := struct {
		Schema     string       `json:"schema"`
		Inputs     object       `json:"inputs"`
		Latency    *jsonLatency `json:"latency"`
		Sizing     *jsonSizing  `json:"sizing"`
		Findings   []any        `json:"findings"`
		NotChecked []any        `json:"not_checked"`
		Summary    jsonSummary  `json:"summary"`
	}{Schema: CalcSchema, Inputs: inputs, Latency: latencyJSON(d.Latencies), Findings: each(d.Report.Findings, findingJSON), NotChecked: each(d.Report.NotChecked, notCheckedJSON), Summary: summaryJSON(d.Report)}
	if len(d.Report.Queues) > 0 {
		out.Sizing = sizingJSON(d.Report.Queues[0].Sizing)
	}
	return out
}

func summaryJSON(r *rules.Report) jsonSummary {
	s := jsonSummary{Queues: len(r.Queues), Rules: len(r.Rules), Passed: r.Passed, NotApplicable: r.NotApplicable, Suppressed: len(r.Suppressed)}
	s.Findings.Error, s.Findings.Warning, s.Findings.Info = r.Count(rules.Error), r.Count(rules.Warning), r.Count(rules.Info)
	s.NotChecked.Gap, s.NotChecked.Undeclared = r.CountNotChecked()
	return s
}

func queueJSON(res rules.QueueResult) any {
	q := res.Queue
	out := jsonQueue{
		ID: q.ID, Name: q.Name, Address: q.Address, ARN: q.ARN, Region: q.Region, External: q.External,
		Facts: queueFacts(q), Sizing: sizingJSON(res.Sizing), Consumers: []jsonConsumer{},
	}
	for _, s := range res.Consumers {
		if s.Consumer.ID == rules.UndeclaredWorker {
			out.Sizing = nil
			continue
		}
		c := s.Consumer
		out.Consumers = append(out.Consumers, jsonConsumer{c.ID, c.Address, string(c.Kind), c.Function, consumerFacts(c), sizingJSON(s)})
	}
	return out
}

func findingJSON(f rules.Finding) any {
	out := jsonFinding{
		Rule: f.Rule.ID, Name: f.Rule.Name, Severity: f.Severity.String(), Queue: f.Queue.ID, Consumer: consumerJSON(f.Consumer),
		Message: f.Message, Fix: f.Fix, Formula: f.Formula, Current: amount(f.Current), Required: amount(f.Required), Recommended: amount(f.Recommended),
		Unit: f.Unit, Fingerprint: Fingerprint(f), Location: location(f.Origin.Pos), Origin: f.Origin.String(), Related: []jsonRelated{},
	}
	for _, rel := range related(f) {
		out.Related = append(out.Related, jsonRelated{rel.Message, location(rel.Origin.Pos), rel.Origin.String()})
	}
	return out
}

func notCheckedJSON(n rules.NotChecked) any {
	class := "undeclared"
	if n.IsGap() {
		class = "gap"
	}
	out := jsonNotChecked{Rule: n.Rule.ID, Queue: n.Queue.ID, Consumer: consumerJSON(n.Consumer), Class: class, Missing: []jsonMiss{}}
	for _, m := range n.Missing {
		out.Missing = append(out.Missing, jsonMiss{m.Input, m.Cause.String(), m.Origin.String(), m.Origin.Reason()})
	}
	return out
}

func suppressedJSON(s rules.Suppressed) any {
	out := jsonSuppressed{Rule: s.Finding.Rule.ID, Queue: s.Finding.Queue.ID, Consumer: consumerJSON(s.Finding.Consumer), Reason: s.Ignore.Reason, Location: location(s.Ignore.Pos)}
	if !s.Ignore.Until.IsZero() {
		until := s.Ignore.Until.Format(time.DateOnly)
		out.Until = &until
	}
	return out
}

func consumerJSON(c *facts.Consumer) *string {
	if c == nil || c.ID == rules.UndeclaredWorker {
		return nil
	}
	return &c.ID
}

func amount(a rules.Amount) *float64 {
	if !a.Known {
		return nil
	}
	return &a.Value
}

func location(p facts.Pos) *jsonLocation {
	if !p.IsValid() {
		return nil
	}
	return &jsonLocation{p.File, p.Line, p.Column}
}
