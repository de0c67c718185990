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

func TestThrottlingIsRetried(t *testing.T) {
	s := oneQueue(t)
	s.Misbehave("lambda:GetFunctionConfiguration", 1, fakeaws.Throttled())
	q := find(t, fetch(t, awsfetch.Options{Queues: []string{"orders"}}).Deployment(), "orders")
	is(t, "function timeout", onlyConsumer(t, q).FunctionTimeout, 50*time.Second, "lambda:GetFunctionConfiguration")
}

func TestThrottlingWithoutEnd(t *testing.T) {
	s := oneQueue(t)
	t.Setenv("AWS_MAX_ATTEMPTS", "2") // each further one waits longer
	s.Misbehave("lambda:GetFunctionConcurrency", -1, fakeaws.Throttled())
	q := find(t, fetch(t, awsfetch.Options{Queues: []string{"orders"}}).Deployment(), "orders")
	gap(t, "reserved concurrency", onlyConsumer(t, q).ReservedConcurrency, facts.Unreadable, "lambda:GetFunctionConcurrency (TooManyRequestsException)")
	tries := 0
	for _, c := range s.Calls() {
		if c.Action == "lambda:GetFunctionConcurrency" {
			tries++
		}
	}
	if tries != 2 {
		t.Errorf("%d attempts, want as many as AWS_MAX_ATTEMPTS says", tries)
	}
}

func TestBrokenAnswersAreGaps(t *testing.T) {
	for name, how := range map[string]fakeaws.Mishap{
		"html":      fakeaws.Answered(200, "text/html", "<html>"),
		"cut off":   fakeaws.Answered(200, "application/json", `{"EventSourceMappings":[{"UUID`),
		"an array":  fakeaws.Answered(200, "application/json", `[1,2]`),
		"no end":    fakeaws.Answered(200, "application/json", `{"EventSourceMappings":[],"NextMarker":"again"}`),
		"wrongtype": fakeaws.Answered(200, "application/json", `{"EventSourceMappings":"none"}`),
	} {
		s := oneQueue(t)
		s.Misbehave("lambda:ListEventSourceMappings", -1, how)
		q := find(t, fetch(t, awsfetch.Options{Queues: []string{"orders"}}).Deployment(), "orders")
		gap(t, name, q.Consumers, facts.Unreadable, "lambda:ListEventSourceMappings")
	}
}

func TestCredentialsThatAreNoGood(t *testing.T) {
	s := oneQueue(t)
	s.Misbehave("", -1, fakeaws.Failed(http.StatusForbidden, "ExpiredTokenException", "The security token included in the request is expired"))
	snapshot, err := awsfetch.Fetch(t.Context(), awsfetch.Options{Queues: []string{"orders"}, Now: now})
	if err == nil || snapshot != nil {
		t.Fatalf("snapshot %v, error %v", snapshot, err)
	}
	if want := "use the AWS credentials: ExpiredTokenException: The security token included in the request is expired"; err.Error() != want {
		t.Errorf("error %q, want %q", err, want)
	}
	if !strings.Contains(hint(err), "aws sso login") {
		t.Errorf("hint %q", hint(err))
	}
}

func TestNoCredentials(t *testing.T) {
	oneQueue(t)
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	_, err := awsfetch.Fetch(t.Context(), awsfetch.Options{Queues: []string{"orders"}, Now: now})
	if err == nil || !strings.HasPrefix(err.Error(), "find AWS credentials: none") || hint(err) == "" {
		t.Errorf("error %v, hint %q", err, hint(err))
	}
}

func TestNoRegion(t *testing.T) {
	oneQueue(t)
	t.Setenv("AWS_REGION", "")
	_, err := awsfetch.Fetch(t.Context(), awsfetch.Options{Queues: []string{"orders"}, Now: now})
	if err == nil || err.Error() != "choose an AWS region: none is set" || !strings.Contains(hint(err), "--region") {
		t.Errorf("error %v, hint %q", err, hint(err))
	}
}

func TestDeadEndpoint(t *testing.T) {
	s := oneQueue(t)
	_, err := awsfetch.Fetch(t.Context(), awsfetch.Options{Queues: []string{"nope"}, EndpointURL: "http://127.0.0.1:1", Now: now})
	if err == nil || !strings.HasPrefix(err.Error(), "reach AWS: no answer from http://127.0.0.1:1: ") || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v", err)
	}
	if len(s.Calls()) != 0 {
		t.Error("the endpoint of the environment was called in place of the one given")
	}
}

func TestEndpointThatNeverAnswers(t *testing.T) {
	awsfetch.ImpatientFor(t, 100*time.Millisecond)
	s := oneQueue(t)
	s.Misbehave("", -1, fakeaws.Slow(time.Second))
	_, err := awsfetch.Fetch(t.Context(), awsfetch.Options{Queues: []string{"orders"}, Now: now})
	if err == nil || err.Error() != "reach AWS: no answer within 100ms" {
		t.Errorf("error %v", err)
	}
}

func TestUsageErrorsBeforeAnyCall(t *testing.T) {
	s := oneQueue(t)
	step := awsfetch.StepMetric{Namespace: "N", Name: "m", Unit: "Seconds", Basis: facts.PerStep}
	bad := func(change func(*awsfetch.StepMetric)) []awsfetch.StepMetric {
		m := step
		change(&m)
		return []awsfetch.StepMetric{m}
	}
	for name, o := range map[string]awsfetch.Options{
		"nothing to read":    {},
		"bad name":           {Queues: []string{"no spaces"}},
		"empty name":         {Queues: []string{""}},
		"bad prefix":         {Prefix: "a*"},
		"short lookback":     {Queues: []string{"orders"}, Lookback: time.Minute},
		"negative lookback":  {Queues: []string{"orders"}, Lookback: -time.Hour},
		"long lookback":      {Queues: []string{"orders"}, Lookback: 500 * 24 * time.Hour},
		"bad region":         {Queues: []string{"orders"}, Regions: []string{"Ireland"}},
		"bad endpoint":       {Queues: []string{"orders"}, EndpointURL: "localhost:4566"},
		"unit":               {Queues: []string{"orders"}, StepMetrics: bad(func(m *awsfetch.StepMetric) { m.Unit = "Count" })},
		"basis":              {Queues: []string{"orders"}, StepMetrics: bad(func(m *awsfetch.StepMetric) { m.Basis = facts.PerInvocation })},
		"metric name":        {Queues: []string{"orders"}, StepMetrics: bad(func(m *awsfetch.StepMetric) { m.Name = "" })},
		"metric of which":    {All: true, StepMetrics: []awsfetch.StepMetric{step}},
		"two bases of a one": {Queues: []string{"orders"}, StepMetrics: append(bad(func(m *awsfetch.StepMetric) { m.Basis = facts.PerCall }), step)},
	} {
		_, err := awsfetch.Fetch(t.Context(), o)
		var usage *awsfetch.UsageError
		if !errors.As(err, &usage) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want a UsageError in one line", name, err)
		}
	}
	if calls := s.Calls(); len(calls) > 0 {
		t.Errorf("calls were made: %v", calls)
	}
}
