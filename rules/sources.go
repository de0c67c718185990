package rules

// What the rules cite. The pages were read on 2026-11-30, in stored copies
// where no other is said.
var (
	srcLambdaConfigure  = Source{"Lambda: configuring an SQS event source", "https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html"}
	srcLambdaParameters = Source{"Lambda: parameters of SQS mappings", "https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-parameters.html"}
	srcLambdaErrors     = Source{"Lambda: errors of an SQS event source", "https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html"}
	srcLambdaScaling    = Source{"Lambda: scaling of an SQS event source", "https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html"}
	srcCreateMapping    = Source{"Lambda API: CreateEventSourceMapping", "https://docs.aws.amazon.com/lambda/latest/api/API_CreateEventSourceMapping.html"}
	srcCreateFunction   = Source{"Lambda API: CreateFunction", "https://docs.aws.amazon.com/lambda/latest/api/API_CreateFunction.html"}
	srcPollerConfig     = Source{"Lambda API: ProvisionedPollerConfig", "https://docs.aws.amazon.com/lambda/latest/api/API_ProvisionedPollerConfig.html"}
	srcRedriveBack      = Source{"SQS: moving messages out of a dead-letter queue", "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-configure-dead-letter-queue-redrive.html"}
	srcScalingConfig    = Source{"Lambda API: ScalingConfig", "https://docs.aws.amazon.com/lambda/latest/api/API_ScalingConfig.html"}
	srcLambdaMetrics    = Source{"Lambda: types of metrics", "https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html"}
	srcVisibility       = Source{"SQS: visibility timeout", "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-visibility-timeout.html"}
	srcChangeVisibility = Source{"SQS API: ChangeMessageVisibility", "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ChangeMessageVisibility.html"}
	srcReceive          = Source{"SQS API: ReceiveMessage", "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ReceiveMessage.html"}
	srcDelete           = Source{"SQS API: DeleteMessage", "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_DeleteMessage.html"}
	srcSetAttributes    = Source{"SQS API: SetQueueAttributes", "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SetQueueAttributes.html"}
	srcDeadLetter       = Source{"SQS: dead-letter queues", "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-dead-letter-queues.html"}
	srcDeadLetterAge    = Source{"SQS: retention of dead-letter queues", "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/setting-up-dead-letter-queue-retention.html"}
	srcQuotas           = Source{"SQS: queue quotas", "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-queues.html"}
	srcSQSMetrics       = Source{"SQS: CloudWatch metrics", "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html"}
	srcFIFOLogic        = Source{"SQS: FIFO delivery logic", "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/FIFO-queues-understanding-logic.html"}
	srcSQSTimeouts      = Source{"SQS: working with visibility timeouts", "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/working-with-visibility-timeouts.html"}
	srcPercentiles      = Source{"CloudWatch: statistics definitions", "https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Statistics-definitions.html"}
	srcTwelveHours      = Source{"SQS guide, pull request 40: setting all twelve hours after a receive", "https://github.com/awsdocs/amazon-sqs-developer-guide/pull/40"}
)
