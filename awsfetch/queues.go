package awsfetch

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"vtsize/facts"
)

// keptAttributes are those that facts are made from. AWS is asked for All and
// the rest, as the queue's policy, is dropped: one request costs the same, and
// an attribute that the region does not know would be refused by name.
var keptAttributes = map[string]bool{
	"VisibilityTimeout": true, "MessageRetentionPeriod": true, "DelaySeconds": true,
	"ReceiveMessageWaitTimeSeconds": true, "FifoQueue": true, "RedrivePolicy": true,
	"RedriveAllowPolicy": true, "CreatedTimestamp": true,
}

// readQueues finds and reads the queues asked for.
func (r *reader) readQueues(ctx context.Context, p place) {
	each(p.refs, func(ref Ref) {
		q, err := r.readNamed(ctx, ref)
		if err != nil {
			r.fail(err)
			return
		}
		if q != nil {
			r.add(q)
			if ref.Account == "" {
				r.isHome(q.account())
			}
		}
	})
	if !p.list {
		return
	}
	urls := r.listQueues(ctx, p.prefix)
	each(urls, func(url string) {
		if q := r.readQueue(ctx, url, r.region.name); q.ARN != "" {
			q.Asked = true
			r.add(q)
			r.isHome(q.account()) // other accounts' queues are never listed
		}
	})
}

func (r *reader) isHome(account string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.home = account
}

// readNamed reads a queue that was named; one that cannot be read is an error.
// Both results are nil when the whole Fetch has been given up.
func (r *reader) readNamed(ctx context.Context, ref Ref) (*Queue, error) {
	url := ref.URL
	if url == "" {
		var failure *Failure
		if url, failure = r.queueURL(ctx, ref, r.region.name); failure != nil {
			return nil, r.unreadable(ref, failure)
		}
	}
	if url == "" {
		return nil, nil
	}
	q := r.readQueue(ctx, url, r.region.name)
	if failure := q.Attributes.Failure; failure != nil {
		return nil, r.unreadable(ref, failure)
	}
	q.Asked = true
	return q, nil
}

// unreadable is the error about a named queue.
func (r *reader) unreadable(ref Ref, f *Failure) error {
	e := &ReadError{Queue: ref.String(), Region: r.region.name, doing: fmt.Sprintf("read queue %q in %s", ref, r.region.name)}
	switch cause, _ := facts.ParseCause(f.Cause); cause {
	case facts.NoData:
		e.err = fmt.Errorf("no such queue, or no access to it")
		e.hint = "check the name, --region and --profile; --all lists every queue there is"
	case facts.Denied:
		e.err = fmt.Errorf("not allowed to call %s (%s)", f.Action, f.Code)
		e.hint = "allow it; `vtsize policy` prints the IAM policy needed"
		if f.Action == actionGetQueueURL {
			e.hint += "; or name the queue by its URL, which does without this call"
		}
	default:
		e.err = fmt.Errorf("%s gave no usable answer%s", f.Action, codeSuffix(f.Code))
		e.hint = "check --endpoint-url and AWS_ENDPOINT_URL; try again later if AWS throttles"
	}
	return e
}

func codeSuffix(code string) string {
	if code == "" {
		return ""
	}
	return " (" + code + ")"
}

// queueURL asks for the URL of a queue. An empty URL without a failure means
// that the whole Fetch has been given up.
func (r *reader) queueURL(ctx context.Context, ref Ref, region string) (string, *Failure) {
	in := &sqs.GetQueueUrlInput{QueueName: &ref.Name}
	if ref.Account != "" {
		in.QueueOwnerAWSAccountId = &ref.Account
	}
	out, failure, ok := ask(ctx, r.calls, actionGetQueueURL, func(ctx context.Context) (*sqs.GetQueueUrlOutput, error) {
		return r.region.sqs.GetQueueUrl(ctx, in, inRegion(region))
	})
	if !ok {
		return "", failure
	}
	if url := aws.ToString(out.QueueUrl); url != "" {
		return url, nil
	}
	return "", broken(actionGetQueueURL)
}

func inRegion(region string) func(*sqs.Options) {
	return func(o *sqs.Options) { o.Region = region }
}

// readQueue reads the attributes of a queue. The ARN is the one that the queue
// itself tells, or else made from the URL.
func (r *reader) readQueue(ctx context.Context, url, region string) *Queue {
	q := &Queue{URL: url, ARN: arnOfURL(url, region)}
	out, failure, ok := ask(ctx, r.calls, actionGetQueueAttributes, func(ctx context.Context) (*sqs.GetQueueAttributesOutput, error) {
		return r.region.sqs.GetQueueAttributes(ctx, &sqs.GetQueueAttributesInput{
			QueueUrl: &url, AttributeNames: []types.QueueAttributeName{types.QueueAttributeNameAll},
		}, inRegion(region))
	})
	if !ok {
		q.Attributes.Failure = failure
		return q
	}
	kept := map[string]string{}
	for name, text := range out.Attributes {
		if keptAttributes[name] {
			kept[name] = text
		}
	}
	if arn := out.Attributes[string(types.QueueAttributeNameQueueArn)]; arn != "" {
		q.ARN = arn
	}
	if len(kept) == 0 || q.ARN == "" {
		q.Attributes.Failure = broken(actionGetQueueAttributes)
		return q
	}
	q.Attributes = answered(kept)
	return q
}

// listQueues lists the URLs of queues. Without MaxResults AWS cuts the list
// at 1,000 and gives no token for the rest.
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ListQueues.html (read 2026-11-30)
func (r *reader) listQueues(ctx context.Context, prefix string) []string {
	in := sqs.ListQueuesInput{MaxResults: aws.Int32(1000)}
	if prefix != "" {
		in.QueueNamePrefix = &prefix
	}
	found := pages(ctx, r.calls, actionListQueues, func(ctx context.Context, token *string) ([]string, *string, error) {
		in := in
		in.NextToken = token
		out, err := r.region.sqs.ListQueues(ctx, &in)
		if err != nil {
			return nil, nil, err
		}
		return out.QueueUrls, out.NextToken, nil
	})
	if f := found.Failure; f != nil {
		e := &ReadError{Region: r.region.name, doing: "list queues in " + r.region.name,
			err: fmt.Errorf("%s gave no usable answer%s", f.Action, codeSuffix(f.Code))}
		if f.Cause == facts.Denied.String() {
			e.err = fmt.Errorf("not allowed to call %s%s", f.Action, codeSuffix(f.Code))
			e.hint = "allow it (`vtsize policy` prints the IAM policy needed), or name queues with --queue"
		}
		r.fail(e)
	}
	if found.Value == nil {
		return nil
	}
	return *found.Value
}
