package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/tw"

	"vtsize/rules"
	"vtsize/sizing"
)

// Table writes the report as two tables: the numbers, and what was found.
func Table(w io.Writer, d *Document) error {
	r := d.Report
	var numbers [][]string
	for _, q := range r.Queues {
		for _, s := range q.Consumers {
			if s.Consumer.ID == rules.UndeclaredWorker {
				continue
			}
			cell := func(text string, ok bool) string {
				if !ok {
					return "not known"
				}
				return text
			}
			floor, ok1 := s.Floor.Get()
			now, ok2 := s.Timeout.Get()
			to, ok3 := s.QueueTimeout().Get()
			beat := ""
			if plan, ok := s.Plan.Get(); ok && plan.Strategy == sizing.WithHeartbeat {
				beat = sizing.Seconds(plan.Heartbeat.Interval)
			}
			numbers = append(numbers, []string{subject(q.Queue, s.Consumer), cell(sizing.Seconds(floor), ok1), cell(sizing.Seconds(now), ok2), cell(sizing.Seconds(to), ok3), beat})
		}
	}
	var found [][]string
	for _, f := range r.Findings {
		found = append(found, []string{f.Rule.ID, f.Severity.String(), subject(f.Queue, f.Consumer), Escape(f.Message), amountText(f.Current, f.Unit), amountText(f.Recommended, f.Unit)})
	}
	if err := table(w, []string{"Consumer", "Floor", "Timeout", "Recommended", "Heartbeat"}, numbers); err != nil {
		return err
	}
	for _, t := range latencyTables(d) {
		if len(t) == 0 {
			continue
		}
		if err := table(w, t[0], t[1:]); err != nil {
			return err
		}
	}
	if err := table(w, []string{"Rule", "Severity", "Where", "Finding", "Now", "Recommended"}, found); err != nil {
		return err
	}
	p := newPage(d)
	p.remarks(d)
	p.problems(d)
	p.notChecked(d)
	p.suppressions(d)
	p.line(Summary(r))
	return p.flush(w)
}

// table writes rows under a header; nothing where there are none.
func table(w io.Writer, header []string, rows [][]string) error {
	if len(rows) == 0 {
		return nil
	}
	t := tablewriter.NewTable(w,
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAlignment(tw.AlignLeft),
		tablewriter.WithRowAlignment(tw.AlignLeft),
		tablewriter.WithRowMaxWidth(44),
		tablewriter.WithRowAutoWrap(tw.WrapNormal))
	t.Header(header)
	for _, r := range rows {
		if err := t.Append(r); err != nil {
			return fmt.Errorf("write table: %w", err)
		}
	}
	return t.Render()
}

func amountText(a rules.Amount, unit string) string {
	if !a.Known {
		return ""
	}
	text := sizing.Number(a.Value)
	if unit == rules.Seconds {
		return text + " s"
	}
	return strings.TrimSpace(text + " " + unit)
}
