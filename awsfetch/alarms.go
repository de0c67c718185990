package awsfetch

import (
	"context"
	"regexp"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
)

const sqsNamespace = "AWS/SQS"

// alarmRecord is an alarm before it is known which queues matter.
type alarmRecord struct {
	name    string
	watches []watchRecord
}

// watchRecord is one metric of AWS/SQS that an alarm looks at.
type watchRecord struct {
	metric string
	queue  string // name
	every  bool   // a query over all queues
}

// listAlarms reads all metric alarms of the region at once. Asking by metric
// would cost a call for each metric and leave out the alarms on metric math.
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DescribeAlarmsForMetric.html (read 2026-11-30)
func (r *reader) listAlarms(ctx context.Context) Read[[]alarmRecord] {
	return pages(ctx, r.calls, actionDescribeAlarms, func(ctx context.Context, token *string) ([]alarmRecord, *string, error) {
		out, err := r.region.cloudwatch.DescribeAlarms(ctx, &cloudwatch.DescribeAlarmsInput{
			AlarmTypes: []types.AlarmType{types.AlarmTypeMetricAlarm}, MaxRecords: aws.Int32(100), NextToken: token,
		})
		if err != nil {
			return nil, nil, err
		}
		var page []alarmRecord
		for _, a := range out.MetricAlarms {
			if watches := watchesOf(a); len(watches) > 0 {
				page = append(page, alarmRecord{name: aws.ToString(a.AlarmName), watches: watches})
			}
		}
		return page, out.NextToken, nil
	})
}

// watchesOf finds the queue metrics of an alarm: its own metric, those in its
// metric math, and those in a Metrics Insights query.
func watchesOf(a types.MetricAlarm) []watchRecord {
	var watches []watchRecord
	add := func(namespace, metric *string, dimensions []types.Dimension) {
		if aws.ToString(namespace) != sqsNamespace {
			return
		}
		w := watchRecord{metric: aws.ToString(metric)}
		for _, d := range dimensions {
			if aws.ToString(d.Name) == "QueueName" {
				w.queue = aws.ToString(d.Value)
			}
		}
		watches = append(watches, w)
	}
	add(a.Namespace, a.MetricName, a.Dimensions)
	for _, q := range a.Metrics {
		if q.MetricStat != nil && q.MetricStat.Metric != nil {
			m := q.MetricStat.Metric
			add(m.Namespace, m.MetricName, m.Dimensions)
		}
		if w, ok := queryWatch(aws.ToString(q.Expression)); ok {
			watches = append(watches, w)
		}
	}
	return watches
}

// The parts of a Metrics Insights query that tell what it looks at:
//
//	SELECT MAX(ApproximateAgeOfOldestMessage) FROM SCHEMA("AWS/SQS", QueueName) WHERE QueueName = 'orders'
//
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch-metrics-insights-querylanguage.html (read 2026-11-30)
var (
	querySelect = regexp.MustCompile(`(?is)^\s*SELECT\s+\w+\s*\(\s*"?(\w+)"?\s*\)\s+FROM\s+(?:SCHEMA\s*\(\s*)?"AWS/SQS"`)
	queryWhere  = regexp.MustCompile(`(?is)\sWHERE\s+(.*?)(?:\s+GROUP\s+BY\s.*|\s+ORDER\s+BY\s.*|\s+LIMIT\s.*)?$`)
	queryQueue  = regexp.MustCompile(`(?is)^"?QueueName"?\s*=\s*'([^']*)'\s*$`)
)

func queryWatch(expression string) (watchRecord, bool) {
	found := querySelect.FindStringSubmatch(expression)
	if found == nil {
		return watchRecord{}, false
	}
	w := watchRecord{metric: found[1]}
	where := queryWhere.FindStringSubmatch(expression)
	if where == nil {
		w.every = true
	} else if queue := queryQueue.FindStringSubmatch(strings.TrimSpace(where[1])); queue != nil {
		w.queue = queue[1]
	}
	return w, true
}

// watching keeps the alarms that look at a queue of this region that was read,
// and those of which it cannot be told.
func (r *reader) watching(all Read[[]alarmRecord]) Read[[]Alarm] {
	if all.Value == nil {
		return Read[[]Alarm]{Failure: all.Failure}
	}
	queues := r.sorted()
	kept := []Alarm{}
	for _, record := range *all.Value {
		alarm := Alarm{Name: record.name}
		for _, w := range record.watches {
			if w.queue == "" && !w.every {
				alarm.Watches = append(alarm.Watches, Watch{Metric: w.metric})
			}
			for _, q := range queues {
				if !r.isElsewhere(q) && (w.every || w.queue == q.Name()) {
					alarm.Watches = append(alarm.Watches, Watch{Metric: w.metric, Queue: q.ARN})
				}
			}
		}
		if len(alarm.Watches) > 0 {
			kept = append(kept, alarm)
		}
	}
	return answered(kept)
}
