package report

import (
	"fmt"
	"io"
	"strings"

	"vtsize/facts"
)

// Markdown writes a comment for a pull or merge request, in what GitHub and
// GitLab have in common: tables, and details that open on a click.
//
// https://github.github.com/gfm/
func Markdown(w io.Writer, d *Document) error {
	p := newPage(d)
	gaps, _ := d.Report.CountNotChecked()
	p.line(fmt.Sprintf("### vtsize: %s, %d not checked", foundText(d.Report), gaps))
	p.line("")
	if len(d.Report.Findings) > 0 {
		p.line("| severity | rule | where | finding |")
		p.line("| --- | --- | --- | --- |")
	}
	var places, suppressed []string
	for _, f := range d.Report.Findings {
		where, text := markdown(about(f)), markdown(Escape(f.Message))
		if at := place(d.at(f)); at != "" {
			where += "<br>" + at
		}
		if fix := remedy(f); fix != "" {
			text += "<br>→ " + markdown(fix)
		}
		p.line(fmt.Sprintf("| %s | %s %s | %s | %s |", f.Severity, f.Rule.ID, f.Rule.Name, where, text))
		for _, rel := range related(f) {
			places = append(places, fmt.Sprintf("%s %s: %s", f.Rule.ID, markdown(about(f)), markdown(d.relatedText(rel))))
		}
	}
	if len(d.Report.Findings) > 0 {
		p.line("")
	}
	for _, s := range d.Report.Suppressed {
		suppressed = append(suppressed, fmt.Sprintf("%s %s", s.Finding.Rule.ID, markdown(about(s.Finding)+": "+d.suppressedText(s))))
	}
	byKind := map[kind][]string{}
	for _, r := range d.remarks() {
		text := markdown(r.text)
		if at := place(r.pos); at != "" && r.kind != notChecked { // a gap has its place in its text
			text += " (" + at + ")"
		}
		byKind[r.kind] = append(byKind[r.kind], text)
	}
	p.list("**Problems**", byKind[problem])
	p.details("Related places", places)
	p.details("Not checked", byKind[notChecked])
	p.details("Not joined", byKind[notJoined])
	p.details("Suppressed", suppressed)
	p.details("Suppressions that do nothing", byKind[suppression])
	p.details("Without an instance", byKind[noInstance])
	p.details("Notes", byKind[note])
	p.line(Summary(d.Report))
	return p.flush(w)
}

func place(pos facts.Pos) string { return markdown(Escape(pos.String())) }

// list writes the items under a title; nothing where there are none.
func (p *page) list(title string, items []string) {
	if len(items) == 0 {
		return
	}
	p.line(title)
	p.line("")
	for _, item := range items {
		p.line("- " + item)
	}
	p.line("")
}

// details writes a list that is closed at first. The empty line after the
// summary is what makes the list markdown again.
func (p *page) details(title string, items []string) {
	if len(items) == 0 {
		return
	}
	p.list(fmt.Sprintf("<details><summary>%s (%d)</summary>", title, len(items)), items)
	p.line("</details>")
	p.line("")
}

// markdown escapes a text that was escaped for control characters before: it
// has no line breaks. A backslash does not keep @name from notifying people or
// #1 from linking to an issue, because that is decided on the HTML; a space of
// no width behind the sign does. Addresses are kept from becoming links.
func markdown(s string) string { return markdownEscapes.Replace(s) }

var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "~", `\~`, "|", `\|`, "[", `\[`, "]", `\]`, "$", `\$`,
	"&", "&amp;", "<", "&lt;", ">", "&gt;",
	"@", "@&#8203;", "#", "#&#8203;", "://", "&#58;//", "www.", "www&#46;",
)
