package report

import (
	"fmt"
	"io"
	"strings"

	"vtsize/rules"
)

// Explain writes all that is to say about a rule. The examples are its cases.
func Explain(w io.Writer, r *rules.Rule, width int) error {
	p := newPage(&Document{Width: min(width, 100)})
	p.line(fmt.Sprintf("%s %s (%s)", r.ID, r.Name, r.Severity))
	p.wrap("", r.Title)
	p.line("")
	p.line("Why")
	p.wrap("  ", r.Why)
	p.line("")
	p.line("Fix")
	p.wrap("  ", r.Fix)
	p.line("")
	if len(r.Needs) > 0 || r.Inputs != "" {
		p.line("Needs")
		for _, n := range needsOf(r) {
			p.line("  " + n)
		}
		p.line("")
	}
	p.line("Sources")
	for _, s := range r.Sources {
		p.line("  " + s.Title)
		p.line("  " + s.URL)
	}
	for _, section := range []struct{ kind, title string }{{"fires", "Fires on"}, {"passes", "Passes"}} {
		examples := rules.Examples(r, section.kind)
		if len(examples) == 0 {
			continue
		}
		e := examples[0]
		p.line("")
		p.line(section.title + ": " + e.Name)
		for line := range strings.SplitSeq(strings.TrimRight(e.Text, "\n"), "\n") {
			p.line("  " + line)
		}
		if e.Finding != "" {
			p.wrap("  => ", e.Finding)
		}
	}
	return p.flush(w)
}

func needsOf(r *rules.Rule) []string {
	needs := append([]string{}, r.Needs...)
	if r.Inputs != "" {
		needs = append(needs, r.Inputs)
	}
	return needs
}

// RuleTable lists the rules, or what each of them needs.
func RuleTable(w io.Writer, all []*rules.Rule, needs bool) error {
	p := newPage(&Document{})
	for _, r := range all {
		text := r.Name + ": " + r.Title
		if needs {
			text = strings.Join(needsOf(r), ", ")
			if text == "" {
				text = "nothing beyond the queue"
			}
		}
		p.wrap(fmt.Sprintf("%s  %-8s", r.ID, r.Severity), text)
	}
	return p.flush(w)
}

// RuleMarkdown writes the table of rules of the README.
func RuleMarkdown(w io.Writer, all []*rules.Rule) error {
	p := newPage(&Document{})
	p.line("| id | name | severity | finds |")
	p.line("| --- | --- | --- | --- |")
	for _, r := range all {
		p.line(fmt.Sprintf("| %s | %s | %s | %s |", r.ID, r.Name, r.Severity, r.Title))
	}
	return p.flush(w)
}

// RulePages writes the reference of all rules in markdown.
func RulePages(w io.Writer, all []*rules.Rule) error {
	p := newPage(&Document{})
	p.line("# The rules")
	p.line("")
	p.line("Generated from the rules and their cases: `UPDATE=1 go test ./report`.")
	for _, r := range all {
		p.line("")
		p.line(fmt.Sprintf("## %s %s", r.ID, r.Name))
		p.line("")
		p.line(fmt.Sprintf("%s, per %s: %s.", strings.ToUpper(r.Severity.String()[:1])+r.Severity.String()[1:], r.Scope, r.Title))
		p.line("")
		p.line("**Why.** " + r.Why)
		p.line("")
		p.line("**Fix.** " + r.Fix)
		p.line("")
		if needs := needsOf(r); len(needs) > 0 {
			p.line("**Needs.** " + strings.Join(needs, ", "))
			p.line("")
		}
		p.line("**Sources.**")
		p.line("")
		for _, s := range r.Sources {
			p.line(fmt.Sprintf("- [%s](%s)", s.Title, s.URL))
		}
		for _, kind := range []string{"fires", "passes", "not-checked"} {
			for _, e := range rules.Examples(r, kind) {
				p.line("")
				p.line(fmt.Sprintf("%s: %s", map[string]string{"fires": "Fires", "passes": "Passes", "not-checked": "Not checked"}[kind], e.Name))
				p.line("")
				p.line("```")
				p.b.WriteString(e.Text)
				if e.Finding != "" {
					p.line("=> " + e.Finding)
				}
				p.line("```")
			}
		}
	}
	return p.flush(w)
}
