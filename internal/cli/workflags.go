package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"vtsize/facts"
	"vtsize/sizing"
	"vtsize/workload"
)

const (
	catLatency   = "Latency"
	catClient    = "Client retries"
	catConsumer  = "Consumer"
	catHeartbeat = "Heartbeat"
	catLambda    = "Lambda"
	catQueue     = "Queue"
)

func text(category, name, usage string) *cli.StringFlag {
	return &cli.StringFlag{Name: name, Usage: usage, Category: category}
}

// workFlags describe the work done for a message and the consumer that does it.
func workFlags() []cli.Flag {
	return []cli.Flag{
		text(catLatency, "p99", "99th percentile of the latency, `DURATION`, as 45s"),
		text(catLatency, "latency", "`LIST` of more of it, as mean=9s,p50=12s,p99=45s,p99.9=80s,max=2m"),
		text(catLatency, "samples", "number of samples behind the percentiles, `N`"),
		text(catLatency, "basis", "`BASIS`, what was measured: call (default), step, invocation"),
		&cli.StringSliceFlag{Name: "stage", Category: catLatency, Usage: "one `STAGE` of a step, as name=draft,p99=20s,attempts=3,backoff=0.5s+1s; also sdk=, request-timeout=; repeatable"},
		text(catLatency, "write", "time to write the result, `DURATION`"),
		text(catLatency, "overhead", "other time for each message, `DURATION`"),

		text(catClient, "attempts", "calls made at most, retries included, `N`"),
		text(catClient, "retries", "attempts less one, `N`"),
		text(catClient, "backoff", "`WAITS` between attempts, as 2s,4s"),
		text(catClient, "sdk", "retries and timeouts of a client library, `NAME`: vtsize presets"),
		text(catClient, "request-timeout", "the client's timeout of one attempt, `DURATION`"),

		text(catConsumer, "batch", "messages received at once, `N`"),
		text(catConsumer, "handling", "`HOW` a batch is worked through: serial (default) or parallel"),
		text(catConsumer, "concurrency", "messages worked on at once by one process, `N`"),
		text(catConsumer, "prefetch", "messages held by one process, running ones included, `N`"),
		text(catConsumer, "countdown", "delay inside the worker before a message is started, `DURATION`"),
		text(catConsumer, "receive-timeout", "visibility timeout given at receive, `DURATION`"),
		text(catConsumer, "step-deadline", "the worker gives a step up after `DURATION`"),
		text(catConsumer, "consumers", "number of processes, `N`"),
		text(catConsumer, "rate", "`RATE` of arrivals, as 40/s"),

		text(catHeartbeat, "heartbeat", "time between beats, `DURATION`"),
		text(catHeartbeat, "heartbeat-threshold", "a beat extends only when less than `DURATION` is left"),
		text(catHeartbeat, "extension", "each beat sets the timeout to `DURATION`"),

		text(catQueue, "outage", "longest outage to survive, `DURATION` (default: 3d)"),
	}
}

// work is what the flags say of the work.
type work struct {
	facts.Work
	said bool // any flag of the work was given
	rate facts.Value[float64]
}

// readWork reads the flags of workFlags.
func readWork(r *flagReader) work {
	w := work{rate: read(r, "rate", sizing.ParseRate)}
	for _, f := range workFlags() {
		if name := f.Names()[0]; r.c.IsSet(name) && name != "outage" && name != "rate" {
			w.said = true
		}
	}
	w.Percentile = 99
	w.Basis = orDefault(read(r, "basis", oneOf(facts.PerCall, facts.PerStep, facts.PerInvocation)), facts.PerCall, "default of --basis")
	w.Stages = readStages(r)
	w.Write, w.Overhead, w.Countdown = r.duration("write"), r.duration("overhead"), r.duration("countdown")
	w.Batch = r.count("batch", 1, sizing.LambdaMaxBatch)
	w.Concurrency = r.count("concurrency", 1, 1_000_000)
	w.Handling = orDefault(read(r, "handling", oneOf(facts.Serial, facts.Parallel)), facts.Serial, "default of --handling")
	if w.Concurrency.IsKnown() && !r.c.IsSet("handling") {
		w.Handling = facts.Known(facts.Parallel, flagOrigin("concurrency"))
	} else if w.Concurrency.IsKnown() && r.c.String("handling") == string(facts.Serial) {
		r.fail(usagef("--handling serial and --concurrency contradict each other"))
	}
	w.Prefetch = orAbsent(r.count("prefetch", 1, 1_000_000), "prefetch")
	w.ReceiveTimeout = pointer(r.duration("receive-timeout"))
	w.StepDeadline = orAbsent(r.positive("step-deadline"), "step-deadline")
	w.Consumers = r.count("consumers", 1, 10_000_000)
	w.Heartbeat = readHeartbeat(r)
	w.Extension = r.positive("extension")
	return w
}

func readHeartbeat(r *flagReader) facts.Value[*facts.Heartbeat] {
	h := facts.Heartbeat{
		Interval:  r.positive("heartbeat"),
		Threshold: orAbsent(r.positive("heartbeat-threshold"), "heartbeat-threshold"),
		Extension: r.positive("extension"),
	}
	if !h.Interval.IsKnown() {
		if r.c.IsSet("heartbeat-threshold") {
			r.fail(usagef("--heartbeat-threshold needs --heartbeat, the time between looks"))
		}
		return facts.Known[*facts.Heartbeat](nil, facts.Origin{Kind: facts.Flag, Detail: "no --heartbeat"})
	}
	return facts.Known(&h, flagOrigin("heartbeat"))
}

// workOn is the work as it is done for one queue. Where no extension was said,
// a beat sets the timeout to what the queue has, as workers commonly do.
func (w work) workOn(q *facts.Queue) facts.Work {
	out := w.Work
	if h, ok := out.Heartbeat.Get(); ok && h != nil && !h.Extension.IsKnown() && q.VisibilityTimeout.IsKnown() {
		d, _ := q.VisibilityTimeout.Get()
		own := *h
		own.Extension = facts.Known(d, facts.Origin{Kind: facts.Default, Detail: "default of --extension: the visibility timeout"})
		out.Heartbeat = facts.Known(&own, out.Heartbeat.Origin())
	}
	return out
}

// readStages reads the latency: several stages, or the one of --p99 and
// --latency.
func readStages(r *flagReader) facts.Value[[]facts.Stage] {
	if specs := r.c.StringSlice("stage"); len(specs) > 0 {
		for _, single := range []string{"p99", "latency", "samples", "attempts", "retries", "backoff", "sdk", "request-timeout"} {
			if r.c.IsSet(single) {
				r.fail(usagef("--stage and --%s cannot be combined; say it within each stage", single))
			}
		}
		var stages []facts.Stage
		for _, spec := range specs {
			st, err := parseStage(spec)
			if err != nil {
				r.fail(usagef("--stage %q: %v", spec, err))
			}
			stages = append(stages, st)
		}
		return facts.Known(stages, flagOrigin("stage"))
	}
	said := map[string]string{}
	for _, key := range []string{"attempts", "retries", "backoff", "sdk", "request-timeout"} {
		if r.c.IsSet(key) {
			said[key] = r.c.String(key)
		}
	}
	st := facts.Stage{Latency: readLatency(r)}
	if err := clientOf(&st, said, ",", func(key string) facts.Origin { return flagOrigin(key) }); err != nil {
		r.fail(err)
	}
	if !r.c.IsSet("p99") && !r.c.IsSet("latency") && len(said) == 0 {
		return notGiven[[]facts.Stage]("p99")
	}
	return facts.Known([]facts.Stage{st}, flagOrigin("p99"))
}

func readLatency(r *flagReader) facts.Latency {
	l := facts.Latency{
		Tail: notGiven[time.Duration]("p99"), Mean: notGiven[time.Duration]("latency mean="), P50: notGiven[time.Duration]("latency p50="),
		P999: notGiven[time.Duration]("latency p99.9="), Max: notGiven[time.Duration]("latency max="),
		Samples: r.count("samples", 1, 1<<40), Method: "as given",
	}
	if spec := r.c.String("latency"); spec != "" {
		if err := parseLatency(&l, spec, flagOrigin("latency")); err != nil {
			r.fail(usagef("--latency %q: %v", spec, err))
		}
	}
	if tail := r.positive("p99"); tail.IsKnown() {
		if l.Tail.IsKnown() {
			r.fail(usagef("--p99 and --latency both say p99"))
		}
		l.Tail = tail
	}
	if err := workload.Ordered(l); err != nil {
		r.fail(usagef("%v", err))
	}
	return l
}

func parseLatency(l *facts.Latency, spec string, o facts.Origin) error {
	fields := map[string]*facts.Value[time.Duration]{"mean": &l.Mean, "p50": &l.P50, "p99": &l.Tail, "p99.9": &l.P999, "max": &l.Max}
	pairs, err := keyValues(spec)
	if err != nil {
		return err
	}
	for _, kv := range pairs {
		dst, ok := fields[kv[0]]
		if !ok {
			return usagef("%q is none of mean, p50, p99, p99.9, max", kv[0])
		}
		d, err := positiveDuration(kv[1])
		if err != nil {
			return err
		}
		if dst.IsKnown() {
			return usagef("%s is said twice", kv[0])
		}
		*dst = facts.Known(d, o)
	}
	return nil
}

func parseStage(spec string) (facts.Stage, error) {
	var st facts.Stage
	pairs, err := keyValues(spec)
	if err != nil {
		return st, err
	}
	said := map[string]string{}
	latency := []string{}
	for _, kv := range pairs {
		switch kv[0] {
		case "name":
			st.Name = kv[1]
		case "mean", "p50", "p99", "p99.9", "max":
			latency = append(latency, kv[0]+"="+kv[1])
		case "attempts", "retries", "backoff", "sdk", "request-timeout":
			if _, twice := said[kv[0]]; twice {
				return st, usagef("%s is said twice", kv[0])
			}
			said[kv[0]] = kv[1]
		default:
			return st, usagef("%q is none of name, p99, mean, p50, p99.9, max, attempts, retries, backoff, sdk, request-timeout", kv[0])
		}
	}
	l := facts.Latency{Tail: notGiven[time.Duration]("stage p99="), Samples: notGiven[int]("samples"), Mean: notGiven[time.Duration]("stage mean="),
		P50: notGiven[time.Duration]("stage p50="), P999: notGiven[time.Duration]("stage p99.9="), Max: notGiven[time.Duration]("stage max=")}
	if err := parseLatency(&l, strings.Join(latency, ","), flagOrigin("stage")); err != nil {
		return st, err
	}
	if !l.Tail.IsKnown() {
		return st, usagef("a stage needs p99=")
	}
	if err := workload.Ordered(l); err != nil {
		return st, usagef("%v", err)
	}
	st.Latency = l
	return st, clientOf(&st, said, "+", func(key string) facts.Origin { return flagOrigin("stage " + key + "=") })
}

// keyValues splits "a=1,b=2".
func keyValues(spec string) ([][2]string, error) {
	var out [][2]string
	for part := range strings.SplitSeq(spec, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		k, v, ok := strings.Cut(part, "=")
		if !ok {
			return nil, usagef("%q is not KEY=VALUE", part)
		}
		out = append(out, [2]string{strings.TrimSpace(k), strings.TrimSpace(v)})
	}
	return out, nil
}

// clientOf reads how the client of a stage retries: from a preset, and from
// what is said beside it.
func clientOf(st *facts.Stage, said map[string]string, separator string, origin func(string) facts.Origin) error {
	st.Attempts = facts.Known(1, facts.Origin{Kind: facts.Default, Detail: "no attempts said"})
	st.Backoff = facts.Known([]time.Duration(nil), facts.Origin{Kind: facts.Default, Detail: "no backoff said"})
	st.RequestTimeout = facts.Unknown[*time.Duration](facts.NotDeclared, origin("request-timeout"))
	st.RetryAfter = facts.Unknown[facts.RetryAfter](facts.NotDeclared, origin("sdk"))
	attempts, err := saidAttempts(said)
	if err != nil {
		return err
	}
	var backoff []time.Duration
	if list, ok := said["backoff"]; ok {
		for part := range strings.SplitSeq(list, separator) {
			d, err := sizing.ParseDuration(part)
			if err != nil {
				return usagef("backoff %q: %v", list, err)
			}
			backoff = append(backoff, d)
		}
		if attempts == 0 {
			attempts = len(backoff) + 1
		}
		if len(backoff) != attempts-1 {
			return &usageError{msg: fmt.Sprintf("backoff %q has %d waits, and %d attempts have %d between them", list, len(backoff), attempts, attempts-1),
				hint: "name one wait for each retry"}
		}
		st.Backoff = facts.Known(backoff, origin("backoff"))
	}
	if attempts > 0 {
		st.Attempts = facts.Known(attempts, origin(attemptsKey(said)))
	}
	if name, ok := said["sdk"]; ok {
		if err := fromPreset(st, name, attempts, backoff, origin("sdk")); err != nil {
			return err
		}
	}
	if text, ok := said["request-timeout"]; ok {
		d, err := positiveDuration(text)
		if err != nil {
			return usagef("request timeout: %v", err)
		}
		st.RequestTimeout = facts.Known(&d, origin("request-timeout"))
	}
	return nil
}

// attemptsKey is the flag that the number of attempts comes from.
func attemptsKey(said map[string]string) string {
	for _, key := range []string{"attempts", "retries"} {
		if said[key] != "" {
			return key
		}
	}
	return "backoff"
}

// saidAttempts is 1 + retries, or 0 where neither is said.
func saidAttempts(said map[string]string) (int, error) {
	a, ok1 := said["attempts"]
	n, ok2 := said["retries"]
	switch {
	case ok1 && ok2:
		return 0, usagef("attempts and retries are both said; attempts are retries + 1")
	case ok1:
		n, err := counted(1, 1000)(a)
		if err != nil {
			return 0, usagef("attempts: %v", err)
		}
		return n, nil
	case ok2:
		n, err := counted(0, 999)(n)
		if err != nil {
			return 0, usagef("retries: %v", err)
		}
		return n + 1, nil
	}
	return 0, nil
}

// fromPreset fills in what a preset knows and nobody said.
func fromPreset(st *facts.Stage, name string, attempts int, backoff []time.Duration, o facts.Origin) error {
	p, ok := sizing.PresetNamed(name)
	if !ok {
		var names []string
		for _, p := range sizing.Presets {
			names = append(names, p.Name)
		}
		return &usageError{msg: fmt.Sprintf("no preset %q", name), hint: didYouMean(name, names, "vtsize presets lists them")}
	}
	if err := workload.Preset(st, p, attempts, backoff != nil, o); err != nil {
		return &usageError{msg: err.Error(), hint: "name the waits with --backoff"}
	}
	return nil
}
