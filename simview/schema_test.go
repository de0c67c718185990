package simview_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// conforms holds a document against one of the published schemas.
func conforms(t *testing.T, schema string, document []byte) {
	t.Helper()
	c := jsonschema.NewCompiler()
	for _, name := range []string{"vtsize.replay.v1.json", "vtsize.fleet.v1.json", "vtsize.sweep.v1.json"} {
		f, err := os.Open(filepath.Join("..", "docs", "schema", name))
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(f)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if err := c.AddResource(name, doc); err != nil {
			t.Fatal(err)
		}
	}
	s, err := c.Compile(schema)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(doc); err != nil {
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
