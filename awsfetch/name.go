package awsfetch

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws/arn"
)

// Ref is a queue as somebody names it: by name, URL or ARN. What the name does
// not tell is empty.
type Ref struct {
	Name      string
	Region    string
	Account   string
	Partition string // "aws", "aws-cn"; from an ARN only
	URL       string // as given
}

// A queue name is "up to 80 characters: alphanumeric characters, hyphens and
// underscores", a FIFO queue's ends in ".fifo", which counts towards the 80.
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_CreateQueue.html (read 2026-11-30)
var (
	queueName   = regexp.MustCompile(`^[A-Za-z0-9_-]+(\.fifo)?$`)
	queuePrefix = regexp.MustCompile(`^[A-Za-z0-9_-]+(\.[a-z]*)?$`)
	accountID   = regexp.MustCompile(`^[0-9]{12}$`)
	regionName  = regexp.MustCompile(`^[a-z]{2,}(-[a-z]+)+-[0-9]+$`)
)

const longestQueueName = 80

// ParseRef reads a queue name, URL or ARN. The error is a [*UsageError].
func ParseRef(s string) (Ref, error) {
	switch {
	case strings.HasPrefix(s, "arn:"):
		return parseARN(s)
	case strings.Contains(s, "://"):
		return parseURL(s)
	}
	if err := checkName(s); err != nil {
		return Ref{}, usagef("%q is not a queue name, URL or ARN: %v", s, err)
	}
	return Ref{Name: s}, nil
}

// String gives the reference as AWS would be asked for it: an ARN where all of
// it is known, else the URL or the name.
func (r Ref) String() string {
	switch {
	case r.Partition != "" && r.Region != "" && r.Account != "":
		return "arn:" + r.Partition + ":sqs:" + r.Region + ":" + r.Account + ":" + r.Name
	case r.URL != "":
		return r.URL
	}
	return r.Name
}

func checkName(s string) error {
	switch {
	case s == "":
		return fmt.Errorf("it is empty")
	case len(s) > longestQueueName:
		return fmt.Errorf("it has %d characters, and a queue name at most %d", len(s), longestQueueName)
	case !queueName.MatchString(s):
		return fmt.Errorf("a queue name has letters, digits, - and _ only, and may end in .fifo")
	}
	return nil
}

func checkPrefix(s string) error {
	if len(s) > longestQueueName || !queuePrefix.MatchString(s) {
		return usagef("%q cannot begin a queue name: it has letters, digits, - and _ only, and at most %d characters", s, longestQueueName)
	}
	return nil
}

func parseARN(s string) (Ref, error) {
	a, err := arn.Parse(s)
	if err != nil {
		return Ref{}, usagef("%q is not the ARN of a queue: it has too few parts", s)
	}
	if a.Service != "sqs" {
		return Ref{}, usagef("%q is not the ARN of a queue: it is of service %q", s, a.Service)
	}
	if a.Partition == "" || !regionName.MatchString(a.Region) || !accountID.MatchString(a.AccountID) {
		return Ref{}, usagef("%q is not the ARN of a queue: expected arn:aws:sqs:REGION:ACCOUNT:NAME", s)
	}
	if err := checkName(a.Resource); err != nil {
		return Ref{}, usagef("%q is not the ARN of a queue: %v", s, err)
	}
	return Ref{Name: a.Resource, Region: a.Region, Account: a.AccountID, Partition: a.Partition}, nil
}

// parseURL reads https://sqs.REGION.amazonaws.com/ACCOUNT/NAME and its older
// forms. Emulators have other hosts: then the region stays unknown.
func parseURL(s string) (Ref, error) {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") {
		return Ref{}, usagef("%q is not the URL of a queue: expected https://sqs.REGION.amazonaws.com/ACCOUNT/NAME", s)
	}
	parts := strings.Split(strings.TrimPrefix(u.Path, "/"), "/")
	r := Ref{Name: parts[len(parts)-1], URL: s, Region: hostRegion(u.Hostname())}
	if err := checkName(r.Name); err != nil {
		return Ref{}, usagef("%q is not the URL of a queue: %v", s, err)
	}
	if len(parts) > 1 && accountID.MatchString(parts[len(parts)-2]) {
		r.Account = parts[len(parts)-2]
	}
	return r, nil
}

// hostRegion finds the region in a host of AWS: sqs.eu-west-1.amazonaws.com,
// vpce-1.sqs.eu-west-1.vpce.amazonaws.com, sqs.eu-west-1.api.aws and the
// legacy eu-west-1.queue.amazonaws.com.
func hostRegion(host string) string {
	if !strings.Contains(host, ".amazonaws.com") && !strings.HasSuffix(host, ".api.aws") {
		return ""
	}
	if host == "queue.amazonaws.com" {
		return "us-east-1"
	}
	for _, label := range strings.Split(host, ".") {
		if regionName.MatchString(label) {
			return label
		}
	}
	return ""
}

// partition is the partition that a region belongs to. Only the fallback for
// queues whose ARN AWS does not tell.
func partition(region string) string {
	switch {
	case strings.HasPrefix(region, "cn-"):
		return "aws-cn"
	case strings.HasPrefix(region, "us-gov-"):
		return "aws-us-gov"
	}
	return "aws"
}

// arnOfURL makes the ARN of a queue from its URL and the region it was found in.
func arnOfURL(queueURL, region string) string {
	r, err := ParseRef(queueURL)
	if err != nil || r.Account == "" {
		return ""
	}
	r.Region, r.Partition = region, partition(region)
	return r.String()
}

// function is a Lambda function as the ARN of a mapping names it.
type function struct {
	name      string
	qualifier string // version or alias; empty: $LATEST
	account   string
}

// parseFunction reads arn:aws:lambda:REGION:ACCOUNT:function:NAME[:QUALIFIER].
func parseFunction(s string) (function, bool) {
	a, err := arn.Parse(s)
	if err != nil || a.Service != "lambda" {
		return function{}, false
	}
	parts := strings.Split(a.Resource, ":")
	if len(parts) < 2 || len(parts) > 3 || parts[0] != "function" || parts[1] == "" {
		return function{}, false
	}
	f := function{name: parts[1], account: a.AccountID}
	if len(parts) == 3 && parts[2] != "$LATEST" {
		f.qualifier = parts[2]
	}
	return f, true
}

// qualified is the name with the qualifier, as the Resource dimension of
// CloudWatch has it.
func (f function) qualified() string {
	if f.qualifier == "" {
		return f.name
	}
	return f.name + ":" + f.qualifier
}

// isSQS reports whether an ARN is that of a queue.
func isSQS(s string) bool {
	a, err := arn.Parse(s)
	return err == nil && a.Service == "sqs"
}
