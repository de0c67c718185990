package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"vtsize/facts"
	"vtsize/rules"
)

// page collects the lines of a text and how they look.
type page struct {
	b     strings.Builder
	width int
	color bool
}

func newPage(d *Document) *page {
	p := &page{width: d.Width, color: d.Color}
	if p.width <= 0 {
		p.width = 80
	}
	p.width = max(40, min(p.width, 120))
	return p
}

func (p *page) line(s string) { p.b.WriteString(strings.TrimRight(s, " ") + "\n") }

// wrap writes a text behind a label, its further lines under its first word.
func (p *page) wrap(label, text string) {
	indent := visible(label)
	used, empty := indent, true
	if text == "" {
		label = strings.TrimRight(label, " ")
	}
	p.b.WriteString(label)
	for word := range strings.FieldsSeq(text) {
		n := visible(word)
		if !empty && used+1+n > p.width {
			p.b.WriteByte('\n')
			p.b.WriteString(strings.Repeat(" ", indent))
			used, empty = indent, true
		}
		if !empty {
			p.b.WriteByte(' ')
			used++
		}
		p.b.WriteString(word)
		used, empty = used+n, false
	}
	p.b.WriteByte('\n')
}

// visible is the width of a text without its colours.
func visible(s string) int {
	n, in := 0, false
	for _, r := range s {
		switch {
		case r == '\x1b':
			in = true
		case in:
			in = r != 'm'
		default:
			n++
		}
	}
	return n
}

// The colours of the terminal's own palette, so that they fit light and dark.
const (
	bold   = "1"
	dim    = "2"
	red    = "1;31"
	yellow = "1;33"
	cyan   = "1;36"
	green  = "1;32"
)

func (p *page) paint(color, s string) string {
	if !p.color {
		return s
	}
	return "\x1b[" + color + "m" + s + "\x1b[0m"
}

func (p *page) severity(s rules.Severity) string {
	return p.paint(map[rules.Severity]string{rules.Error: red, rules.Warning: yellow, rules.Info: cyan}[s], s.String())
}

func (p *page) flush(w io.Writer) error {
	_, err := io.WriteString(w, p.b.String())
	return err
}

// Text writes a report to be read in a terminal.
func Text(w io.Writer, d *Document) error {
	p := newPage(d)
	p.latencies(d)
	if d.Command == "calc" {
		p.calc(d)
	} else {
		found := map[*facts.Queue][]rules.Finding{}
		for _, f := range d.Report.Findings {
			found[f.Queue] = append(found[f.Queue], f)
		}
		for _, q := range d.Report.Queues {
			p.queue(d, q, found[q.Queue])
		}
		p.risks(d)
		p.unjoined(d)
	}
	p.problems(d)
	p.notChecked(d)
	p.suppressions(d)
	for _, n := range d.Notes {
		p.wrap("note: ", Escape(n))
	}
	p.line(Summary(d.Report))
	return p.flush(w)
}

// queue writes the numbers of one queue and what was found.
func (p *page) queue(d *Document, res rules.QueueResult, found []rules.Finding) {
	numbers := p.numbers(res)
	if len(found) == 0 && (len(numbers) == 0 || d.Command == "check") {
		return // a check may be of thousands of queues
	}
	head := p.paint(bold, queueName(res.Queue))
	if res.Queue.Region != "" {
		head += " " + p.paint(dim, "("+Escape(res.Queue.Region)+")")
	}
	p.line(head)
	for _, n := range numbers {
		p.wrap("  ", n)
	}
	if len(numbers) > 0 {
		p.line("")
	}
	for _, f := range found {
		p.finding(d, f)
	}
}

func (p *page) finding(d *Document, f rules.Finding) {
	text := Escape(f.Message) + " [" + f.Rule.ID + "]"
	if f.Consumer != nil && f.Consumer.ID != rules.UndeclaredWorker && d.Command != "calc" {
		if _, who, ok := strings.Cut(subject(f.Queue, f.Consumer), " → "); ok {
			text = who + ": " + text
		}
	}
	p.wrap("  "+p.severity(f.Severity)+": ", text)
	p.place(d, f.Origin)
	if f.Formula != "" {
		p.wrap("    formula: ", Escape(f.Formula))
	}
	if fix := remedy(f); fix != "" {
		p.wrap("    fix: ", fix)
	}
	for _, rel := range related(f) {
		p.wrap("    see: ", d.relatedText(rel))
	}
	p.line("")
}

// place writes where a fact comes from; in a file, the line with a caret.
func (p *page) place(d *Document, o facts.Origin) {
	at := d.origin(o).String()
	if at == "" {
		return
	}
	p.line("    " + p.paint(dim, "-->") + " " + Escape(at))
	if d.Line == nil || o.Pos.Line == 0 {
		return
	}
	source, ok := d.Line(o.Pos)
	if !ok {
		return
	}
	number := fmt.Sprint(o.Pos.Line)
	before := source[:min(max(0, o.Pos.Column-1), len(source))]
	gap := strings.Repeat(" ", utf8.RuneCountInString(Escape(strings.ReplaceAll(before, "\t", "    "))))
	p.line(fmt.Sprintf("    %s | %s", number, Escape(strings.ReplaceAll(source, "\t", "    "))))
	p.line(fmt.Sprintf("    %s | %s%s", strings.Repeat(" ", len(number)), gap, p.paint(red, "^")))
}

func (p *page) unjoined(d *Document) {
	for _, u := range d.Report.Unjoined {
		text := Escape(u.Address) + ": " + Escape(u.Reason)
		if at := d.place(u.Pos).String(); at != "" {
			text += " (" + Escape(at) + ")"
		}
		p.wrap("not joined: ", text)
	}
}

// problems lists what is wrong with the input, and what has no instance.
func (p *page) problems(d *Document) {
	for _, pr := range d.Problems {
		p.wrap(p.paint(red, "problem")+": ", Escape(pr.Message))
		p.place(d, facts.Origin{Pos: pr.Pos})
	}
	for _, a := range d.Absent {
		text := Escape(a.Address) + ": " + Escape(a.Reason)
		if at := d.place(a.Pos).String(); at != "" {
			text += " (" + Escape(at) + ")"
		}
		p.wrap("no instance: ", text)
	}
}

// notChecked lists the gaps, one line a missing input, and counts the rest.
func (p *page) notChecked(d *Document) {
	list := gaps(d.Report)
	for _, g := range list {
		p.wrap(p.paint(yellow, "not checked")+": ", d.gapText(g))
	}
	if len(list) > 0 {
		p.line("")
	}
	if text := undeclaredText(d.Report); text != "" {
		p.wrap("", text)
	}
}

func (p *page) suppressions(d *Document) {
	for _, s := range d.Report.Ignores {
		text := Escape(s.Message)
		if at := d.place(s.Ignore.Pos).String(); at != "" {
			text += " (" + Escape(at) + ")"
		}
		p.wrap(p.paint(yellow, "suppression")+": ", text)
	}
}

// Columns writes a label and a text beside it from a column on, wrapped; a
// label too long for its column has the text under it.
func Columns(label, text string, column, width int) string {
	p := &page{width: width}
	if visible(label)+2 > column {
		p.line(label)
		label = ""
	}
	p.wrap(label+strings.Repeat(" ", column-visible(label)), text)
	return p.b.String()
}
