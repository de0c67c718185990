package simview

import (
	"fmt"
	"io"
	"strings"
	"time"

	"vtsize/simulate"
)

const (
	svgWidth  = 960
	svgLeft   = 96.0
	svgRight  = 28.0
	laneTop   = 96.0
	laneStep  = 34.0
	barHeight = 16.0
	svgLanes  = 24 // consumers that are drawn
)

// replayPicture places times and lanes on a drawing.
type replayPicture struct {
	drawing
	r       simulate.ReplayResult
	end     time.Duration
	effects map[int]int // the number of each receipt's effect, from 1
}

func (p *replayPicture) x(at time.Duration) float64 {
	return svgLeft + float64(at)/float64(p.end)*(svgWidth-svgLeft-svgRight)
}

// ReplaySVG draws a replay as lanes: one for the message, one for each
// consumer.
func ReplaySVG(w io.Writer, r simulate.ReplayResult) error {
	lanes, holds := lanesOf(r)
	p := &replayPicture{drawing: drawing{width: svgWidth}, r: r, end: max(r.End(), time.Millisecond), effects: effectNumbers(r)}
	p.text(16, 28, "head", headline(r))
	for i, line := range lines(scenario(r.Input)) {
		p.text(16, 47+float64(i)*15, "soft small", line)
	}
	shown := lanes[:min(len(lanes), svgLanes)]
	bottom := laneTop + laneStep*float64(len(shown)+1)
	p.axis(bottom)
	p.message(holds)
	for i, l := range shown {
		p.consumer(l, laneTop+laneStep*float64(i+1))
	}
	if left := len(lanes) - len(shown); left > 0 {
		p.text(svgLeft, bottom+18, "soft small", fmt.Sprintf("and %d more %s", left, plural(left, "consumer", "consumers")))
		bottom += 24
	}
	p.key(bottom + 34)
	_, err := io.WriteString(w, p.svg(int(bottom)+56, headline(r), description(r)))
	return err
}

func headline(r simulate.ReplayResult) string {
	return fmt.Sprintf("%d %s, %d %s: %s", r.Receives, plural(r.Receives, "receive", "receives"), r.Effects, plural(r.Effects, "reply", "replies"), outcome(r))
}

// description is the timeline in words, for who cannot see the picture.
func description(r simulate.ReplayResult) string {
	var b strings.Builder
	for i, l := range timelineOf(r) {
		if i == firstLines {
			b.WriteString("and so on.")
			break
		}
		fmt.Fprintf(&b, "%s: %s. ", clock(l.at), l.text)
	}
	return strings.TrimSpace(b.String())
}

func (p *replayPicture) axis(bottom float64) {
	for _, t := range timeTicks(p.end, 10) {
		p.addf(`<path d="M%s %sV%s" class="rule"/>`, px(p.x(t)), px(laneTop-16), px(bottom-6))
		p.text(p.x(t), laneTop-22, "soft small mid", short(t))
	}
}

func (p *replayPicture) message(holds []hold) {
	y := laneTop
	p.text(svgLeft-12, y+13, "lane", "message")
	for _, h := range holds {
		x, width := p.x(h.from), p.x(h.to)-p.x(h.from)
		p.addf(`<g><title>hidden for h%d from %s to %s</title><rect x="%s" y="%s" width="%s" height="%s" rx="3" class="hidden"/></g>`,
			h.receipt, clock(h.from), clock(h.to), px(x), px(y), px(max(1, width-1.5)), px(barHeight+2))
		if width > 24 {
			p.text(x+width/2, y+13, "onband mid", fmt.Sprintf("h%d", h.receipt))
		}
	}
	if at := p.r.DeadLetteredAt; at != nil {
		x := p.x(*at)
		p.addf(`<g><title>moved to the dead-letter queue at %s</title><path d="M%s %sl9 9l-9 9l-9 -9z" class="bad"/></g>`, clock(*at), px(x), px(y))
		if x < svgWidth-150 {
			p.text(x+14, y+13, "small", "dead-letter queue")
		}
	}
}

func (p *replayPicture) consumer(l lane, y float64) {
	name := simulate.Consumer(l.receipt)
	p.text(svgLeft-12, y+13, "lane", name)
	from, owned, to := p.x(l.from), p.x(l.owned), p.x(l.to)
	p.addf(`<path d="M%s %sV%s" class="expiry"/>`, px(from), px(laneTop+barHeight+2), px(y))
	if owned > from {
		p.addf(`<g><title>%s holds the message from %s to %s</title><rect x="%s" y="%s" width="%s" height="%s" rx="3" class="hold"/></g>`,
			name, clock(l.from), clock(l.owned), px(from), px(y), px(owned-from), px(barHeight))
	}
	if l.stale() {
		p.addf(`<g><title>%s works on from %s to %s with a stale handle</title><rect x="%s" y="%s" width="%s" height="%s" rx="3" class="stale"/></g>`,
			name, clock(l.owned), clock(l.to), px(owned), px(y), px(to-owned), px(barHeight))
	}
	last := -mostDense
	for _, e := range l.events {
		if isBeat(e.Kind) {
			if p.x(e.At)-last < mostDense {
				continue
			}
			last = p.x(e.At)
		}
		p.mark(e, y)
	}
}

// mostDense is how near to each other beats are drawn, in pixels.
const mostDense = 4.0

func isBeat(k simulate.EventKind) bool {
	switch k {
	case simulate.Extended, simulate.BeatLost, simulate.ExtendStale, simulate.ExtendRefused:
		return true
	}
	return false
}

// mark draws what happened at one moment of a lane.
func (p *replayPicture) mark(e simulate.Event, y float64) {
	x, middle := p.x(e.At), y+barHeight/2
	shape := ""
	switch e.Kind {
	case simulate.Extended:
		shape = fmt.Sprintf(`<path d="M%s %sv%s" class="beat"/>`, px(x), px(y+2), px(barHeight-4))
	case simulate.BeatLost, simulate.ExtendStale, simulate.ExtendRefused:
		shape = fmt.Sprintf(`<path d="M%s %sv-7" class="missed"/>`, px(x), px(y-1))
	case simulate.Effect:
		class := "good"
		if p.effects[e.Receipt] > 1 {
			class = "bad"
		}
		shape = fmt.Sprintf(`<circle cx="%s" cy="%s" r="7.5" class="%s"/>`, px(x), px(middle), class)
	case simulate.EffectRefused:
		shape = fmt.Sprintf(`<circle cx="%s" cy="%s" r="6.5" class="refused"/>`, px(x), px(middle))
	case simulate.Deleted:
		shape = fmt.Sprintf(`<path d="M%s %sl4 4l7 -9" class="tick"/>`, px(x+10), px(middle))
	case simulate.DeleteStale:
		shape = fmt.Sprintf(`<path d="M%s %sl8 8m0 -8l-8 8" class="cross"/>`, px(x+10), px(middle-4))
	case simulate.Crashed, simulate.GaveUp:
		shape = fmt.Sprintf(`<path d="M%s %sl10 10m0 -10l-10 10" class="missed"/>`, px(x-5), px(middle-5))
	default:
		return
	}
	p.addf(`<g><title>%s: %s</title>%s</g>`, clock(e.At), tell(e, p.r, p.effects[e.Receipt]), shape)
}

// effectNumbers counts the effects; a receipt has at most one.
func effectNumbers(r simulate.ReplayResult) map[int]int {
	numbers := map[int]int{}
	for _, e := range r.Events {
		if e.Kind == simulate.Effect {
			numbers[e.Receipt] = len(numbers) + 1
		}
	}
	return numbers
}

// key explains the signs.
func (p *replayPicture) key(y float64) {
	entries := []struct {
		shape, text string
		width       float64
	}{
		{`<rect x="0" y="-11" width="22" height="12" rx="3" class="hold"/>`, "holds the message", 152},
		{`<rect x="0" y="-11" width="22" height="12" rx="3" class="stale"/>`, "works with a stale handle", 196},
		{`<circle cx="14" cy="-5" r="6.5" class="good"/>`, "reply", 72},
		{`<circle cx="14" cy="-5" r="6.5" class="bad"/>`, "one reply too many", 154},
		{`<path d="M8 -5l4 4l7 -9" class="tick"/>`, "delete", 78},
		{`<path d="M10 -9l8 8m0 -8l-8 8" class="cross"/>`, "stale delete", 110},
		{`<path d="M14 -1v-8" class="missed"/>`, "beat lost or late", 130},
	}
	x := 16.0
	for _, e := range entries {
		p.addf(`<g transform="translate(%s %s)">%s<text x="29" y="0" class="soft small">%s</text></g>`, px(x), px(y), e.shape, e.text)
		x += e.width
	}
}
