package awsfetch_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vtsize/awsfetch"
)

func TestParseRef(t *testing.T) {
	long := strings.Repeat("q", 80)
	for in, want := range map[string]awsfetch.Ref{
		"orders":       {Name: "orders"},
		"a_B-9.fifo":   {Name: "a_B-9.fifo"},
		long:           {Name: long},
		"123456789012": {Name: "123456789012"},
		"arn:aws:sqs:eu-west-1:123456789012:orders":                        {Name: "orders", Region: "eu-west-1", Account: "123456789012", Partition: "aws"},
		"arn:aws-cn:sqs:cn-north-1:123456789012:o.fifo":                    {Name: "o.fifo", Region: "cn-north-1", Account: "123456789012", Partition: "aws-cn"},
		"arn:aws-us-gov:sqs:us-gov-west-1:123456789012:o":                  {Name: "o", Region: "us-gov-west-1", Account: "123456789012", Partition: "aws-us-gov"},
		"https://sqs.eu-west-1.amazonaws.com/123456789012/orders":          {Name: "orders", Region: "eu-west-1", Account: "123456789012"},
		"https://eu-west-1.queue.amazonaws.com/123456789012/orders":        {Name: "orders", Region: "eu-west-1", Account: "123456789012"},
		"https://queue.amazonaws.com/123456789012/orders":                  {Name: "orders", Region: "us-east-1", Account: "123456789012"},
		"https://sqs.cn-north-1.amazonaws.com.cn/123456789012/orders":      {Name: "orders", Region: "cn-north-1", Account: "123456789012"},
		"https://sqs.us-east-1.api.aws/123456789012/orders":                {Name: "orders", Region: "us-east-1", Account: "123456789012"},
		"https://vpce-0a1.sqs.us-east-2.vpce.amazonaws.com/123456789012/o": {Name: "o", Region: "us-east-2", Account: "123456789012"},
		"http://127.0.0.1:4566/000000000000/orders":                        {Name: "orders", Account: "000000000000"},
		"http://localhost:4566/queue/us-east-1/000000000000/orders":        {Name: "orders", Account: "000000000000"},
	} {
		got, err := awsfetch.ParseRef(in)
		if strings.Contains(in, "://") {
			want.URL = in
		}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: error %v (-want +got):\n%s", in, err, diff)
		}
	}
}

func TestParseRefOfWhatIsNoQueue(t *testing.T) {
	for in, want := range map[string]string{
		"":                                       "it is empty",
		"or ders":                                "letters, digits, - and _",
		"orders.fif":                             "letters, digits, - and _",
		".fifo":                                  "letters, digits, - and _",
		"a.fifo.fifo":                            "letters, digits, - and _",
		"naïve":                                  "letters, digits, - and _",
		"x\x1b[31m":                              "letters, digits, - and _",
		strings.Repeat("q", 81):                  "it has 81 characters",
		"arn:aws:sqs":                            "too few parts",
		"arn:aws:sns:us-east-1:123456789012:t":   `of service "sns"`,
		"arn:aws:sqs:us-east-1:1234:orders":      "expected arn:aws:sqs:REGION:ACCOUNT:NAME",
		"arn:aws:sqs::123456789012:orders":       "expected arn:aws:sqs:REGION:ACCOUNT:NAME",
		"arn:aws:sqs:us-east-1:123456789012:a:b": "letters, digits, - and _",
		"arn:aws:sqs:us-east-1:123456789012:":    "it is empty",
		"ftp://sqs.us-east-1.amazonaws.com/123456789012/q":  "expected https://",
		"https://sqs.us-east-1.amazonaws.com/123456789012/": "not the URL of a queue",
		"https://sqs.us-east-1.amazonaws.com":               "it is empty",
		"https:///123456789012/q":                           "expected https://",
	} {
		_, err := awsfetch.ParseRef(in)
		var usage *awsfetch.UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want a UsageError with %q", in, err, want)
		}
	}
}

func FuzzParseRef(f *testing.F) {
	for _, seed := range []string{"orders.fifo", "arn:aws:sqs:eu-west-1:123456789012:orders", "https://sqs.eu-west-1.amazonaws.com/123456789012/orders", "://", "http://[::1", "arn:::::"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		r, err := awsfetch.ParseRef(in)
		if err != nil {
			return
		}
		if len(r.Name) == 0 || len(r.Name) > 80 || strings.ContainsAny(r.Name, ":/ ") {
			t.Errorf("%q has the name %q", in, r.Name)
		}
		if again, err := awsfetch.ParseRef(r.String()); err != nil || again != r {
			t.Errorf("%q became %q, which reads as %+v, %v", in, r.String(), again, err)
		}
	})
}
