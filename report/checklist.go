package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"vtsize/checklist"
)

// answerWords are the answers as text shows them.
var answerWords = map[checklist.Answer]string{checklist.Yes: "yes", checklist.No: "no", checklist.NotKnown: "not known"}

// ChecklistFormats are the formats of a checklist.
var ChecklistFormats = []string{"text", "json", "markdown"}

// Checklist writes the checklists of queues in one of the formats. Width is in
// columns of text; 0 is 80.
func Checklist(w io.Writer, format string, lists []checklist.List, notes []string, width int) error {
	switch format {
	case "json":
		return checklistJSON(w, lists, notes)
	case "markdown":
		return checklistMarkdown(w, lists, notes)
	}
	p := newPage(&Document{Width: width})
	for _, l := range lists {
		p.line(queueName(l.Queue))
		for _, i := range l.Items {
			p.line("")
			p.wrap(fmt.Sprintf("%2d. ", i.Number), i.Question)
			p.wrap("    "+answerWords[i.Answer]+": ", evidenceText(i.Evidence))
			if i.ToYes != "" {
				p.wrap("    to make it yes: ", i.ToYes)
			}
		}
		p.line("")
		p.line(tally(l))
	}
	for _, n := range notes {
		p.wrap("note: ", Escape(n))
	}
	return p.flush(w)
}

func tally(l checklist.List) string {
	return fmt.Sprintf("%s: %d yes, %d no, %d not known", queueName(l.Queue), l.Count(checklist.Yes), l.Count(checklist.No), l.Count(checklist.NotKnown))
}

// evidenceText is the evidence in one line, each with its place.
func evidenceText(all []checklist.Evidence) string {
	var parts []string
	for _, e := range all {
		text := Escape(e.Text)
		if at := e.Origin.String(); at != "" {
			text += " (" + Escape(at) + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// cell is a text within a table of Markdown.
var cell = strings.NewReplacer(`\`, `\\`, "|", `\|`, "[", `\[`, "`", "\\`", "*", `\*`, "<", "&lt;", "\n", " ")

func checklistMarkdown(w io.Writer, lists []checklist.List, notes []string) error {
	var b strings.Builder
	for i, l := range lists {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "## %s\n\n| | question | answer | evidence | to make it yes |\n| --- | --- | --- | --- | --- |\n", cell.Replace(queueName(l.Queue)))
		for _, item := range l.Items {
			fmt.Fprintf(&b, "| %d | %s | %s | %s | %s |\n", item.Number, item.Question, answerWords[item.Answer], cell.Replace(evidenceText(item.Evidence)), cell.Replace(item.ToYes))
		}
		fmt.Fprintf(&b, "\n%s\n", cell.Replace(tally(l)))
	}
	for _, n := range notes {
		fmt.Fprintf(&b, "\nNote: %s\n", cell.Replace(Escape(n)))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func checklistJSON(w io.Writer, lists []checklist.List, notes []string) error {
	type evidence struct {
		Text   string `json:"text"`
		Origin string `json:"origin"`
		Kind   string `json:"kind"`
	}
	type answer struct {
		Number   int        `json:"number"`
		Question string     `json:"question"`
		Answer   string     `json:"answer"`
		Evidence []evidence `json:"evidence"`
		ToYes    *string    `json:"to_yes"`
	}
	type queue struct {
		ID      string         `json:"id"`
		Name    string         `json:"name"`
		Summary map[string]int `json:"summary"`
		Answers []answer       `json:"answers"`
	}
	out := struct {
		Schema string   `json:"schema"`
		Queues []queue  `json:"queues"`
		Notes  []string `json:"notes"`
	}{Schema: "vtsize.checklist.v1", Queues: []queue{}, Notes: append([]string{}, notes...)}
	for _, l := range lists {
		q := queue{ID: l.Queue.ID, Name: l.Queue.Name, Summary: map[string]int{}, Answers: []answer{}}
		for _, a := range []checklist.Answer{checklist.Yes, checklist.No, checklist.NotKnown} {
			q.Summary[string(a)] = l.Count(a)
		}
		for _, i := range l.Items {
			a := answer{Number: i.Number, Question: i.Question, Answer: string(i.Answer), Evidence: []evidence{}}
			if i.ToYes != "" {
				a.ToYes = &i.ToYes
			}
			for _, e := range i.Evidence {
				a.Evidence = append(a.Evidence, evidence{e.Text, e.Origin.String(), string(e.Origin.Kind)})
			}
			q.Answers = append(q.Answers, a)
		}
		out.Queues = append(out.Queues, q)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}
