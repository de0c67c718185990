package fakeaws

import "time"

// TrafficMetrics are the metrics of a queue over which so many messages went
// shortly before now, and of the work on them as the custom metric Agents/Step
// with the dimension Queue, in milliseconds.
func TrafficMetrics(queue string, now time.Time, sent, received, deleted int, steps []time.Duration) []Metric {
	at := now.Add(-time.Minute)
	put := func(name string, value float64) Metric {
		return Metric{Namespace: "AWS/SQS", Name: name, Dimensions: map[string]string{"QueueName": queue}, Samples: []Sample{{at, value}}}
	}
	step := Metric{Namespace: "Agents", Name: "Step", Dimensions: map[string]string{"Queue": queue}}
	for _, d := range steps {
		step.Samples = append(step.Samples, Sample{at, float64(d.Milliseconds())})
	}
	return []Metric{step,
		put("NumberOfMessagesSent", float64(sent)),
		put("NumberOfMessagesReceived", float64(received)),
		put("NumberOfMessagesDeleted", float64(deleted)),
		put("ApproximateNumberOfMessagesVisible", 0),
	}
}
