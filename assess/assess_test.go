package assess

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"vtsize/facts"
	"vtsize/internal/factstext"
	"vtsize/sizing"
)

// sizingOf reads one queue with one consumer.
func sizingOf(t *testing.T, text string) *Sizing {
	t.Helper()
	d, err := factstext.Parse("case", "queue orders\n"+text)
	if err != nil {
		t.Fatal(err)
	}
	q := d.Queues[0]
	list, _ := q.Consumers.Get()
	return Of(q, list[0])
}

// show writes a number as the tables here do.
func show[T any](n Number[T]) string {
	if v, ok := n.Get(); ok {
		return fmt.Sprint(v)
	}
	var missing []string
	for _, m := range n.Missing() {
		if text := fmt.Sprintf("%s %s", m.Input, m.Cause); !slices.Contains(missing, text) {
			missing = append(missing, text)
		}
	}
	return "unknown: " + strings.Join(missing, ", ")
}

func TestHold(t *testing.T) {
	const call = `consumer worker
		basis = call
		p99 = 45s
		attempts = 3
		backoff = 2s, 4s
		`
	const step = "consumer worker\n basis = step\n p99 = 10s\n attempts = 3\n backoff = 2s, 4s\n"
	for _, c := range []struct{ name, text, message, wait, floor string }{
		{"a call is multiplied by its attempts", call, "2m21s", "0s", "2m21s"},
		{"overhead and write are added", call + "overhead = 3s\nwrite = 1s", "2m25s", "0s", "2m25s"},
		{"a step has its attempts in it", step, "10s", "0s", "10s"},
		{"stages add up", call + "stage draft\np99 = 5s\nattempts = 1", "2m26s", "0s", "2m26s"},
		{"a batch in turn", call + "batch = 10", "2m21s", "21m9s", "23m30s"},
		{"a batch at once", step + "batch = 10\nhandling = parallel", "10s", "0s", "10s"},
		{"rounds of slots", step + "prefetch = 5\nconcurrency = 2", "10s", "20s", "30s"},
		{"countdown", step + "countdown = 60s", "10s", "1m0s", "1m10s"},
		{"countdown and batch", step + "countdown = 60s\nbatch = 3", "10s", "1m20s", "1m30s"},
		{"no latency, and one message at a time", "consumer worker\nlatency = unknown no_data", "unknown: p99 latency no_data", "0s", "unknown: p99 latency no_data"},
		{"no latency, and a batch", "consumer worker\nbatch = 2\nlatency = unknown no_data", "unknown: p99 latency no_data", "unknown: p99 latency no_data", "unknown: p99 latency no_data"},
		{"no basis", "consumer worker\np99 = 10s\nbasis = unknown not_declared", "unknown: basis of the latency not_declared", "0s", "unknown: basis of the latency not_declared"},
		{"calls of unknown attempts", "consumer worker\nbasis = call\np99 = 10s\nattempts = unknown not_declared", "unknown: attempts not_declared", "0s", "unknown: attempts not_declared"},
		{"a batch of unknown size", step + "batch = unknown not_resolved", "10s", "unknown: batch size not_resolved", "unknown: batch size not_resolved"},
		{"a batch that nobody declared is one message", step + "batch = unknown not_declared", "10s", "0s", "10s"},
		{"a mapping's batch", "consumer lambda handle\nbatch_size = 10\nbasis = step\np99 = 10s", "10s", "1m30s", "1m40s"},
		{"an invocation has the batch in it", "consumer lambda handle\nbatch_size = 10\nbasis = invocation\np99 = 10s", "10s", "0s", "10s"},
	} {
		s := sizingOf(t, c.text)
		if got := []string{show(s.MessageFloor), show(s.StartWait), show(s.Floor)}; !slices.Equal(got, []string{c.message, c.wait, c.floor}) {
			t.Errorf("%s: message, wait, floor are %q", c.name, got)
		}
	}
}

// One FIFO group is handled in turn, whatever runs at once.
func TestFIFOIsSerial(t *testing.T) {
	s := sizingOf(t, "fifo = true\nconsumer worker\nbasis = step\np99 = 10s\nbatch = 10\nhandling = parallel\nconcurrency = 10")
	if k, _ := s.Multiplier.Get(); k != 10 {
		t.Errorf("multiplier %d", k)
	}
	s = sizingOf(t, "fifo = unknown after_apply\nconsumer worker\nbasis = step\np99 = 10s\nbatch = 10\nhandling = parallel")
	if got := show(s.Multiplier); got != "unknown: queue type after_apply" {
		t.Errorf("multiplier %s", got)
	}
}

func TestMustCover(t *testing.T) {
	const step = "visibility_timeout = 60s\nconsumer worker\nbasis = step\np99 = 45s\n"
	const lambda = "visibility_timeout = 60s\nconsumer lambda handle\nfunction_timeout = 60s\n"
	for _, c := range []struct{ name, text, want string }{
		{"a worker covers its floor", step, "45s"},
		{"a heartbeat in time needs its first beat", step + "heartbeat = 9s 30s", "9s"},
		{"the first beat comes after the wait", step + "batch = 2\nheartbeat = 9s 30s", "54s"},
		{"unless waiting messages are renewed", step + "batch = 2\nheartbeat = 9s 30s\nheartbeat_renews = held", "9s"},
		{"the first beat at the end is too late", step + "heartbeat = 60s 90s", "45s"},
		{"later beats at the end are too late", step + "heartbeat = 30s 30s", "45s"},
		{"no look below the threshold", step + "heartbeat = 5s 30s\nheartbeat_threshold = 5s", "45s"},
		{"a look below the threshold", step + "heartbeat = 5s 30s\nheartbeat_threshold = 6s", "5s"},
		{"a function without a window", lambda + "batching_window = 0\nbasis = invocation\np99 = 45s", "45s"},
		{"a short window waits 20 s at low traffic", lambda + "batching_window = 1s\nbasis = invocation\np99 = 45s", "1m5s"},
		{"a long window", lambda + "batching_window = 40s\nbasis = invocation\np99 = 45s", "1m25s"},
		{"a run ends with the function timeout", lambda + "batching_window = 0\nbasis = step\np99 = 45s\nbatch_size = 10", "1m0s"},
		{"an unknown window", lambda + "batching_window = unknown after_apply\nbasis = invocation\np99 = 45s", "unknown: batching window after_apply"},
		{"an unknown function", "consumer lambda handle\nfunction_timeout = unknown denied\nbatching_window = 0\nbasis = invocation\np99 = 45s", "unknown: function timeout denied"},
	} {
		if got := show(sizingOf(t, c.text).MustCover); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// What a heartbeat of unknown numbers covers is unknown, not nothing.
func TestHeartbeatOfUnknownNumbers(t *testing.T) {
	s := sizingOf(t, "visibility_timeout = 30s\nconsumer worker\nbasis = step\np99 = 45s")
	s.Consumer.Work.Heartbeat = facts.Known(&facts.Heartbeat{Interval: facts.Unknown[time.Duration](facts.NotDeclared, facts.Origin{}),
		Extension: facts.Known(30*time.Second, facts.Origin{})}, facts.Origin{})
	s = Of(s.Queue, s.Consumer)
	if got := show(s.MustCover); got != "unknown: heartbeat interval not_declared" {
		t.Errorf("must cover %s", got)
	}
}

func TestTimeoutInForce(t *testing.T) {
	const work = "basis = step\np99 = 45s\n"
	for _, c := range []struct{ text, want string }{
		{"visibility_timeout = 30s\nconsumer worker\n" + work, "30s"},
		{"visibility_timeout = 30s\nconsumer worker\nreceive_timeout = 90s\n" + work, "1m30s"},
		{"visibility_timeout = 30s\nconsumer worker\nreceive_timeout = none\n" + work, "30s"},
		{"visibility_timeout = unknown denied\nconsumer worker\nreceive_timeout = 90s\n" + work, "1m30s"},
	} {
		if d, _ := sizingOf(t, c.text).Timeout.Get(); d.String() != c.want {
			t.Errorf("%q: timeout in force %v, want %s", c.text, d, c.want)
		}
	}
}

func TestCeiling(t *testing.T) {
	const client = "consumer worker\nbasis = call\np99 = 5s\nattempts = 3\nbackoff = 2s, 4s\n"
	for _, c := range []struct{ name, text, want string }{
		{"attempts, timeouts and waits", client + "request_timeout = 60s\noverhead = 1s\nwrite = 2s", "{3m9s  }"},
		{"an obeyed Retry-After counts at its cap", client + "request_timeout = 60s\nretry_after = 30s", "{4m0s  }"},
		{"one without a cap is named", client + "request_timeout = 60s\nretry_after = any", "{3m6s  a Retry-After of any length is obeyed and comes on top}"},
		{"no request timeout", client + "request_timeout = none\nstep_deadline = none", "{0s the client has no request timeout }"},
		{"a step deadline bounds it", client + "request_timeout = none\nstep_deadline = 90s", "{1m30s  }"},
		{"a step deadline above it does not", client + "request_timeout = 60s\nstep_deadline = 200s", "{3m6s  }"},
		{"a step deadline is enough", "consumer worker\nstep_deadline = 90s", "{1m30s  }"},
		{"declared unbounded", client + "request_timeout = 60s\nunbounded = true", "{0s the work is declared unbounded }"},
		{"declared unbounded, with a deadline", client + "unbounded = true\nstep_deadline = 90s", "{1m30s  }"},
		{"a function timeout", "consumer lambda handle\nfunction_timeout = 60s", "{1m0s  }"},
		{"an unknown request timeout", client + "request_timeout = unknown not_declared", "unknown: request timeout not_declared"},
	} {
		if got := show(sizingOf(t, c.text).Ceiling); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestRecommended(t *testing.T) {
	for _, c := range []struct{ name, text, minimum, recommended, queue string }{
		{"a worker", "consumer worker\nbasis = step\np99 = 45s", "45s", "1m0s", "1m0s"},
		{"a heartbeat for long work", "consumer worker\nbasis = step\np99 = 600s", "10m0s", "15m0s", "5m0s"},
		{"the queue covers the wait before the beats", "consumer worker\nbasis = step\np99 = 300s\nbatch = 2", "10m0s", "15m0s", "10m0s"},
		{"no wait where waiting messages are renewed", "visibility_timeout = 300s\nconsumer worker\nbasis = step\np99 = 300s\nbatch = 2\nheartbeat = 30s 100s\nheartbeat_renews = held", "30s", "15m0s", "2m0s"},
		{"a function", "consumer lambda handle\nfunction_timeout = 60s\nbatching_window = 5s", "1m0s", "6m5s", "6m5s"},
		{"a function of unknown window", "consumer lambda handle\nfunction_timeout = 60s\nbatching_window = unknown denied", "1m0s", "unknown: batching window denied", "unknown: batching window denied"},
		{"nothing known", "consumer worker\nlatency = unknown not_declared", "unknown: p99 latency not_declared", "unknown: p99 latency not_declared", "unknown: p99 latency not_declared"},
	} {
		s := sizingOf(t, c.text)
		if got := []string{show(s.Minimum), show(s.Recommended), show(s.QueueTimeout())}; !slices.Equal(got, []string{c.minimum, c.recommended, c.queue}) {
			t.Errorf("%s: minimum, recommended, for the queue: %q", c.name, got)
		}
	}
}

// A timeout is too long only beyond what any advice asks for.
func TestLongestAdvised(t *testing.T) {
	const step = "consumer worker\nbasis = step\np99 = "
	for _, c := range []struct{ text, want string }{
		{step + "45s", "1m0s"},
		{step + "600s", "15m0s"},
		{step + "45s\nheartbeat = 199s 600s", "10m0s"},
		{step + "100s\nbatch = 2\nconcurrency = 1\nunbounded = true", "6m0s"}, // 100 s of waiting, then beats that extend by 240 s; alone 240 s would do
		{"consumer lambda handle\nfunction_timeout = 60s\nbatching_window = 0", "6m0s"},
		{"consumer worker\nlatency = unknown denied", "unknown: p99 latency denied"},
	} {
		if got := show(sizingOf(t, c.text).LongestAdvised()); got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

// The twelve hours count from the receive, whoever renews while a message waits.
func TestPlanCountsRenewedWaiting(t *testing.T) {
	s := sizingOf(t, "visibility_timeout = 300s\nconsumer worker\nbasis = step\np99 = 5000s\nbatch = 10\nheartbeat = 99s 300s\nheartbeat_renews = held")
	if p, _ := s.Plan.Get(); p.Strategy != sizing.Split {
		t.Errorf("strategy %s", p.Strategy)
	}
}

func TestCosts(t *testing.T) {
	const work = "redrive = dlq 3\nrate = 10\nconsumer worker\nbasis = step\np99 = 45s\nmean = 10s\n"
	for _, c := range []struct{ name, text, recovery, dead, worst, expected string }{
		{"the present timeout", "visibility_timeout = 20s\n" + work, "20s", "1m0s", "200", "100"},
		{"the recommended one where none is given", work, "1m0s", "3m0s", "600", "100"},
		{"a gap stays a gap", "visibility_timeout = unknown denied\n" + work, "unknown: visibility timeout denied", "unknown: visibility timeout denied", "unknown: visibility timeout denied", "100"},
		{"a heartbeat's extension", "visibility_timeout = 90s\n" + work + "heartbeat = 9s 30s", "30s", "4m30s", "900", "100"},
		{"no more than the processes hold", "visibility_timeout = 20s\n" + work + "processes = 4\nbatch = 2\nhandling = parallel", "20s", "1m0s", "200", "8"},
		{"half of the others is waited for", "visibility_timeout = 20s\n" + work + "batch = 3", "20s", "1m0s", "200", "200"},
		{"the window hides messages too", "visibility_timeout = 400s\nredrive = dlq 3\nrate = 10\nconsumer lambda handle\nfunction_timeout = 60s\nbatching_window = 5s\nbasis = invocation\np99 = 45s\nmean = 10s", "6m40s", "20m0s", "4000", "300"},
		{"no rate", "visibility_timeout = 20s\nredrive = dlq 3\nrate = unknown no_data\nconsumer worker\nbasis = step\np99 = 45s\nmean = 10s", "20s", "1m0s", "unknown: arrival rate no_data", "unknown: arrival rate no_data"},
	} {
		s := sizingOf(t, c.text)
		dead := show(s.TimeToDeadLetter)
		if d, ok := s.TimeToDeadLetter.Get(); ok && d != nil {
			dead = d.String()
		}
		if got := []string{show(s.Recovery), dead, show(s.InFlight.Worst), show(s.InFlight.Expected)}; !slices.Equal(got, []string{c.recovery, dead, c.worst, c.expected}) || dead != c.dead {
			t.Errorf("%s: recovery, to dead letter, worst, expected: %q", c.name, got)
		}
	}
}

func TestDeliveries(t *testing.T) {
	for _, c := range []struct {
		name, text string
		least      int
		most       string
	}{
		{"held for longer than two timeouts", "visibility_timeout = 20s\nredrive = dlq 5\nconsumer worker\nbasis = step\np99 = 45s", 3, "5"},
		{"no more than maxReceiveCount", "visibility_timeout = 20s\nredrive = dlq 2\nconsumer worker\nbasis = step\np99 = 45s", 2, "2"},
		{"no redrive policy", "visibility_timeout = 20s\nredrive = none\nconsumer worker\nbasis = step\np99 = 45s", 3, "none"},
		{"exactly the timeout", "visibility_timeout = 45s\nredrive = dlq 5\nconsumer worker\nbasis = step\np99 = 45s", 1, "5"},
		{"a heartbeat", "visibility_timeout = 20s\nredrive = dlq 5\nconsumer worker\nbasis = step\np99 = 45s\nheartbeat = 6s 20s", 1, "5"},
		{"an unknown policy", "visibility_timeout = 20s\nredrive = unknown denied\nconsumer worker\nbasis = step\np99 = 45s", 3, "unknown"},
		{"a function cut off at its timeout", "visibility_timeout = 20s\nredrive = dlq 5\nconsumer lambda handle\nfunction_timeout = 30s\nbatching_window = 0\nbasis = step\np99 = 45s", 2, "5"},
	} {
		d, ok := sizingOf(t, c.text).Deliveries.Get()
		most := "unknown"
		if n, known := d.AtMost.Get(); known && n != nil {
			most = fmt.Sprint(*n)
		} else if known {
			most = "none"
		}
		if !ok || d.AtLeast != c.least || most != c.most {
			t.Errorf("%s: at least %d, at most %s", c.name, d.AtLeast, most)
		}
	}
}

// A timeout of 0 s shows the message again at once: without a redrive policy
// there is no number of deliveries to tell.
func TestDeliveriesWithoutTimeout(t *testing.T) {
	const worker = "consumer worker\nbasis = step\np99 = 45s"
	for text, want := range map[string]string{
		"redrive = dlq 5\n":                "5",
		"redrive = none\n":                 "unknown: maxReceiveCount not_declared",
		"redrive = unknown not_declared\n": "unknown: maxReceiveCount not_declared",
	} {
		n := sizingOf(t, "visibility_timeout = 0s\n"+text+worker).Deliveries
		got := show(n)
		if d, ok := n.Get(); ok {
			got = fmt.Sprint(d.AtLeast)
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestFormula(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"consumer worker\nbasis = call\np99 = 45s\nattempts = 3\nbackoff = 2s, 4s",
			"message: 3 × 45 s + (2 s + 4 s) = 141 s; timeout: 1.2 × 141 s = 169.2 s, rounded up to 180 s"},
		{"consumer worker\nbasis = step\np99 = 45s",
			"message: p99 45 s; timeout: 1.2 × 45 s = 54 s, rounded up to 60 s"},
		{"consumer worker\nbasis = step\nstage read\np99 = 5s\nstage draft\np99 = 40s\noverhead = 1s\nwrite = 2s\nbatch = 2\ncountdown = 10s",
			"message: p99 5 s + p99 40 s + overhead 1 s + write 2 s = 48 s; floor: countdown 10 s + 2 × 48 s = 106 s; timeout: 1.2 × 106 s = 127.2 s, rounded up to 180 s"},
		{"consumer worker\nbasis = step\np99 = 2s\nbatch = 10000",
			"message: p99 2 s; floor: 10,000 × 2 s = 20,000 s (5.6 h); timeout: 1.2 × 20,000 s (5.6 h) = 24,000 s (6.7 h), rounded up to 24,300 s (6.8 h)"},
		{"consumer worker\nbasis = call\np99 = 45s\nattempts = 1",
			"message: 1 × 45 s = 45 s; timeout: 1.2 × 45 s = 54 s, rounded up to 60 s"},
		{"consumer worker\nbasis = call\np99 = 5s\nattempts = 2\nbackoff = none\nbatch = 2",
			"message: 2 × 5 s = 10 s; floor: 2 × 10 s = 20 s; timeout: 1.2 × 20 s = 24 s, rounded up to 30 s"},
		{"consumer worker\nbasis = step\np99 = 45s\ncountdown = 10s",
			"message: p99 45 s; floor: countdown 10 s + 45 s = 55 s; timeout: 1.2 × 55 s = 66 s, rounded up to 120 s"},
		{"consumer worker\nbasis = step\np99 = 36000s",
			"message: p99 36,000 s (10 h); timeout: 1.2 × 36,000 s (10 h) = 43,200 s (12 h), rounded up to 43,200 s (12 h)"},
		{"consumer worker\nbasis = step\np99 = 40000s",
			"message: p99 40,000 s (11.1 h); timeout: 1.2 × 40,000 s (11.1 h) = 48,000 s (13.3 h), rounded up to 43,200 s (12 h), all that SQS allows"},
		{"consumer worker\nlatency = unknown no_data", ""},
		{"consumer lambda handle\nfunction_timeout = 60s\nbatching_window = 30s",
			"timeout: 6 × function timeout 60 s + window 30 s = 390 s"},
		{"consumer lambda handle\nfunction_timeout = 3s\nbatching_window = 1s\nbasis = invocation\np99 = 2s",
			"invocation: p99 2 s; timeout: 6 × function timeout 3 s + window 1 s = 19 s; raised to 30 s, which outlasts the wait for the window and the run"},
		{"consumer lambda handle\nfunction_timeout = 900s\nbatching_window = 0",
			"timeout: 6 × function timeout 900 s (15 min) + window 0 s = 5,400 s (90 min)"},
		{"consumer lambda handle\nfunction_timeout = 3600s\nbatching_window = 0",
			"timeout: 1.2 × (function timeout 3,600 s (60 min) + window 0 s) = 4,320 s (72 min), rounded up to 4,500 s (75 min) (six times would be 21,600 s (6 h): a failed batch hidden that long)"},
		{"consumer lambda handle\nfunction_timeout = unknown denied\nbatching_window = 0\nbasis = invocation\np99 = 2s", ""},
	} {
		if got := sizingOf(t, c.text).Formula; got != c.want {
			t.Errorf("%q:\n got %q\nwant %q", c.text, got, c.want)
		}
	}
}

func TestWarnings(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"consumer worker\nbasis = step\np99 = 45s", "no heartbeat is declared: taken as none"},
		{"consumer worker\nbasis = call\np99 = 45s\nattempts = 1 (default)\nheartbeat = none", "attempts were not said and are taken as 1: retries of the client would multiply the time"},
		{"consumer worker\nbasis = step\np99 = 45s\nattempts = 1 (default)\nheartbeat = none", ""},
		{"consumer worker\nbasis = call\np99 = 45s\nattempts = 1\nheartbeat = none", ""},
		{"consumer worker\nbasis = step\np99 = 45s\nheartbeat = none\nbatch = 1\nhandling = serial (default)", ""},
		{"consumer worker\nbasis = step\np99 = 45s\nheartbeat = none\nbatch = 10\nhandling = serial", ""},
		{"consumer worker\nbasis = step\np99 = 45s\nheartbeat = none\nbatch = 10\nhandling = serial (default)", "the batch is taken to be handled in turn, since nothing else was said"},
		{"consumer worker\nbasis = step\np99 = 45s\nsamples = 298\nheartbeat = none", "p99 of 298 samples has no 95 % upper bound: at least 299 are needed"},
		{"consumer lambda handle\nfunction_timeout = 60s\nbatching_window = 0\nbasis = invocation\np99 = 54s", "the measured p99 54 s is close to the function timeout 60 s: longer runs were cut off and are not in it"},
		{"consumer worker\nbasis = step\np99 = 45s\nsamples = 299\nheartbeat = none", ""},
		{"consumer worker\nbasis = step\npercentile = 100\np99 = 45s\nsamples = 5\nheartbeat = none", ""},
		{"consumer lambda handle\nfunction_timeout = 60s\nbatching_window = 0\nbasis = invocation\np99 = 53s", ""},
	} {
		if got := strings.Join(sizingOf(t, c.text).Warnings, "; "); got != c.want {
			t.Errorf("%q: warnings %q, want %q", c.text, got, c.want)
		}
	}
}

// The weakest percentile decides, and one that is not counted leaves it open.
func TestSamples(t *testing.T) {
	const stages = "consumer worker\nbasis = step\nstage a\np99 = 1s\nsamples = 900\nstage b\np99 = 1s\nsamples = "
	for more, want := range map[string]int{"400": 400, "1000": 900} {
		if n, ok := sizingOf(t, stages+more).Samples.Get(); !ok || n != want {
			t.Errorf("900 and %s: %d samples, want %d", more, n, want)
		}
	}
	if s := sizingOf(t, stages+"unknown no_data").Samples; s.IsKnown() || s.Cause() != facts.NoData {
		t.Error("an uncounted stage counts")
	}
}

func TestNeedsMost(t *testing.T) {
	if NeedsMost(nil) != nil {
		t.Error("something of nothing")
	}
	unknown := sizingOf(t, "consumer worker\nlatency = unknown denied")
	short := sizingOf(t, "consumer worker\nbasis = step\np99 = 5s")
	long := sizingOf(t, "consumer worker\nbasis = step\np99 = 50s")
	if got := NeedsMost([]*Sizing{unknown, short, long, short}); got != long {
		t.Error("not the longest")
	}
	if got := NeedsMost([]*Sizing{unknown, unknown}); got != unknown {
		t.Error("not the first of unknown ones")
	}
}
