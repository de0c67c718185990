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

// The calls that this package makes, and no others.
type (
	sqsAPI interface {
		sqs.ListQueuesAPIClient
		sqs.ListDeadLetterSourceQueuesAPIClient
		GetQueueUrl(context.Context, *sqs.GetQueueUrlInput, ...func(*sqs.Options)) (*sqs.GetQueueUrlOutput, error)
		GetQueueAttributes(context.Context, *sqs.GetQueueAttributesInput, ...func(*sqs.Options)) (*sqs.GetQueueAttributesOutput, error)
	}
	lambdaAPI interface {
		lambda.ListEventSourceMappingsAPIClient
		GetFunctionConfiguration(context.Context, *lambda.GetFunctionConfigurationInput, ...func(*lambda.Options)) (*lambda.GetFunctionConfigurationOutput, error)
		GetFunctionConcurrency(context.Context, *lambda.GetFunctionConcurrencyInput, ...func(*lambda.Options)) (*lambda.GetFunctionConcurrencyOutput, error)
	}
	cloudwatchAPI interface {
		cloudwatch.GetMetricDataAPIClient
		cloudwatch.DescribeAlarmsAPIClient
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
	r := &region{name: name}
	r.sqs = sqs.NewFromConfig(cfg, func(o *sqs.Options) { o.BaseEndpoint = either(base, o.BaseEndpoint) })
	r.lambda = lambda.NewFromConfig(cfg, func(o *lambda.Options) { o.BaseEndpoint = either(base, o.BaseEndpoint) })
	r.cloudwatch = cloudwatch.NewFromConfig(cfg, func(o *cloudwatch.Options) { o.BaseEndpoint = either(base, o.BaseEndpoint) })
	return r
}

func either(a, b *string) *string {
	if a != nil {
		return a
	}
	return b
}
