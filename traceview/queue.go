package traceview

import (
	"fmt"
	"strings"
	"time"

	"vtsize/report"
	"vtsize/sizing"
	"vtsize/trace"
)

// queue sums up one queue, with the timeout and the heartbeat that would have
// prevented its redeliveries.
func (t *Text) queue(q Queue) error {
	t.line(t.paint(bold, report.Escape(q.Name)) + fmt.Sprintf(": %s %s, %s delivered again",
		sizing.Number(float64(q.Messages)), plural(q.Messages, "message"), sizing.Number(float64(q.Redelivered))))
	row := func(name, text string) { t.column("  "+name, text, 16) }
	if why := reasons(q.ByReason); why != "" {
		row("because", why)
	}
	if h := histogram(q.Counts.Receives); h != "" {
		row("receives", h)
	}
	if q.Duplicates > 0 {
		row("duplicates", fmt.Sprintf("%d, by at-least-once delivery: no timeout prevents them", q.Duplicates))
	}
	if q.NotObserved > 0 {
		row("not observed", fmt.Sprintf("%d %s that receive counts tell of", q.NotObserved, deliveries(q.NotObserved)))
	}
	if q.DeadLettered > 0 {
		row("dead letters", fmt.Sprintf("%d, of which %d false: a consumer had come to its end", q.DeadLettered, q.FalseDeadLetters))
	}
	if q.Twice > 0 {
		row("done twice", fmt.Sprintf("the work of %s %s: %s, %s of it for nothing", sizing.Number(float64(q.Twice)), plural(q.Twice, "message"),
			sizing.Number(float64(q.ExtraRuns))+" extra "+plural(q.ExtraRuns, "run"), sizing.Seconds(q.ExtraTime.Round(time.Millisecond))))
	}
	if text := times(q.Holds); text != "" {
		row("holds", text+", receive to final delete")
	}
	if text := times(q.Runs); text != "" && len(q.Runs) != len(q.Holds) {
		row("runs", text+", receive to any delete: the late ones count for the timeout")
	}
	t.b.WriteString("\n")
	if q.Report == nil {
		return nil
	}
	if err := t.flush(); err != nil {
		return err
	}
	return report.Calculation(t.w, &report.Document{Command: "calc", Report: q.Report, Width: t.opt.Width, Color: t.opt.Color})
}

func histogram(h map[int]int) string {
	var out []string
	for _, count := range receiveCounts(h) {
		times := fmt.Sprintf("%d times", count)
		switch count {
		case 1:
			times = "once"
		case 2:
			times = "twice"
		}
		out = append(out, fmt.Sprintf("%s × %s", sizing.Number(float64(h[count])), times))
	}
	const most = 8
	if len(out) > most {
		out = append(out[:most-1], "...", out[len(out)-1])
	}
	return strings.Join(out, ", ")
}

// times are the percentiles of sorted times.
func times(sorted []time.Duration) string {
	p50, ok := trace.Percentile(sorted, 50)
	if !ok {
		return ""
	}
	p99, _ := trace.Percentile(sorted, 99)
	short := func(d time.Duration) string { return sizing.Seconds(d.Round(time.Millisecond)) }
	return fmt.Sprintf("p50 %s, p99 %s, max %s of %s", short(p50), short(p99), short(sorted[len(sorted)-1]), sizing.Number(float64(len(sorted))))
}
