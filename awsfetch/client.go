package awsfetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/smithy-go/logging"
	"github.com/aws/smithy-go/middleware"
)

// The calls that this package makes, and no others. They are functions, not
// interfaces: a client behind an interface would keep the code of each of its
// hundreds of operations in the program, several megabytes, since the linker
// must then expect any of them to be called by name.
type (
	operation[In, Out, Options any] = func(context.Context, *In, ...func(*Options)) (*Out, error)

	sqsAPI struct {
		ListQueues                 operation[sqs.ListQueuesInput, sqs.ListQueuesOutput, sqs.Options]
		ListDeadLetterSourceQueues operation[sqs.ListDeadLetterSourceQueuesInput, sqs.ListDeadLetterSourceQueuesOutput, sqs.Options]
		GetQueueUrl                operation[sqs.GetQueueUrlInput, sqs.GetQueueUrlOutput, sqs.Options]
		GetQueueAttributes         operation[sqs.GetQueueAttributesInput, sqs.GetQueueAttributesOutput, sqs.Options]
	}
	lambdaAPI struct {
		ListEventSourceMappings  operation[lambda.ListEventSourceMappingsInput, lambda.ListEventSourceMappingsOutput, lambda.Options]
		GetFunctionConfiguration operation[lambda.GetFunctionConfigurationInput, lambda.GetFunctionConfigurationOutput, lambda.Options]
		GetFunctionConcurrency   operation[lambda.GetFunctionConcurrencyInput, lambda.GetFunctionConcurrencyOutput, lambda.Options]
	}
	cloudwatchAPI struct {
		GetMetricData  operation[cloudwatch.GetMetricDataInput, cloudwatch.GetMetricDataOutput, cloudwatch.Options]
		DescribeAlarms operation[cloudwatch.DescribeAlarmsInput, cloudwatch.DescribeAlarmsOutput, cloudwatch.Options]
	}
)

// Bounds on waiting. An endpoint that never answers is given up after
// firstAnswer; later on each attempt has its own limit.
const (
	dialTimeout    = 3 * time.Second
	requestTimeout = 30 * time.Second
	attempts       = 5
)

// firstAnswer is a variable only so that a test need not wait for it.
var firstAnswer = 12 * time.Second

// load makes the SDK's configuration by its ordinary chain: environment,
// shared files, container and instance roles.
func load(ctx context.Context, o Options) (aws.Config, *atomic.Bool, error) {
	client := awshttp.NewBuildableClient(). // AWS_CA_BUNDLE works with this one only
						WithDialerOptions(func(d *net.Dialer) { d.Timeout = dialTimeout }).
						WithTimeout(requestTimeout)
	options := []func(*config.LoadOptions) error{
		config.WithHTTPClient(client),
		config.WithRetryMode(aws.RetryModeAdaptive),
		config.WithSharedConfigProfile(o.Profile),
		config.WithLogger(logging.Nop{}), // the SDK would write to stderr itself
	}
	cfg, err := config.LoadDefaultConfig(ctx, options...)
	if err != nil {
		return cfg, nil, &ReadError{doing: "load the AWS configuration", err: err,
			hint: "check --profile, AWS_PROFILE and the files they name"}
	}
	if cfg.RetryMaxAttempts == 0 { // neither AWS_MAX_ATTEMPTS nor a file says
		cfg.RetryMaxAttempts = attempts
	}
	if _, err := cfg.Credentials.Retrieve(ctx); err != nil {
		if ctx.Err() != nil {
			return cfg, nil, ctx.Err()
		}
		return cfg, nil, &ReadError{doing: "find AWS credentials", err: credentialsError(err),
			hint: "sign in (aws sso login), choose a --profile, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"}
	}
	seen := new(atomic.Bool)
	cfg.APIOptions = append(cfg.APIOptions, func(s *middleware.Stack) error { return s.Deserialize.Add(noteAnswer(seen), middleware.After) })
	return cfg, seen, nil
}

// credentialsError replaces the chain's last complaint, which is about the
// instance role whatever was tried before it.
func credentialsError(err error) error {
	var canceled *aws.RequestCanceledError
	if errors.As(err, &canceled) {
		return err
	}
	if strings.Contains(err.Error(), "IMDS") {
		return fmt.Errorf("none in the environment, the shared files or an instance role")
	}
	return err
}

// noteAnswer marks that some HTTP answer has come, whatever it says.
func noteAnswer(seen *atomic.Bool) middleware.DeserializeMiddleware {
	return middleware.DeserializeMiddlewareFunc("vtsize:answered", func(ctx context.Context, in middleware.DeserializeInput, next middleware.DeserializeHandler) (middleware.DeserializeOutput, middleware.Metadata, error) {
		out, metadata, err := next.HandleDeserialize(ctx, in)
		if out.RawResponse != nil {
			seen.Store(true)
		}
		return out, metadata, err
	})
}

// region is one region being read.
type region struct {
	name       string
	sqs        sqsAPI
	lambda     lambdaAPI
	cloudwatch cloudwatchAPI
}

// newRegion makes the clients of a region. An endpoint given on the command
// line goes before the environment's, as everywhere in AWS tools.
func newRegion(cfg aws.Config, name, endpoint string) *region {
	cfg.Region = name
	var base *string
	if endpoint != "" {
		base = &endpoint
	}
	q := sqs.NewFromConfig(cfg, func(o *sqs.Options) { o.BaseEndpoint = either(base, o.BaseEndpoint) })
	l := lambda.NewFromConfig(cfg, func(o *lambda.Options) { o.BaseEndpoint = either(base, o.BaseEndpoint) })
	w := cloudwatch.NewFromConfig(cfg, func(o *cloudwatch.Options) { o.BaseEndpoint = either(base, o.BaseEndpoint) })
	return &region{
		name:       name,
		sqs:        sqsAPI{q.ListQueues, q.ListDeadLetterSourceQueues, q.GetQueueUrl, q.GetQueueAttributes},
		lambda:     lambdaAPI{l.ListEventSourceMappings, l.GetFunctionConfiguration, l.GetFunctionConcurrency},
		cloudwatch: cloudwatchAPI{w.GetMetricData, w.DescribeAlarms},
	}
}

func either(a, b *string) *string {
	if a != nil {
		return a
	}
	return b
}
