package plot

import (
	"math"
	"slices"
)

// The size of a picture, in pixels of a plain screen.
const (
	pictureWidth  = 960
	pictureHeight = 440
	marginLeft    = 78
	marginRight   = 28
	axisAt        = 376 // where the axis of time is
	labelsFrom    = 64  // where the labels of marks begin
	labelHeight   = 20
	labelSize     = 13
	mostLevels    = 8
)

// role is what an element of a picture is; it decides its colour.
type role uint8

const (
	ground role = iota
	ink
	muted
	faint
	barRole
	late
	neutral
	present
	recommended
)

// A scene is a picture before it is written in some format: rectangles and
// texts, in the order in which they are drawn.
type scene struct {
	title, description string
	rects              []rect
	texts              []text
}

type rect struct {
	x, y, w, h float64
	role       role
}

type text struct {
	x, y   float64 // of the baseline
	anchor anchor
	size   float64
	bold   bool
	role   role
	text   string
}

type anchor uint8

const (
	start anchor = iota
	middle
	end
)

// draw lays a histogram out.
func (h *Histogram) draw() *scene {
	s := &scene{title: h.Title}
	lo, hi := h.span()
	x := func(ns float64) float64 {
		return marginLeft + math.Log(ns/lo)/math.Log(hi/lo)*(pictureWidth-marginLeft-marginRight)
	}
	s.rects = append(s.rects, rect{0, 0, pictureWidth, pictureHeight, ground})
	s.texts = append(s.texts, text{28, 34, start, 17, true, ink, h.Title})
	levels := h.levels(x)
	top := float64(labelsFrom + labelHeight*(slices.Max(append(levels, 0))+1))
	h.drawBars(s, lo, hi, top)
	for _, t := range ticks(lo, hi, 12) {
		at := x(float64(t))
		s.rects = append(s.rects, rect{at, axisAt, 1, 6, muted})
		s.texts = append(s.texts, text{at, axisAt + 22, middle, 12.5, false, muted, Duration(t)})
	}
	s.texts = append(s.texts, text{pictureWidth - marginRight, axisAt + 46, end, 12.5, false, muted, "time, on a logarithmic scale"})
	h.drawMarks(s, x, levels)
	s.describe(h)
	return s
}

// drawBars draws the columns and the scale of samples.
func (h *Histogram) drawBars(s *scene, lo, hi, top float64) {
	n := min(max(int(math.Log(hi/lo)/math.Log(1.035)), 24), 110)
	counts := h.columns(lo, hi, n)
	most := max(slices.Max(counts), 1)
	step := roundStep(int(most))
	scale := (axisAt - top - 6) / most
	for v := step; v <= int(most); v += step {
		y := axisAt - float64(v)*scale
		s.rects = append(s.rects, rect{marginLeft, y, pictureWidth - marginLeft - marginRight, 1, faint})
		s.texts = append(s.texts, text{marginLeft - 10, y + 4, end, 12.5, false, muted, count(v)})
	}
	limit, limited := h.present()
	width := float64(pictureWidth-marginLeft-marginRight) / float64(n)
	for i, c := range counts {
		if c == 0 {
			continue
		}
		height := max(c*scale, 1.5) // what is there is seen
		begins := lo * math.Pow(hi/lo, float64(i)/float64(n))
		r := barRole
		if limited && begins >= float64(limit) {
			r = late
		}
		s.rects = append(s.rects, rect{marginLeft + float64(i)*width, axisAt - height, width - min(1, width/4), height, r})
	}
	s.rects = append(s.rects, rect{marginLeft, axisAt, pictureWidth - marginLeft - marginRight, 1, muted})
}

// roundStep gives a round number that fits three to seven times into most.
func roundStep(most int) int {
	for p := 1; ; p *= 10 {
		for _, f := range []int{1, 2, 5} {
			if most/(f*p) < 6 {
				return f * p
			}
		}
	}
}

// markText is what stands beside a mark.
func (h *Histogram) markText(m Mark) string {
	return m.Label + " " + Duration(m.At) + " · " + share(h.longer(m.At), h.total()) + " longer"
}

// levels says at which height the label of each mark stands, so that none lies
// over another. Labels stand right of their mark, or left where the picture
// ends.
func (h *Histogram) levels(x func(float64) float64) []int {
	levels := make([]int, len(h.Marks))
	order := make([]int, len(h.Marks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(h.Marks[a].At - h.Marks[b].At) })
	type room struct{ from, to float64 }
	var taken [mostLevels][]room
	for _, i := range order {
		from, to := h.labelRoom(h.Marks[i], x)
		for level := range taken {
			levels[i] = level
			free := !slices.ContainsFunc(taken[level], func(r room) bool { return from < r.to+10 && r.from < to+10 })
			if free {
				break
			}
		}
		taken[levels[i]] = append(taken[levels[i]], room{from, to})
	}
	return levels
}

// labelRoom gives where the label of a mark begins and ends.
func (h *Histogram) labelRoom(m Mark, x func(float64) float64) (from, to float64) {
	at := x(max(float64(m.At), 1))
	width := textWidth(h.markText(m), labelSize, m.Style != Neutral)
	if at+6+width > pictureWidth-8 {
		return at - 6 - width, at
	}
	return at, at + 6 + width
}

// drawMarks draws the marks with their labels.
func (h *Histogram) drawMarks(s *scene, x func(float64) float64, levels []int) {
	roles := map[Style]role{Neutral: neutral, Present: present, Recommended: recommended}
	for i, m := range h.Marks {
		at := x(max(float64(m.At), 1))
		y := float64(labelsFrom + labelHeight*levels[i])
		if m.Style == Neutral {
			for dash := y; dash < axisAt; dash += 7 {
				s.rects = append(s.rects, rect{at - 0.5, dash, 1.5, min(4, axisAt-dash), neutral})
			}
		} else {
			s.rects = append(s.rects, rect{at - 1, y, 2, axisAt - y, roles[m.Style]})
		}
	}
	for i, m := range h.Marks {
		at := x(max(float64(m.At), 1))
		y := float64(labelsFrom + labelHeight*levels[i])
		label := text{at + 6, y + 11, start, labelSize, m.Style != Neutral, roles[m.Style], h.markText(m)}
		from, to := h.labelRoom(m, x)
		if from < at {
			label.x, label.anchor = at-6, end
			to -= 4
		} else {
			from += 4
		}
		s.rects = append(s.rects, rect{from, y - 3, to - from, labelHeight - 1, ground}) // other marks end behind it
		s.texts = append(s.texts, label)
	}
}

// describe says in words what is drawn, for those who do not see it.
func (s *scene) describe(h *Histogram) {
	s.description = "Histogram of " + count(h.total()) + " samples by how long they took."
	for _, m := range h.Marks {
		s.description += " " + h.markText(m) + "."
	}
}
