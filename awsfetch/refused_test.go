package awsfetch_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"vtsize/awsfetch"
	"vtsize/facts"
	"vtsize/internal/fakeaws"
)

// hint is what an error says to do next.
func hint(err error) string {
	var h interface{ Hint() string }
	if errors.As(err, &h) {
		return h.Hint()
	}
	return ""
}

func TestRefusedCallsLeaveTheRest(t *testing.T) {
	const denied, aws = facts.Denied, "lambda:GetFunctionConfiguration"
	for action, check := range map[string]func(*testing.T, *facts.Deployment, *facts.Queue){
		"lambda:ListEventSourceMappings": func(t *testing.T, _ *facts.Deployment, q *facts.Queue) {
			gap(t, "consumers", q.Consumers, denied, "lambda:ListEventSourceMappings")
		},
		aws: func(t *testing.T, _ *facts.Deployment, q *facts.Queue) {
			c := onlyConsumer(t, q)
			gap(t, "function timeout", c.FunctionTimeout, denied, aws)
			is(t, "batch size", c.BatchSize, 10, "lambda:ListEventSourceMappings")
		},
		"lambda:GetFunctionConcurrency": func(t *testing.T, _ *facts.Deployment, q *facts.Queue) {
			gap(t, "reserved concurrency", onlyConsumer(t, q).ReservedConcurrency, denied, "lambda:GetFunctionConcurrency")
		},
		"cloudwatch:GetMetricData": func(t *testing.T, _ *facts.Deployment, q *facts.Queue) {
			gap(t, "sent", q.Metrics.Sent, denied, "cloudwatch:GetMetricData")
			gap(t, "rate", q.Rate, denied, "cloudwatch:GetMetricData")
			c := onlyConsumer(t, q)
			gap(t, "stages", c.Work.Stages, denied, "cloudwatch:GetMetricData")
			gap(t, "errors", c.Metrics.Errors, denied, "cloudwatch:GetMetricData")
			is(t, "function timeout", c.FunctionTimeout, 50*time.Second, aws)
		},
		"cloudwatch:DescribeAlarms": func(t *testing.T, d *facts.Deployment, _ *facts.Queue) {
			gap(t, "alarms", d.Alarms, denied, "cloudwatch:DescribeAlarms")
		},
		"sqs:ListDeadLetterSourceQueues": func(t *testing.T, _ *facts.Deployment, q *facts.Queue) {
			gap(t, "sources", q.DeadLetterFor, denied, "sqs:ListDeadLetterSourceQueues")
		},
	} {
		t.Run(action, func(t *testing.T) {
			s := oneQueue(t)
			s.Misbehave(action, -1, fakeaws.Refused("AccessDeniedException"))
			d := fetch(t, awsfetch.Options{Queues: []string{"orders"}}).Deployment()
			q := find(t, d, "orders")
			is(t, "visibility timeout", q.VisibilityTimeout, 300*time.Second, "sqs:GetQueueAttributes")
			check(t, d, q)
		})
	}
}

// Every code that has been seen for a refused call, and one nobody has seen.
func TestRefusalCodes(t *testing.T) {
	for _, code := range []string{"AccessDenied", "AccessDeniedException", "AuthorizationError", "UnauthorizedOperation", "NeverHeardOf"} {
		s := oneQueue(t)
		s.Misbehave("lambda:GetFunctionConcurrency", -1, fakeaws.Refused(code))
		q := find(t, fetch(t, awsfetch.Options{Queues: []string{"orders"}}).Deployment(), "orders")
		gap(t, code, onlyConsumer(t, q).ReservedConcurrency, facts.Denied, "lambda:GetFunctionConcurrency")
	}
	// SQS answers 400, and puts its name before the code.
	s := oneQueue(t)
	s.Misbehave("sqs:ListDeadLetterSourceQueues", -1, fakeaws.Failed(http.StatusBadRequest, "AWS.SimpleQueueService.AccessDenied", "no"))
	q := find(t, fetch(t, awsfetch.Options{Queues: []string{"orders"}}).Deployment(), "orders")
	gap(t, "sources", q.DeadLetterFor, facts.Denied, "sqs:ListDeadLetterSourceQueues")
}

func TestOneMetricRefused(t *testing.T) {
	s := oneQueue(t)
	s.Metrics[0].Status = "Forbidden"
	s.Metrics[3].Status = "InternalError"
	q := find(t, fetch(t, awsfetch.Options{Queues: []string{"orders"}}).Deployment(), "orders")
	gap(t, "stages", onlyConsumer(t, q).Work.Stages, facts.Denied, "cloudwatch:GetMetricData")
	gap(t, "sent", q.Metrics.Sent, facts.Unreadable, "cloudwatch:GetMetricData (InternalError)")
	is(t, "received", q.Metrics.Received, 3900, "cloudwatch:GetMetricData")
}

func TestDeadLetterQueueThatCannotBeRead(t *testing.T) {
	elsewhere := `{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:999999999999:theirs","maxReceiveCount":3}`
	for name, c := range map[string]struct {
		policy string
		how    func(*fakeaws.Server)
		cause  facts.Cause
		origin string
	}{
		"deleted":         {redrive("gone", "3"), func(*fakeaws.Server) {}, facts.NoData, "sqs:GetQueueUrl (NonExistentQueue)"},
		"another account": {elsewhere, func(s *fakeaws.Server) {}, facts.NoData, "sqs:GetQueueUrl (NonExistentQueue)"},
		"refused": {elsewhere, func(s *fakeaws.Server) {
			s.Queues = append(s.Queues, fakeaws.Queue{Name: "theirs", Account: "999999999999"})
			s.MisbehaveAbout("sqs:GetQueueAttributes", "theirs", -1, fakeaws.Refused("AccessDenied"))
		}, facts.Denied, "sqs:GetQueueAttributes"},
	} {
		t.Run(name, func(t *testing.T) {
			s := oneQueue(t)
			s.Queues[0].Attributes["RedrivePolicy"] = c.policy
			c.how(s)
			d := fetch(t, awsfetch.Options{Queues: []string{"orders"}}).Deployment()
			r := get(t, "redrive", find(t, d, "orders").Redrive)
			dlq := d.Queue(get(t, "target", r.Target))
			if dlq == nil || !dlq.External {
				t.Fatalf("dead-letter queue %+v, want it there and external", dlq)
			}
			gap(t, "retention", dlq.Retention, c.cause, c.origin)
		})
	}
}

func TestDeadLetterQueueInAnotherRegionIsReadThere(t *testing.T) {
	s := oneQueue(t)
	s.Queues[0].Attributes["RedrivePolicy"] = `{"deadLetterTargetArn":"arn:aws:sqs:eu-west-1:123456789012:far","maxReceiveCount":3}`
	s.Queues = append(s.Queues, fakeaws.Queue{Name: "far", Region: "eu-west-1", Attributes: map[string]string{"MessageRetentionPeriod": "1209600"}})
	far := find(t, fetch(t, awsfetch.Options{Queues: []string{"orders"}}).Deployment(), "far")
	is(t, "retention", far.Retention, 14*24*time.Hour, "sqs:GetQueueAttributes")
}

func TestNamedQueueThatCannotBeRead(t *testing.T) {
	for name, c := range map[string]struct {
		queue      string
		action     string
		how        fakeaws.Mishap
		want, hint string
	}{
		"missing":            {"ordres", "", nil, `read queue "ordres" in us-east-1: no such queue, or no access to it`, "--region"},
		"refused its URL":    {"orders", "sqs:GetQueueUrl", fakeaws.Refused("AccessDenied"), `read queue "orders" in us-east-1: not allowed to call sqs:GetQueueUrl (AccessDenied)`, "by its URL"},
		"refused attributes": {"orders", "sqs:GetQueueAttributes", fakeaws.Refused("AccessDenied"), "not allowed to call sqs:GetQueueAttributes (AccessDenied)", "vtsize policy"},
		"nonsense":           {"orders", "sqs:GetQueueAttributes", fakeaws.Answered(200, "text/html", "<html>login</html>"), "sqs:GetQueueAttributes gave no usable answer", "--endpoint-url"},
		"no attributes":      {"orders", "sqs:GetQueueAttributes", fakeaws.Answered(200, "application/x-amz-json-1.0", "{}"), "sqs:GetQueueAttributes gave no usable answer", "--endpoint-url"},
		"a proxy":            {"orders", "sqs:GetQueueUrl", fakeaws.Answered(407, "text/plain", "who are you?"), "sqs:GetQueueUrl gave no usable answer (HTTP status 407)", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := oneQueue(t)
			if c.how != nil {
				s.MisbehaveAbout(c.action, "orders", -1, c.how)
			}
			_, err := awsfetch.Fetch(t.Context(), awsfetch.Options{Queues: []string{c.queue}, Now: now})
			var read *awsfetch.ReadError
			if !errors.As(err, &read) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("error %v, want a ReadError with %q in one line", err, c.want)
			}
			if read.Queue != c.queue || read.Region != "us-east-1" || !strings.Contains(hint(err), c.hint) {
				t.Errorf("it names queue %q in %q, hint %q", read.Queue, read.Region, hint(err))
			}
		})
	}
}

func TestOtherQueuesAreReadBesideOneThatIsMissing(t *testing.T) {
	oneQueue(t)
	s, err := awsfetch.Fetch(t.Context(), awsfetch.Options{Queues: []string{"nope", "orders", "neither"}, Now: now})
	if err == nil || !strings.Contains(err.Error(), `"nope"`) || !strings.Contains(err.Error(), `"neither"`) {
		t.Errorf("error %v, want both queues named", err)
	}
	if s == nil || len(s.Queues) != 2 {
		t.Fatalf("snapshot %v, want orders and its dead-letter queue in it", s)
	}
}

func TestListedQueueThatMayNotBeReadStays(t *testing.T) {
	s := oneQueue(t)
	s.MisbehaveAbout("sqs:GetQueueAttributes", "other", -1, fakeaws.Refused("AccessDenied"))
	q := find(t, fetch(t, awsfetch.Options{All: true}).Deployment(), "other")
	gap(t, "visibility timeout", q.VisibilityTimeout, facts.Denied, "sqs:GetQueueAttributes")
	if q.External {
		t.Error("a queue of the account is external")
	}
}

func TestListRefused(t *testing.T) {
	s := oneQueue(t)
	s.Misbehave("sqs:ListQueues", -1, fakeaws.Refused("AccessDenied"))
	_, err := awsfetch.Fetch(t.Context(), awsfetch.Options{All: true, Now: now})
	if want := "list queues in us-east-1: not allowed to call sqs:ListQueues (AccessDenied)"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// CloudWatch knows queues by name only: that of another account or region must
// not get the numbers and alarms of a namesake.
func TestNamesakeElsewhere(t *testing.T) {
	for name, target := range map[string]fakeaws.Queue{
		"another account": {Name: "orders-dlq", Account: "999999999999"},
		"another region":  {Name: "orders-dlq", Region: "eu-west-1"},
	} {
		s := oneQueue(t)
		target.Attributes = map[string]string{"MessageRetentionPeriod": "60"}
		s.Queues = append(s.Queues, target)
		s.Queues[0].Attributes["RedrivePolicy"] = `{"deadLetterTargetArn":"` + target.ARN() + `"}`
		d := fetch(t, awsfetch.Options{Queues: []string{"orders"}}).Deployment()
		dlq := d.Queue(target.ARN())
		is(t, "retention of "+name, dlq.Retention, time.Minute, "sqs:GetQueueAttributes")
		gap(t, "depth of "+name, dlq.Metrics.Visible, facts.NotCollected, "cloudwatch:GetMetricData")
		for _, a := range get(t, "alarms", d.Alarms) {
			if a.Name == "dead" {
				t.Errorf("%s: the alarm of a namesake watches it", name)
			}
		}
	}
	// The function tells which account is read, where the queue's name does not.
	s := oneQueue(t)
	s.Queues[0].Account = "999999999999"
	s.Mappings[0].Source = s.Queues[0].ARN()
	theirs := s.Queues[0].ARN()
	q := fetch(t, awsfetch.Options{Queues: []string{theirs}}).Deployment().Queue(theirs)
	gap(t, "sent", q.Metrics.Sent, facts.NotCollected, "cloudwatch:GetMetricData")
	is(t, "function timeout", onlyConsumer(t, q).FunctionTimeout, 50*time.Second, "lambda:GetFunctionConfiguration")
}
