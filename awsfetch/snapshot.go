package awsfetch

import (
	"slices"
	"strings"
	"time"

	"vtsize/facts"
)

// Schema is the version of the snapshot format, as it stands in the file.
const Schema = "vtsize.snapshot.v1"

// Snapshot is what AWS answered, as far as facts are made from it: no queue
// policies, no environment variables, no messages.
type Snapshot struct {
	Schema    string         `json:"schema"`
	TakenAt   time.Time      `json:"taken_at"`
	Window    Window         `json:"window"`
	Masked    bool           `json:"masked"` // account ids are not the real ones
	Queues    []Queue        `json:"queues"`
	Functions []Function     `json:"functions"`
	Alarms    []RegionAlarms `json:"alarms"`
}

// Window is the time that the metrics are of.
type Window struct {
	Start time.Time `json:"start"`
	End   time.Time `json:"end"`
}

// Read is the answer to one question: a value, or why there is none. With
// neither, the question was not asked.
type Read[T any] struct {
	Value   *T       `json:"value,omitempty"`
	Failure *Failure `json:"failure,omitempty"`
}

// Failure says why a call gave no answer.
type Failure struct {
	Action string `json:"action"`         // the IAM action: "lambda:GetFunctionConfiguration"
	Cause  string `json:"cause"`          // as facts.Cause: "denied", "no_data", "unreadable"
	Code   string `json:"code,omitempty"` // the code AWS gave: "AccessDeniedException"
}

// Queue is one queue and the answers about it.
type Queue struct {
	ARN   string `json:"arn"`
	URL   string `json:"url,omitempty"`
	Asked bool   `json:"asked"` // false: only met as the dead-letter queue of another

	// Attributes are those of GetQueueAttributes that facts are made from.
	Attributes        Read[map[string]string] `json:"attributes"`
	DeadLetterSources Read[[]string]          `json:"dead_letter_sources,omitzero"` // ARNs
	Mappings          Read[[]Mapping]         `json:"mappings,omitzero"`
	Metrics           []Series                `json:"metrics,omitempty"`
	StepMetrics       []StepSeries            `json:"step_metrics,omitempty"`
}

// Mapping is a Lambda event source mapping. What AWS left out is nil.
type Mapping struct {
	UUID               string   `json:"uuid"`
	EventSource        string   `json:"event_source"` // ARN
	Function           string   `json:"function"`     // ARN, with version or alias
	State              string   `json:"state,omitempty"`
	BatchSize          *int     `json:"batch_size,omitempty"`
	WindowSeconds      *int     `json:"batching_window_seconds,omitempty"`
	MaximumConcurrency *int     `json:"maximum_concurrency,omitempty"`
	Pollers            *Pollers `json:"provisioned_pollers,omitempty"`
	ResponseTypes      []string `json:"response_types,omitempty"`
}

// Pollers is the provisioned mode of a mapping.
type Pollers struct {
	Minimum *int `json:"minimum,omitempty"`
	Maximum *int `json:"maximum,omitempty"`
}

// Function is a Lambda function in the version or alias that a mapping names.
type Function struct {
	ARN           string              `json:"arn"`
	Configuration Read[Configuration] `json:"configuration"`
	Concurrency   Read[Concurrency]   `json:"concurrency"`
	Mappings      Read[[]Mapping]     `json:"mappings"` // of any service
	Metrics       []Series            `json:"metrics,omitempty"`
}

// Configuration is what is kept of a function's configuration.
type Configuration struct {
	TimeoutSeconds *int `json:"timeout_seconds,omitempty"`
}

// Concurrency is a function's reserved concurrency; nil: none reserved.
type Concurrency struct {
	Reserved *int `json:"reserved,omitempty"`
}

// Points are the data points of a metric by the start of their period.
type Points map[time.Time]float64

// Series is one statistic of one CloudWatch metric over the window.
type Series struct {
	Metric        string   `json:"metric"`
	Stat          string   `json:"stat"`               // "Sum", "p99"
	Resource      string   `json:"resource,omitempty"` // for Lambda: "orders:prod"; empty: all versions
	PeriodSeconds int      `json:"period_seconds"`
	Points        Points   `json:"points"`
	Failure       *Failure `json:"failure,omitempty"`
}

// StepSeries is a custom latency metric of the work on a queue's messages.
type StepSeries struct {
	Namespace  string            `json:"namespace"`
	Name       string            `json:"name"`
	Dimensions map[string]string `json:"dimensions,omitempty"`
	Unit       string            `json:"unit"`
	Basis      string            `json:"basis"` // "call" or "step"
	Series     []Series          `json:"series"`
}

// RegionAlarms are the alarms of a region that watch queues of the snapshot.
type RegionAlarms struct {
	Region string        `json:"region"`
	Alarms Read[[]Alarm] `json:"alarms"`
}

// Alarm is a CloudWatch alarm and the queue metrics it looks at.
type Alarm struct {
	Name    string  `json:"name"`
	Watches []Watch `json:"watches"`
}

// Watch is a metric of a queue. An empty queue means that it could not be told
// from the alarm's query.
type Watch struct {
	Metric string `json:"metric"`
	Queue  string `json:"queue,omitempty"` // ARN
}

// Name is the queue's name.
func (q *Queue) Name() string { return q.ARN[strings.LastIndexByte(q.ARN, ':')+1:] }

// Region is the queue's region.
func (q *Queue) Region() string { return q.part(3) }

func (q *Queue) account() string { return q.part(4) }

// part is one part of the ARN, arn:partition:sqs:region:account:name.
func (q *Queue) part(i int) string {
	if parts := strings.Split(q.ARN, ":"); len(parts) == 6 {
		return parts[i]
	}
	return ""
}

func (s *Snapshot) function(arn string) *Function {
	for i := range s.Functions {
		if s.Functions[i].ARN == arn {
			return &s.Functions[i]
		}
	}
	return nil
}

// sort puts everything that has no order of its own into one: the same answers
// give the same file.
func (s *Snapshot) sort() {
	slices.SortFunc(s.Queues, func(a, b Queue) int { return strings.Compare(a.ARN, b.ARN) })
	slices.SortFunc(s.Functions, func(a, b Function) int { return strings.Compare(a.ARN, b.ARN) })
	slices.SortFunc(s.Alarms, func(a, b RegionAlarms) int { return strings.Compare(a.Region, b.Region) })
	for _, q := range s.Queues {
		sortMappings(q.Mappings)
		if q.DeadLetterSources.Value != nil {
			slices.Sort(*q.DeadLetterSources.Value)
		}
	}
	for _, f := range s.Functions {
		sortMappings(f.Mappings)
	}
	for _, r := range s.Alarms {
		if r.Alarms.Value != nil {
			slices.SortFunc(*r.Alarms.Value, func(a, b Alarm) int { return strings.Compare(a.Name, b.Name) })
		}
	}
}

func sortMappings(r Read[[]Mapping]) {
	if r.Value != nil {
		slices.SortFunc(*r.Value, func(a, b Mapping) int { return strings.Compare(a.UUID, b.UUID) })
	}
}

func answered[T any](v T) Read[T] { return Read[T]{Value: &v} }

// value turns an answer into a fact. The action is where the question would
// have been asked, for the origin.
func value[T, V any](r Read[T], action string, f func(T) facts.Value[V]) facts.Value[V] {
	switch {
	case r.Failure != nil:
		return failed[V](r.Failure)
	case r.Value == nil:
		return facts.Unknown[V](facts.NotCollected, facts.Origin{Kind: facts.AWS, Detail: action})
	}
	return f(*r.Value)
}

// failed is the unknown fact of a failed call. Denied ones name the action
// alone, since that is what to allow.
func failed[V any](f *Failure) facts.Value[V] {
	cause, ok := facts.ParseCause(f.Cause)
	if !ok {
		cause = facts.Unreadable
	}
	detail := f.Action
	if cause != facts.Denied && f.Code != "" {
		detail += " (" + f.Code + ")"
	}
	return facts.Unknown[V](cause, facts.Origin{Kind: facts.AWS, Detail: detail})
}
