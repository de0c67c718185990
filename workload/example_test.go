package workload

import (
	"strings"
	"testing"

	"vtsize/facts"
)

func example(t *testing.T, queues ...Example) string {
	t.Helper()
	var b strings.Builder
	if err := WriteExample(&b, queues); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// What config init writes loads, as it is and with every key taken out of its
// comment.
func TestExampleLoads(t *testing.T) {
	text := example(t)
	mustLoad(t, text)
	for _, without := range []string{"latency", "stages"} {
		open := strings.NewReplacer("\n    # "+without, "\n    # "+without, "\n    # ", "\n    ", "\n# outage", "\noutage", "\n# severity", "\nseverity").Replace(text)
		f := mustLoad(t, open)
		w := f.Entries[0].Work
		if !w.Stages.IsKnown() || !w.Heartbeat.IsKnown() || !w.Effects.IsKnown() || !w.Practice.MetricsCarry.IsKnown() || len(f.Entries[0].Ignores) != 1 || !f.Outage.IsKnown() {
			t.Errorf("without %s, a key is still in its comment:\n%s", without, open)
		}
	}
}

// Whatever a queue is named, what is written loads and matches it.
func FuzzExample(f *testing.F) {
	f.Add("orders", "mail.fifo")
	f.Add(`aws_sqs_queue.this["a b"]`, `module.x[0].aws_sqs_queue.q`)
	f.Add("a\"b\\c\n# d: e", "\u2028'é")
	f.Fuzz(func(t *testing.T, a, b string) {
		a, b = strings.ToValidUTF8(a, ""), strings.ToValidUTF8(b, "")
		if strings.TrimSpace(a) == "" || strings.TrimSpace(b) == "" {
			t.Skip()
		}
		file := mustLoad(t, example(t, Example{Match: a, Known: []string{"visibility timeout 30 s"}}, Example{Match: b}))
		for _, name := range []string{a, b} {
			if e := file.Entry(&facts.Queue{Name: name}); e == nil {
				t.Errorf("nothing matches %q", name)
			}
		}
	})
}
