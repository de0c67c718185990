package simview_test

import (
	"bytes"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"vtsize/internal/schemas"
)

// conforms holds a document against one of the published schemas.
func conforms(t *testing.T, schema string, document []byte) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	if err := schemas.Compile(t, schema).Validate(doc); err != nil {
		t.Errorf("%s: %v", schema, err)
	}
}

func TestJSONConformsToItsSchema(t *testing.T) {
	fleet := " --rate 2/s --consumers 40 --latency p50=12s,p99=45s --for 10m"
	for command, schema := range map[string]string{
		"vtsize simulate --step 45s": "vtsize.replay.v1.json",
		"vtsize simulate --step 45s --no-dlq --heartbeat 10s --lose-beat 2 --crash-after 5s --queue-type fifo":                      "vtsize.replay.v1.json",
		"vtsize simulate --step 50000s --visibility-timeout 43000s --heartbeat 21600s --extension 21601s":                           "vtsize.replay.v1.json",
		"vtsize simulate --step 45s --idempotency-key --step-deadline 40s --no-dlq --retention 60s":                                 "vtsize.replay.v1.json",
		"vtsize simulate --replications 1" + fleet:                                                                                  "vtsize.fleet.v1.json",
		"vtsize simulate --crash-rate 1/h --no-dlq --heartbeat 9s --arrivals bursts --burst 5 --queue-type fifo --groups 9" + fleet: "vtsize.fleet.v1.json",
		"vtsize simulate --sweep visibility-timeout=30s..2m --points 3 --replications 1" + fleet:                                    "vtsize.sweep.v1.json",
		"vtsize simulate --sweep batch=1..5 --points 3 --replications 2" + fleet:                                                    "vtsize.sweep.v1.json",
	} {
		conforms(t, schema, commandLine(t, command))
	}
}
