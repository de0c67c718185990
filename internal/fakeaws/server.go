// Package fakeaws is a small AWS for tests: SQS, Lambda and CloudWatch as far
// as an audit reads them, spoken over real HTTP to the real SDK. It does what
// no emulator does: percentiles, pages, settings of mappings, versions, and
// calls that are refused, throttled, slow or answered with nonsense.
//
// It holds requests to the limits of AWS: a question that AWS would refuse is
// refused here.
package fakeaws

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Account is the account that everything here belongs to.
const Account = "123456789012"

// Server is one AWS. What it holds is set before it is asked.
type Server struct {
	URL string

	Queues    []Queue
	Functions []Function
	Mappings  []Mapping
	Metrics   []Metric
	Alarms    []Alarm

	// Now is the time that the age of data is judged by; zero: the clock.
	Now time.Time

	// Delay is how long every call takes at least.
	Delay time.Duration

	// PageSize cuts pages shorter than AWS would; 0: as AWS does.
	PageSize int

	mu       sync.Mutex
	calls    []Call
	running  int
	most     int
	mischief []mischief
}

// Call is a call that was made.
type Call struct {
	Action string // "sqs:GetQueueUrl"
	Region string
	About  string // the queue, function or event source
}

// mischief makes calls of an action go wrong.
type mischief struct {
	action string // empty: any
	about  string // empty: any
	left   int    // how many calls; negative: all
	how    Mishap
}

// Mishap answers a call in place of the service.
type Mishap func(w http.ResponseWriter, service string)

// New starts a server on loopback that ends with the test.
func New(t testing.TB) *Server {
	s := new(Server)
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// Setenv points the SDK's ordinary chain at the server, with credentials and a
// region, and away from whatever the machine has configured.
func (s *Server) Setenv(t *testing.T) {
	t.Helper()
	Credentials(t)
	t.Setenv("AWS_ENDPOINT_URL", s.URL)
}

// Credentials gives the SDK's ordinary chain credentials and a region, and
// hides what the machine has configured.
func Credentials(t *testing.T) {
	t.Helper()
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_SESSION_TOKEN": "",
		"AWS_REGION": "us-east-1", "AWS_DEFAULT_REGION": "", "AWS_PROFILE": "",
		"AWS_CONFIG_FILE": t.TempDir() + "/none", "AWS_SHARED_CREDENTIALS_FILE": t.TempDir() + "/none",
		"AWS_ENDPOINT_URL": "", "AWS_ENDPOINT_URL_SQS": "", "AWS_ENDPOINT_URL_LAMBDA": "", "AWS_ENDPOINT_URL_CLOUDWATCH": "",
		"AWS_EC2_METADATA_DISABLED": "true",
	} {
		t.Setenv(name, value)
	}
}

// Misbehave makes the next n calls of an action go wrong, all of them if n is
// negative. An empty action is any.
func (s *Server) Misbehave(action string, n int, how Mishap) {
	s.MisbehaveAbout(action, "", n, how)
}

// MisbehaveAbout is Misbehave for calls about one queue, function or event
// source.
func (s *Server) MisbehaveAbout(action, about string, n int, how Mishap) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mischief = append(s.mischief, mischief{action, about, n, how})
}

// Calls are the calls made so far, retries included, in the order they came.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

// AtOnce is how many calls ran at the same time at most.
func (s *Server) AtOnce() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most
}

// ServeHTTP tells the services apart by how they are called.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	service, operation := "", ""
	target := r.Header.Get("X-Amz-Target")
	switch {
	case strings.HasPrefix(target, "AmazonSQS."):
		service, operation = "sqs", strings.TrimPrefix(target, "AmazonSQS.")
	case strings.HasPrefix(r.URL.Path, cloudwatchPath):
		service, operation = "cloudwatch", strings.TrimPrefix(r.URL.Path, cloudwatchPath)
	default:
		service, operation = "lambda", lambdaOperation(r)
	}
	call := Call{Action: service + ":" + operation, Region: signedRegion(r)}
	s.begin()
	defer s.end()
	time.Sleep(s.Delay)
	switch service {
	case "sqs":
		s.sqs(w, &call, operation, body)
	case "cloudwatch":
		s.cloudwatch(w, &call, operation, body)
	default:
		s.lambda(w, r, &call, operation)
	}
}

func (s *Server) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running++
	s.most = max(s.most, s.running)
}

func (s *Server) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running--
}

// record notes a call, and says how it goes wrong if it does.
func (s *Server) record(c *Call) Mishap {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, *c)
	for i := range s.mischief {
		m := &s.mischief[i]
		if m.left != 0 && (m.action == "" || m.action == c.Action) && (m.about == "" || m.about == c.About) {
			m.left--
			return m.how
		}
	}
	return nil
}

// scope is the part of a signature that names the region.
var scope = regexp.MustCompile(`Credential=[^/]+/[0-9]{8}/([a-z0-9-]+)/`)

func signedRegion(r *http.Request) string {
	if found := scope.FindStringSubmatch(r.Header.Get("Authorization")); found != nil {
		return found[1]
	}
	return ""
}

// page cuts items to a page: the items from the token on, and the next token.
func page[T any](items []T, token, size int) ([]T, int) {
	items = items[min(token, len(items)):]
	if size <= 0 || len(items) <= size {
		return items, 0
	}
	return items[:size], token + size
}

// Refused answers as IAM does.
func Refused(code string) Mishap {
	return func(w http.ResponseWriter, service string) {
		fail(w, service, http.StatusForbidden, code, "User: arn:aws:iam::"+Account+":user/reader is not authorized to perform this")
	}
}

// Failed answers with an error code.
func Failed(status int, code, message string) Mishap {
	return func(w http.ResponseWriter, service string) { fail(w, service, status, code, message) }
}

// Throttled answers as a service does that is called too often.
func Throttled() Mishap {
	return func(w http.ResponseWriter, service string) {
		fail(w, service, http.StatusTooManyRequests, map[string]string{
			"sqs": "RequestThrottled", "lambda": "TooManyRequestsException", "cloudwatch": "ThrottlingException",
		}[service], "Rate exceeded")
	}
}

// Answered gives a body of its own, as a proxy or a broken service might.
func Answered(status int, contentType, body string) Mishap {
	return func(w http.ResponseWriter, _ string) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body) // the client may be gone
	}
}

// Slow waits, or until the client goes, and then answers nothing.
func Slow(d time.Duration) Mishap {
	return func(http.ResponseWriter, string) { time.Sleep(d) }
}
