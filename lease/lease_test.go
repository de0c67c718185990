package lease

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"vtsize/assess"
	"vtsize/internal/factstext"
	"vtsize/rules"
)

func of(t *testing.T, text string) (*Policy, error) {
	t.Helper()
	d, err := factstext.Parse("facts", text)
	if err != nil {
		t.Fatal(err)
	}
	q := d.Queues[0]
	list, _ := q.Consumers.Get()
	return Of(assess.Of(q, list[0]))
}

func TestPolicy(t *testing.T) {
	for name, tt := range map[string]struct {
		text                                   string
		interval, extension, deadline, timeout time.Duration
		doubts                                 int
	}{
		// 141 s, and 180 s with the margin: that is the extension.
		"calculated": {"queue q\n consumer worker\n basis = call\n p99 = 45s\n attempts = 3\n backoff = 2s, 4s\n",
			59 * time.Second, 180 * time.Second, 180 * time.Second, 180 * time.Second, 0},
		"declared and good": {"queue q\n consumer worker\n basis = step\n p99 = 45s\n step_deadline = 600s\n heartbeat = 9s 30s\n",
			9 * time.Second, 30 * time.Second, 600 * time.Second, 30 * time.Second, 0},
		"declared and too slow": {"queue q\n consumer worker\n basis = step\n p99 = 45s\n step_deadline = 600s\n heartbeat = 15s 30s\n",
			9 * time.Second, 30 * time.Second, 600 * time.Second, 30 * time.Second, 0},
		"declared as exactly a third": {"queue q\n consumer worker\n basis = step\n p99 = 45s\n step_deadline = 600s\n heartbeat = 10s 30s\n",
			9 * time.Second, 30 * time.Second, 600 * time.Second, 30 * time.Second, 0},
		"deadline below the work": {"queue q\n consumer worker\n basis = step\n p99 = 45s\n step_deadline = 40s\n heartbeat = 9s 30s\n",
			9 * time.Second, 30 * time.Second, 40 * time.Second, 30 * time.Second, 1},
		"numbers without a latency": {"queue q\n consumer worker\n step_deadline = 600s\n heartbeat = 9s 30s\n heartbeat_stops = false\n",
			9 * time.Second, 30 * time.Second, 600 * time.Second, 30 * time.Second, 1},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := of(t, tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if p.Interval != tt.interval || p.Extension != tt.extension || p.Deadline != tt.deadline || p.QueueTimeout != tt.timeout || len(p.Doubts) != tt.doubts {
				t.Errorf("every %v to %v, until %v, timeout %v, doubts %q", p.Interval, p.Extension, p.Deadline, p.QueueTimeout, p.Doubts)
			}
			if p.CallTimeout >= p.Interval && p.Interval > time.Second || 3*p.Interval >= p.Extension || p.Stall > p.Deadline {
				t.Errorf("a call of %v, a stall of %v", p.CallTimeout, p.Stall)
			}
		})
	}
	if _, err := of(t, "queue q\n consumer worker\n unbounded = true\n"); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
	if _, err := of(t, "queue q\n consumer worker\n basis = step\n p99 = 45s\n step_deadline = 12h\n"); err == nil || !strings.Contains(err.Error(), "twelve hours") {
		t.Error(err)
	}
	if _, err := of(t, "queue q\n consumer lambda f\n function_timeout = 60s\n"); err == nil {
		t.Error("a function renews")
	}
}

// The name of a queue, which is a pattern of a file, ends no comment.
func TestCodeIsSafe(t *testing.T) {
	p := *quick
	p.Queue = "a */ b\n\"\"\" import os\n*/"
	for _, l := range Languages {
		var b strings.Builder
		if err := WriteCode(&b, l.Name, &p); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if strings.Contains(line, "import os") || strings.Contains(line, "a */") {
				t.Errorf("%s: %s", l.Name, line)
			}
		}
		if strings.Contains(b.String(), "<no value>") {
			t.Errorf("%s has no value", l.Name)
		}
	}
	if err := WriteCode(&strings.Builder{}, "cobol", &p); err == nil {
		t.Error("it writes any language")
	}
}

// Every clause of a policy answers something, whatever is declared.
func TestClauses(t *testing.T) {
	base := "queue q\n consumer worker\n basis = step\n p99 = 45s\n step_deadline = 600s\n heartbeat = 9s 30s\n"
	for _, more := range []string{
		"", "heartbeat_progress = true\n", "heartbeat_progress = false\n", "heartbeat_leads_to = none\n", "heartbeat_leads_to = park\n", "heartbeat_leads_to = dead-letter\n",
		"on_failure = none\n", "release = 0\n release_grows = exponential\n", "release = 30s\n release_grows = exponential\n", "release = 5s\n release_grows = none\n", "release = none\n release_grows = none\n",
	} {
		p, err := of(t, base+more)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Clauses) != 10 {
			t.Errorf("%d clauses", len(p.Clauses))
		}
		for _, c := range p.Clauses {
			if c.Question == "" || c.Answer == "" || strings.HasSuffix(c.Answer, ".") {
				t.Errorf("%s: %q", c.Question, c.Answer)
			}
		}
	}
}

// A policy followed to the letter has no finding of its own rules.
func TestPolicyIsSound(t *testing.T) {
	for _, work := range []string{"basis = step\n p99 = 45s\n", "basis = call\n p99 = 45s\n attempts = 3\n backoff = 2s, 4s\n", "basis = step\n p99 = 2h\n", "basis = step\n p99 = 1s\n",
		"basis = step\n p99 = 45s\n batch = 4\n"} {
		p, err := of(t, "queue q\n consumer worker\n "+work)
		if err != nil {
			t.Fatal(err)
		}
		d, err := factstext.Parse("facts", fmt.Sprintf(`queue q
 visibility_timeout = %v
 consumer worker
 %s step_deadline = %v
 heartbeat = %v %v
 heartbeat_progress = true
 heartbeat_stops = true
`, p.QueueTimeout, work, p.Deadline, p.Interval, p.Extension))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range rules.Judge(d, rules.Options{Only: []string{"VT101", "VT105", "VT106", "VT201", "VT202", "VT203", "VT204", "VT205", "VT206"}}).Findings {
			t.Errorf("%s: %s: %s", work, f.Rule.ID, f.Message)
		}
	}
}
