package sizing

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// Preset is how a client library retries by default, as read in its source.
type Preset struct {
	Name           string // as given to --sdk
	Title          string
	Version        string
	Read           string // month of the version or snapshot read
	Attempts       int    // 1 + retries
	Waits          []time.Duration
	MaxWait        time.Duration  // where further waits, each twice the last, end; 0: not known
	RequestTimeout RequestTimeout // of one attempt
	RetryAfter     RetryAfter
	Note           string
	Source         string // URL of the repository
	Files          string // where in it
}

// RequestTimeout is a client's timeout for one attempt: a bound, none, or
// left to something that the preset cannot know.
type RequestTimeout struct {
	Bound   time.Duration
	None    bool
	Unknown string // who decides it
}

func bound(d time.Duration) RequestTimeout { return RequestTimeout{Bound: d} }

var noTimeout = RequestTimeout{None: true}

// upTo is a Retry-After that is obeyed up to a number of seconds.
func upTo(seconds int) RetryAfter {
	d := time.Duration(seconds) * time.Second
	return RetryAfter{Obeyed: true, Cap: &d}
}

// waits makes a list of waits from seconds.
func waits(seconds ...float64) []time.Duration {
	ds := make([]time.Duration, len(seconds))
	for i, s := range seconds {
		ds[i] = time.Duration(math.Round(s * float64(time.Second)))
	}
	return ds
}

var (
	anyLength = RetryAfter{Obeyed: true}
	// awsHint is x-amz-retry-after: within [own wait, own wait + 5 s].
	awsHint = RetryAfter{Obeyed: true, Above: 5 * time.Second}
)

const noOwnTimeout = "the client of the model decides it"

// Presets are the clients whose retries were read in source. Waits are at
// their largest, with all jitter.
var Presets = []Preset{
	{"openai-python", "OpenAI Python", "3.3.1", "2026-08", 3, waits(0.5, 1), 8 * time.Second, bound(600 * time.Second), upTo(120),
		"a Retry-After above 120 s is not retried", "https://github.com/openai/openai-python", "src/openai/_constants.py, _base_client.py"},
	{"azure-openai-python", "AzureOpenAI Python", "3.3.1", "2026-08", 3, waits(0.5, 1), 8 * time.Second, bound(600 * time.Second), upTo(120),
		"", "https://github.com/openai/openai-python", "src/openai/lib/azure.py"},
	{"openai-node", "OpenAI Node.js", "7.59.0", "2026-11", 3, waits(0.5, 1), 8 * time.Second, bound(600 * time.Second), upTo(60),
		"above 60 s its own backoff is used", "https://github.com/openai/openai-node", "src/client.ts"},
	{"openai-node-v6", "OpenAI Node.js, version 6", "6.49.0", "2026-11", 3, waits(0.5, 1), 8 * time.Second, bound(600 * time.Second), anyLength,
		"", "https://github.com/openai/openai-node", "src/client.ts"},
	{"openai-go", "OpenAI Go", "3.99.0", "2026-11", 3, waits(0.5, 1), 8 * time.Second, noTimeout, upTo(120),
		"a Retry-After above 120 s is not retried", "https://github.com/openai/openai-go", "internal/requestconfig/requestconfig.go"},
	{"anthropic-python", "Anthropic Python", "0.121.0", "2026-08", 3, waits(0.5, 1), 8 * time.Second, bound(600 * time.Second), upTo(60),
		"above 60 s its own backoff is used", "https://github.com/anthropics/anthropic-sdk-python", "src/anthropic/_constants.py, _base_client.py"},
	{"anthropic-typescript", "Anthropic TypeScript", "1.14.0", "2026-11", 3, waits(0.5, 1), 8 * time.Second, bound(600 * time.Second), anyLength,
		"", "https://github.com/anthropics/anthropic-sdk-typescript", "src/client.ts"},
	{"anthropic-go", "Anthropic Go", "1.84.0", "2026-10", 3, waits(0.5, 1), 8 * time.Second, bound(600 * time.Second), anyLength,
		"the timeout is that of Messages without streaming", "https://github.com/anthropics/anthropic-sdk-go", "client.go, internal/requestconfig"},
	{"botocore-legacy", "botocore (boto3, Bedrock), legacy mode", "1.43.67", "2026-08", 5, waits(1, 2, 4, 8), Forever, bound(60 * time.Second), RetryAfter{},
		"the timeout is per socket read: a slow stream outlives it", "https://github.com/boto/botocore", "botocore/data/_retry.json, endpoint.py"},
	{"botocore-standard", "botocore (boto3, Bedrock), standard mode", "1.43.67", "2026-08", 3, waits(1, 2), 20 * time.Second, bound(60 * time.Second), RetryAfter{},
		"the timeout is per socket read: a slow stream outlives it", "https://github.com/boto/botocore", "botocore/retries/standard.py"},
	{"aws-sdk-go-v2", "AWS SDK for Go v2", "1.48.0", "2026-11", 3, waits(1, 2), 20 * time.Second, noTimeout, awsHint,
		"waits as when throttled; after other errors 0.05 s and 0.1 s", "https://github.com/aws/aws-sdk-go-v2", "aws/retry/jitter_backoff.go, middleware.go"},
	{"aws-sdk-go-v2-1.47", "AWS SDK for Go v2, up to 1.47", "1.47.0", "2026-11", 3, waits(2, 4), 20 * time.Second, noTimeout, RetryAfter{},
		"", "https://github.com/aws/aws-sdk-go-v2", "aws/retry/jitter_backoff.go, middleware.go"},
	{"aws-sdk-js-v3", "AWS SDK for JavaScript v3", "@smithy/core 3.41.1", "2026-11", 3, waits(1, 2), 20 * time.Second, noTimeout, awsHint,
		"waits as when throttled; after other errors 0.05 s and 0.1 s", "https://github.com/smithy-lang/smithy-typescript", "packages/core/src/submodules/retry"},
	{"google-genai-python", "Google Gen AI Python, without retry options", "2.19.0", "2026-10", 1, nil, 0, noTimeout, RetryAfter{},
		"it does not retry unless retry options are given", "https://github.com/googleapis/python-genai", "google/genai/_api_client.py"},
	{"google-genai-python-retry", "Google Gen AI Python, with retry options", "2.19.0", "2026-10", 5, waits(2, 3, 5, 9), 61 * time.Second, noTimeout, RetryAfter{},
		"1 s doubling, and up to 1 s of jitter each", "https://github.com/googleapis/python-genai", "google/genai/_api_client.py"},
	{"google-genai-js", "Google Gen AI JavaScript, without retry options", "2.32.0", "2026-11", 1, nil, 0, noTimeout, RetryAfter{},
		"it does not retry unless retry options are given", "https://github.com/googleapis/js-genai", "src/_api_client.ts"},
	{"google-genai-js-retry", "Google Gen AI JavaScript, with retry options", "2.32.0", "2026-11", 5, waits(1, 2, 4, 8), 60 * time.Second, noTimeout, RetryAfter{},
		"", "https://github.com/googleapis/js-genai", "src/_api_client.ts"},
	{"langchain-openai-python", "LangChain ChatOpenAI Python", "1.x", "2026-10", 3, waits(0.5, 1), 8 * time.Second, noTimeout, upTo(120),
		"it passes no timeout on, which turns off the client's 600 s", "https://github.com/langchain-ai/langchain", "issue 35597"},
	{"langchain-openai-js", "LangChain ChatOpenAI JavaScript", "@langchain/openai 1.5.8", "2026-11", 7, waits(2, 4, 8, 16, 32, 64), Forever, bound(600 * time.Second), RetryAfter{},
		"a 429 without a hint or with one above 60 s is not retried", "https://github.com/langchain-ai/langchainjs", "@langchain/core utils/async_caller, @langchain/openai chat_models"},
	{"langchain-aws-bedrock", "LangChain ChatBedrockConverse", "1.7.3", "2026-10", 5, waits(1, 2, 4, 8), Forever, bound(60 * time.Second), RetryAfter{},
		"as botocore-legacy, which it uses", "https://github.com/langchain-ai/langchain-aws", "chat_models/bedrock_converse.py"},
	{"litellm", "LiteLLM", "mid 2026", "2026-08", 3, waits(1.25, 1.75), 8750 * time.Millisecond, bound(6000 * time.Second), RetryAfter{},
		"what it does with Retry-After was not read", "https://github.com/BerriAI/litellm", "litellm/constants.py"},
	{"cohere-python", "Cohere Python", "7.0.9", "2026-10", 3, waits(1.1, 2.2), 66 * time.Second, bound(300 * time.Second), upTo(60),
		"an X-RateLimit-Reset is followed too", "https://github.com/cohere-ai/cohere-python", "src/cohere/core/http_client.py"},
	{"mistral-python", "Mistral Python, without retry configuration", "2.5", "2026-10", 1, nil, 0, bound(5 * time.Second), RetryAfter{},
		"the timeout is httpx's default of 5 s between bytes", "https://github.com/mistralai/client-python", "src/mistralai/client/utils/retries.py, basesdk.py"},
	{"vercel-ai", "Vercel AI SDK", "7.0.173", "2026-11", 3, waits(2, 4), 0, RequestTimeout{Unknown: noOwnTimeout}, upTo(60),
		"", "https://github.com/vercel/ai", "packages/ai/src/util/retry-with-exponential-backoff.ts"},
}

// PresetNamed finds a preset by its name.
func PresetNamed(name string) (Preset, bool) {
	for _, p := range Presets {
		if p.Name == name {
			return p, true
		}
	}
	return Preset{}, false
}

// WaitsFor are the waits, at their largest, for another number of attempts
// than the preset's own.
func (p Preset) WaitsFor(attempts int) ([]time.Duration, error) {
	waits := slices.Clone(p.Waits)
	for len(waits) < attempts-1 {
		if p.MaxWait == 0 || len(waits) == 0 {
			return nil, fmt.Errorf("preset %s: the waits between %d attempts are not known", p.Name, attempts)
		}
		waits = append(waits, min(p.MaxWait, Times(waits[len(waits)-1], 2)))
	}
	return waits[:max(0, attempts-1)], nil
}

// Ceiling is what one logical call can take at most by the preset alone. It
// reports false where the preset cannot know.
func (p Preset) Ceiling() (Ceiling, bool) {
	if p.RequestTimeout.Unknown != "" {
		return Ceiling{}, false
	}
	c := Client{Attempts: p.Attempts, Waits: p.Waits, RetryAfter: p.RetryAfter}
	if !p.RequestTimeout.None {
		c.RequestTimeout = &p.RequestTimeout.Bound
	}
	return CeilingOf([]Client{c}, 0, 0), true
}
