package fakeaws

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/smithy-go/encoding/cbor"
)

const cloudwatchPath = "/service/GraniteServiceVersion20100801/operation/"

// Metric is a metric with the values that were put, from which statistics of
// any period are made.
type Metric struct {
	Namespace  string
	Name       string
	Dimensions map[string]string
	Samples    []Sample
	Status     string // in place of Complete: "Forbidden", "InternalError"
}

// Sample is one value that was put.
type Sample struct {
	At    time.Time
	Value float64
}

func (s *Server) cloudwatch(w http.ResponseWriter, call *Call, operation string, body []byte) {
	if how := s.record(call); how != nil {
		how(w, "cloudwatch")
		return
	}
	v, err := cbor.Decode(body)
	in, ok := v.(cbor.Map)
	if err != nil || !ok {
		fail(w, "cloudwatch", http.StatusBadRequest, "SerializationException", fmt.Sprint("not a CBOR map: ", err))
		return
	}
	switch operation {
	case "GetMetricData":
		s.getMetricData(w, in)
	case "DescribeAlarms":
		s.describeAlarms(w, in)
	default:
		fail(w, "cloudwatch", http.StatusBadRequest, "UnknownOperationException", operation)
	}
}

// getMetricData refuses what CloudWatch refuses: too many metrics, too many
// points, periods too short for the age of the data.
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricData.html
func (s *Server) getMetricData(w http.ResponseWriter, in cbor.Map) {
	start, end := timeOf(in["StartTime"]), timeOf(in["EndTime"])
	queries, _ := in["MetricDataQueries"].(cbor.List)
	if problem := s.checkQueries(queries, start, end); problem != "" {
		fail(w, "cloudwatch", http.StatusBadRequest, "ValidationError", problem)
		return
	}
	token, _ := strconv.Atoi(text(in["NextToken"]))
	size := s.PageSize
	queries, next := page(queries, token, size)
	results := cbor.List{}
	for _, q := range queries {
		results = append(results, s.series(q.(cbor.Map), start, end))
	}
	out := cbor.Map{"MetricDataResults": results}
	if next > 0 {
		out["NextToken"] = cbor.String(strconv.Itoa(next))
	}
	writeCBOR(w, http.StatusOK, out)
}

func (s *Server) checkQueries(queries cbor.List, start, end time.Time) string {
	now := s.Now
	if now.IsZero() {
		now = time.Now()
	}
	if len(queries) == 0 || len(queries) > 500 {
		return fmt.Sprintf("%d metrics in one request", len(queries))
	}
	if !start.Before(end) {
		return "StartTime must be before EndTime"
	}
	points := 0
	for _, q := range queries {
		stat, ok := q.(cbor.Map)["MetricStat"].(cbor.Map)
		if !ok {
			return "only metrics, no expressions"
		}
		period := int(number(stat["Period"]))
		multiple := 60
		switch age := now.Sub(start); {
		case age > 63*24*time.Hour:
			multiple = 3600
		case age > 15*24*time.Hour:
			multiple = 300
		}
		if period <= 0 || period%multiple != 0 {
			return fmt.Sprintf("period %d is not a multiple of %d", period, multiple)
		}
		points += int(end.Sub(start).Seconds()) / period
	}
	if points > 100_800 {
		return fmt.Sprintf("%d points in one request", points)
	}
	return ""
}

// series makes the statistics of one query, in periods that begin at multiples
// of the period.
func (s *Server) series(q cbor.Map, start, end time.Time) cbor.Map {
	stat := q["MetricStat"].(cbor.Map)
	period := time.Duration(number(stat["Period"])) * time.Second
	m := s.metric(stat["Metric"].(cbor.Map))
	out := cbor.Map{"Id": q["Id"], "Label": cbor.String("x"), "StatusCode": cbor.String("Complete"), "Timestamps": cbor.List{}, "Values": cbor.List{}}
	if m == nil {
		return out
	}
	if m.Status != "" {
		out["StatusCode"] = cbor.String(m.Status)
		return out
	}
	periods := map[time.Time][]float64{}
	for _, sample := range m.Samples {
		if !sample.At.Before(start) && sample.At.Before(end) {
			begin := sample.At.UTC().Truncate(period)
			periods[begin] = append(periods[begin], sample.Value)
		}
	}
	times, values := cbor.List{}, cbor.List{}
	for _, begin := range slices.SortedFunc(maps.Keys(periods), time.Time.Compare) {
		times = append(times, &cbor.Tag{ID: 1, Value: cbor.Float64(begin.Unix())})
		values = append(values, cbor.Float64(statistic(text(stat["Stat"]), periods[begin])))
	}
	out["Timestamps"], out["Values"] = times, values
	return out
}

func (s *Server) metric(in cbor.Map) *Metric {
	dimensions := map[string]string{}
	list, _ := in["Dimensions"].(cbor.List)
	for _, d := range list {
		dimensions[text(d.(cbor.Map)["Name"])] = text(d.(cbor.Map)["Value"])
	}
	for i := range s.Metrics {
		m := &s.Metrics[i]
		if m.Namespace == text(in["Namespace"]) && m.Name == text(in["MetricName"]) && maps.Equal(m.Dimensions, dimensions) {
			return m
		}
	}
	return nil
}

// statistic of the values of one period; percentiles are nearest-rank.
func statistic(stat string, values []float64) float64 {
	slices.Sort(values)
	total := 0.0
	for _, v := range values {
		total += v
	}
	switch stat {
	case "Sum":
		return total
	case "SampleCount":
		return float64(len(values))
	case "Average":
		return total / float64(len(values))
	case "Minimum":
		return values[0]
	case "Maximum":
		return values[len(values)-1]
	}
	p, err := strconv.ParseFloat(strings.TrimPrefix(stat, "p"), 64)
	if err != nil {
		return math.NaN()
	}
	rank := int(math.Ceil(p / 100 * float64(len(values))))
	return values[max(rank, 1)-1]
}

func text(v cbor.Value) string {
	s, _ := v.(cbor.String)
	return string(s)
}

func number(v cbor.Value) float64 {
	switch v := v.(type) {
	case cbor.Uint:
		return float64(v)
	case cbor.Float64:
		return float64(v)
	case cbor.Float32:
		return float64(v)
	}
	return 0
}

func timeOf(v cbor.Value) time.Time {
	tag, ok := v.(*cbor.Tag)
	if !ok {
		return time.Time{}
	}
	return time.UnixMilli(int64(number(tag.Value) * 1000)).UTC()
}

func writeCBOR(w http.ResponseWriter, status int, v cbor.Value) {
	w.Header().Set("Content-Type", "application/cbor")
	w.Header().Set("Smithy-Protocol", "rpc-v2-cbor")
	w.WriteHeader(status)
	_, _ = w.Write(cbor.Encode(v)) // the client may be gone
}

// fail answers with an error in the form of the service's protocol.
func fail(w http.ResponseWriter, service string, status int, code, message string) {
	if service == "cloudwatch" {
		writeCBOR(w, status, cbor.Map{"__type": cbor.String(code), "message": cbor.String(message)})
		return
	}
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	if service == "lambda" {
		w.Header().Set("X-Amzn-Errortype", code)
	}
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"__type": code, "message": message}) // the client may be gone
}
