package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"vtsize/facts"
	"vtsize/rules"
)

// kind says what a remark is about; it is shown in front of its text.
type kind string

// The kinds of remarks.
const (
	notChecked  kind = "not checked" // a reader tried and could not tell
	notJoined   kind = "not joined"  // a mapping whose queue could not be told
	problem     kind = "problem"     // something wrong with the input
	noInstance  kind = "no instance" // defined, and not made
	suppression kind = "suppression" // one that does nothing
	note        kind = "note"
)

// id is the kind as one word.
func (k kind) id() string { return strings.ReplaceAll(string(k), " ", "-") }

// remark is what a report says beside its findings. The formats that other
// tools read have one entry for each, as they have for a finding.
type remark struct {
	kind     kind
	severity rules.Severity
	fatal    bool // a problem for which not everything could be read
	text     string
	key      string         // the text without lines and columns: it stays when they move
	pos      facts.Pos      // from the working directory
	queues   []*facts.Queue // that it is about, as far as known
}

// line is the text with its kind in front, where it does not begin with it.
func (r remark) line() string {
	if strings.HasPrefix(r.text, string(r.kind)) {
		return r.text
	}
	return string(r.kind) + ": " + r.text
}

// remarks are all there are, the gravest first. Their text is escaped.
func (d *Document) remarks() []remark {
	var out []remark
	add := func(r remark) {
		if r.key == "" {
			r.key = r.text + " " + r.pos.File
		}
		out = append(out, r)
	}
	for _, fatal := range []bool{true, false} {
		for _, p := range d.Problems {
			if p.Fatal != fatal {
				continue
			}
			severity := rules.Warning
			if fatal {
				severity = rules.Error
			}
			add(remark{kind: problem, severity: severity, fatal: fatal, text: Escape(p.Message), pos: d.place(p.Pos)})
		}
	}
	for _, g := range gaps(d.Report) {
		pos := g.origin.Pos
		if !pos.IsValid() {
			pos = g.queues[0].Pos
		}
		still := g
		still.origin.Pos.Line, still.origin.Pos.Column = 0, 0
		add(remark{kind: notChecked, severity: rules.Warning, text: d.gapText(g), key: d.gapText(still), pos: d.place(pos), queues: g.queues})
	}
	for _, u := range d.Report.Unjoined {
		add(remark{kind: notJoined, severity: rules.Warning, text: Escape(u.Address) + ": " + Escape(u.Reason), pos: d.place(u.Pos)})
	}
	for _, s := range d.Report.Ignores {
		add(remark{kind: suppression, severity: rules.Warning, text: Escape(s.Message), pos: d.place(s.Ignore.Pos)})
	}
	for _, a := range d.Absent {
		add(remark{kind: noInstance, severity: rules.Info, text: Escape(a.Address) + ": " + Escape(a.Reason), pos: d.place(a.Pos)})
	}
	for _, n := range d.Notes {
		add(remark{kind: note, severity: rules.Info, text: Escape(n)})
	}
	if text := undeclaredText(d.Report); text != "" {
		add(remark{kind: note, severity: rules.Info, text: text})
	}
	return out
}

// gapText says what is not known, of which queues, why, and what rules need it.
func (d *Document) gapText(g gap) string {
	var subjects []string
	seen := map[string]bool{}
	for _, q := range g.queues {
		if name := queueName(q); !seen[name] { // of two regions, or accounts
			seen[name] = true
			subjects = append(subjects, name)
		}
	}
	return fmt.Sprintf("%s: %s not known (%s): %s", strings.Join(subjects, ", "), Escape(strings.Join(g.inputs, ", ")), d.why(g.cause, g.origin), strings.Join(g.rules, " "))
}

// why is the cause of something not known, with its reason and place.
func (d *Document) why(c facts.Cause, o facts.Origin) string {
	text := strings.ReplaceAll(c.String(), "_", " ")
	if reason := o.Reason(); reason != "" {
		text += ": " + Escape(reason)
	}
	if at := d.origin(o).String(); at != "" {
		text += ", " + Escape(at)
	}
	return text
}

// at is where a finding is shown: the fact at fault, or the block of what has
// it. Audits have no files.
func (d *Document) at(f rules.Finding) facts.Pos {
	pos := f.Origin.Pos
	if c := f.Consumer; !pos.IsValid() && c != nil {
		pos = c.Pos
	}
	if !pos.IsValid() {
		pos = f.Queue.Pos
	}
	return d.place(pos)
}

// about names what a finding is of. A worker that nobody said anything of is
// not worth naming.
func about(f rules.Finding) string {
	if f.Consumer != nil && f.Consumer.ID == rules.UndeclaredWorker {
		return queueName(f.Queue)
	}
	return subject(f.Queue, f.Consumer)
}

// headline is a finding in one line.
func headline(f rules.Finding) string { return about(f) + ": " + Escape(f.Message) }

// remedy is what to do, where the message does not end in it.
func remedy(f rules.Finding) string {
	if strings.HasSuffix(f.Message, f.Fix) {
		return ""
	}
	return Escape(f.Fix)
}

// details are the lines below the headline of a finding.
func (d *Document) details(f rules.Finding) []string {
	var lines []string
	if f.Formula != "" {
		lines = append(lines, "formula: "+Escape(f.Formula))
	}
	if fix := remedy(f); fix != "" {
		lines = append(lines, "fix: "+fix)
	}
	for _, rel := range related(f) {
		lines = append(lines, "see: "+d.relatedText(rel))
	}
	return lines
}

// related are the other places that have to do with a finding: those that its
// rule names, and the module calls that lead to the queue and the consumer.
func related(f rules.Finding) []rules.Related {
	out := slices.Clone(f.Related)
	calls := f.Queue.Calls
	if c := f.Consumer; c != nil {
		calls = append(slices.Clone(calls), c.Calls...)
	}
	var seen []facts.Call
	for _, c := range calls {
		if slices.Contains(seen, c) {
			continue
		}
		seen = append(seen, c)
		out = append(out, rules.Related{Message: "called as " + c.Module, Origin: facts.Origin{Kind: facts.File, Pos: c.Pos}})
	}
	return out
}

// relatedText is a related place in one line.
func (d *Document) relatedText(rel rules.Related) string {
	text := Escape(rel.Message)
	if at := d.origin(rel.Origin).String(); at != "" {
		text += " (" + Escape(at) + ")"
	}
	return text
}

// suppressedText says why a finding is kept back, until when, and where that
// stands.
func (d *Document) suppressedText(s rules.Suppressed) string {
	text := "suppressed: " + Escape(s.Ignore.Reason)
	var notes []string
	if !s.Ignore.Until.IsZero() {
		notes = append(notes, "until "+s.Ignore.Until.Format(time.DateOnly))
	}
	if at := d.place(s.Ignore.Pos).String(); at != "" {
		notes = append(notes, Escape(at))
	}
	if len(notes) > 0 {
		text += " (" + strings.Join(notes, ", ") + ")"
	}
	return text
}
