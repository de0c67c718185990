package awsfetch

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"vtsize/facts"
)

var awsDefault = facts.Origin{Kind: facts.Default, Detail: "AWS default"}

func fromAWS(action string) facts.Origin { return facts.Origin{Kind: facts.AWS, Detail: action} }

// Deployment makes facts of the snapshot. What cannot be understood becomes an
// unknown fact; nothing is an error.
func (s *Snapshot) Deployment() *facts.Deployment {
	c := &converter{snapshot: s, present: map[string]bool{}}
	for _, q := range s.Queues {
		c.present[q.ARN] = true
	}
	d := &facts.Deployment{}
	external := map[string]bool{}
	for i := range s.Queues {
		q := c.queue(&s.Queues[i])
		d.Queues = append(d.Queues, q)
		if redrive, _ := q.Redrive.Get(); redrive != nil {
			if target, ok := redrive.Target.Get(); ok && !c.present[target] {
				external[target] = true
			}
		}
	}
	for arn := range external {
		d.Queues = append(d.Queues, externalQueue(arn))
	}
	slices.SortFunc(d.Queues, func(a, b *facts.Queue) int { return strings.Compare(a.ID, b.ID) })
	d.Alarms = c.alarms()
	return d
}

type converter struct {
	snapshot *Snapshot
	present  map[string]bool // ARNs of queues that stand in the snapshot
}

// externalQueue is a dead-letter queue of which the policy's word is all there
// is.
func externalQueue(arn string) *facts.Queue {
	q := Queue{ARN: arn}
	return &facts.Queue{ID: arn, Name: q.Name(), ARN: arn, Region: q.Region(), External: true}
}

func (c *converter) queue(q *Queue) *facts.Queue {
	at := attributes(q.Attributes)
	f := &facts.Queue{
		ID: q.ARN, Name: q.Name(), ARN: q.ARN, URL: q.URL, Region: q.Region(),
		External:          !q.Asked && q.Attributes.Value == nil,
		VisibilityTimeout: at.seconds("VisibilityTimeout"),
		Retention:         at.seconds("MessageRetentionPeriod"),
		Delay:             at.seconds("DelaySeconds"),
		ReceiveWait:       at.seconds("ReceiveMessageWaitTimeSeconds"),
		FIFO:              at.fifo(q.Name()),
		Redrive:           at.redrive(),
		RedriveAllow:      at.redriveAllow(),
	}
	f.DeadLetterFor = value(q.DeadLetterSources, actionListDeadLetterSourceQueues, func(arns []string) facts.Value[[]string] {
		outside := []string{}
		for _, arn := range arns {
			if !c.present[arn] {
				outside = append(outside, arn)
			}
		}
		return facts.Known(outside, fromAWS(actionListDeadLetterSourceQueues))
	})
	f.Consumers = c.consumers(q)
	f.Metrics = c.queueMetrics(q)
	f.Rate = c.rate(q, f.Metrics.Sent)
	return f
}

// attributes reads typed facts from the attributes of a queue.
type attributes Read[map[string]string]

func attribute[V any](at attributes, parse func(map[string]string) facts.Value[V]) facts.Value[V] {
	return value(Read[map[string]string](at), actionGetQueueAttributes, parse)
}

func (at attributes) seconds(name string) facts.Value[time.Duration] {
	return attribute(at, func(all map[string]string) facts.Value[time.Duration] {
		text, ok := all[name]
		if !ok {
			return facts.Unknown[time.Duration](facts.NoData, fromAWS(actionGetQueueAttributes))
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > math.MaxInt32 {
			return facts.Unknown[time.Duration](facts.Unreadable, fromAWS(actionGetQueueAttributes))
		}
		return facts.Known(time.Duration(n)*time.Second, fromAWS(actionGetQueueAttributes))
	})
}

// fifo: a standard queue has no attribute FifoQueue at all. The name tells it
// as well, where an emulator leaves the attribute out.
func (at attributes) fifo(name string) facts.Value[bool] {
	return attribute(at, func(all map[string]string) facts.Value[bool] {
		return facts.Known(all["FifoQueue"] == "true" || strings.HasSuffix(name, ".fifo"), fromAWS(actionGetQueueAttributes))
	})
}

func (at attributes) redrive() facts.Value[*facts.Redrive] {
	return attribute(at, func(all map[string]string) facts.Value[*facts.Redrive] {
		o := fromAWS(actionGetQueueAttributes)
		text := all["RedrivePolicy"]
		if text == "" {
			return facts.Known[*facts.Redrive](nil, o)
		}
		var p redrivePolicy
		if json.Unmarshal([]byte(text), &p) != nil || p.Target == "" {
			return facts.Unknown[*facts.Redrive](facts.Unreadable, o)
		}
		return facts.Known(&facts.Redrive{Target: facts.Known(p.Target, o), MaxReceiveCount: p.maxReceiveCount()}, o)
	})
}

// maxReceiveCount is 10 where the policy leaves it out.
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SetQueueAttributes.html (read 2026-11-30)
func (p redrivePolicy) maxReceiveCount() facts.Value[int] {
	text := strings.Trim(string(p.MaxReceiveCount), `"`)
	if text == "" || text == "null" {
		return facts.Known(10, awsDefault)
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > math.MaxInt32 {
		return facts.Unknown[int](facts.Unreadable, fromAWS(actionGetQueueAttributes))
	}
	return facts.Known(n, fromAWS(actionGetQueueAttributes))
}

func (at attributes) redriveAllow() facts.Value[*facts.RedriveAllow] {
	return attribute(at, func(all map[string]string) facts.Value[*facts.RedriveAllow] {
		o := fromAWS(actionGetQueueAttributes)
		text := all["RedriveAllowPolicy"]
		if text == "" {
			return facts.Known[*facts.RedriveAllow](nil, o)
		}
		var p struct {
			Permission string   `json:"redrivePermission"`
			Sources    []string `json:"sourceQueueArns"`
		}
		if json.Unmarshal([]byte(text), &p) != nil || p.Permission == "" {
			return facts.Unknown[*facts.RedriveAllow](facts.Unreadable, o)
		}
		return facts.Known(&facts.RedriveAllow{Permission: p.Permission, Sources: p.Sources}, o)
	})
}

// alarms are known only where those of every region are.
func (c *converter) alarms() facts.Value[[]facts.Alarm] {
	all := []facts.Alarm{}
	o := fromAWS(actionDescribeAlarms)
	if len(c.snapshot.Alarms) == 0 {
		return facts.Unknown[[]facts.Alarm](facts.NotCollected, o)
	}
	for _, region := range c.snapshot.Alarms {
		of := value(region.Alarms, actionDescribeAlarms, func(alarms []Alarm) facts.Value[[]Alarm] { return facts.Known(alarms, o) })
		alarms, ok := of.Get()
		if !ok {
			return facts.Unknown[[]facts.Alarm](of.Cause(), of.Origin())
		}
		for _, a := range alarms {
			alarm := facts.Alarm{Name: a.Name}
			for _, w := range a.Watches {
				queue := facts.Known(w.Queue, o)
				if w.Queue == "" {
					queue = facts.Unknown[string](facts.NotResolved, o)
				}
				alarm.Watches = append(alarm.Watches, facts.Watch{Metric: w.Metric, Queue: queue})
			}
			all = append(all, alarm)
		}
	}
	return facts.Known(all, o)
}
