package report

import (
	"io"
	"strconv"
	"strings"

	"vtsize/facts"
	"vtsize/rules"
)

// GitHub writes workflow commands, which GitHub Actions shows beside the lines
// of a pull request, and the summary as the last line of the log. All text
// from outside stands within a command: in any other line of a log a runner
// takes a ##[…] for a command of its own.
//
// Of each severity GitHub shows the first ten of a step, so the findings come
// before the rest.
//
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#setting-an-error-message
func GitHub(w io.Writer, d *Document) error {
	p := newPage(d)
	for _, f := range d.Report.Findings {
		text := headline(f)
		if f.Formula != "" {
			text += "\nformula: " + Escape(f.Formula)
		}
		if fix := remedy(f); fix != "" {
			text += "\nfix: " + fix
		}
		for _, rel := range f.Related {
			text += "\nsee: " + d.relatedText(rel)
		}
		p.line(workflowCommand(f.Severity, d.at(f), f.Rule.ID+" "+f.Rule.Name, text))
	}
	for _, r := range d.remarks() {
		p.line(workflowCommand(r.severity, r.pos, string(r.kind), string(r.kind)+": "+r.text))
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
