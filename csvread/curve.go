package csvread

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Curve is a distribution as a file of percentiles holds it.
type Curve struct {
	Points []Point // by percentile, rising
	N      int     // samples behind it; 0 where the file does not say
	Mean   time.Duration
	Method string // how the file's percentiles came about, as far as it says

	column, unit string
	dense        bool // the next point above a percentile stands for it
	classes      []ClassCurve
	notes        []string
	doubts       []string
}

// Point is a percentile, of 100, and its value. Percentile 100 is the maximum.
type Point struct {
	Percentile float64
	Value      time.Duration
}

// ClassCurve is the row of one kind of work.
type ClassCurve struct {
	Name  string
	Curve *Curve
}

// At gives a percentile that the file holds.
func (c *Curve) At(p float64) (time.Duration, bool) {
	for _, at := range c.Points {
		if at.Percentile == p || c.dense && at.Percentile > p {
			return at.Value, true
		}
	}
	return 0, false
}

// set adds a point, or raises the one that is there: percentiles of several
// stretches of time are never averaged, the worst one stands.
func (c *Curve) set(p float64, d time.Duration) {
	i, found := slices.BinarySearchFunc(c.Points, p, func(at Point, p float64) int {
		switch {
		case at.Percentile < p:
			return -1
		case at.Percentile > p:
			return 1
		}
		return 0
	})
	if found {
		c.Points[i].Value = max(c.Points[i].Value, d)
		return
	}
	c.Points = slices.Insert(c.Points, i, Point{p, d})
}

// names lists the percentiles of a curve.
func (c *Curve) names() string {
	var names []string
	for _, p := range c.Points {
		if len(names) == 20 {
			names = append(names, "...")
			break
		}
		names = append(names, fmt.Sprintf("p%v", p.Percentile))
	}
	return strings.Join(names, ", ")
}

// curveSize bounds how large a file of percentiles can be.
const curveSize = 32 << 20

// planCurve reads a file of percentiles.
func (e *engine) planCurve(s *source, f *format, res *Result) error {
	switch {
	case len(e.opt.Files) > 1:
		return errMixed
	case len(e.opt.Where) > 0:
		return usage("a file of percentiles has no rows to choose", "leave --where out")
	}
	text := s.head
	if len(text) == headSize {
		rest, err := io.ReadAll(io.LimitReader(s.stream, curveSize+1))
		if err != nil {
			return err
		}
		if len(rest) > curveSize {
			return fmt.Errorf("a file of percentiles is larger than %d MiB", curveSize>>20)
		}
		text = append(text, rest...)
	}
	h := newHeadOf(text, true, e.opt, 1<<20)
	c, err := f.curve(h, e.opt.Percentile)
	if err != nil {
		return err
	}
	if _, ok := c.At(e.opt.Percentile); !ok {
		return fmt.Errorf("it holds %s, and no p%v", c.names(), e.opt.Percentile)
	}
	res.Curve, res.ClassCurves = c, c.classes
	res.Files = []File{{Name: s.name, Format: f.Name, Basis: f.basis, Column: c.column, Unit: c.unit}}
	res.Notes = append(res.Notes, c.notes...)
	res.Notes = append(res.Notes, "the file holds percentiles and no samples: their confidence, the worst hour and the risk of a timeout cannot be told")
	res.Doubts = append(res.Doubts, c.doubts...)
	return nil
}

// unitFor finds the unit of a file of percentiles.
func (h *head) unitFor(known string) (*scale, error) {
	name := known
	if h.opt.Unit != "" {
		name = strings.ToLower(h.opt.Unit)
	}
	if name == "" {
		return nil, usage("the file does not say the unit of its percentiles", "add --unit ns, us, ms, s or m")
	}
	u, ok := units[name]
	if !ok {
		return nil, usage(fmt.Sprintf("there is no unit %q", name), "units are ns, us, ms, s, m and h")
	}
	return newScale(u), nil
}
