package sizing

import "time"

// The limits of AWS that the arithmetic uses. [Limits] lists them with their
// sources.
const (
	DefaultVisibilityTimeout = 30 * time.Second
	MaxVisibilityTimeout     = 43_200 * time.Second
	// SafeTotalHold is the longest total from a receive that is safe to ask
	// for: a call a moment after the receive that asks for all of the twelve
	// hours is refused.
	SafeTotalHold = 43_195 * time.Second

	DefaultRetention = 345_600 * time.Second
	MinRetention     = 60 * time.Second
	MaxRetention     = 1_209_600 * time.Second

	InFlightQuota = 120_000

	DefaultMaxReceiveCount = 10
	LambdaMinReceives      = 5

	LambdaDefaultTimeout     = 3 * time.Second
	LambdaMaxTimeout         = 900 * time.Second
	LambdaManagedMaxTimeout  = 5_400 * time.Second
	LambdaTimeoutFactor      = 6
	LambdaDefaultBatch       = 10
	LambdaMaxBatch           = 10_000
	LambdaMaxBatchNoWindow   = 10
	LambdaMaxBatchFIFO       = 10
	LambdaMaxWindow          = 300 * time.Second
	LambdaLowTrafficWait     = 20 * time.Second
	LambdaMinConcurrency     = 2
	LambdaMaxConcurrency     = 1_000
	LambdaInvokesPerPoller   = 10
	LambdaMinProvisionedPoll = 2
)

// Limit is one figure of AWS with where and when it was read.
type Limit struct {
	Name   string
	Value  float64
	Unit   string
	Source string // URL of the official page or API reference
	Read   string // date, as 2026-11-30
}

const (
	sqsAPI = "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/"
	lamDG  = "https://docs.aws.amazon.com/lambda/latest/dg/"
	lamAPI = "https://docs.aws.amazon.com/lambda/latest/api/"
	read   = "2026-11-30"
)

// Limits is the table of AWS figures that vtsize relies on.
var Limits = []Limit{
	{"visibility timeout, default", 30, "seconds", sqsAPI + "API_SetQueueAttributes.html", read},
	{"visibility timeout, largest, and total from a receive", 43_200, "seconds", sqsAPI + "API_ChangeMessageVisibility.html", read},
	{"total from a receive, safe to ask for", 43_195, "seconds", "https://github.com/awsdocs/amazon-sqs-developer-guide/pull/40", read},
	{"message retention, default", 345_600, "seconds", sqsAPI + "API_SetQueueAttributes.html", read},
	{"message retention, smallest", 60, "seconds", sqsAPI + "API_SetQueueAttributes.html", read},
	{"message retention, largest", 1_209_600, "seconds", sqsAPI + "API_SetQueueAttributes.html", read},
	{"messages in flight of a queue, about", InFlightQuota, "messages", sqsAPI + "API_ChangeMessageVisibility.html", read},
	{"maxReceiveCount where the redrive policy leaves it out", DefaultMaxReceiveCount, "receives", sqsAPI + "API_SetQueueAttributes.html", read},
	{"maxReceiveCount for Lambda, at least", LambdaMinReceives, "receives", lamDG + "services-sqs-configure.html", read},
	{"function timeout, default", 3, "seconds", lamAPI + "API_CreateFunction.html", read},
	{"function timeout, largest", 900, "seconds", lamAPI + "API_CreateFunction.html", read},
	{"function timeout on Managed Instances, largest", 5_400, "seconds", lamAPI + "API_CreateFunction.html", read},
	{"visibility timeout over function timeout, advised", LambdaTimeoutFactor, "times", lamDG + "services-sqs-configure.html", read},
	{"batch size of a mapping, default", LambdaDefaultBatch, "messages", lamAPI + "API_CreateEventSourceMapping.html", read},
	{"batch size of a mapping, largest", LambdaMaxBatch, "messages", lamAPI + "API_CreateEventSourceMapping.html", read},
	{"batch size without a batching window, largest", LambdaMaxBatchNoWindow, "messages", lamAPI + "API_CreateEventSourceMapping.html", read},
	{"batching window, largest", 300, "seconds", lamAPI + "API_CreateEventSourceMapping.html", read},
	{"batching window, wait at low traffic", 20, "seconds", lamDG + "services-sqs-parameters.html", read},
	{"MaximumConcurrency of a mapping, smallest", LambdaMinConcurrency, "invocations", lamAPI + "API_ScalingConfig.html", read},
	{"MaximumConcurrency of a mapping, largest", LambdaMaxConcurrency, "invocations", lamAPI + "API_ScalingConfig.html", read},
	{"concurrent invocations of one provisioned poller", LambdaInvokesPerPoller, "invocations", lamDG + "services-sqs-scaling.html", read},
}
