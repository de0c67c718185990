package simview

import (
	"fmt"
	"html"
	"math"
	"strings"
	"time"

	"vtsize/sizing"
)

// A drawing is built from top to bottom; its height is known at the end.
type drawing struct {
	width int
	body  strings.Builder
}

func (d *drawing) addf(format string, args ...any) { fmt.Fprintf(&d.body, format+"\n", args...) }

// text writes text at a point; class gives its look and anchor.
func (d *drawing) text(x, y float64, class, text string) {
	d.addf(`<text x="%s" y="%s" class="%s">%s</text>`, px(x), px(y), class, html.EscapeString(text))
}

// svg closes the drawing. The style follows the reader's light or dark scheme;
// a page that has its own sets the same custom properties.
func (d *drawing) svg(height int, title, description string) string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" class="vtsize" viewBox="0 0 %d %d" role="img" aria-label="%s">
<title>%s</title>
<desc>%s</desc>
<style>%s</style>
<defs><pattern id="vt-stale" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="7" height="7" class="stale-ground"/><rect width="3" height="7" class="stale-line"/></pattern></defs>
<rect width="%d" height="%d" class="ground"/>
%s</svg>
`, d.width, height, html.EscapeString(title), html.EscapeString(title), html.EscapeString(description), svgStyle, d.width, height, d.body.String())
}

const svgStyle = `
svg.vtsize{--paper:#fff;--ink:#1b2430;--soft:#5b6675;--rule:#d9dee6;--band:#f4f6f9;--hold:#2563c9;--hold-soft:#cfe0fb;--stale:#c77700;--stale-soft:#fbe6c3;--good:#13803f;--bad:#c62f2f;font:13px ui-sans-serif,system-ui,-apple-system,"Segoe UI",sans-serif}
@media (prefers-color-scheme:dark){svg.vtsize{--paper:#12171e;--ink:#e7ecf3;--soft:#9aa6b6;--rule:#2b3441;--band:#1a212b;--hold:#6ea3ff;--hold-soft:#20395f;--stale:#f0ad4a;--stale-soft:#46351a;--good:#4fc47d;--bad:#ff7a73}}
svg.vtsize .ground{fill:var(--paper)}
svg.vtsize .band{fill:var(--band)}
svg.vtsize text{fill:var(--ink)}
svg.vtsize .soft{fill:var(--soft)}
svg.vtsize .small{font-size:11.5px}
svg.vtsize .head{font-size:15px;font-weight:600}
svg.vtsize .mid{text-anchor:middle}
svg.vtsize .end{text-anchor:end}
svg.vtsize .lane{font-weight:600;text-anchor:end}
svg.vtsize .rule{stroke:var(--rule);fill:none}
svg.vtsize .expiry{stroke:var(--soft);stroke-dasharray:2 4;fill:none}
svg.vtsize .hidden{fill:var(--hold-soft)}
svg.vtsize .hold{fill:var(--hold)}
svg.vtsize .stale{fill:url(#vt-stale)}
svg.vtsize .stale-ground{fill:var(--stale-soft)}
svg.vtsize .stale-line{fill:var(--stale)}
svg.vtsize .beat{stroke:var(--paper);stroke-width:2}
svg.vtsize .missed{stroke:var(--bad);stroke-width:2.5;fill:none;stroke-linecap:round}
svg.vtsize .good{fill:var(--good);stroke:var(--paper);stroke-width:1.5}
svg.vtsize .bad{fill:var(--bad);stroke:var(--paper);stroke-width:1.5}
svg.vtsize .refused{fill:var(--paper);stroke:var(--soft);stroke-width:2}
svg.vtsize .tick{stroke:var(--good);stroke-width:2.5;fill:none;stroke-linecap:round;stroke-linejoin:round}
svg.vtsize .cross{stroke:var(--bad);stroke-width:2.5;fill:none;stroke-linecap:round}
svg.vtsize .onband{fill:var(--ink);font-size:11.5px}
svg.vtsize .curve{fill:none;stroke-width:2.5;stroke-linejoin:round}
svg.vtsize .one{stroke:var(--bad)}
svg.vtsize .two{stroke:var(--hold)}
svg.vtsize .dot-one{fill:var(--bad)}
svg.vtsize .dot-two{fill:var(--hold)}
svg.vtsize .range-one{fill:var(--bad);opacity:.15}
svg.vtsize .range-two{fill:var(--hold);opacity:.15}
svg.vtsize .text-one{fill:var(--bad);font-weight:600}
svg.vtsize .text-two{fill:var(--hold);font-weight:600}
svg.vtsize .mark{stroke:var(--good);stroke-width:2;stroke-dasharray:5 4}
svg.vtsize .text-mark{fill:var(--good);font-weight:600}
`

// px writes a coordinate with a tenth of a pixel.
func px(x float64) string { return trimZero(fmt.Sprintf("%.1f", x)) }

func trimZero(s string) string { return strings.TrimSuffix(s, ".0") }

// ticks are round numbers from 0 to most, about n of them.
func ticks(most float64, n int) []float64 {
	if most <= 0 || math.IsInf(most, 0) || math.IsNaN(most) {
		return []float64{0}
	}
	step := math.Pow(10, math.Floor(math.Log10(most/float64(n))))
	for _, factor := range []float64{1, 2, 5, 10} {
		if most/(step*factor) <= float64(n) {
			step *= factor
			break
		}
	}
	var out []float64
	for x := 0.0; x <= most*1.0000001; x += step {
		out = append(out, x)
	}
	return out
}

// timeTicks are moments from 0 to the end that a clock would show.
func timeTicks(end time.Duration, n int) []time.Duration {
	steps := []time.Duration{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800}
	if end < time.Second {
		return []time.Duration{0}
	}
	step := steps[len(steps)-1]
	for _, s := range steps {
		if end/(s*time.Second) <= time.Duration(n) {
			step = s
			break
		}
	}
	var out []time.Duration
	for t := time.Duration(0); t <= end; t += step * time.Second {
		out = append(out, t)
	}
	return out
}

// short writes a duration for an axis: 90 s, 5 min, 2 h.
func short(d time.Duration) string {
	switch {
	case d >= 2*time.Hour && d%(time.Hour/2) == 0:
		return sizing.Number(d.Hours()) + " h"
	case d >= 10*time.Minute && d%(time.Minute/2) == 0:
		return sizing.Number(d.Minutes()) + " min"
	}
	return sizing.Number(d.Seconds()) + " s"
}
