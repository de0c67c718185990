package simview

import (
	"fmt"
	"io"
	"math"
	"strings"

	"vtsize/simulate"
)

// The frame of a curve.
const (
	curveLeft   = 76.0
	curveRight  = svgWidth - 84.0
	curveTop    = 104.0
	curveBottom = 404.0
)

// SweepSVG draws a sweep: its harm on the left scale, and on the right what
// that is traded for.
func SweepSVG(w io.Writer, s Sweep) error {
	d := &drawing{width: svgWidth}
	harm, _ := simulate.MetricNamed(s.harm())
	other := s.against()
	title := fmt.Sprintf("%s: %s against %s", strings.ReplaceAll(s.Dial.Name, "-", " "), harm.Title, other.Title)
	d.text(16, 28, "head", title)
	if len(s.Results) > 0 {
		for i, line := range lines(fleetScenario(s.Results[0].Input, s.Dial.Name)) {
			d.text(16, 47+float64(i)*15, "soft small", line)
		}
	}
	x := s.scale()
	s.frame(d, x)
	for i, m := range []simulate.Metric{harm, other} {
		s.draw(d, x, m, i)
	}
	s.mark(d, x)
	_, err := io.WriteString(w, d.svg(int(curveBottom)+66, title, s.describe(harm, other)))
	return err
}

// lines breaks a scenario for the width of a drawing, into two at most.
func lines(text string) []string {
	const width = 150
	if len(text) <= width {
		return []string{text}
	}
	cut := strings.LastIndex(text[:width], " ")
	rest := text[cut+1:]
	if len(rest) > width {
		rest = rest[:strings.LastIndex(rest[:width], " ")] + " …"
	}
	return []string{text[:cut], rest}
}

// against is what the harm is traded for: the recovery after a crash, where
// there are crashes and the dial bears on it, else the time in the queue.
func (s Sweep) against() simulate.Metric {
	name := "queue_time_p99_seconds"
	if s.Dial.Duration && s.most("recovery_mean_seconds") > 0 {
		name = "recovery_mean_seconds"
	}
	m, _ := simulate.MetricNamed(name)
	return m
}

// scale places the dial's values on a logarithmic axis.
func (s Sweep) scale() func(float64) float64 {
	if len(s.Values) == 0 {
		return func(float64) float64 { return curveLeft }
	}
	low, high := math.Log(max(1, s.Values[0])), math.Log(max(2, s.Values[len(s.Values)-1]))
	return func(v float64) float64 {
		return curveLeft + (math.Log(max(1, v))-low)/max(1e-9, high-low)*(curveRight-curveLeft)
	}
}

func (s Sweep) frame(d *drawing, x func(float64) float64) {
	d.addf(`<path d="M%s %sV%sH%s" class="rule"/>`, px(curveLeft), px(curveTop), px(curveBottom), px(curveRight))
	last := math.Inf(-1)
	for _, v := range s.Values {
		if x(v)-last < 52 {
			continue
		}
		last = x(v)
		d.addf(`<path d="M%s %sv5" class="rule"/>`, px(last), px(curveBottom))
		d.text(last, curveBottom+20, "soft small mid", s.value(v))
	}
	d.text((curveLeft+curveRight)/2, curveBottom+44, "small mid", s.Dial.Name)
}

// draw draws one metric: its curve, its 95 % confidence as a band, its scale.
func (s Sweep) draw(d *drawing, x func(float64) float64, m simulate.Metric, side int) {
	class, axis, anchor := "one", curveLeft-8, "end"
	if side == 1 {
		class, axis, anchor = "two", curveRight+8, ""
	}
	top := scaleTop(m, s.most(m.Name))
	y := func(v float64) float64 { return curveBottom - min(1.04, max(0, v)/top)*(curveBottom-curveTop) }
	unit := 1.0
	if m.Unit == simulate.Share {
		unit = 100
	}
	for _, t := range ticks(top*unit, 5) {
		d.text(axis, y(t/unit)+4, "small text-"+class+" "+anchor, amount(m.Unit, t/unit))
		if side == 0 {
			d.addf(`<path d="M%s %sH%s" class="rule"/>`, px(curveLeft), px(y(t/unit)), px(curveRight))
		}
	}
	label, at := m.Title, curveLeft
	labelAnchor := ""
	if side == 1 {
		at, labelAnchor = curveRight, "end"
	}
	d.text(at, curveTop-12, "small text-"+class+" "+labelAnchor, label)
	s.curve(d, x, y, m, class)
}

func scaleTop(m simulate.Metric, most float64) float64 {
	if most > 0 {
		return most * 1.08
	}
	if m.Unit == simulate.Share {
		return 0.01
	}
	return 1
}

func (s Sweep) curve(d *drawing, x, y func(float64) float64, m simulate.Metric, class string) {
	var line, upper, lower []string
	var dots strings.Builder
	for i, v := range s.Values {
		e := s.estimate(i, m.Name)
		if !e.Known() {
			continue
		}
		line = append(line, px(x(v))+" "+px(y(e.Mean)))
		if e.HasInterval() {
			upper = append(upper, px(x(v))+" "+px(y(e.High)))
			lower = append([]string{px(x(v)) + " " + px(y(e.Low))}, lower...)
		}
		fmt.Fprintf(&dots, `<circle cx="%s" cy="%s" r="4" class="dot-%s"><title>%s: %s %s</title></circle>`+"\n", px(x(v)), px(y(e.Mean)), class, s.value(v), m.Title, amount(m.Unit, e.Mean))
	}
	if len(upper) > 1 {
		d.addf(`<path d="M%sZ" class="range-%s"/>`, strings.Join(append(upper, lower...), "L"), class)
	}
	if len(line) > 0 {
		d.addf(`<path d="M%s" class="curve %s"/>`, strings.Join(line, "L"), class)
	}
	d.body.WriteString(dots.String())
}

// mark points at the recommended value.
func (s Sweep) mark(d *drawing, x func(float64) float64) {
	if s.Recommended <= 0 || len(s.Values) == 0 || s.Recommended < s.Values[0] || s.Recommended > s.Values[len(s.Values)-1] {
		return
	}
	at := x(s.Recommended)
	d.addf(`<path d="M%s %sV%s" class="mark"/>`, px(at), px(curveTop), px(curveBottom))
	anchor, dx := "", 7.0
	if at > svgWidth*0.7 {
		anchor, dx = "end", -7
	}
	d.text(at+dx, curveTop+16, "small text-mark "+anchor, "recommended: "+s.value(s.Recommended))
}

func (s Sweep) describe(harm, other simulate.Metric) string {
	var b strings.Builder
	for i, v := range s.Values {
		fmt.Fprintf(&b, "%s: %s %s, %s %s. ", s.value(v), harm.Title, s.cell(i, harm.Name), other.Title, s.cell(i, other.Name))
	}
	if s.Recommended > 0 {
		fmt.Fprintf(&b, "Recommended: %s.", s.value(s.Recommended))
	}
	return strings.TrimSpace(b.String())
}
