package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"vtsize/risk"
	"vtsize/sizing"
)

// points are the timeouts that a risk is told for, with what they are.
func (r *Risk) points() (points []*risk.Point, names []string) {
	if r.Present != nil {
		points, names = append(points, r.Present), append(names, "now")
	}
	if r.Recommended != nil {
		name := "recommended"
		if r.Unaided {
			name = "without heartbeat"
		}
		points, names = append(points, r.Recommended), append(names, name)
	}
	return points, names
}

// table tells a risk with a column for each timeout.
func (r *Risk) table() [][]string {
	points, names := r.points()
	head := []string{"risk"}
	for i, p := range points {
		head = append(head, "at "+length(p.Timeout)+", "+names[i])
	}
	out := [][]string{head}
	line := func(name string, cell func(*risk.Point) string) {
		cells := []string{name}
		for _, p := range points {
			cells = append(cells, cell(p))
		}
		out = append(out, cells)
	}
	line("P(hold > timeout)", func(p *risk.Point) string { return atMost(p.Share*100, p.Bound*100, " %") })
	if r.batch() {
		line("  the last of a batch", func(p *risk.Point) string { return percent(p.Last) })
	}
	line("second deliveries per million", func(p *risk.Point) string { return atMost(p.Share*1e6, p.Bound*1e6, "") })
	if r.Rate != nil {
		line("  a day at "+digits(*r.Rate)+"/s", func(p *risk.Point) string { return atMost(p.Share*r.perDay(), p.Bound*r.perDay(), "") })
	}
	if r.Receives != nil {
		line(fmt.Sprintf("false dead letters at %d receives", *r.Receives), func(p *risk.Point) string {
			return atMost(risk.DeadLetter(p.Share, *r.Receives)*100, risk.DeadLetter(p.Bound, *r.Receives)*100, " %")
		})
	}
	line("work wasted", func(p *risk.Point) string { return percent(p.Wasted) })
	return out
}

// batch reports whether messages of a batch are held differently long.
func (r *Risk) batch() bool {
	points, _ := r.points()
	for _, p := range points {
		if p.Last != p.Share {
			return true
		}
	}
	return false
}

// perDay is how many messages arrive in a day.
func (r *Risk) perDay() float64 { return *r.Rate * (24 * time.Hour).Seconds() }

// atMost writes a number with its upper bound.
func atMost(x, bound float64, unit string) string {
	most := above(bound)
	if !strings.HasPrefix(most, "<") {
		most = "≤ " + most
	}
	return fmt.Sprintf("%s%s (%s%s)", digits(x), unit, most, unit)
}

// limit tells the timeout that keeps second deliveries to a share.
func (r *Risk) limit() string {
	share := strconv.FormatFloat(r.Limit.Share*100, 'g', 6, 64) + " %"
	switch {
	case !r.Limit.Shown:
		return fmt.Sprintf("second deliveries of at most %s: these samples cannot show it; %s are needed at least, and there are %s",
			share, sizing.Number(float64(r.Limit.Needed)), sizing.Number(float64(r.Samples)))
	case r.Limit.Timeout > sizing.MaxVisibilityTimeout:
		return fmt.Sprintf("second deliveries of at most %s: a timeout of %s would be needed, above the longest of SQS; extend it with a heartbeat", share, sizing.Seconds(r.Limit.Timeout))
	}
	shorter := "no shorter one"
	if r.Overstated > 0 {
		shorter += " but for rounding"
	}
	return fmt.Sprintf("second deliveries of at most %s: a visibility timeout of %s is enough, and %s, with 95 %% confidence", share, sizing.Seconds(r.Limit.Timeout), shorter)
}

// grants are what is taken for granted, and how sure the numbers are.
func (r *Risk) grants() []string {
	out := append([]string{}, r.Assumes...)
	if r.Holds != r.Samples {
		out = append(out, fmt.Sprintf("%s samples make %s independent holds, and bounds (≤, with 95 %% confidence) are those of so many", sizing.Number(float64(r.Samples)), sizing.Number(float64(r.Holds))))
	} else {
		out = append(out, "bounds (≤) have 95 % confidence")
	}
	if r.Overstated > 0 {
		out = append(out, fmt.Sprintf("rounding overstates a hold by up to %s", percent(r.Overstated+sampleWidth)))
	}
	if r.Receives != nil {
		out = append(out, "dead letters: each receive takes its own time; where messages that took long take long again, they are up to as many as are held for longer")
	}
	if r.CutAt > 0 {
		out = append(out, fmt.Sprintf("the function timeout ends every run before %s", sizing.Seconds(r.CutAt)))
	}
	return out
}

// risks writes how likely messages outlast their timeouts.
func (p *page) risks(d *Document) {
	if d.Latencies == nil {
		return
	}
	for _, r := range d.Latencies.Risks {
		of := ""
		if d.Command != "calc" {
			of = " of " + subject(r.Queue, r.Consumer)
		}
		if r.Why != "" {
			p.wrap("risk"+of+": ", "not told: "+Escape(r.Why))
			p.line("")
			continue
		}
		if of != "" {
			p.line(p.paint(bold, "risk"+of))
		}
		p.columns(r.table())
		p.grounds(r)
	}
}

// grounds writes the timeout that was asked for, and what a risk rests on.
func (p *page) grounds(r Risk) {
	if r.Limit != nil {
		p.wrap("", r.limit())
		p.line("")
	}
	p.line("taken for granted:")
	for _, text := range r.grants() {
		p.wrap("  - ", text)
	}
	p.line("")
}

// sampleWidth is by how much of its length a sample may be overstated: those
// that are not known exactly are counted in bins.
const sampleWidth = 1.0 / 128
