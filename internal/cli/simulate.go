package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"vtsize/facts"
	"vtsize/simpage"
	"vtsize/simulate"
	"vtsize/simview"
	"vtsize/sizing"
)

const (
	catOne   = "One message"
	catFleet = "A fleet"
	catWork  = "Its work"
)

// defaultReceives is the max receive count where neither it nor --no-dlq is
// given: the least that AWS advises for Lambda.
const defaultReceives = sizing.LambdaMinReceives

// simulateBothFlags hold for one message and for a fleet.
func simulateBothFlags() []cli.Flag {
	return []cli.Flag{
		text(catQueue, "visibility-timeout", "of the queue, `DURATION` (default: 30s, as SQS)"),
		text(catQueue, "max-receive-count", "receives before a message is dead-lettered, `N` (default: 5)"),
		&cli.BoolFlag{Name: "no-dlq", Category: catQueue, Usage: "there is no dead-letter queue"},
		text(catQueue, "retention", "message retention, `DURATION` (default: 4d, as SQS)"),
		text(catQueue, "queue-type", "`TYPE`: standard (default) or fifo"),
		text(catQueue, "stale-delete", "a delete with an old receipt handle `DOES`: keeps (default) or removes the message"),

		text(catHeartbeat, "heartbeat", "time between beats, `DURATION`"),
		text(catHeartbeat, "extension", "each beat sets the timeout to `DURATION` (default: the visibility timeout)"),
		text(catConsumer, "step-deadline", "the worker gives a step up after `DURATION`"),
		&cli.BoolFlag{Name: "idempotency-key", Category: catConsumer, Usage: "a second effect of a message is refused"},
	}
}

// replayFlags are those of one message only.
func replayFlags() []cli.Flag {
	return []cli.Flag{
		text(catOne, "step", "the work for one message, `DURATION`: replays one message"),
		text(catOne, "crash-after", "the first worker dies `DURATION` after its receive"),
		text(catOne, "lose-beat", "`NUMBERS` of the first worker's beats that are lost, as 2,3"),
	}
}

func simulateOutputFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "format", Aliases: []string{"f"}, Category: catOutput, Value: "text", Usage: "`FORMAT`: text, json"},
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: catOutput, Usage: "write to `FILE` instead of standard output"},
		text(catOutput, "plot", "draw the lanes or the sweep to `FILE`.svg"),
		text(catOutput, "html", "write a page to play with to `FILE`.html"),
	}
}

func simulateCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "simulate",
		Usage:     "replay one message second by second, or a whole fleet",
		ArgsUsage: " ",
		Description: "--step replays one message with consumers that are always polling; --rate\n" +
			"simulates a queue with all that is sent to it and all its consumers.\n\n" +
			"Examples:\n" +
			"   vtsize simulate --visibility-timeout 30s --step 45s --max-receive-count 5\n" +
			"   vtsize simulate --visibility-timeout 30s --step 45s --heartbeat 10s\n" +
			"   vtsize simulate --rate 40/s --consumers 900 --latency p50=12s,p99=45s \\\n" +
			"      --visibility-timeout 30s --for 24h\n" +
			"   vtsize simulate --rate 40/s --consumers 900 --latency p50=12s,p99=45s \\\n" +
			"      --sweep visibility-timeout=30s..10m --plot sweep.svg\n" +
			"   vtsize simulate --visibility-timeout 30s --step 45s --html report.html",
		Flags:  simulateFlags(),
		Action: func(c *cli.Context) error { return simulation(c, env) },
	}
}

// simulateFlags are all flags, those of one heading together.
func simulateFlags() []cli.Flag {
	owned := append(ownerFlags(), text(catOwner, "queue", "the `QUEUE` of the workload file whose work is simulated"))
	flags := slices.Concat(replayFlags(), fleetFlags(), simulateBothFlags(), owned, simulateOutputFlags())
	headings := []string{catOne, catFleet, catWork, catConsumer, catHeartbeat, catQueue, catOwner, catOutput}
	slices.SortStableFunc(flags, func(a, b cli.Flag) int {
		return slices.Index(headings, heading(a)) - slices.Index(headings, heading(b))
	})
	return flags
}

func heading(f cli.Flag) string {
	if c, ok := f.(cli.CategorizableFlag); ok {
		return c.GetCategory()
	}
	return ""
}

func simulation(c *cli.Context, env Env) error {
	if c.NArg() > 0 {
		return usagef("simulate takes no arguments, and got %q", c.Args().First())
	}
	if f := c.String("format"); f != "text" && f != "json" {
		return &usageError{msg: fmt.Sprintf("no format %q", f), hint: "formats of simulate: text, json"}
	}
	if err := fromWorkload(c, env); err != nil {
		return err
	}
	one, fleet := c.IsSet("step"), c.IsSet("rate")
	switch {
	case one && fleet:
		return &usageError{msg: "--step replays one message and --rate simulates a fleet", hint: "give one of the two; a fleet's work is given by --latency"}
	case one:
		if err := onlyWith(c, fleetFlags(), "a fleet (--rate)"); err != nil {
			return err
		}
		return replayOne(c, env)
	case fleet:
		if err := onlyWith(c, replayFlags(), "one message (--step)"); err != nil {
			return err
		}
		return simulateFleet(c, env)
	}
	return &usageError{msg: "nothing to simulate", hint: "one message: vtsize simulate --visibility-timeout 30s --step 45s; a fleet: --rate 40/s --consumers 900 --latency p50=12s,p99=45s"}
}

// onlyWith refuses flags that would do nothing.
func onlyWith(c *cli.Context, flags []cli.Flag, what string) error {
	for _, f := range flags {
		if name := f.Names()[0]; c.IsSet(name) {
			return usagef("--%s is for %s", name, what)
		}
	}
	return nil
}

// or is the value of a flag, or what holds where it is not given.
func or[T any](x facts.Value[T], otherwise T) T {
	if v, ok := x.Get(); ok {
		return v
	}
	return otherwise
}

func replayOne(c *cli.Context, env Env) error {
	r := &flagReader{c: c}
	q := readSimulatedQueue(r)
	in := simulate.ReplayInput{
		VisibilityTimeout: q.timeout, MaxReceiveCount: q.receives, Retention: q.retention, FIFO: q.fifo, StaleDelete: q.stale,
		Step: or(r.positive("step"), 0), Heartbeat: q.heartbeat, StepDeadline: or(r.positive("step-deadline"), 0), IdempotencyKey: c.Bool("idempotency-key"),
		CrashAfter: or(r.positive("crash-after"), 0), LoseBeats: or(read(r, "lose-beat", beatNumbers), nil),
	}
	if r.err != nil {
		return r.err
	}
	if err := in.Validate(); err != nil {
		return usagef("%v", err)
	}
	result := simulate.Replay(in)
	return writeSimulation(c, env, simulated{
		text: func(w io.Writer) error { return simview.ReplayText(w, result) },
		json: func(w io.Writer) error { return simview.ReplayJSON(w, result) },
		plot: func(w io.Writer) error { return simview.ReplaySVG(w, result) },
		page: func(w io.Writer) error { return simpage.Write(w, simpage.Page{Version: Version, Replay: &in}) },
	})
}

// simulatedQueue is what the flags for both say of the queue.
type simulatedQueue struct {
	timeout, retention time.Duration
	receives           int
	fifo               bool
	stale              simulate.StaleDelete
	heartbeat          simulate.Heartbeat
}

func readSimulatedQueue(r *flagReader) simulatedQueue {
	q := simulatedQueue{
		timeout:   or(read(r, "visibility-timeout", wholeSeconds), sizing.DefaultVisibilityTimeout),
		retention: or(read(r, "retention", wholeSeconds), 0),
		receives:  or(r.count("max-receive-count", 1, 1000), defaultReceives),
		stale:     or(read(r, "stale-delete", oneOf(simulate.StaleDeleteKeeps, simulate.StaleDeleteRemoves)), ""),
		heartbeat: simulate.Heartbeat{Interval: or(r.positive("heartbeat"), 0), Extension: or(read(r, "extension", wholeSeconds), 0)},
	}
	q.fifo = or(read(r, "queue-type", oneOf("standard", "fifo")), "standard") == "fifo"
	if r.c.Bool("no-dlq") {
		if r.c.IsSet("max-receive-count") {
			r.fail(usagef("--no-dlq contradicts --max-receive-count"))
		}
		q.receives = 0
	}
	if r.c.IsSet("extension") && !r.c.IsSet("heartbeat") {
		r.fail(&usageError{msg: "--extension without --heartbeat extends nothing", hint: "give the time between two beats, as --heartbeat 10s"})
	}
	return q
}

// wholeSeconds is a duration as SQS takes it.
func wholeSeconds(s string) (time.Duration, error) {
	d, err := sizing.ParseDuration(s)
	if err == nil && d%time.Second != 0 {
		err = usagef("%s is not in whole seconds, and SQS takes no others", sizing.Seconds(d))
	}
	return d, err
}

// beatNumbers reads "2,3".
func beatNumbers(s string) ([]int, error) {
	var numbers []int
	for part := range strings.SplitSeq(s, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < 1 {
			return nil, usagef("%q is not a list of beats from 1 on, as 2,3", s)
		}
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	return slices.Compact(numbers), nil
}

// simulated is what was found, for each way to show it. A nil one is not
// offered.
type simulated struct {
	text, json, plot, page func(io.Writer) error
	noPlot                 string // why there is no plot
	interrupted            bool
}

// errInterrupted ends a simulation that was stopped.
var errInterrupted = errors.New("interrupted; what was found until then is told")

// writeSimulation writes what was found to where the flags say. Files come
// first, so that a picture that cannot be written is told before the report.
func writeSimulation(c *cli.Context, env Env, s simulated) error {
	for _, file := range []struct {
		flag, ending string
		write        func(io.Writer) error
	}{{"plot", ".svg", s.plot}, {"html", ".html", s.page}} {
		name := c.String(file.flag)
		if name == "" {
			continue
		}
		if file.write == nil {
			return usagef("--%s: %s", file.flag, s.noPlot)
		}
		if !strings.HasSuffix(strings.ToLower(name), file.ending) {
			return usagef("--%s %q does not end with %s, and that is what is written", file.flag, name, file.ending)
		}
		if err := writeFile(name, file.write); err != nil {
			return err
		}
	}
	write := s.text
	if c.String("format") == "json" {
		write = s.json
	}
	if err := (output{env: env, file: c.String("output")}).deliver(write); err != nil {
		return err
	}
	if s.interrupted {
		return errInterrupted
	}
	return nil
}
