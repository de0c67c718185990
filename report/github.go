package report

import (
	"io"
	"strconv"
	"strings"

	"vtsize/facts"
	"vtsize/rules"
)

// GitHub writes workflow commands, which GitHub Actions shows beside the lines
// of a pull request, and notes and the summary as lines of the log, where they
// are no more than that: anywhere in a line that is not a command, a runner
// takes ##[…] for one.
//
// Of each severity GitHub shows the first ten of a step, so what could not be
// read comes first, and the findings before the rest.
//
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#setting-an-error-message
func GitHub(w io.Writer, d *Document) error {
	p := newPage(d)
	remarks := d.remarks()
	for _, r := range remarks {
		if r.fatal {
			p.line(workflowCommand(r.severity, r.pos, string(r.kind), r.line()))
		}
	}
	for _, f := range d.Report.Findings {
		text := strings.Join(append([]string{headline(f)}, d.details(f)...), "\n")
		p.line(workflowCommand(f.Severity, d.at(f), f.Rule.ID+" "+f.Rule.Name, text))
	}
	for _, r := range remarks {
		switch {
		case r.kind == note:
			p.line("note: " + strings.ReplaceAll(r.text, "##[", `##\[`))
		case !r.fatal:
			p.line(workflowCommand(r.severity, r.pos, string(r.kind), r.line()))
		}
	}
	p.line(Summary(d.Report))
	return p.flush(w)
}

// workflowCommand is one annotation.
func workflowCommand(s rules.Severity, pos facts.Pos, title, message string) string {
	name := map[rules.Severity]string{rules.Error: "error", rules.Warning: "warning", rules.Info: "notice"}[s]
	var properties []string
	add := func(key, value string) { properties = append(properties, key+"="+commandProperty.Replace(value)) }
	if pos.IsValid() {
		add("file", Escape(pos.File))
	}
	if pos.Line > 0 {
		add("line", strconv.Itoa(pos.Line))
	}
	if pos.Column > 0 {
		add("col", strconv.Itoa(pos.Column))
	}
	add("title", title)
	return "::" + name + " " + strings.Join(properties, ",") + "::" + commandData.Replace(message)
}

// What the runner decodes again.
// https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts
var (
	commandData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
