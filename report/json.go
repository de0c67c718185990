package report

import (
	"encoding/json"
	"io"
	"time"

	"vtsize/assess"
	"vtsize/facts"
	"vtsize/rules"
	"vtsize/sizing"
)

// The names of the JSON schemas, published in docs/schema.
const (
	ReportSchema = "vtsize.report.v1"
	CalcSchema   = "vtsize.calc.v1"
)

// object is a JSON object whose keys are not all known beforehand.
type object = map[string]any

type jsonReport struct {
	Schema     string            `json:"schema"`
	Tool       jsonTool          `json:"tool"`
	Command    string            `json:"command"`
	Summary    jsonSummary       `json:"summary"`
	Queues     []jsonQueue       `json:"queues"`
	Unjoined   []jsonUnjoined    `json:"unjoined"`
	Findings   []jsonFinding     `json:"findings"`
	NotChecked []jsonNotChecked  `json:"not_checked"`
	Suppressed []jsonSuppressed  `json:"suppressed"`
	Complaints []jsonSuppression `json:"suppression_problems"`
	Notes      []string          `json:"notes"`
}

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

// JSON writes the report as vtsize.report.v1, or that of calc as
// vtsize.calc.v1.
func JSON(w io.Writer, d *Document) error {
	var v any
	if d.Command == "calc" {
		v = calcJSON(d)
	} else {
		v = reportJSON(d)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

func reportJSON(d *Document) jsonReport {
	r := d.Report
	out := jsonReport{
		Schema: ReportSchema, Tool: jsonTool{"vtsize", d.Version}, Command: d.Command, Summary: summaryJSON(r),
		Queues: []jsonQueue{}, Unjoined: []jsonUnjoined{}, Findings: findingsJSON(r), NotChecked: notCheckedJSON(r),
		Suppressed: []jsonSuppressed{}, Complaints: []jsonSuppression{}, Notes: append([]string{}, d.Notes...),
	}
	for _, q := range r.Queues {
		out.Queues = append(out.Queues, queueJSON(q))
	}
	for _, u := range r.Deployment.Unjoined {
		out.Unjoined = append(out.Unjoined, jsonUnjoined{u.Address, u.Function, u.Reason})
	}
	for _, s := range r.Suppressed {
		js := jsonSuppressed{Rule: s.Finding.Rule.ID, Queue: s.Finding.Queue.ID, Consumer: consumerJSON(s.Finding.Consumer), Reason: s.Ignore.Reason, Location: location(s.Ignore.Pos)}
		if !s.Ignore.Until.IsZero() {
			until := s.Ignore.Until.Format(time.DateOnly)
			js.Until = &until
		}
		out.Suppressed = append(out.Suppressed, js)
	}
	for _, p := range r.Ignores {
		out.Complaints = append(out.Complaints, jsonSuppression{p.Message, location(p.Ignore.Pos)})
	}
	return out
}

func calcJSON(d *Document) any {
	type input struct {
		Value  string `json:"value"`
		Origin string `json:"origin"`
	}
	inputs := map[string]input{}
	for _, in := range d.Inputs {
		inputs[in.Name] = input{in.Value, in.Origin.String()}
	}
	out := struct {
		Schema     string           `json:"schema"`
		Inputs     map[string]input `json:"inputs"`
		Sizing     *jsonSizing      `json:"sizing"`
		Findings   []jsonFinding    `json:"findings"`
		NotChecked []jsonNotChecked `json:"not_checked"`
		Summary    jsonSummary      `json:"summary"`
	}{Schema: CalcSchema, Inputs: inputs, Findings: findingsJSON(d.Report), NotChecked: notCheckedJSON(d.Report), Summary: summaryJSON(d.Report)}
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

func queueJSON(res rules.QueueResult) jsonQueue {
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

func findingsJSON(r *rules.Report) []jsonFinding {
	out := []jsonFinding{}
	for _, f := range r.Findings {
		jf := jsonFinding{
			Rule: f.Rule.ID, Name: f.Rule.Name, Severity: f.Severity.String(), Queue: f.Queue.ID, Consumer: consumerJSON(f.Consumer),
			Message: f.Message, Fix: f.Fix, Formula: f.Formula, Current: amount(f.Current), Required: amount(f.Required), Recommended: amount(f.Recommended),
			Unit: f.Unit, Fingerprint: Fingerprint(f), Location: location(f.Origin.Pos), Origin: f.Origin.String(), Related: []jsonRelated{},
		}
		for _, rel := range f.Related {
			jf.Related = append(jf.Related, jsonRelated{rel.Message, location(rel.Origin.Pos), rel.Origin.String()})
		}
		out = append(out, jf)
	}
	return out
}

func notCheckedJSON(r *rules.Report) []jsonNotChecked {
	out := []jsonNotChecked{}
	for _, n := range r.NotChecked {
		class := "undeclared"
		if n.IsGap() {
			class = "gap"
		}
		jn := jsonNotChecked{Rule: n.Rule.ID, Queue: n.Queue.ID, Consumer: consumerJSON(n.Consumer), Class: class, Missing: []jsonMiss{}}
		for _, m := range n.Missing {
			jn.Missing = append(jn.Missing, jsonMiss{m.Input, m.Cause.String(), m.Origin.String()})
		}
		out = append(out, jn)
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

// fact writes a value with its origin, or the cause of its being unknown.
func fact[T any](x facts.Value[T], put func(T) any) object {
	v, ok := x.Get()
	if !ok {
		return object{"unknown": x.Cause().String(), "origin": x.Origin().String()}
	}
	return object{"value": put(v), "origin": x.Origin().String(), "kind": string(x.Origin().Kind)}
}

func seconds(d time.Duration) any { return d.Seconds() }
func same[T any](v T) any         { return v }

// orNull writes a nil pointer, known absence, as null.
func orNull[T any](v *T) any {
	if v == nil {
		return nil
	}
	return *v
}

func queueFacts(q *facts.Queue) object {
	out := object{
		"visibility_timeout_seconds": fact(q.VisibilityTimeout, seconds),
		"message_retention_seconds":  fact(q.Retention, seconds),
		"delay_seconds":              fact(q.Delay, seconds),
		"receive_wait_time_seconds":  fact(q.ReceiveWait, seconds),
		"fifo_queue":                 fact(q.FIFO, same[bool]),
	}
	count := facts.Unknown[*int](q.Redrive.Cause(), q.Redrive.Origin())
	target := facts.Unknown[*string](q.Redrive.Cause(), q.Redrive.Origin())
	if r, ok := q.Redrive.Get(); ok && r == nil {
		count, target = facts.Known[*int](nil, q.Redrive.Origin()), facts.Known[*string](nil, q.Redrive.Origin())
	} else if ok {
		count = facts.Map(r.MaxReceiveCount, func(n int) *int { return &n })
		target = facts.Map(r.Target, func(s string) *string { return &s })
	}
	out["max_receive_count"] = fact(count, orNull)
	out["dead_letter_queue"] = fact(target, orNull)
	return out
}

func consumerFacts(c *facts.Consumer) object {
	if c.Kind == facts.Worker {
		return object{}
	}
	return object{
		"function_timeout_seconds":   fact(c.FunctionTimeout, seconds),
		"batch_size":                 fact(c.BatchSize, same[int]),
		"batching_window_seconds":    fact(c.BatchingWindow, seconds),
		"report_batch_item_failures": fact(c.ReportBatchItemFailures, same[bool]),
		"maximum_concurrency":        fact(c.MaximumConcurrency, orNull),
		"reserved_concurrency":       fact(c.ReservedConcurrency, orNull),
		"enabled":                    fact(c.Enabled, same[bool]),
	}
}

type jsonSizing struct {
	Basis             any      `json:"basis"`
	Percentile        float64  `json:"percentile"`
	Samples           any      `json:"samples"`
	MessageFloor      any      `json:"message_floor_seconds"`
	Multiplier        any      `json:"batch_multiplier"`
	StartWait         any      `json:"start_wait_seconds"`
	Floor             any      `json:"floor_seconds"`
	MustCover         any      `json:"must_cover_seconds"`
	Ceiling           any      `json:"ceiling"`
	Current           any      `json:"current_seconds"`
	Minimum           any      `json:"minimum_seconds"`
	VisibilityTimeout any      `json:"visibility_timeout_seconds"`
	Heartbeat         any      `json:"heartbeat"`
	StepDeadline      any      `json:"step_deadline_seconds"`
	Recovery          any      `json:"recovery_delay_seconds"`
	TimeToDeadLetter  any      `json:"time_to_dead_letter_seconds"`
	Deliveries        any      `json:"deliveries_per_message"`
	InFlight          any      `json:"in_flight"`
	Strategy          any      `json:"strategy"`
	Formula           string   `json:"formula"`
	Warnings          []string `json:"warnings"`
}

func unknown(c facts.Cause) any { return object{"unknown": c.String()} }

// number writes a result, or the cause of its being unknown.
func number[T any](n assess.Number[T], put func(T) any) any {
	if v, ok := n.Get(); ok {
		return put(v)
	}
	return unknown(n.Cause())
}

// value writes a fact's value alone, or the cause of its being unknown.
func value[T any](x facts.Value[T], put func(T) any) any {
	if v, ok := x.Get(); ok {
		return put(v)
	}
	return unknown(x.Cause())
}

func sizingJSON(s *assess.Sizing) *jsonSizing {
	if s == nil {
		return nil
	}
	out := &jsonSizing{
		Basis: value(s.Basis, func(b facts.Basis) any { return string(b) }), Percentile: s.Percentile, Samples: nil,
		MessageFloor: number(s.MessageFloor, seconds), Multiplier: number(s.Multiplier, same[int]), StartWait: number(s.StartWait, seconds),
		Floor: number(s.Floor, seconds), MustCover: number(s.MustCover, seconds), Ceiling: number(s.Ceiling, ceilingJSON),
		Minimum: number(s.Minimum, seconds), VisibilityTimeout: number(s.Recommended, seconds), Recovery: number(s.Recovery, seconds),
		TimeToDeadLetter: number(s.TimeToDeadLetter, func(d *time.Duration) any {
			if d == nil {
				return nil
			}
			return d.Seconds()
		}),
		Deliveries: number(s.Deliveries, func(d assess.Deliveries) any {
			return object{"at_least": d.AtLeast, "at_most": value(d.AtMost, orNull)}
		}),
		InFlight: inFlightJSON(s), Formula: s.Formula, Warnings: append([]string{}, s.Warnings...),
	}
	if n, ok := s.Samples.Get(); ok {
		out.Samples = n
	}
	if d, ok := s.Timeout.Get(); ok {
		out.Current = d.Seconds()
	} else if s.Timeout.Cause().IsGap() {
		out.Current = unknown(s.Timeout.Cause())
	}
	if s.IsLambda() {
		out.Strategy = string(sizing.Fixed)
		return out
	}
	out.Strategy = number(s.Plan, func(p sizing.Plan) any { return string(p.Strategy) })
	out.StepDeadline = number(s.Plan, func(p sizing.Plan) any { return p.StepDeadline.Seconds() })
	out.Heartbeat = number(s.Plan, func(p sizing.Plan) any {
		h := p.Heartbeat
		return object{"interval_seconds": h.Interval.Seconds(), "extend_to_seconds": h.ExtendTo.Seconds(),
			"lost_beats_survived": h.LostBeatsSurvived, "queue_timeout_seconds": h.QueueTimeout.Seconds()}
	})
	return out
}

func ceilingJSON(c sizing.Ceiling) any {
	out := object{}
	if c.IsBounded() {
		out["seconds"] = c.Bound.Seconds()
	} else {
		out["unbounded"] = c.Unbounded
	}
	if c.Note != "" {
		out["note"] = c.Note
	}
	return out
}

// inFlightJSON is null where no arrival rate was given.
func inFlightJSON(s *assess.Sizing) any {
	if !s.Queue.Rate.IsKnown() && !s.Queue.Rate.Cause().IsGap() {
		return nil
	}
	return object{"expected": number(s.InFlight.Expected, same[float64]), "worst": number(s.InFlight.Worst, same[float64]), "quota": sizing.InFlightQuota}
}
