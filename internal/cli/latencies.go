package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"vtsize/assess"
	"vtsize/csvread"
	"vtsize/facts"
	"vtsize/plot"
	"vtsize/report"
	"vtsize/rules"
	"vtsize/sizing"
)

// latencies is what files of latencies told.
type latencies struct {
	files *latencyFiles
	*csvread.Result
	limits []time.Duration // that samples were counted above exactly
}

// read reads the files, and puts what they tell into the work. Samples are
// counted exactly above the timeouts of d, where it is not nil.
func (l *latencyFiles) read(ctx context.Context, d *facts.Deployment, w *work) (*latencies, error) {
	if d != nil {
		l.Above = limits(d)
	}
	res, err := csvread.Read(ctx, l.Options)
	switch {
	case errors.Is(err, context.Canceled):
		return nil, errors.New("read latencies: stopped")
	case err != nil:
		var usage *csvread.UsageError
		if errors.As(err, &usage) {
			return nil, &usageError{msg: err.Error(), hint: usage.Hint()}
		}
		return nil, withHint(err)
	}
	out := &latencies{l, res, l.Above}
	if err := out.check(); err != nil {
		return nil, err
	}
	return out, out.into(w)
}

// check refuses what the files have no samples for.
func (l *latencies) check() error {
	if l.Whole == nil {
		for _, c := range []struct {
			flag  string
			asked bool
		}{{"use-upper-bound", l.files.upperBound}, {"plot", l.files.plot != ""}, {"max-duplicates", l.files.maxDuplicates.IsKnown()}, {"error-rate", l.files.errorRate.IsKnown()}} {
			if c.asked {
				return fmt.Errorf("--%s needs samples, and %q holds only percentiles", c.flag, l.Files[0].Name)
			}
		}
		return nil
	}
	if _, ok := report.UpperBound(l.Whole, l.Percentile); !ok && l.files.upperBound {
		needed := sizing.SamplesNeeded(l.Percentile)
		return &hinted{fmt.Errorf("p%v of %s samples has no 95 %% upper bound: %s samples are missing", l.Percentile,
			sizing.Number(float64(l.Whole.N)), sizing.Number(float64(needed-l.Whole.N))),
			fmt.Sprintf("%s samples are needed at least; measure for longer, or size by a lower --percentile", sizing.Number(float64(needed)))}
	}
	return nil
}

// limits are the latencies from which on the present timeouts are too short,
// where a hold is one latency and constants.
func limits(d *facts.Deployment) (out []time.Duration) {
	for _, q := range d.Queues {
		consumers, _ := q.Consumers.Get()
		for _, c := range consumers {
			s := assess.Of(q, c)
			if timeout, ok := s.Timeout.Get(); ok {
				if left := timeout - before(s) - each(s); left > 0 {
					out = append(out, left)
				}
			}
		}
	}
	return out
}

// into puts the latencies into the work of which the flags say the rest. What
// they were measured on, the format may tell; a flag that says it weighs more,
// as where each call of a load test was a whole step.
func (l *latencies) into(w *work) error {
	if told, ok := l.Basis(); ok && !l.files.basis.IsKnown() {
		w.Basis = facts.Known(told, facts.Origin{Kind: facts.Measured, Detail: l.Files[0].Format + " files"})
	}
	basis, _ := w.Basis.Get()
	stages, ok := w.Stages.Get()
	if !ok {
		var st facts.Stage
		if err := clientOf(&st, nil, ",", flagOrigin); err != nil {
			return err
		}
		stages = []facts.Stage{st}
	}
	if attempts, _ := stages[0].Attempts.Get(); l.files.errorRate.IsKnown() {
		switch {
		case basis != facts.PerCall:
			return usagef("--error-rate is for latencies of single calls, and these are of the basis %s", basis)
		case attempts < 2:
			return &usageError{msg: "--error-rate is for calls that are made again", hint: "say how often with --retries or --sdk"}
		}
	}
	stages[0].Latency = l.sized(l.Latency(), l.Whole)
	w.Stages = facts.Known(stages, flagOrigin("csv"))
	w.Percentile, w.said = l.Percentile, true
	if classes := l.FactClasses(); classes != nil {
		for i := range l.Classes {
			classes[i].Latency = l.sized(classes[i].Latency, l.Classes[i].Samples)
		}
		w.Classes = facts.Known(classes, flagOrigin("class-column"))
	}
	return nil
}

// sized is a latency whose tail is the upper bound, where that was asked for
// and there are enough samples.
func (l *latencies) sized(x facts.Latency, s *csvread.Samples) facts.Latency {
	if !l.files.upperBound || s == nil {
		return x
	}
	if bound, ok := report.UpperBound(s, l.Percentile); ok {
		x.Tail = facts.Known(bound, x.Tail.Origin())
		x.Method = "95 % upper confidence bound"
	}
	return x
}

// tell is what the report says of the latencies, with the sizings that came of
// them. The picture is drawn.
func (l *latencies) tell(r *rules.Report) (*report.Latencies, error) {
	out := &report.Latencies{Result: l.Result, UpperBound: l.files.upperBound}
	for _, q := range r.Queues {
		for _, s := range q.Consumers {
			if !l.isOf(s) {
				continue
			}
			if out.Classes == nil {
				classes, _ := s.Consumer.Work.Classes.Get()
				for _, c := range classes {
					out.Classes = append(out.Classes, report.ClassSizing{Name: c.Name, Sizing: s.Alone(c)})
				}
				out.Marks = marks(s)
			}
			if l.Whole != nil {
				out.Risks = append(out.Risks, l.risk(s))
			}
		}
	}
	if l.files.plot == "" {
		return out, nil
	}
	draw := plot.SVG
	if strings.EqualFold(filepath.Ext(l.files.plot), ".png") {
		draw = plot.PNG
	}
	return out, writeFile(l.files.plot, func(w io.Writer) error { return draw(w, out.Histogram()) })
}

// isOf reports whether a consumer's latency is that of the files.
func (l *latencies) isOf(s *assess.Sizing) bool {
	return s.Consumer.Work.Stages.IsKnown() && s.Consumer.Work.Stages.Origin() == flagOrigin("csv")
}

// marks are the timeouts and the percentile to show among the samples.
func marks(s *assess.Sizing) []plot.Mark {
	var out []plot.Mark
	if d, ok := s.Timeout.Get(); ok {
		out = append(out, plot.Mark{At: d, Label: "timeout now", Style: plot.Present})
	}
	if d, ok := s.QueueTimeout().Get(); ok {
		out = append(out, plot.Mark{At: d, Label: "recommended", Style: plot.Recommended})
	}
	return out
}
