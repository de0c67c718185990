package rules

import (
	"testing"

	"vtsize/facts"
	"vtsize/internal/factstext"
)

// A suppression of a workload file is for a queue. One line for several queues
// is of use where it is of use for one, and one whose rule could not be
// checked is not called useless.
func TestIgnoresOfQueues(t *testing.T) {
	ignore := func(rule, queue string, line int) facts.Ignore {
		return facts.Ignore{Rule: rule, Queue: queue, Reason: "for now", Pos: facts.Pos{File: "vtsize.yaml", Line: line, Column: 1}}
	}
	for name, tt := range map[string]struct {
		ignores              []facts.Ignore
		suppressed, problems int
	}{
		"of use":                   {[]facts.Ignore{ignore("VT404", "orders", 1)}, 1, 0},
		"of use for one of two":    {[]facts.Ignore{ignore("VT404", "mail", 1), ignore("VT404", "orders", 1)}, 1, 0},
		"of no use for two":        {[]facts.Ignore{ignore("VT405", "mail", 1), ignore("VT405", "orders", 1)}, 0, 1},
		"of another queue":         {[]facts.Ignore{ignore("VT404", "mail", 1)}, 0, 1},
		"its rule lacked an input": {[]facts.Ignore{ignore("VT701", "orders", 1)}, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := factstext.Parse("facts", `
queue orders
  fifo = false
  redrive = dead 1
  consumers = none
queue mail
  fifo = false
  redrive = dead 5
  consumers = none
queue dead
  fifo = false
  redrive = none
`)
			if err != nil {
				t.Fatal(err)
			}
			d.Ignores = tt.ignores
			r := Judge(d, Options{Now: now})
			if len(r.Suppressed) != tt.suppressed || len(r.Ignores) != tt.problems {
				t.Errorf("%d suppressed, problems %v", len(r.Suppressed), r.Ignores)
			}
		})
	}
}
