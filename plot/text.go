package plot

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"
)

// steps are the bounds of a terminal's rows within a power of ten: about as
// far from each other as round numbers can be, so that rows can be compared.
var steps = []float64{1, 1.5, 2.2, 3.2, 4.6, 6.8}

// Text draws a histogram with a row for each stretch of time, on a scale that
// is logarithmic in time and linear in samples. It is width columns wide, or
// as wide as it needs to be; below 40 it is 40.
func Text(w io.Writer, h Histogram, width int) error {
	out := bufio.NewWriter(w)
	if h.Title != "" {
		fmt.Fprintln(out, h.Title)
	}
	total := h.total()
	if total == 0 {
		fmt.Fprintln(out, "no samples")
		return out.Flush()
	}
	bounds := h.bounds()
	counts := make([]int, len(bounds))
	for _, b := range h.Bars {
		at, exact := slices.BinarySearch(bounds, b.From)
		if !exact {
			at--
		}
		counts[max(at, 0)] += b.N
	}
	const label, number = 13, 14
	room := max(width, 40) - label - number
	most := slices.Max(counts)
	marks := slices.Clone(h.Marks)
	slices.SortStableFunc(marks, func(a, b Mark) int { return int(a.At - b.At) })
	for i, n := range counts {
		for len(marks) > 0 && marks[0].At < bounds[i] {
			h.rule(out, marks[0], total, label+room)
			marks = marks[1:]
		}
		fmt.Fprintf(out, "%12s %-*s%*s\n", Duration(bounds[i]), room, bar(n, most, room), number, count(n))
	}
	for _, m := range marks {
		h.rule(out, m, total, label+room)
	}
	return out.Flush()
}

// bounds gives where the rows begin, from the first to the last that is wanted.
func (h *Histogram) bounds() (all []time.Duration) {
	lo, hi := math.Inf(1), 0.0
	for _, b := range h.Bars {
		if b.N > 0 {
			lo, hi = min(lo, float64(b.From)), max(hi, float64(b.To)-1)
		}
	}
	if lo < 1 {
		all, lo = append(all, 0), 1
	}
	var last time.Duration
	for p := 1.0; p <= hi; p *= 10 {
		for _, s := range steps {
			at := time.Duration(s * p)
			if at == last || float64(at) > hi {
				continue
			}
			if float64(at) <= lo && len(all) > 0 && all[len(all)-1] > 0 {
				all = all[:len(all)-1] // the row before is empty
			}
			all = append(all, at)
			last = at
		}
	}
	return all
}

// rule draws a mark between two rows.
func (h *Histogram) rule(out io.Writer, m Mark, total, width int) {
	text := fmt.Sprintf(" %s %s, %s longer ", m.Label, Duration(m.At), share(h.longer(m.At), total))
	line := map[Style]string{Neutral: "┄", Present: "━", Recommended: "─"}[m.Style]
	dashes := max(width-len([]rune(text))-2, 2)
	fmt.Fprintf(out, "%s%s%s\n", strings.Repeat(line, 2), text, strings.Repeat(line, dashes))
}

// bar draws n of most in up to room columns, with eighths of a column. What is
// there is seen, however little.
func bar(n, most, room int) string {
	if n == 0 {
		return ""
	}
	eighths := max(int(math.Round(float64(n)/float64(most)*float64(room*8))), 1)
	s := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		s += string([]rune(" ▏▎▍▌▋▊▉")[rest])
	}
	return s
}
