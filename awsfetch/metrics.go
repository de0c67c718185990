package awsfetch

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"

	"vtsize/facts"
)

// Limits of one GetMetricData request.
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricData.html (read 2026-11-30)
const (
	metricsPerCall = 500
	pointsPerCall  = 100_800
)

// query is one series to ask for, and where its answer goes.
type query struct {
	namespace  string
	dimensions map[string]string
	series     *Series
}

// readMetrics asks for all series of the region, in as few requests as the
// limits allow.
func (r *reader) readMetrics(ctx context.Context) {
	var queries []query
	for _, q := range r.sorted() {
		queries = append(queries, r.queueQueries(q)...)
	}
	for _, f := range r.functions {
		queries = append(queries, r.functionQueries(f)...)
	}
	each(batches(queries, r.window), func(batch []query) { r.getMetricData(ctx, batch) })
}

const depthMetric = "ApproximateNumberOfMessagesVisible"

// queueQueries are the series of a queue. Depth is asked for in short periods,
// since its first value matters; of a queue that is only a dead-letter queue
// nothing else does. The metrics of a queue lie in its own account and region,
// under its name alone: from elsewhere, they would be those of a namesake.
func (r *reader) queueQueries(q *Queue) []query {
	if r.isElsewhere(q) {
		return nil
	}
	long, short := longPeriod(r.window), shortPeriod(r.window)
	q.Metrics = []Series{{Metric: depthMetric, Stat: "Maximum", PeriodSeconds: short}, {Metric: depthMetric, Stat: "Minimum", PeriodSeconds: short}}
	if q.Asked {
		q.Metrics = append(q.Metrics,
			Series{Metric: "ApproximateNumberOfMessagesNotVisible", Stat: "Maximum", PeriodSeconds: long},
			Series{Metric: "ApproximateAgeOfOldestMessage", Stat: "Maximum", PeriodSeconds: long},
			Series{Metric: "NumberOfMessagesSent", Stat: "Sum", PeriodSeconds: long},
			Series{Metric: "NumberOfMessagesReceived", Stat: "Sum", PeriodSeconds: long},
			Series{Metric: "NumberOfMessagesDeleted", Stat: "Sum", PeriodSeconds: long})
	}
	var queries []query
	for i := range q.Metrics {
		queries = append(queries, query{sqsNamespace, map[string]string{"QueueName": q.Name()}, &q.Metrics[i]})
	}
	if !q.Asked {
		return queries
	}
	for _, m := range r.steps {
		if m.Queue != "" && m.Queue != q.Name() {
			continue
		}
		step := StepSeries{Namespace: m.Namespace, Name: m.Name, Dimensions: m.Dimensions, Unit: m.Unit,
			Basis: string(m.Basis), Series: latencySeries(m.Name, "", long)}
		for i := range step.Series {
			queries = append(queries, query{m.Namespace, m.Dimensions, &step.Series[i]})
		}
		q.StepMetrics = append(q.StepMetrics, step)
	}
	return queries
}

// functionQueries are the series of a function. A version or an alias has
// numbers of its own under the dimension Resource; those of all versions are
// asked for beside them, for when there are none.
// https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-view.html (read 2026-11-30)
func (r *reader) functionQueries(f *Function) []query {
	name, ok := parseFunction(f.ARN)
	if !ok {
		return nil
	}
	long := longPeriod(r.window)
	resources := []string{""}
	if name.qualifier != "" {
		resources = append(resources, name.qualified())
	}
	for _, resource := range resources {
		f.Metrics = append(f.Metrics, latencySeries("Duration", resource, long)...)
		f.Metrics = append(f.Metrics,
			Series{Metric: "Errors", Stat: "Sum", Resource: resource, PeriodSeconds: long},
			Series{Metric: "Throttles", Stat: "Sum", Resource: resource, PeriodSeconds: long})
	}
	var queries []query
	for i := range f.Metrics {
		dimensions := map[string]string{"FunctionName": name.name}
		if resource := f.Metrics[i].Resource; resource != "" {
			dimensions["Resource"] = resource
		}
		queries = append(queries, query{"AWS/Lambda", dimensions, &f.Metrics[i]})
	}
	return queries
}

// latencySeries are the statistics of a latency metric. The mean comes from
// Sum and SampleCount: the mean of averages would be wrong.
func latencySeries(metric, resource string, period int) []Series {
	var series []Series
	for _, stat := range []string{"p50", "p99", "p99.9", "Maximum", "SampleCount", "Sum"} {
		series = append(series, Series{Metric: metric, Stat: stat, Resource: resource, PeriodSeconds: period})
	}
	return series
}

const day = 24 * time.Hour

// longPeriod is the period of percentiles, in seconds: a day, or the whole
// window if that is shorter. A percentile of a long time cannot be had from
// those of short ones. Whole hours are allowed for data of every age, whole
// minutes up to 15 days.
func longPeriod(w Window) int {
	return int(min(day, w.End.Sub(w.Start)).Truncate(time.Minute).Seconds())
}

// shortPeriod is the period of the depth: at most about 340 points.
func shortPeriod(w Window) int {
	length := w.End.Sub(w.Start)
	for _, p := range []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 6 * time.Hour} {
		if length <= 340*p {
			return int(p.Seconds())
		}
	}
	return int(day.Seconds())
}

// batches cuts the queries into requests within the limits. Periods may stand
// a little over both ends of the window, hence the two points more.
func batches(queries []query, w Window) [][]query {
	var all [][]query
	points := 0
	for _, q := range queries {
		n := int(w.End.Sub(w.Start).Seconds())/q.series.PeriodSeconds + 2
		if last := len(all) - 1; last >= 0 && len(all[last]) < metricsPerCall && points+n <= pointsPerCall {
			all[last] = append(all[last], q)
			points += n
			continue
		}
		all, points = append(all, []query{q}), n
	}
	return all
}

// getMetricData asks for one batch, page by page.
func (r *reader) getMetricData(ctx context.Context, batch []query) {
	in := cloudwatch.GetMetricDataInput{StartTime: &r.window.Start, EndTime: &r.window.End,
		MaxDatapoints: aws.Int32(pointsPerCall), ScanBy: types.ScanByTimestampAscending}
	for i, q := range batch {
		q.series.Points = Points{}
		in.MetricDataQueries = append(in.MetricDataQueries, q.input("m"+strconv.Itoa(i)))
	}
	results := pages(ctx, r.calls, actionGetMetricData, func(ctx context.Context, token *string) ([]types.MetricDataResult, *string, error) {
		in := in
		in.NextToken = token
		out, err := r.region.cloudwatch.GetMetricData(ctx, &in)
		if err != nil {
			return nil, nil, err
		}
		return out.MetricDataResults, out.NextToken, nil
	})
	if results.Failure != nil {
		for _, q := range batch {
			q.series.Failure = results.Failure
		}
	}
	if results.Value == nil {
		return
	}
	for _, result := range *results.Value {
		var i int
		if _, err := fmt.Sscanf(aws.ToString(result.Id), "m%d", &i); err == nil && i >= 0 && i < len(batch) {
			batch[i].series.take(result)
		}
	}
	for _, q := range batch {
		if q.series.Metric == depthMetric {
			q.series.Points = firstAndHighest(q.series.Points)
		}
	}
}

func (q query) input(id string) types.MetricDataQuery {
	metric := &types.Metric{Namespace: &q.namespace, MetricName: &q.series.Metric}
	for _, name := range slices.Sorted(maps.Keys(q.dimensions)) {
		metric.Dimensions = append(metric.Dimensions, types.Dimension{Name: aws.String(name), Value: aws.String(q.dimensions[name])})
	}
	return types.MetricDataQuery{Id: &id, ReturnData: aws.Bool(true), MetricStat: &types.MetricStat{
		Metric: metric, Stat: &q.series.Stat, Period: aws.Int32(int32(q.series.PeriodSeconds)),
	}}
}

// take adds one page of a series. A status that says so makes it a failure,
// even beside data: the rest is missing.
func (s *Series) take(result types.MetricDataResult) {
	switch result.StatusCode {
	case types.StatusCodeForbidden:
		s.Failure = &Failure{Action: actionGetMetricData, Cause: facts.Denied.String(), Code: string(result.StatusCode)}
	case types.StatusCodeInternalError:
		s.Failure = &Failure{Action: actionGetMetricData, Cause: facts.Unreadable.String(), Code: string(result.StatusCode)}
	}
	for i, v := range result.Values {
		if i < len(result.Timestamps) && !math.IsNaN(v) && !math.IsInf(v, 0) {
			s.Points[result.Timestamps[i].UTC()] = v
		}
	}
}

// firstAndHighest drops the points of a depth that say nothing more.
func firstAndHighest(p Points) Points {
	times := slices.SortedFunc(maps.Keys(p), time.Time.Compare)
	if len(times) == 0 {
		return p
	}
	first, highest := times[0], times[0]
	for _, t := range times {
		if p[t] > p[highest] {
			highest = t
		}
	}
	return Points{first: p[first], highest: p[highest]}
}
