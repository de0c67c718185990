package awsfetch_test

import (
	"testing"
	"time"

	"vtsize/awsfetch"
	"vtsize/facts"
)

// deployed makes facts of one queue with these attributes.
func deployed(t *testing.T, attributes map[string]string) *facts.Queue {
	t.Helper()
	s := &awsfetch.Snapshot{Queues: []awsfetch.Queue{{ARN: "arn:aws:sqs:us-east-1:123456789012:q", Asked: true,
		Attributes: awsfetch.Read[map[string]string]{Value: &attributes}}}}
	return find(t, s.Deployment(), "q")
}

const attributes = "sqs:GetQueueAttributes"

func TestMaxReceiveCount(t *testing.T) {
	const target = `"deadLetterTargetArn":"arn:aws:sqs:us-east-1:123456789012:dlq"`
	for policy, want := range map[string]int{
		`{` + target + `,"maxReceiveCount":5}`:    5,
		`{` + target + `,"maxReceiveCount":"5"}`:  5,
		`{` + target + `,"maxReceiveCount":1000}`: 1000,
	} {
		r := get(t, "redrive", deployed(t, map[string]string{"RedrivePolicy": policy}).Redrive)
		is(t, policy, r.MaxReceiveCount, want, attributes)
	}
	for _, policy := range []string{`{` + target + `}`, `{` + target + `,"maxReceiveCount":null}`} {
		r := get(t, "redrive", deployed(t, map[string]string{"RedrivePolicy": policy}).Redrive)
		is(t, policy, r.MaxReceiveCount, 10, "AWS default")
		if r.MaxReceiveCount.Origin().Kind != facts.Default {
			t.Errorf("%s: origin of kind %q", policy, r.MaxReceiveCount.Origin().Kind)
		}
	}
	for _, count := range []string{`0`, `-1`, `2.5`, `"many"`, `[]`, `99999999999999999999`} {
		policy := `{` + target + `,"maxReceiveCount":` + count + `}`
		r := get(t, "redrive", deployed(t, map[string]string{"RedrivePolicy": policy}).Redrive)
		gap(t, policy, r.MaxReceiveCount, facts.Unreadable, attributes)
	}
}

func TestPoliciesThatCannotBeRead(t *testing.T) {
	for _, policy := range []string{`{`, `[]`, `{}`, `"x"`, `{"deadLetterTargetArn":7}`} {
		q := deployed(t, map[string]string{"RedrivePolicy": policy, "RedriveAllowPolicy": policy})
		gap(t, policy, q.Redrive, facts.Unreadable, attributes)
		gap(t, policy, q.RedriveAllow, facts.Unreadable, attributes)
	}
}

func TestAbsentAttributes(t *testing.T) {
	q := deployed(t, map[string]string{"VisibilityTimeout": "0"})
	is(t, "visibility timeout", q.VisibilityTimeout, 0, attributes)
	is(t, "redrive", q.Redrive, nil, attributes)
	is(t, "redrive allow policy", q.RedriveAllow, nil, attributes)
	is(t, "fifo", q.FIFO, false, attributes)
	gap(t, "retention", q.Retention, facts.NoData, attributes)
}

func TestSecondsThatAreNone(t *testing.T) {
	for _, text := range []string{"", "-1", "1.5", "PT30S", "9999999999999999999999"} {
		gap(t, text, deployed(t, map[string]string{"VisibilityTimeout": text}).VisibilityTimeout, facts.Unreadable, attributes)
	}
}

// The dead-letter queue of a snapshot that somebody cut stays visible.
func TestTargetThatIsNotInTheSnapshot(t *testing.T) {
	s := awsfetch.Demo()
	for i, q := range s.Queues {
		if q.Name() == "orders-dlq" {
			s.Queues = append(s.Queues[:i], s.Queues[i+1:]...)
			break
		}
	}
	dlq := find(t, s.Deployment(), "orders-dlq")
	if !dlq.External {
		t.Error("it is not external")
	}
	gap(t, "retention", dlq.Retention, facts.NotCollected, "")
}

func TestDepthIsOfAllTheWindow(t *testing.T) {
	q := find(t, awsfetch.Demo().Deployment(), "orders-dlq")
	if q.Metrics.Lookback != 14*24*time.Hour {
		t.Errorf("lookback %v", q.Metrics.Lookback)
	}
	is(t, "depth", q.Metrics.Visible, facts.Depth{First: 0, Max: 37}, "cloudwatch:GetMetricData")
}
