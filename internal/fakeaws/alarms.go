package fakeaws

import (
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/aws/smithy-go/encoding/cbor"
)

// Alarm is a metric alarm on a metric, or on metric math over several.
type Alarm struct {
	Name        string
	Metric      Metric // without samples; an empty name: Math is set
	Math        []Metric
	Expressions []string
}

func (s *Server) describeAlarms(w http.ResponseWriter, in cbor.Map) {
	size := int(number(in["MaxRecords"]))
	if s.PageSize > 0 {
		size = min(size, s.PageSize)
	}
	token, _ := strconv.Atoi(text(in["NextToken"]))
	alarms, next := page(s.Alarms, token, size)
	list := cbor.List{}
	for _, a := range alarms {
		list = append(list, a.cbor())
	}
	out := cbor.Map{"MetricAlarms": list}
	if next > 0 {
		out["NextToken"] = cbor.String(strconv.Itoa(next))
	}
	writeCBOR(w, http.StatusOK, out)
}

func (a Alarm) cbor() cbor.Map {
	out := cbor.Map{"AlarmName": cbor.String(a.Name)}
	if a.Metric.Name != "" {
		maps.Copy(out, a.Metric.cbor())
		return out
	}
	queries := cbor.List{}
	for i, m := range a.Math {
		queries = append(queries, cbor.Map{"Id": cbor.String("m" + strconv.Itoa(i)), "MetricStat": cbor.Map{
			"Metric": m.cbor(), "Stat": cbor.String("Maximum"), "Period": cbor.Uint(60)}})
	}
	for i, e := range a.Expressions {
		queries = append(queries, cbor.Map{"Id": cbor.String("e" + strconv.Itoa(i)), "Expression": cbor.String(e)})
	}
	out["Metrics"] = queries
	return out
}

func (m Metric) cbor() cbor.Map {
	dimensions := cbor.List{}
	for _, name := range slices.Sorted(maps.Keys(m.Dimensions)) {
		dimensions = append(dimensions, cbor.Map{"Name": cbor.String(name), "Value": cbor.String(m.Dimensions[name])})
	}
	return cbor.Map{"Namespace": cbor.String(m.Namespace), "MetricName": cbor.String(m.Name), "Dimensions": dimensions}
}
