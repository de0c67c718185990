package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"vtsize/csvread"
	"vtsize/plot"
	"vtsize/sizing"
)

// latencies writes what files of latencies told.
func (p *page) latencies(d *Document) {
	l := d.Latencies
	if l == nil {
		return
	}
	p.wrap("", l.title())
	p.line("")
	p.columns(l.percentileTable())
	p.rows(l.rows())
	p.columns(l.classTable(mostClasses))
	if n := len(l.Classes) - mostClasses; n > 0 {
		p.line(fmt.Sprintf("and %s more classes; --format json has all", sizing.Number(float64(n))))
		p.line("")
	}
	if l.Whole != nil {
		var b strings.Builder
		h := l.Histogram()
		h.Title = ""
		_ = plot.Text(&b, h, p.width) // a Builder takes everything
		p.b.WriteString(b.String())
		p.line("")
	}
	p.doubts(d)
}

// doubts writes which rows were left out, and what else there is to know.
func (p *page) doubts(d *Document) {
	l := d.Latencies
	p.badRows(l)
	notes := slices.Clone(l.Notes)
	if d.Command != "calc" { // which has them among its own
		notes = append(notes, l.Doubts...)
	}
	for _, n := range notes {
		p.wrap("note: ", Escape(n))
	}
	if len(notes) > 0 {
		p.line("")
	}
}

// percentileTable has the percentiles of the whole that are known, in a row.
func (l *Latencies) percentileTable() [][]string {
	out := [][]string{{}, {}}
	add := func(name string, d time.Duration) {
		out[0], out[1] = append(out[0], name), append(out[1], length(d))
	}
	for _, q := range l.percentiles() {
		if d, ok := l.at(q); ok {
			add(fmt.Sprintf("p%v", q), d)
		}
	}
	if d, ok := l.maximum(); ok {
		add("max", d)
	}
	return out
}

// rows are further numbers of the whole.
func (l *Latencies) rows() []row {
	var out []row
	if l.Whole != nil {
		bound := row{"upper bound", "none", fmt.Sprintf("of p%v with 95 %% confidence: %s", l.Percentile, l.missing())}
		if d, ok := UpperBound(l.Whole, l.Percentile); ok {
			bound = row{"upper bound", length(d), fmt.Sprintf("of p%v, with 95 %% confidence", l.Percentile)}
			if l.UpperBound {
				bound.note += "; sized by it"
			}
		}
		out = append(out, bound)
	}
	if w := l.Worst; w != nil {
		out = append(out, row{"worst " + string(w.Window), length(w.Value), fmt.Sprintf("p%v of %s samples from %s on; the worst of %d %ss",
			l.Percentile, sizing.Number(float64(w.N)), w.Start.Format("2006-01-02 15:04 MST"), w.Of, w.Window)})
	}
	if c := l.CutOff; c != nil {
		out = append(out, row{"cut off", length(c.At), fmt.Sprintf("%s samples end there, %s are longer: a client timeout, it seems", sizing.Number(float64(c.N)), sizing.Number(float64(c.Beyond)))})
	}
	return out
}

// mostClasses is how many classes a text has room for: the longest.
const mostClasses = 20

// classTable tells the classes, and the timeout that each would have on a queue
// of its own. A most of 0 is all of them.
func (l *Latencies) classTable(most int) [][]string {
	if len(l.Classes) == 0 {
		return nil
	}
	list := slices.Clone(l.Classes)
	if most > 0 && len(list) > most {
		slices.SortStableFunc(list, func(a, b ClassSizing) int {
			x, _ := a.Sizing.Floor.Get()
			y, _ := b.Sizing.Floor.Get()
			return cmp.Compare(y, x)
		})
		list = list[:most]
	}
	out := [][]string{{"class", "samples", "p50", fmt.Sprintf("p%v", l.Percentile), "upper bound", "timeout alone"}}
	for _, c := range list {
		stages, _ := c.Sizing.Consumer.Work.Stages.Get()
		x := stages[0].Latency
		cells := []string{Escape(c.Name), "not told", "not told", "not told", "none", "not known"}
		if n, ok := x.Samples.Get(); ok {
			cells[1] = sizing.Number(float64(n))
		}
		if d, ok := x.P50.Get(); ok {
			cells[2] = length(d)
		}
		if d, ok := x.Tail.Get(); ok {
			cells[3] = length(d)
		}
		if s := l.samplesOf(c.Name); s != nil {
			if d, _ := s.At(l.Percentile); l.UpperBound {
				cells[3] = length(d)
			}
			if d, ok := UpperBound(s, l.Percentile); ok {
				cells[4] = length(d)
			}
		}
		if d, ok := c.Sizing.QueueTimeout().Get(); ok {
			cells[5] = sizing.Seconds(d)
		}
		out = append(out, cells)
	}
	return out
}

// samplesOf are the samples of a class; nil where only percentiles are known.
func (l *Latencies) samplesOf(class string) *csvread.Samples {
	for _, c := range l.Result.Classes {
		if c.Name == class {
			return c.Samples
		}
	}
	return nil
}

func (p *page) badRows(l *Latencies) {
	if l.Bad == 0 {
		return
	}
	rows := l.Bad
	for _, f := range l.Files {
		rows += f.Samples
	}
	p.wrap(p.paint(yellow, "bad rows")+": ", fmt.Sprintf("%s of %s are no latencies and left out", sizing.Number(float64(l.Bad)), sizing.Number(float64(rows))))
	for _, b := range l.First {
		p.wrap("  ", Escape(b.String()))
	}
	if n := l.Bad - len(l.First); n > 0 {
		p.line(fmt.Sprintf("  and %s more", sizing.Number(float64(n))))
	}
	p.line("")
}

// columns writes a table whose first row is its header.
func (p *page) columns(table [][]string) {
	if len(table) == 0 {
		return
	}
	widths := make([]int, len(table[0]))
	for _, cells := range table {
		for i, c := range cells {
			widths[i] = max(widths[i], visible(c))
		}
	}
	for i, cells := range table {
		var line strings.Builder
		for j, c := range cells {
			pad := strings.Repeat(" ", widths[j]-visible(c)+2)
			if i == 0 {
				c = p.paint(bold, c)
			}
			line.WriteString(c + pad)
		}
		p.line(line.String())
	}
	p.line("")
}

// latencyTables writes tables of the latencies and of the risks.
func latencyTables(d *Document) [][][]string {
	l := d.Latencies
	if l == nil {
		return nil
	}
	numbers := [][]string{{"latency", l.title()}}
	for i, name := range l.percentileTable()[0] {
		numbers = append(numbers, []string{name, l.percentileTable()[1][i]})
	}
	for _, r := range l.rows() {
		numbers = append(numbers, []string{r.name, strings.TrimSpace(r.value + " " + r.note)})
	}
	if l.Bad > 0 {
		numbers = append(numbers, []string{"bad rows", sizing.Number(float64(l.Bad))})
	}
	out := [][][]string{numbers, l.classTable(0)}
	for _, r := range l.Risks {
		if r.Why == "" {
			out = append(out, r.table())
		} else {
			out = append(out, [][]string{{"risk", subject(r.Queue, r.Consumer)}, {"not told", Escape(r.Why)}})
		}
	}
	return out
}

// remarks writes what tables of latencies have no room for.
func (p *page) remarks(d *Document) {
	if d.Latencies == nil {
		return
	}
	p.doubts(d)
	for _, r := range d.Latencies.Risks {
		if r.Why == "" {
			p.grounds(r)
		}
	}
}
