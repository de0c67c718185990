package awsfetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"vtsize/facts"
)

// UsageError is a mistake in what was asked for. Nothing was read.
type UsageError struct {
	problem string
	hint    string
}

// Error says what is wrong.
func (e *UsageError) Error() string { return e.problem }

// Hint is a next step, or empty.
func (e *UsageError) Hint() string { return e.hint }

func usagef(format string, args ...any) *UsageError {
	return &UsageError{problem: fmt.Sprintf(format, args...)}
}

// ReadError says that something asked for could not be read.
type ReadError struct {
	Queue  string // the queue as it was named; empty: it is not about one queue
	Region string
	hint   string
	doing  string
	err    error
}

// Error says what was being done and why it failed, in one line.
func (e *ReadError) Error() string { return e.doing + ": " + reason(e.err) }

// Unwrap gives the error of the SDK.
func (e *ReadError) Unwrap() error { return e.err }

// Hint is a next step, or empty.
func (e *ReadError) Hint() string { return e.hint }

// Codes of AWS errors by what they mean. SQS puts "AWS.SimpleQueueService."
// before some of them; code strips it.
var (
	// The caller may not do this: other calls can still work.
	deniedCodes = map[string]bool{
		"AccessDenied": true, "AccessDeniedException": true, "AuthorizationError": true,
		"AuthorizationErrorException": true, "Forbidden": true, "ForbiddenException": true,
		"KmsAccessDenied": true, "KMSAccessDeniedException": true, "NotAuthorized": true,
		"UnauthorizedOperation": true, "AuthorizationFailure": true,
	}
	// The credentials themselves are no good: no call can work.
	credentialCodes = map[string]bool{
		"AuthFailure": true, "ExpiredToken": true, "ExpiredTokenException": true,
		"IncompleteSignature": true, "IncompleteSignatureException": true,
		"InvalidAccessKeyId": true, "InvalidClientTokenId": true, "InvalidSignatureException": true,
		"MissingAuthenticationToken": true, "MissingAuthenticationTokenException": true,
		"RequestExpired": true, "SignatureDoesNotMatch": true, "TokenRefreshRequired": true,
		"UnrecognizedClientException": true,
	}
	// What was asked for does not exist.
	absentCodes = map[string]bool{
		"NonExistentQueue": true, "QueueDoesNotExist": true, "ResourceNotFoundException": true,
	}
)

func code(e smithy.APIError) string {
	return strings.TrimPrefix(e.ErrorCode(), "AWS.SimpleQueueService.")
}

// classify turns the error of one call into a failure of its facts, or says
// that no further call makes sense.
func classify(action string, err error) (f *Failure, fatal bool) {
	f = &Failure{Action: action, Cause: facts.Unreadable.String()}
	var api smithy.APIError
	var response *smithyhttp.ResponseError
	var broken *smithy.DeserializationError
	if errors.As(err, &api) {
		f.Code = code(api)
	} else if !errors.As(err, &broken) {
		return nil, true
	}
	if errors.As(err, &response) && (f.Code == "" || f.Code == "UnknownError") && response.HTTPStatusCode() >= http.StatusBadRequest {
		f.Code = fmt.Sprintf("HTTP status %d", response.HTTPStatusCode()) // a proxy, or no AWS at all
	}
	switch {
	case credentialCodes[f.Code]:
		return nil, true
	case absentCodes[f.Code]:
		f.Cause = facts.NoData.String()
	case deniedCodes[f.Code],
		response != nil && response.HTTPStatusCode() == http.StatusForbidden:
		f.Cause = facts.Denied.String()
	}
	return f, false
}

// reason is the part of an SDK error that a reader needs: the SDK's own text
// repeats the operation and the number of attempts, and ends in request ids.
func reason(err error) string {
	var api smithy.APIError
	var send *url.Error
	switch {
	case errors.As(err, &api):
		return strings.TrimSuffix(api.ErrorCode()+": "+oneLine(api.ErrorMessage()), ": ")
	case errors.As(err, &send):
		return fmt.Sprintf("no answer from %s: %v", origin(send.URL), send.Err)
	case errors.Is(err, context.DeadlineExceeded):
		return "no answer in time"
	}
	return oneLine(err.Error())
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// origin is the scheme and host of a URL.
func origin(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" {
		return s
	}
	return u.Scheme + "://" + u.Host
}

// fatalError explains an error after which no call makes sense.
func fatalError(err error) error {
	e := &ReadError{doing: "reach AWS", err: err}
	var api smithy.APIError
	if errors.As(err, &api) {
		e.doing = "use the AWS credentials"
		e.hint = "renew the credentials (aws sso login), or choose others with --profile; a region that the account has not enabled answers the same"
		return e
	}
	e.hint = "check the network, --region and --endpoint-url (AWS_ENDPOINT_URL)"
	return e
}

// broken is the failure of a call whose answer makes no sense.
func broken(action string) *Failure {
	return &Failure{Action: action, Cause: facts.Unreadable.String()}
}
