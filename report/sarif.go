package report

import (
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"
	"time"

	"vtsize/facts"
	"vtsize/rules"
)

// The parts of SARIF 2.1.0 that are written, with its errata.
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/sarif-v2.1.0-errata01-os-complete.html
const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	ColumnKind  string            `json:"columnKind"`
	Results     []sarifResult     `json:"results"`
	Properties  object            `json:"properties"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name          string            `json:"name"`
	Version       string            `json:"version,omitempty"`
	Rules         []sarifDescriptor `json:"rules"`
	Notifications []sarifDescriptor `json:"notifications"`
}

type sarifDescriptor struct {
	ID      string        `json:"id"`
	Name    string        `json:"name,omitempty"`
	Short   *sarifMessage `json:"shortDescription,omitempty"`
	Full    *sarifMessage `json:"fullDescription,omitempty"`
	Help    *sarifMessage `json:"help,omitempty"`
	HelpURI string        `json:"helpUri,omitempty"`
	Default *sarifDefault `json:"defaultConfiguration,omitempty"`
}

type sarifDefault struct {
	Level string `json:"level"`
}

type sarifReference struct {
	ID    string `json:"id"`
	Index int    `json:"index"`
}

type sarifMessage struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Execution     []sarifNotification `json:"toolExecutionNotifications"`
	Configuration []sarifNotification `json:"toolConfigurationNotifications"`
}

type sarifNotification struct {
	Descriptor sarifReference  `json:"descriptor"`
	Level      string          `json:"level"`
	Message    sarifMessage    `json:"message"`
	Locations  []sarifLocation `json:"locations,omitempty"`
}

type sarifResult struct {
	RuleID       string             `json:"ruleId"`
	RuleIndex    int                `json:"ruleIndex"`
	Level        string             `json:"level"`
	Message      sarifMessage       `json:"message"`
	Locations    []sarifLocation    `json:"locations"`
	Related      []sarifLocation    `json:"relatedLocations,omitempty"`
	Fingerprints map[string]string  `json:"partialFingerprints"`
	Suppressions []sarifSuppression `json:"suppressions"` // of all results, or of none: §3.27.23
	Properties   object             `json:"properties"`
}

type sarifLocation struct {
	ID       int            `json:"id,omitempty"`
	Physical *sarifPhysical `json:"physicalLocation,omitempty"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	Message  *sarifMessage  `json:"message,omitempty"`
}

type sarifPhysical struct {
	Artifact struct {
		URI string `json:"uri"`
	} `json:"artifactLocation"`
	Region *sarifRegion `json:"region,omitempty"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
}

type sarifLogical struct {
	Name          string `json:"name"`
	QualifiedName string `json:"fullyQualifiedName"`
	Kind          string `json:"kind"`
}

type sarifSuppression struct {
	Kind          string         `json:"kind"`
	Status        string         `json:"status"`
	Justification string         `json:"justification"`
	Location      *sarifLocation `json:"location,omitempty"`
}

// SARIF writes the report as SARIF 2.1.0. A finding is a result, a suppressed
// one a result that says so. What could not be checked, and everything else
// that is not about a queue's configuration but about the run, is a
// notification (§3.58): a result of another kind than "fail" is shown by few
// viewers, or as a finding.
//
// Paths are relative to the working directory. A finding of an audit is in no
// file: its location is the queue, as a logical location. GitHub's code
// scanning refuses those; it takes what check writes.
func SARIF(w io.Writer, d *Document) error {
	driver := sarifDriver{Name: "vtsize", Version: d.Version, Rules: []sarifDescriptor{}, Notifications: []sarifDescriptor{}}
	index := map[string]int{}
	for i, r := range d.Report.Rules {
		index[r.ID] = i
		driver.Rules = append(driver.Rules, sarifRule(r))
	}
	results := []sarifResult{}
	for _, f := range d.Report.Findings {
		results = append(results, d.sarifResult(f, index[f.Rule.ID], []sarifSuppression{}))
	}
	for _, s := range d.Report.Suppressed {
		results = append(results, d.sarifResult(s.Finding, index[s.Finding.Rule.ID], []sarifSuppression{d.sarifSuppression(s)}))
	}
	run := sarifInvocation{Successful: true, Execution: []sarifNotification{}, Configuration: []sarifNotification{}}
	kinds := map[kind]int{}
	for _, r := range d.remarks() {
		if _, ok := kinds[r.kind]; !ok {
			kinds[r.kind] = len(driver.Notifications)
			driver.Notifications = append(driver.Notifications, sarifDescriptor{ID: r.kind.id(), Short: &sarifMessage{Text: string(r.kind)}})
		}
		n := sarifNotification{sarifReference{r.kind.id(), kinds[r.kind]}, sarifLevel(r.severity), sarifText(r.line()), d.sarifPlaces(r)}
		if r.kind == suppression {
			run.Configuration = append(run.Configuration, n)
		} else {
			run.Execution = append(run.Execution, n)
		}
		run.Successful = run.Successful && !r.fatal
	}
	return encodeJSON(w, sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{{
		Tool: sarifTool{driver}, Invocations: []sarifInvocation{run}, ColumnKind: "unicodeCodePoints", Results: results,
		Properties: object{"command": d.Command, "summary": summaryJSON(d.Report)},
	}}})
}

// sarifRule describes a rule, its sources as links in the markdown of its help.
func sarifRule(r *rules.Rule) sarifDescriptor {
	var plain, linked strings.Builder
	fmt.Fprintf(&plain, "%s\n\nFix: %s\n\nSources:", r.Why, r.Fix)
	fmt.Fprintf(&linked, "**Why.** %s\n\n**Fix.** %s\n\n**Sources.**\n", markdown(r.Why), markdown(r.Fix))
	for _, s := range r.Sources {
		fmt.Fprintf(&plain, "\n%s: %s", s.Title, s.URL)
		fmt.Fprintf(&linked, "\n- [%s](%s)", markdown(s.Title), s.URL)
	}
	return sarifDescriptor{
		ID: r.ID, Name: r.Name, Short: &sarifMessage{Text: r.Title}, Full: &sarifMessage{Text: r.Why},
		Help: &sarifMessage{plain.String(), linked.String()}, HelpURI: r.Sources[0].URL, Default: &sarifDefault{sarifLevel(r.Severity)},
	}
}

func sarifLevel(s rules.Severity) string {
	return map[rules.Severity]string{rules.Error: "error", rules.Warning: "warning", rules.Info: "note"}[s]
}

// sarifText makes a message of escaped text. A brace stands for a placeholder
// unless doubled (§3.11.5), and ]( for the middle of a link unless escaped
// (§3.11.6).
func sarifText(s string) sarifMessage {
	return sarifMessage{Text: strings.NewReplacer("{", "{{", "}", "}}", "](", `\](`).Replace(s)}
}

func (d *Document) sarifResult(f rules.Finding, rule int, suppressions []sarifSuppression) sarifResult {
	text := headline(f)
	if fix := remedy(f); fix != "" {
		text += ".\nFix: " + fix
	}
	here := sarifPlace(d.at(f))
	here.Logical = []sarifLogical{sarifSubject(f)}
	r := sarifResult{
		RuleID: f.Rule.ID, RuleIndex: rule, Level: sarifLevel(f.Severity), Message: sarifText(text), Locations: []sarifLocation{here},
		Fingerprints: map[string]string{"vtsize/v1": Fingerprint(f)}, Suppressions: suppressions,
		Properties: object{"queue": Escape(f.Queue.ID), "fix": Escape(f.Fix)},
	}
	for i, rel := range related(f) {
		at := sarifPlace(d.place(rel.Origin.Pos))
		at.ID = i + 1
		message := sarifText(Escape(rel.Message))
		if at.Physical == nil {
			message = sarifText(d.relatedText(rel))
		}
		at.Message = &message
		r.Related = append(r.Related, at)
	}
	for _, p := range []struct {
		name   string
		amount rules.Amount
	}{{"current", f.Current}, {"required", f.Required}, {"recommended", f.Recommended}} {
		if p.amount.Known {
			r.Properties[p.name], r.Properties["unit"] = p.amount.Value, f.Unit
		}
	}
	if f.Formula != "" {
		r.Properties["formula"] = Escape(f.Formula)
	}
	if !f.Origin.Pos.IsValid() {
		r.Properties["origin"] = Escape(f.Origin.String())
	}
	return r
}

func (d *Document) sarifSuppression(s rules.Suppressed) sarifSuppression {
	out := sarifSuppression{Kind: "inSource", Status: "accepted", Justification: Escape(s.Ignore.Reason)}
	if s.Ignore.Queue != "" {
		out.Kind = "external" // it names its queue from another file
	}
	if !s.Ignore.Until.IsZero() {
		out.Justification += " (until " + s.Ignore.Until.Format(time.DateOnly) + ")"
	}
	if at := sarifPlace(d.place(s.Ignore.Pos)); at.Physical != nil {
		out.Location = &at
	}
	return out
}

// sarifPlaces are the places of a remark: in a file, and the queues.
func (d *Document) sarifPlaces(r remark) []sarifLocation {
	var out []sarifLocation
	if at := sarifPlace(r.pos); at.Physical != nil {
		out = append(out, at)
	}
	seen := map[string]bool{}
	for _, q := range r.queues {
		if !seen[q.ID] {
			seen[q.ID] = true
			out = append(out, sarifLocation{Logical: []sarifLogical{{queueName(q), Escape(q.ID), "resource"}}})
		}
	}
	return out
}

// sarifSubject names the queue or the consumer that a finding is of.
func sarifSubject(f rules.Finding) sarifLogical {
	id := Escape(f.Queue.ID)
	if c := f.Consumer; c != nil && c.ID != rules.UndeclaredWorker {
		id += " → " + Escape(c.ID)
	}
	return sarifLogical{about(f), id, "resource"}
}

func sarifPlace(pos facts.Pos) sarifLocation {
	if !pos.IsValid() {
		return sarifLocation{}
	}
	u := url.URL{Path: pos.File}
	if path.IsAbs(pos.File) {
		u.Scheme = "file"
	}
	p := &sarifPhysical{}
	p.Artifact.URI = u.String()
	if pos.Line > 0 {
		p.Region = &sarifRegion{pos.Line, pos.Column}
	}
	return sarifLocation{Physical: p}
}
