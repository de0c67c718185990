package traceview

import "time"

// ticks are up to eight round times from 0 to the end.
func ticks(end time.Duration) []time.Duration {
	const most = 7
	steps := []time.Duration{time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond, time.Second, 2 * time.Second, 5 * time.Second,
		10 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 3 * time.Hour,
		12 * time.Hour, 24 * time.Hour, 7 * 24 * time.Hour}
	step := steps[len(steps)-1]
	for _, s := range steps {
		if end/s <= most {
			step = s
			break
		}
	}
	for end/step > most {
		step *= 2
	}
	var out []time.Duration
	for t := time.Duration(0); t <= end; t += step {
		out = append(out, t)
	}
	return out
}

// cut shortens a name to n letters.
func cut(s string, n int) string {
	letters := []rune(s)
	if len(letters) <= n {
		return s
	}
	return string(letters[:n-1]) + "…"
}

// legend explains the marks below the last panel.
func (s *SVG) legend() {
	s.addf(`<line x1="24" x2="%d" y1="%.1f" y2="%.1f" class="rule"/>`, svgRight, s.y, s.y)
	s.y += 14
	x := 24.0
	for _, e := range []struct{ mark, class, text string }{
		{"bar", "hold", "held"}, {"bar", "stale", "after redelivery"}, {"bar", "unheard", "not heard of again"},
		{"line", "window", "timeout ran out within"}, {"dot", "final", "deleted"}, {"dot", "late", "stale handle"},
		{"dot", "failed", "refused"}, {"dot", "released", "released"},
	} {
		switch e.mark {
		case "bar":
			s.addf(`<rect x="%.1f" y="%.1f" width="18" height="10" rx="3" class="%s"/>`, x, s.y, e.class)
		case "line":
			s.addf(`<line x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f" class="%s"/>`, x, x+18, s.y+6, s.y+6, e.class)
		default:
			s.addf(`<circle cx="%.1f" cy="%.1f" r="6" class="%s"/>`, x+9, s.y+5, e.class)
		}
		s.text(x+24, s.y+10, "soft small", e.text)
		x += 38 + 6.2*float64(len(e.text))
	}
	s.y += 22
}
