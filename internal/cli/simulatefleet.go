package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"vtsize/csvread"
	"vtsize/simpage"
	"vtsize/simulate"
	"vtsize/simview"
	"vtsize/sizing"
)

// fleetFlags are those of a fleet only.
func fleetFlags() []cli.Flag {
	return []cli.Flag{
		text(catFleet, "rate", "`RATE` of arrivals, as 40/s: simulates a fleet"),
		text(catFleet, "consumers", "number of processes, `N`"),
		text(catFleet, "for", "simulated time, `DURATION` (default: 4h)"),
		text(catFleet, "arrivals", "`RHYTHM`: poisson (default), constant, bursts"),
		text(catFleet, "burst", "messages of one burst, `N`"),
		text(catFleet, "sweep", "one simulation for each of several values, `NAME=FROM..TO`; names: "+strings.Join(dialNames(), ", ")),
		text(catFleet, "points", "values of a sweep, `N` (default: 12)"),
		text(catFleet, "seed", "of the random numbers, `N` (default: 1)"),
		text(catFleet, "replications", "simulations with other random numbers, for the confidence, `N` (default: 5)"),
		&cli.BoolFlag{Name: "yes", Category: catFleet, Usage: "simulate however many events it takes"},

		text(catWork, "latency", "of one attempt, `LIST`: p50=12s,p99=45s or constant=45s or exponential=12s"),
		text(catWork, "csv", "draw latencies from the samples of `FILE`, of any form that csvread knows"),
		text(catWork, "column", "`COLUMN` of the latencies in the file"),
		text(catWork, "unit", "`UNIT` of the latencies in the file: ns, us, ms, s, m, h"),
		&cli.BoolFlag{Name: "slow-messages", Category: catWork, Usage: "a message takes as long at every receive, instead of another time at each"},
		text(catWork, "load-factor", "work takes 1 + `FACTOR` times as long when all slots are busy"),
		text(catWork, "failure-rate", "`SHARE` of attempts that fail, as 5%"),
		text(catWork, "attempts", "attempts of the client at most, `N`"),
		text(catWork, "backoff", "`WAITS` between attempts, as 2s,4s; the last one repeats"),

		text(catConsumer, "batch", "messages received at once, `N`"),
		text(catConsumer, "concurrency", "messages worked on at once by one process, `N`"),
		text(catConsumer, "prefetch", "messages held by one process, running ones included, `N`"),
		text(catConsumer, "crash-rate", "`RATE` of crashes of one consumer, as 0.1/h"),
		text(catConsumer, "restart", "until a crashed consumer polls again, `DURATION` (default: 30s)"),

		&cli.BoolFlag{Name: "beats-from-receive", Category: catHeartbeat, Usage: "beats start at the receive, not when the work starts"},
		text(catHeartbeat, "beat-loss", "`SHARE` of beats that never arrive, as 1%"),
		text(catHeartbeat, "beat-jitter", "a beat comes up to `DURATION` late"),

		text(catQueue, "delay", "of every message, `DURATION`"),
		text(catQueue, "groups", "message groups of a FIFO queue, equally busy, `N`"),
		text(catQueue, "in-flight-quota", "messages in flight at most, `N` (default: 120,000)"),
		text(catQueue, "polling", "`KIND`: long (default) or short; at the quota the one sees nothing, the other an error"),

		text(catOutput, "cost-per-hour", "of one message's work, `MONEY`"),
		text(catOutput, "cost-per-call", "of one attempt, `MONEY`"),
	}
}

// The defaults of a fleet's simulation.
const (
	defaultFor          = 4 * time.Hour
	defaultReplications = 5
	defaultPoints       = 12
	defaultRestart      = 30 * time.Second
	// manyEvents is from where --yes is asked for; a core does some ten
	// million a second.
	manyEvents = 1e9
)

func simulateFleet(c *cli.Context, env Env) error {
	r := &flagReader{c: c}
	in := readFleet(r)
	if r.err != nil {
		return r.err
	}
	var err error
	if in.Latency, err = readSimulatedLatency(c, env); err != nil {
		return err
	}
	if c.IsSet("sweep") {
		return simulateSweep(c, env, in)
	}
	if c.IsSet("points") {
		return usagef("--points is for a sweep (--sweep)")
	}
	if err := in.Validate(); err != nil {
		return usagef("%v", err)
	}
	if err := tooMany(c, in.Events()); err != nil {
		return err
	}
	result := simulate.Fleet(c.Context, in)
	return writeSimulation(c, env, simulated{
		text:   func(w io.Writer) error { return simview.FleetText(w, result) },
		json:   func(w io.Writer) error { return simview.FleetJSON(w, result) },
		page:   func(w io.Writer) error { return simpage.Write(w, simpage.Page{Version: Version, Fleet: &in}) },
		noPlot: "a single simulation has no curve; add --sweep visibility-timeout=30s..10m", interrupted: result.Interrupted,
	})
}

// tooMany asks for --yes before a simulation that takes long.
func tooMany(c *cli.Context, events float64) error {
	if events <= manyEvents || c.Bool("yes") {
		return nil
	}
	return &usageError{msg: fmt.Sprintf("this takes about %s million events, some %s on one core", sizing.Number(math.Round(events/1e6)), sizing.Seconds(time.Duration(events/1e7)*time.Second)),
		hint: "shorten --for, lower --replications or --points, or add --yes"}
}

func readFleet(r *flagReader) simulate.FleetInput {
	q := readSimulatedQueue(r)
	in := simulate.FleetInput{
		VisibilityTimeout: q.timeout, MaxReceiveCount: q.receives, Retention: q.retention, FIFO: q.fifo, StaleDelete: q.stale, Heartbeat: q.heartbeat,
		Rate: or(read(r, "rate", rate), 0), For: or(r.positive("for"), defaultFor), Consumers: or(r.count("consumers", 1, 5_000_000), 0),
		Arrivals: or(read(r, "arrivals", oneOf(simulate.Poisson, simulate.Evenly, simulate.Bursts)), simulate.Poisson), Burst: or(r.count("burst", 1, 10_000_000), 0),
		SlowMessages: r.c.Bool("slow-messages"), LoadFactor: or(read(r, "load-factor", number), 0), StepDeadline: or(r.positive("step-deadline"), 0),
		BeatFromHold: r.c.Bool("beats-from-receive"), BeatLoss: or(read(r, "beat-loss", share), 0), BeatJitter: or(r.duration("beat-jitter"), 0),
		CrashRate: or(read(r, "crash-rate", perHour), 0), Restart: or(r.duration("restart"), defaultRestart), Delay: or(read(r, "delay", wholeSeconds), 0),
		Groups: or(r.count("groups", 1, 5_000_000), 0), InFlightQuota: or(r.count("in-flight-quota", 1, 100_000_000), 0), IdempotencyKey: r.c.Bool("idempotency-key"),
		Cost: simulate.Cost{PerHour: or(read(r, "cost-per-hour", number), 0), PerCall: or(read(r, "cost-per-call", number), 0)},
		Seed: or(read(r, "seed", seed), 1), Replications: or(r.count("replications", 1, 1000), defaultReplications),
		ShortPolling: or(read(r, "polling", oneOf("long", "short")), "long") == "short",
	}
	in.Batch = sizing.Batch{Size: or(r.count("batch", 1, 10_000), 0), Prefetch: or(r.count("prefetch", 1, 10_000), 0), Concurrency: or(r.count("concurrency", 1, 10_000), 0)}
	if c := in.Batch.Concurrency; c > in.Batch.Held() {
		// A process that works on several at once holds as many.
		in.Batch.Prefetch = c
	}
	in.Retry = simulate.Retry{FailureRate: or(read(r, "failure-rate", share), 0), Attempts: or(r.count("attempts", 1, 100), 1), Waits: or(read(r, "backoff", durations), nil)}
	if !r.c.IsSet("consumers") && !strings.HasPrefix(r.c.String("sweep"), "consumers=") {
		r.fail(&usageError{msg: "no number of consumers", hint: "give how many processes poll the queue, as --consumers 900"})
	}
	return in
}

func number(s string) (float64, error) {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
		return 0, usagef("%q is not a number from 0 on", s)
	}
	return x, nil
}

// share reads "5%" or "0.05".
func share(s string) (float64, error) {
	text, percent := strings.CutSuffix(s, "%")
	x, err := number(strings.TrimSpace(text))
	if percent {
		x /= 100
	}
	if err != nil || x > 1 {
		return 0, usagef("%q is not a share from 0 to 1, as 0.05 or 5%%", s)
	}
	return x, nil
}

func seed(s string) (uint64, error) {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0, usagef("%q is not a whole number from 0 on", s)
	}
	return n, nil
}

func durations(s string) ([]time.Duration, error) {
	var ds []time.Duration
	for part := range strings.SplitSeq(s, ",") {
		d, err := sizing.ParseDuration(part)
		if err != nil {
			return nil, err
		}
		ds = append(ds, d)
	}
	return ds, nil
}

// readSimulatedLatency is the latency of --latency or of --csv.
func readSimulatedLatency(c *cli.Context, env Env) (simulate.Latency, error) {
	spec, file := c.String("latency"), c.String("csv")
	switch {
	case spec != "" && file != "":
		return simulate.Latency{}, usagef("--latency and --csv both give the latency")
	case file != "":
		return sampledLatency(c, env, file)
	case c.IsSet("column") || c.IsSet("unit"):
		return simulate.Latency{}, usagef("--column and --unit are for a file (--csv)")
	case spec == "":
		return simulate.Latency{}, &usageError{msg: "no latency", hint: "give the time of one message's work, as --latency p50=12s,p99=45s or --csv FILE"}
	}
	l, err := simulatedLatency(spec)
	if err != nil {
		return l, usagef("--latency %q: %v", spec, err)
	}
	return l, nil
}

// simulatedLatency reads "constant=45s", "exponential=12s" or two percentiles.
func simulatedLatency(spec string) (simulate.Latency, error) {
	pairs, err := keyValues(spec)
	if err != nil {
		return simulate.Latency{}, err
	}
	var points []simulate.Point
	for _, kv := range pairs {
		d, err := positiveDuration(kv[1])
		if err != nil {
			return simulate.Latency{}, err
		}
		switch {
		case kv[0] == "constant" && len(pairs) == 1:
			return simulate.Constant(d), nil
		case kv[0] == "exponential" && len(pairs) == 1:
			return simulate.Exponential(d), nil
		}
		p, err := strconv.ParseFloat(strings.TrimPrefix(kv[0], "p"), 64)
		if !strings.HasPrefix(kv[0], "p") || err != nil {
			return simulate.Latency{}, usagef("%q is neither constant, exponential nor a percentile as p99", kv[0])
		}
		points = append(points, simulate.Point{Percentile: p, At: d})
	}
	if len(points) != 2 {
		return simulate.Latency{}, usagef("it takes two percentiles, as p50=12s,p99=45s, or constant=45s")
	}
	return simulate.Lognormal(points[0], points[1])
}

// mostDrawn is how many samples of a file are kept to draw from: at even ranks,
// so that every percentile up to p99.99 is there.
const mostDrawn = 20_000

func sampledLatency(c *cli.Context, env Env, file string) (simulate.Latency, error) {
	result, err := csvread.Read(c.Context, csvread.Options{Files: []string{file}, Stdin: env.Stdin, Column: c.String("column"), Unit: c.String("unit")})
	if err != nil {
		return simulate.Latency{}, fileError(err)
	}
	if result.Whole == nil || result.Whole.N == 0 {
		return simulate.Latency{}, &usageError{msg: fmt.Sprintf("%q has no samples to draw from", file), hint: "give a file with one latency a row, or two percentiles with --latency"}
	}
	n := min(result.Whole.N, mostDrawn)
	samples := make([]time.Duration, n)
	for i := range samples {
		rank := int(math.Ceil((float64(i) + 0.5) / float64(n) * float64(result.Whole.N)))
		samples[i], _ = result.Whole.Rank(rank)
	}
	return simulate.Empirical(samples)
}

// fileError makes a file that holds no latencies wrong usage; one that cannot
// be read is a job that cannot be done.
func fileError(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) || errors.Is(err, context.Canceled) {
		return err
	}
	u := &usageError{msg: err.Error(), hint: "give a file with one latency a row, or two percentiles with --latency"}
	var next interface{ Hint() string }
	if errors.As(err, &next) && next.Hint() != "" {
		u.hint = next.Hint()
	}
	return u
}
