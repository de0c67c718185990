package facts

import (
	"strings"
	"time"
)

// Deployment is everything that one run knows.
type Deployment struct {
	Queues []*Queue

	// Alarms are the CloudWatch alarms. In files they are unknown where none
	// is defined at all: then they are kept elsewhere.
	Alarms Value[[]Alarm]

	// Outage is the longest outage of a consumer that the queues must survive.
	Outage Value[time.Duration]

	// Unjoined are mappings whose event source could not be told.
	Unjoined []Unjoined

	// Ignores are the suppressions written in the sources.
	Ignores []Ignore
}

// Queue finds a queue by its id, or returns nil.
func (d *Deployment) Queue(id string) *Queue {
	for _, q := range d.Queues {
		if q.ID == id {
			return q
		}
	}
	return nil
}

// Call is one module call on the way to a resource, outermost first.
type Call struct {
	Module string // "module.orders"
	Pos    Pos
}

// Queue is an SQS queue.
type Queue struct {
	ID       string // unique in the deployment: the ARN, or the address
	Name     string
	Address  string // Terraform address, if any
	ARN      string
	URL      string
	Region   string
	External bool // defined elsewhere: a name or an ARN is all there is
	Pos      Pos  // the block that defines it
	Calls    []Call

	VisibilityTimeout Value[time.Duration]
	Retention         Value[time.Duration]
	Delay             Value[time.Duration]
	ReceiveWait       Value[time.Duration]
	FIFO              Value[bool]
	Redrive           Value[*Redrive]      // nil: no redrive policy
	RedriveAllow      Value[*RedriveAllow] // nil: no redrive allow policy

	// DeadLetterFor are the queues outside this deployment that name this one
	// as their dead-letter queue.
	DeadLetterFor Value[[]string]

	// Consumers are those that are known of. A known empty list means that no
	// event source mapping reads the queue: then some worker does.
	Consumers Value[[]*Consumer]

	// Rate is the arrival rate in messages per second.
	Rate Value[float64]

	Metrics QueueMetrics
}

// Redrive is a redrive policy.
type Redrive struct {
	Target          Value[string] // id of the dead-letter queue
	MaxReceiveCount Value[int]
}

// RedriveAllow is a redrive allow policy.
type RedriveAllow struct {
	Permission string   // allowAll, denyAll or byQueue
	Sources    []string // ids or ARNs, with byQueue
}

// QueueMetrics is what CloudWatch measured of a queue over the lookback.
type QueueMetrics struct {
	Lookback time.Duration

	NotVisibleMax  Value[float64]       // messages in flight at most
	OldestAge      Value[time.Duration] // age of the oldest message at most
	Sent           Value[float64]
	Received       Value[float64]
	Deleted        Value[float64]
	VisibleAtStart Value[float64]
	Visible        Value[Depth] // how the number of visible messages went
}

// Depth is how many messages were visible at the first data point of the
// lookback and at the highest one after it.
type Depth struct{ First, Max float64 }

// ConsumerKind says what reads a queue.
type ConsumerKind string

// The kinds of consumer.
const (
	Lambda ConsumerKind = "lambda" // an event source mapping
	Worker ConsumerKind = "worker" // anything that calls ReceiveMessage itself
	Pipe   ConsumerKind = "pipe"   // EventBridge Pipes
)

// Consumer is one reader of a queue.
type Consumer struct {
	ID       string // unique in the deployment: mapping address or UUID, or "worker"
	Address  string
	Kind     ConsumerKind
	Function string // the function's address, or its ARN or name where defined elsewhere
	Pos      Pos
	Calls    []Call

	// For Lambda mappings.
	FunctionTimeout         Value[time.Duration]
	BatchSize               Value[int]
	BatchingWindow          Value[time.Duration]
	ReportBatchItemFailures Value[bool]
	MaximumConcurrency      Value[*int] // nil: not limited on the mapping
	ProvisionedPollers      Value[*int] // most pollers in provisioned mode; nil: on-demand
	ReservedConcurrency     Value[*int] // nil: none reserved for the function
	Enabled                 Value[bool]
	Mappings                Value[[]Mapping] // all SQS mappings of the function, this one included
	Metrics                 FunctionMetrics

	Work Work
}

// FunctionName is the function as people call it: of an ARN the name, with its
// version or alias.
func (c *Consumer) FunctionName() string {
	if strings.HasPrefix(c.Function, "arn:") {
		if _, name, ok := strings.Cut(c.Function, ":function:"); ok {
			return name
		}
	}
	return c.Function
}

// Mapping is an event source mapping as far as it takes concurrency from its
// function.
type Mapping struct {
	ID                 string
	Enabled            Value[bool]
	MaximumConcurrency Value[*int]
	ProvisionedPollers Value[*int]
}

// FunctionMetrics is what CloudWatch measured of a function over the lookback.
type FunctionMetrics struct {
	Lookback      time.Duration
	Errors        Value[float64]
	Throttles     Value[float64]
	OtherTriggers Value[[]string] // other event sources whose invocations are in the same numbers
}

// Alarm is a CloudWatch alarm on SQS metrics.
type Alarm struct {
	Name    string
	Watches []Watch
}

// Watch is one metric that an alarm looks at, directly or in metric math.
type Watch struct {
	Metric string
	Queue  Value[string] // id or name of the queue
}

// Unjoined is a mapping whose source cannot be told to be a queue.
type Unjoined struct {
	Address  string
	Function string
	Reason   string
	Pos      Pos
}

// Ignore is a suppression: findings of a rule within the lines, or of the
// queue, are counted and not reported.
type Ignore struct {
	Rule   string
	Until  time.Time // zero: for good
	Reason string
	Pos    Pos

	File                string // with FirstLine and LastLine: what it covers
	FirstLine, LastLine int
	Queue               string // or: the id of the queue it covers
}
