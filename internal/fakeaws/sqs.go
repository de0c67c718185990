package fakeaws

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
)

// Queue is a queue. QueueArn is added to its attributes.
type Queue struct {
	Name       string
	Region     string // empty: us-east-1
	Account    string // empty: Account
	Attributes map[string]string
}

func (q *Queue) region() string { return either(q.Region, "us-east-1") }

// ARN is the queue's ARN.
func (q *Queue) ARN() string {
	return "arn:aws:sqs:" + q.region() + ":" + either(q.Account, Account) + ":" + q.Name
}

func (s *Server) url(q *Queue) string {
	return "https://sqs." + q.region() + ".amazonaws.com/" + either(q.Account, Account) + "/" + q.Name
}

func either(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

type sqsRequest struct {
	QueueName       string
	QueueURL        string `json:"QueueUrl"`
	Owner           string `json:"QueueOwnerAWSAccountId"`
	QueueNamePrefix string
	AttributeNames  []string
	MaxResults      int
	NextToken       string
}

func (s *Server) sqs(w http.ResponseWriter, call *Call, operation string, body []byte) {
	var in sqsRequest
	if err := json.Unmarshal(body, &in); err != nil {
		fail(w, "sqs", http.StatusBadRequest, "SerializationException", err.Error())
		return
	}
	call.About = either(in.QueueName, in.QueueURL[strings.LastIndexByte(in.QueueURL, '/')+1:])
	if how := s.record(call); how != nil {
		how(w, "sqs")
		return
	}
	switch operation {
	case "GetQueueUrl":
		s.getQueueURL(w, call.Region, in)
	case "GetQueueAttributes":
		s.getQueueAttributes(w, call.Region, in)
	case "ListQueues":
		var urls []string
		for i := range s.Queues {
			if q := &s.Queues[i]; q.region() == call.Region && q.Account == "" && strings.HasPrefix(q.Name, in.QueueNamePrefix) {
				urls = append(urls, s.url(q))
			}
		}
		s.listURLs(w, "QueueUrls", urls, in)
	case "ListDeadLetterSourceQueues":
		s.deadLetterSources(w, call.Region, in)
	default:
		fail(w, "sqs", http.StatusBadRequest, "InvalidAction", operation)
	}
}

func (s *Server) queue(region string, in sqsRequest) *Queue {
	for i := range s.Queues {
		q := &s.Queues[i]
		named := in.QueueName == q.Name && (in.Owner == "" || in.Owner == either(q.Account, Account))
		if q.region() == region && (named || in.QueueURL == s.url(q)) {
			return q
		}
	}
	return nil
}

func noSuchQueue(w http.ResponseWriter) {
	w.Header().Set("X-Amzn-Query-Error", "AWS.SimpleQueueService.NonExistentQueue;Sender")
	fail(w, "sqs", http.StatusBadRequest, "com.amazonaws.sqs#QueueDoesNotExist", "The specified queue does not exist.")
}

func (s *Server) getQueueURL(w http.ResponseWriter, region string, in sqsRequest) {
	q := s.queue(region, in)
	if q == nil {
		noSuchQueue(w)
		return
	}
	writeJSON(w, map[string]any{"QueueUrl": s.url(q)})
}

// getQueueAttributes tells nothing that was not asked for, as SQS does.
func (s *Server) getQueueAttributes(w http.ResponseWriter, region string, in sqsRequest) {
	q := s.queue(region, in)
	if q == nil {
		noSuchQueue(w)
		return
	}
	told := map[string]string{}
	for _, name := range in.AttributeNames {
		for have, text := range q.Attributes {
			if name == "All" || name == have {
				told[have] = text
			}
		}
		if name == "All" || name == "QueueArn" {
			told["QueueArn"] = q.ARN()
		}
	}
	writeJSON(w, map[string]any{"Attributes": told})
}

func (s *Server) deadLetterSources(w http.ResponseWriter, region string, in sqsRequest) {
	target := s.queue(region, in)
	if target == nil {
		noSuchQueue(w)
		return
	}
	var urls []string
	for i := range s.Queues {
		var policy struct {
			Target string `json:"deadLetterTargetArn"`
		}
		q := &s.Queues[i]
		if json.Unmarshal([]byte(q.Attributes["RedrivePolicy"]), &policy) == nil && policy.Target == target.ARN() {
			urls = append(urls, s.url(q))
		}
	}
	s.listURLs(w, "queueUrls", urls, in)
}

// listURLs has the trap of SQS: without MaxResults the list is cut at 1,000,
// and there is no token for the rest.
func (s *Server) listURLs(w http.ResponseWriter, key string, urls []string, in sqsRequest) {
	size, token := in.MaxResults, 0
	if in.NextToken != "" {
		token, _ = strconv.Atoi(in.NextToken)
	}
	if s.PageSize > 0 {
		size = min(size, s.PageSize)
	}
	if in.MaxResults == 0 {
		size = 1000
	}
	urls, next := page(urls, token, size)
	out := map[string]any{key: urls}
	if next > 0 && in.MaxResults > 0 {
		out["NextToken"] = strconv.Itoa(next)
	}
	writeJSON(w, out)
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	_ = json.NewEncoder(w).Encode(v) // the client may be gone
}
