package awsfetch

import (
	"context"
	"encoding/json"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

// readDeadLetterQueues reads the queues that the redrive policies name and
// that are not there already, wherever they are.
func (r *reader) readDeadLetterQueues(ctx context.Context, sources []*Queue) {
	have := map[string]bool{}
	for _, q := range sources {
		have[q.ARN] = true
	}
	var targets []Ref
	for _, q := range sources {
		target := deadLetterTarget(q)
		if target == "" || have[target] {
			continue
		}
		have[target] = true
		if ref, err := parseARN(target); err == nil {
			targets = append(targets, ref)
		}
	}
	each(targets, func(ref Ref) {
		q := &Queue{ARN: ref.String()}
		url, failure := r.queueURL(ctx, ref, ref.Region)
		if url != "" {
			q = r.readQueue(ctx, url, ref.Region)
			q.ARN = ref.String()
		}
		if failure != nil {
			q.Attributes.Failure = failure
		}
		r.add(q)
	})
}

// redrivePolicy is the attribute RedrivePolicy. maxReceiveCount is seen as a
// number and as a string.
type redrivePolicy struct {
	Target          string          `json:"deadLetterTargetArn"`
	MaxReceiveCount json.RawMessage `json:"maxReceiveCount"`
}

func deadLetterTarget(q *Queue) string {
	if q.Attributes.Value == nil {
		return ""
	}
	var p redrivePolicy
	if json.Unmarshal([]byte((*q.Attributes.Value)["RedrivePolicy"]), &p) != nil {
		return ""
	}
	return p.Target
}

// deadLetterSources lists the queues that name this one as their dead-letter
// queue. The paging has the same trap as [reader.listQueues].
func (r *reader) deadLetterSources(ctx context.Context, q *Queue) Read[[]string] {
	found := pages(ctx, r.calls, actionListDeadLetterSourceQueues, func(ctx context.Context, token *string) ([]string, *string, error) {
		out, err := r.region.sqs.ListDeadLetterSourceQueues(ctx, &sqs.ListDeadLetterSourceQueuesInput{
			QueueUrl: &q.URL, MaxResults: aws.Int32(1000), NextToken: token,
		})
		if err != nil {
			return nil, nil, err
		}
		return out.QueueUrls, out.NextToken, nil
	})
	if found.Value == nil {
		return found
	}
	arns := []string{}
	for _, url := range *found.Value {
		arn := arnOfURL(url, q.Region())
		if arn == "" {
			return Read[[]string]{Failure: broken(actionListDeadLetterSourceQueues)}
		}
		arns = append(arns, arn)
	}
	return answered(arns)
}
