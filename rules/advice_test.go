package rules

import (
	"strings"
	"testing"

	"vtsize/internal/factstext"
)

// The fix of a finding has the numbers of the case in it.
func TestAdvice(t *testing.T) {
	const step = "consumer worker\nbasis = step\nheartbeat = none\nstep_deadline = none\n"
	for _, c := range []struct{ rule, text, want string }{
		{"VT101", "visibility_timeout = 30s\n" + step + "p99 = 45s", "set the visibility timeout to 60 s"},
		{"VT101", "visibility_timeout = 300s\n" + step + "p99 = 45s\nreceive_timeout = 30s", "set the visibility timeout given at receive to 60 s"},
		{"VT101", "visibility_timeout = 30s\n" + step + "p99 = 45s\nreceive_timeout = none", "set the visibility timeout to 60 s"},
		{"VT101", "visibility_timeout = 30s\n" + step + "p99 = 600s",
			"set the visibility timeout to 300 s and extend it to 300 s every 99 s while the work goes on, for at most 1,200 s (20 min); without a heartbeat, set the visibility timeout to 900 s (15 min)"},
		{"VT101", "visibility_timeout = 30s\n" + step + "p99 = 200s\nbatch = 10",
			"receive fewer messages at once, or split the work into smaller messages; a timeout that covers it all delays every retry as long"},
		{"VT101", "visibility_timeout = 30s\nconsumer lambda handle\nfunction_timeout = 60s\nbatching_window = 0\nbasis = invocation\np99 = 45s", "set the visibility timeout to 360 s"},
		{"VT101", "visibility_timeout = 30s\n" + step + "p99 = 42950s", "split the work into smaller messages; a timeout that covers it all delays every retry as long"},
		{"VT101", "visibility_timeout = 30s\n" + step + "p99 = 5s\nbatch = 2\ncountdown = 5000s",
			"send each message when it is due, by a scheduler, in place of a countdown inside the worker; a timeout that covers it all delays every retry as long"},
		{"VT105", step + "p99 = 50000s", "split the work into smaller messages"},
		{"VT105", step + "p99 = 600s\nheartbeat = 60s 43200s", "extend to 43,135 s (12 h) or less with each beat"},
		{"VT106", "visibility_timeout = 60s\n" + step + "p99 = 45s\nattempts = 1\nrequest_timeout = 600s",
			"give a step up after 120 s, and retry it by a new receive; while it runs, extend the timeout to 60 s every 19 s"},
		{"VT106", "visibility_timeout = 600s\n" + step + "p99 = 5s\nattempts = 1\nrequest_timeout = 3000s\ncountdown = 42900s",
			"send each message when it is due, by a scheduler, in place of a countdown inside the worker: the wait for the work leaves no time for it"},
		{"VT108", "visibility_timeout = 60s\n" + step + "p99 = 45s\nbatch = 4\nconcurrency = 2", "receive at most 2 at once, or set the visibility timeout to 120 s"},
		{"VT108", "visibility_timeout = 300s\n" + step + "p99 = 200s\nbatch = 10", "receive at most 1 at once, or work on them in parallel"},
		{"VT108", "visibility_timeout = 6000s\n" + step + "p99 = 5000s\nbatch = 10", "receive at most 1 at once, or work on them in parallel"},
		{"VT108", "visibility_timeout = 60s\nconsumer lambda handle\nfunction_timeout = 90s\nbatching_window = 0\nbatch_size = 10\nbasis = step\np99 = 10s",
			"receive at most 6 at once, or set the visibility timeout to 540 s"},
		{"VT110", step + "p99 = 300s\nclasses = summary 4s, analysis 200s",
			`give each a queue of its own: with a timeout of 30 s for "summary" a crashed worker's message is back that soon, in place of 240 s`},
		{"VT201", "visibility_timeout = 60s\n" + step + "p99 = 45s\nheartbeat = 30s 60s", "beat every 19 s"},
		{"VT201", "visibility_timeout = 20s\n" + step + "p99 = 45s\nheartbeat = 30s 60s", "beat every 6 s"},
		{"VT201", "visibility_timeout = 90s\n" + step + "p99 = 45s\nbatch = 3\nheartbeat = 9s 60s", "set the visibility timeout to 180 s and beat every 9 s"},
		{"VT201", "visibility_timeout = 60s\n" + step + "p99 = 45s\nheartbeat = 3s 3s", "extend to 30 s and beat every 9 s"},
		{"VT203", "visibility_timeout = 60s\n" + step + "p99 = 45s\nheartbeat = 19s 60s", "stop the work and its beats after 60 s"},
		{"VT203", "visibility_timeout = 43200s\n" + step + "p99 = 400s\nbatch = 200\nheartbeat = 99s 300s",
			"receive fewer messages at once, or split the work into smaller messages: the wait for the work leaves no time for it"},
		{"VT206", "visibility_timeout = 300s\n" + step + "p99 = 45s\nheartbeat = 19s 60s", "extend to 300 s, or set the visibility timeout to 60 s"},
	} {
		d, err := factstext.Parse("case", "queue orders\n"+c.text)
		if err != nil {
			t.Fatal(err)
		}
		found := Judge(d, Options{Now: now, Only: []string{c.rule}}).Findings
		if len(found) != 1 || found[0].Fix != c.want {
			t.Errorf("%s of %q: %d findings", c.rule, c.text, len(found))
			for _, f := range found {
				t.Errorf("fix  %q\nwant %q", f.Fix, c.want)
			}
		}
	}
}

// No timeout is recommended where the longest is too short.
func TestNoTimeoutPastTwelveHours(t *testing.T) {
	for p99, recommended := range map[string]bool{"43200s": true, "43201s": false} {
		d, err := factstext.Parse("case", "queue orders\nvisibility_timeout = 30s\nconsumer worker\nbasis = step\np99 = "+p99)
		if err != nil {
			t.Fatal(err)
		}
		f := Judge(d, Options{Now: now, Only: []string{"VT101"}}).Findings[0]
		if f.Recommended.Known != recommended || strings.Contains(f.Fix, "set the visibility timeout") {
			t.Errorf("p99 %s: recommended %v, fix %q", p99, f.Recommended, f.Fix)
		}
	}
}

// Messages are counted in whole numbers.
func TestExcessIsWhole(t *testing.T) {
	d, err := factstext.Parse("case", "queue orders\nsent = 23345\nreceived = 24621\ndeleted = 23000\nconsumer worker\nbasis = step\np99 = 45s")
	if err != nil {
		t.Fatal(err)
	}
	if f := Judge(d, Options{Now: now, Only: []string{"VT502"}}).Findings[0]; f.Required != Count(233) {
		t.Errorf("required %v", f.Required)
	}
}
