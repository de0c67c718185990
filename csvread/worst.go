package csvread

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// windowTargets sets targets for the windows that may be the worst: those in
// whose tally the wanted rank falls into the highest bin of all.
func (e *engine) windowTargets(res *Result) (w Worst) {
	w.Window = e.opt.Worst
	if e.windows.over {
		res.Notes = append(res.Notes, fmt.Sprintf("samples are spread over more than %d %ss, too many to tell the worst (--worst day has longer windows)", MaxWindows, e.opt.Worst))
		return w
	}
	// With fewer samples a percentile is nothing but the maximum.
	least := uint64(math.Ceil(100 / (100 - e.opt.Percentile)))
	highest := uint(0)
	var at []*target
	for id, t := range e.counted.windows {
		if t == nil {
			continue
		}
		n := t.n()
		if n < least {
			w.Left++
			continue
		}
		w.Of++
		rank := uint64(Rank(int(n), e.opt.Percentile))
		b, below := t.find(rank)
		if b > highest {
			highest, at = b, nil
		}
		if b == highest {
			at = append(at, &target{group: group{window, id}, rank: rank, lo: windowStart(b), hi: windowStart(b + 1), below: below})
		}
	}
	if w.Of > 1 {
		e.targets = append(e.targets, at...)
	}
	return w
}

// worst tells the window whose percentile is highest; the earliest of several.
func (e *engine) worst(res *Result, w Worst) {
	if w.Of == 0 && w.Left > 0 {
		res.Notes = append(res.Notes, fmt.Sprintf("no %s has enough samples for p%v, so the worst is not told", w.Window, e.opt.Percentile))
	}
	if w.Of < 2 {
		return
	}
	best := int64(-1)
	for _, t := range e.targets {
		if t.group.kind != window {
			continue
		}
		start := e.windows.starts[t.group.id] * e.windows.every
		if d := time.Duration(t.ns); best < 0 || d > w.Value || d == w.Value && start < best {
			best = start
			w.Value, w.N = d, int(e.counted.windows[t.group.id].n())
			w.Start = time.Unix(start, 0).UTC()
		}
	}
	res.Worst = &w
	if whole, _ := res.Whole.At(res.Percentile); w.Value > whole+whole/2 {
		res.Doubts = append(res.Doubts, fmt.Sprintf("in the worst %s, from %s, p%v is %v: load is when latencies rise", w.Window, w.Start.Format("2006-01-02 15:04 MST"), res.Percentile, w.Value))
	}
}

// clientTimeouts are what clients' timeouts are commonly set to, in seconds.
var clientTimeouts = []int{1, 2, 3, 5, 10, 15, 20, 25, 30, 40, 45, 50, 60, 90, 100, 120, 150, 180, 240, 300, 360, 480, 600, 720, 900, 1200, 1800, 3600}

// cutOff looks for calls that pile up right behind a usual timeout, with hardly
// any beyond.
func (res *Result) cutOff() {
	bars := res.Whole.Bars()
	const least = 10
	for _, seconds := range slices.Backward(clientTimeouts) {
		limit := time.Duration(seconds) * time.Second
		var at, before, beyond int
		for _, b := range bars {
			switch {
			case b.To > limit && b.From <= limit+limit/64:
				at += b.N
			case b.From > limit:
				beyond += b.N
			case b.From > limit-limit/8:
				before += b.N
			}
		}
		// An eighth below is about six times as wide as what is at the timeout.
		if at >= least && at*1000 >= res.Whole.N && at > 2*before && at > 5*beyond && at < res.Whole.N/2 {
			res.CutOff = &CutOff{At: limit, N: at, Beyond: beyond}
			res.Doubts = append(res.Doubts, fmt.Sprintf("%d calls end at %v, as if a client timeout cut them off: their own time would have been longer", at, limit))
			return
		}
	}
}
