package workload

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Example is a queue to write an entry for.
type Example struct {
	Match string
	Known []string // what is known of it already, for a comment; no line breaks
}

const exampleHead = `# vtsize.yaml: what only the owners of the queues know. Every key may be left
# out; a rule that lacks one is not checked. Take the # away from what you know.
version: 1
# outage: 3d # the longest outage of a consumer that messages have to survive
# severity: {VT302: info} # of rules, in place of their own: vtsize rules

queues:
`

// exampleKeys are the other keys of an entry, with values to change.
const exampleKeys = `    # framework: sqs-consumer # what it does by itself: vtsize presets
    # latency: {p99: 45s, p99.9: 80s, mean: 20s, samples: 3000, basis: step} # or {csv: steps.csv, column: duration_ms, basis: step}
    # stages: [{name: read, p99: 12s, sdk: openai-python}, {name: draft, p99: 20s, attempts: 3, backoff: [0.5s, 1s], request_timeout: 60s}] # in place of latency
    # write: 1s # the result, after the work
    # batch: {size: 10, handling: serial} # also concurrency, prefetch, countdown, receive_timeout
    # rate: 40/s # of arrivals
    # consumers: 4 # processes
    # heartbeat: {interval: 9s, extension: 30s, deadline: 10m, renews: in-work, progress: checkpoint, on_loss: stop, after_deadline: dead-letter} # or none
    # useful_for: 2h # business deadline, or none
    # on_failure: {release: 0s, backoff: exponential, stops_heartbeat: true} # or none
    # delete: after-result # or before-result, with handed_to: the durable store that has the work
    # effects: [{name: reply, idempotency_key: "{case_id}/first-response", guard: version, uncertain: reconcile}] # or []
    # unit: case_id # the business identifier that a message stands for, or none
    # checkpoints: true # a later delivery goes on from what an earlier one stored
    # tests: [redelivery, lost-lease, duplicate] # what the tests bring about
    # metrics_carry: case_id # the identifier in metrics and logs, or none
    # ignore: [{rule: VT401, until: 2027-03-01, reason: "drained by hand, see the runbook"}]
`

// WriteExample writes a file with an entry for each queue, or for one named
// orders where there is none. What it writes loads.
func WriteExample(w io.Writer, queues []Example) error {
	if len(queues) == 0 {
		queues = []Example{{Match: "orders"}}
	}
	var b strings.Builder
	b.WriteString(exampleHead)
	seen := map[string]bool{}
	for _, q := range queues {
		if q.Match == "" || seen[q.Match] {
			continue
		}
		if len(seen) > 0 {
			b.WriteByte('\n')
		}
		seen[q.Match] = true
		if len(q.Known) > 0 {
			fmt.Fprintf(&b, "  # %s\n", strings.Join(q.Known, ", "))
		}
		text, err := quoted(q.Match)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "  - match: %s # name, glob, ARN or Terraform address; the first match wins\n%s", text, exampleKeys)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// quoted is a text in double quotes, whose escapes JSON and YAML share.
func quoted(s string) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return "", fmt.Errorf("quote %q: %w", s, err)
	}
	return strings.TrimSpace(b.String()), nil
}
