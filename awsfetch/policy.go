package awsfetch

import (
	"bytes"
	"encoding/json"
)

// The IAM actions of the calls, each named like its operation.
const (
	actionListQueues                 = "sqs:ListQueues"
	actionGetQueueURL                = "sqs:GetQueueUrl"
	actionGetQueueAttributes         = "sqs:GetQueueAttributes"
	actionListDeadLetterSourceQueues = "sqs:ListDeadLetterSourceQueues"
	actionListEventSourceMappings    = "lambda:ListEventSourceMappings"
	actionGetFunctionConfiguration   = "lambda:GetFunctionConfiguration"
	actionGetFunctionConcurrency     = "lambda:GetFunctionConcurrency"
	actionGetMetricData              = "cloudwatch:GetMetricData"
	actionDescribeAlarms             = "cloudwatch:DescribeAlarms"
)

// Action is an IAM action that an audit uses.
type Action struct {
	Name     string // "sqs:GetQueueAttributes"
	Resource string // the resource it can be limited to at most; "*": not at all
	Why      string
}

const (
	queueResource    = "arn:aws:sqs:*:*:*"
	functionResource = "arn:aws:lambda:*:*:function:*"
)

// actions is every call that this package makes. Which of them IAM can limit
// to a resource is from the service authorization reference.
// https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonsqs.html,
// list_awslambda.html, list_amazoncloudwatch.html (read 2026-11-30)
var actions = []Action{
	{actionListQueues, "*", "find queues for --prefix and --all; not needed for --queue"},
	{actionGetQueueURL, queueResource, "find a queue by its name or ARN, and dead-letter queues"},
	{actionGetQueueAttributes, queueResource, "visibility timeout, retention, redrive policy of queues and dead-letter queues"},
	{actionListDeadLetterSourceQueues, queueResource, "tell a dead-letter queue from others"},
	{actionListEventSourceMappings, "*", "find the Lambda consumers of a queue, and what else invokes them"},
	{actionGetFunctionConfiguration, functionResource, "function timeouts"},
	{actionGetFunctionConcurrency, functionResource, "reserved concurrency"},
	{actionGetMetricData, "*", "latency, load, errors and throttles over the lookback"},
	{actionDescribeAlarms, "*", "see which queue metrics have an alarm"},
}

// Actions lists the IAM actions that [Fetch] uses.
func Actions() []Action { return append([]Action(nil), actions...) }

// Policy is the smallest IAM policy that [Fetch] can do all its work with, as
// indented JSON. Outside the partition "aws" the ARNs begin differently.
func Policy() []byte {
	type statement struct {
		Sid      string
		Effect   string
		Action   []string
		Resource string
	}
	statements := []statement{
		{Sid: "VtsizeQueues", Resource: queueResource},
		{Sid: "VtsizeFunctions", Resource: functionResource},
		{Sid: "VtsizeLists", Resource: "*"},
	}
	for i := range statements {
		statements[i].Effect = "Allow"
		for _, a := range actions {
			if a.Resource == statements[i].Resource {
				statements[i].Action = append(statements[i].Action, a.Name)
			}
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	// Strings only: encoding cannot fail.
	_ = e.Encode(struct {
		Version   string
		Statement []statement
	}{"2012-10-17", statements})
	return b.Bytes()
}
