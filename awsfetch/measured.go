package awsfetch

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"vtsize/facts"
)

var measured = facts.Origin{Kind: facts.Measured, Detail: actionGetMetricData}

// lookback is the length of the window.
func (s *Snapshot) lookback() time.Duration { return s.Window.End.Sub(s.Window.Start) }

// find picks a series by metric and statistic.
func find(series []Series, metric, stat string) *Series {
	for i := range series {
		if series[i].Metric == metric && series[i].Stat == stat {
			return &series[i]
		}
	}
	return nil
}

// reduce makes one number of a series. A series without points is no data,
// which is not zero: SQS and Lambda send nothing while nothing happens.
func reduce(s *Series, f func(a, b float64) float64) facts.Value[float64] {
	switch {
	case s == nil:
		return facts.Unknown[float64](facts.NotCollected, measured)
	case s.Failure != nil:
		return failed[float64](s.Failure)
	case len(s.Points) == 0:
		return facts.Unknown[float64](facts.NoData, measured)
	}
	times := slices.SortedFunc(maps.Keys(s.Points), time.Time.Compare)
	result := s.Points[times[0]]
	for _, t := range times[1:] {
		result = f(result, s.Points[t])
	}
	if result < 0 || math.IsInf(result, 0) || math.IsNaN(result) {
		return facts.Unknown[float64](facts.Unreadable, measured)
	}
	return facts.Known(result, measured)
}

func sum(a, b float64) float64 { return a + b }

func total(series []Series, metric string) facts.Value[float64] {
	return reduce(find(series, metric, "Sum"), sum)
}

// highest is the largest value of a statistic over all periods; of a
// percentile, that of the worst one.
func highest(series []Series, metric, stat string) facts.Value[float64] {
	return reduce(find(series, metric, stat), math.Max)
}

// longestTime bounds what is believed of a duration: a year.
const longestTime = 365 * day

// duration turns a number of units of time into a duration.
func duration(x facts.Value[float64], unit time.Duration) facts.Value[time.Duration] {
	v, ok := x.Get()
	if !ok {
		return facts.Unknown[time.Duration](x.Cause(), x.Origin())
	}
	if unit == 0 || v > longestTime.Seconds()*float64(time.Second/unit) {
		return facts.Unknown[time.Duration](facts.Unreadable, x.Origin())
	}
	return facts.Known(time.Duration(math.Round(v*float64(unit))), x.Origin())
}

func (c *converter) queueMetrics(q *Queue) facts.QueueMetrics {
	first := func(a, _ float64) float64 { return a }
	lowest := reduce(find(q.Metrics, depthMetric, "Minimum"), first)
	m := facts.QueueMetrics{
		Lookback:       c.snapshot.lookback(),
		NotVisibleMax:  highest(q.Metrics, "ApproximateNumberOfMessagesNotVisible", "Maximum"),
		OldestAge:      duration(highest(q.Metrics, "ApproximateAgeOfOldestMessage", "Maximum"), time.Second),
		Sent:           total(q.Metrics, "NumberOfMessagesSent"),
		Received:       total(q.Metrics, "NumberOfMessagesReceived"),
		Deleted:        total(q.Metrics, "NumberOfMessagesDeleted"),
		VisibleAtStart: reduce(find(q.Metrics, depthMetric, "Maximum"), first),
	}
	// A queue tells nothing while it lies idle and empty. Then its first period
	// is one in which the depth rose already, and the lowest value is nearest
	// to what it was before.
	most, _ := highest(q.Metrics, depthMetric, "Maximum").Get()
	m.Visible = facts.Map(lowest, func(lowest float64) facts.Depth { return facts.Depth{First: lowest, Max: max(most, lowest)} })
	return m
}

// rate is the mean arrival rate, over the life of a queue that is younger than
// the window.
func (c *converter) rate(q *Queue, sent facts.Value[float64]) facts.Value[float64] {
	from, to := c.snapshot.Window.Start, c.snapshot.TakenAt
	if at := q.Attributes.Value; at != nil {
		if created, err := strconv.ParseInt((*at)["CreatedTimestamp"], 10, 64); err == nil && time.Unix(created, 0).After(from) {
			from = time.Unix(created, 0)
		}
	}
	elapsed := to.Sub(from).Seconds()
	if elapsed < 1 && sent.IsKnown() {
		return facts.Unknown[float64](facts.NoData, measured)
	}
	return facts.Map(sent, func(n float64) float64 { return n / elapsed })
}

// denied is the failure of a latency that was refused as a whole.
func denied(series []Series) *Failure {
	for _, s := range series {
		if s.Failure == nil {
			return nil
		}
	}
	if len(series) == 0 {
		return nil
	}
	return series[0].Failure
}

// hasOwnNumbers reports whether the version or alias that the mapping names has
// durations of its own.
func hasOwnNumbers(f *Function) bool {
	return slices.ContainsFunc(f.Metrics, func(s Series) bool {
		return s.Resource != "" && s.Metric == "Duration" && len(s.Points) > 0
	})
}

// chooseResource takes the series of the version or alias that the mapping
// names where it has its own, else those of all versions.
func chooseResource(f *Function, metric string) []Series {
	own := hasOwnNumbers(f)
	var chosen []Series
	for _, s := range f.Metrics {
		if s.Metric == metric && (s.Resource != "") == own {
			chosen = append(chosen, s)
		}
	}
	return chosen
}

// fewSamples is how many a period needs for its p99 to be more than its
// largest values.
const fewSamples = 100

// latencyOf makes a latency of the six statistics of a metric.
func latencyOf(series []Series, unit time.Duration, metric string) facts.Latency {
	if len(series) == 0 {
		return facts.Latency{}
	}
	name := series[0].Metric
	l := facts.Latency{
		P50:  duration(highest(series, name, "p50"), unit),
		Tail: duration(highest(series, name, "p99"), unit),
		P999: duration(highest(series, name, "p99.9"), unit),
		Max:  duration(highest(series, name, "Maximum"), unit),
	}
	count := reduce(find(series, name, "SampleCount"), sum)
	l.Samples = facts.Map(count, func(n float64) int { return int(math.Min(n, math.MaxInt32)) })
	spent := total(series, name)
	if n, ok := count.Get(); ok && n > 0 {
		l.Mean = duration(facts.Map(spent, func(s float64) float64 { return s / n }), unit)
	} else {
		l.Mean = facts.Unknown[time.Duration](count.Cause(), measured)
	}
	tail := find(series, name, "p99")
	if tail == nil || len(tail.Points) == 0 {
		return l
	}
	period := time.Duration(tail.PeriodSeconds) * time.Second
	l.Method = fmt.Sprintf("CloudWatch p99 of %s, worst of %s of %s", metric, plural(len(tail.Points), "period"), hours(period))
	worst := worstPeriod(tail.Points)
	if counts := find(series, name, "SampleCount"); counts != nil && counts.Points[worst] > 0 && counts.Points[worst] < fewSamples {
		l.Doubts = append(l.Doubts, fmt.Sprintf("the worst period, from %s, has only %s",
			worst.UTC().Format("2006-01-02 15:04"), plural(int(counts.Points[worst]), "sample")))
	}
	return l
}

// worstPeriod is the time of the highest point, the earliest of several.
func worstPeriod(p Points) time.Time {
	times := slices.SortedFunc(maps.Keys(p), time.Time.Compare)
	worst := times[0]
	for _, t := range times {
		if p[t] > p[worst] {
			worst = t
		}
	}
	return worst
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// hours writes a period without the zero parts: 24h, not 24h0m0s.
func hours(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
