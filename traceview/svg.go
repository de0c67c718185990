package traceview

import (
	"fmt"
	"html"
	"io"
	"strings"
	"time"

	"vtsize/report"
	"vtsize/sizing"
	"vtsize/trace"
)

// Sizes of the picture, in pixels.
const (
	svgWidth  = 960
	svgLeft   = 128 // where time begins
	svgRight  = 932
	laneStep  = 34
	barHeight = 14

	mostPanels = 40 // messages drawn
	mostLanes  = 16 // deliveries of one message
)

// SVG draws messages, one panel each, one lane a delivery.
type SVG struct {
	w      io.Writer
	all    bool // also messages without trouble
	body   strings.Builder
	y      float64
	panels int
	more   int // messages that were not drawn
}

// NewSVG writes to w, at the end; messages without trouble only where all are
// asked for.
func NewSVG(w io.Writer, all bool) *SVG { return &SVG{w: w, all: all, y: 16} }

func (s *SVG) addf(format string, args ...any) { fmt.Fprintf(&s.body, format+"\n", args...) }

func (s *SVG) text(x, y float64, class, text string) {
	s.addf(`<text x="%.1f" y="%.1f" class="%s">%s</text>`, x, y, class, html.EscapeString(report.Escape(text)))
}

// Message draws one message.
func (s *SVG) Message(m *trace.Message) error {
	if !s.all && !troubled(m) || len(m.Deliveries) == 0 {
		return nil
	}
	if s.panels >= mostPanels {
		s.more++
		return nil
	}
	s.panels++
	p := panel{SVG: s, m: m}
	p.draw()
	return nil
}

// End closes the picture.
func (s *SVG) End(a *Answer) error {
	if s.panels == 0 {
		s.text(24, s.y+18, "", "no message with trouble; --message draws any")
		s.y += 34
	}
	if s.more > 0 {
		s.text(24, s.y+10, "soft", fmt.Sprintf("%d more messages are not drawn: choose with --message or --queue", s.more))
		s.y += 26
	}
	s.legend()
	_, err := fmt.Fprintf(s.w, svgFrame, svgWidth, s.y+8, svgStyle, s.body.String())
	return err
}

const svgFrame = `<svg xmlns="http://www.w3.org/2000/svg" class="vtsize" viewBox="0 0 %d %.0f" role="img" aria-label="Timelines of messages">
<title>Timelines of messages</title>
<style>%s</style>
<rect width="100%%" height="100%%" class="ground"/>
%s</svg>
`

const svgStyle = `
svg.vtsize{--paper:#fff;--ink:#1b2430;--soft:#566171;--rule:#d9dee6;--hold:#2563c9;--stale:#b86a00;--good:#13803f;--bad:#c62f2f;font:13px ui-sans-serif,system-ui,-apple-system,"Segoe UI",sans-serif}
@media (prefers-color-scheme:dark){svg.vtsize{--paper:#12171e;--ink:#e7ecf3;--soft:#9aa6b6;--rule:#2b3441;--hold:#6ea3ff;--stale:#f0ad4a;--good:#4fc47d;--bad:#ff7a73}}
.ground{fill:var(--paper)} text{fill:var(--ink)} .soft{fill:var(--soft)} .small{font-size:11.5px}
.head{font-size:14px;font-weight:600} .end{text-anchor:end} .mid{text-anchor:middle}
.rule{stroke:var(--rule)} .window{stroke:var(--stale);stroke-width:2;stroke-dasharray:3 3;fill:none}
.hold{fill:var(--hold)} .stale{fill:var(--stale)} .unheard{fill:none;stroke:var(--hold);stroke-dasharray:4 3}
.beat{stroke:var(--paper);stroke-width:2} .refusedbeat{stroke:var(--bad);stroke-width:2.5}
.final{fill:var(--good)} .late{fill:var(--stale)} .failed{fill:var(--bad)} .released{fill:var(--soft)}
.final,.late,.failed,.released{stroke:var(--paper);stroke-width:1.5}
`

// panel is the drawing of one message.
type panel struct {
	*SVG
	m          *trace.Message
	start, end time.Time
}

func (p *panel) draw() {
	p.span()
	title := p.m.Pattern.Title()
	if len(p.m.Expiries) == 0 {
		title = "no redelivery"
		if p.m.Duplicates > 0 {
			title = "at-least-once duplicate"
		}
	}
	p.text(24, p.y+10, "head", trace.QueueName(p.m.Queue)+": "+title)
	p.text(svgRight, p.y+10, "soft small end", "message "+p.m.ID)
	p.text(24, p.y+28, "soft small", p.start.Format(time.DateOnly+" "+clock)+" UTC")
	p.y += 40
	top := p.y
	shown := min(len(p.m.Deliveries), mostLanes)
	var axis strings.Builder
	for _, at := range ticks(p.end.Sub(p.start)) {
		x := p.x(p.start.Add(at))
		fmt.Fprintf(&axis, `<line x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f" class="rule"/>`+"\n", x, x, top-4, top+float64(shown*laneStep))
		fmt.Fprintf(&axis, `<text x="%.1f" y="%.1f" class="soft small mid">%s</text>`+"\n", x, top+float64(shown*laneStep)+14, html.EscapeString("+"+sizing.Seconds(at)))
	}
	p.body.WriteString(axis.String())
	for i := range shown {
		p.lane(i)
		p.y += laneStep
	}
	p.y += 24
	if left := len(p.m.Deliveries) - shown; left > 0 {
		p.text(svgLeft, p.y+8, "soft small", fmt.Sprintf("and %d more deliveries", left))
		p.y += 18
	}
	p.y += 14
}

// span finds the first and the last moment of the message.
func (p *panel) span() {
	first := true
	see := func(from, to time.Time) {
		if first || from.Before(p.start) {
			p.start = from
		}
		if first || to.After(p.end) {
			p.end = to
		}
		first = false
	}
	for _, c := range p.m.Sends {
		see(c.Start, c.End)
	}
	for i := range p.m.Deliveries {
		d := &p.m.Deliveries[i]
		see(d.End, d.End)
		for _, c := range d.Changes {
			see(c.Start, c.End)
		}
		for _, c := range d.Deletes {
			see(c.Start, c.End)
		}
	}
	if !p.end.After(p.start) {
		p.end = p.start.Add(time.Millisecond)
	}
}

// x is where a moment is; those outside are at the edge.
func (p *panel) x(t time.Time) float64 {
	share := float64(t.Sub(p.start)) / float64(p.end.Sub(p.start))
	return svgLeft + max(0, min(1, share))*(svgRight-svgLeft)
}

// lane draws one delivery: how long it was worked on, its changes and deletes,
// and where its timeout ran out.
func (p *panel) lane(i int) {
	d := &p.m.Deliveries[i]
	name := d.Consumer
	if name == "" {
		name = "delivery " + fmt.Sprint(i+1)
	}
	p.text(svgLeft-12, p.y+12, "end", cut(name, 15))
	count := "no count"
	if d.Count > 0 {
		count = fmt.Sprintf("receive %d", d.Count)
	}
	if d.SourceQueue != "" {
		count = "dead letter"
	}
	p.text(svgLeft-12, p.y+25, "soft small end", count)
	over := p.over(i)
	from, to, heard := p.work(d, over)
	switch {
	case !heard:
		p.bar(from, to, "unheard", "nothing more was heard of this delivery")
	case over.IsZero() || !over.Before(to):
		p.bar(from, to, "hold", "held")
	default:
		p.bar(from, later(from, over), "hold", "held")
		p.bar(later(from, over), to, "stale", "still worked on after the redelivery")
	}
	for k := range p.m.Expiries {
		if e := &p.m.Expiries[k]; e.After == i {
			p.addf(`<line x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f" class="window"><title>%s</title></line>`,
				p.x(e.From), p.x(e.To), p.y+barHeight+7, p.y+barHeight+7, html.EscapeString(e.Sentence()))
		}
	}
	p.marks(d)
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// over is when another consumer had the message; zero if never.
func (p *panel) over(i int) time.Time {
	for k := range p.m.Expiries {
		if e := &p.m.Expiries[k]; e.After == i {
			return p.m.Deliveries[e.Before].End
		}
	}
	return time.Time{}
}

// work is from when to when a delivery was worked on, as far as it was heard of.
func (p *panel) work(d *trace.Delivery, over time.Time) (from, to time.Time, heard bool) {
	from, to = d.End, d.End
	for _, list := range [][]trace.Call{d.Changes, d.Deletes} {
		for k := range list {
			to, heard = later(to, list[k].Start), true
		}
	}
	if !heard {
		to = p.end
		if !over.IsZero() {
			to = over
		}
	}
	return from, to, heard
}

func (p *panel) bar(from, to time.Time, class, title string) {
	a, b := p.x(from), p.x(to)
	p.addf(`<rect x="%.1f" y="%.1f" width="%.1f" height="%d" rx="3" class="%s"><title>%s</title></rect>`, a, p.y, max(2, b-a), barHeight, class, title)
}

// marks draws changes and deletes.
func (p *panel) marks(d *trace.Delivery) {
	const mostBeats = 400
	for k := range d.Changes[:min(len(d.Changes), mostBeats)] {
		c := &d.Changes[k]
		x := p.x(c.Start)
		switch {
		case !c.OK:
			p.addf(`<line x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f" class="refusedbeat"><title>refused: %s</title></line>`, x, x, p.y-3, p.y+barHeight+3, html.EscapeString(report.Escape(c.ErrorCode)))
		case c.Timeout == 0:
			p.dot(x, "released", "released: visibility timeout set to 0 s")
		default:
			p.addf(`<line x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f" class="beat"><title>extended to %s</title></line>`, x, x, p.y, p.y+barHeight, sizing.Seconds(c.Timeout))
		}
	}
	for k := range d.Deletes {
		c := &d.Deletes[k]
		class, title := "failed", "delete refused: "+c.ErrorCode
		switch c.Status {
		case trace.Final:
			class, title = "final", "deleted"
		case trace.StaleHandle:
			class, title = "late", "delete accepted by a stale handle"
		}
		p.dot(p.x(c.Start), class, title)
	}
}

func (s *SVG) dot(x float64, class, title string) {
	s.addf(`<circle cx="%.1f" cy="%.1f" r="6.5" class="%s"><title>%s</title></circle>`, x, s.y+barHeight/2, class, html.EscapeString(report.Escape(title)))
}
