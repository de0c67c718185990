package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"vtsize/awsfetch"
	"vtsize/facts"
	"vtsize/report"
)

const (
	catRead = "What to read"
	catAWS  = "AWS"
)

func auditFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "queue", Aliases: []string{"q"}, Category: catRead, Usage: "`QUEUE` by name, URL or ARN; repeatable"},
		text(catRead, "prefix", "all queues whose names begin with `PREFIX`"),
		&cli.BoolFlag{Name: "all", Category: catRead, Usage: "all queues of the account and region"},
		text(catRead, "lookback", "read metrics of the last `DURATION` (default: 14d)"),
		&cli.StringSliceFlag{Name: "step-metric", Category: catRead, Usage: "a CloudWatch metric of your own with the latency, `NAMESPACE/NAME`; repeatable"},
		&cli.StringSliceFlag{Name: "dimension", Category: catRead, Usage: "a dimension of the step metric, `NAME=VALUE`; repeatable"},
		&cli.BoolFlag{Name: "demo", Category: catRead, Usage: "audit a built-in snapshot; no account needed"},
		text(catRead, "snapshot", "audit what --save wrote to `FILE`; no network"),
		text(catRead, "save", "write all that was read to `FILE`"),
		&cli.BoolFlag{Name: "mask", Category: catRead, Usage: "replace account ids in what --save writes"},

		text(catAWS, "profile", "`PROFILE` of the shared AWS configuration"),
		&cli.StringSliceFlag{Name: "region", Category: catAWS, Usage: "`REGION`; repeatable"},
		text(catAWS, "endpoint-url", "`URL` of another endpoint, as of an emulator"),
	}
}

func auditCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "audit",
		Usage:     "audit queues on live AWS: attributes, consumers, measured latency",
		ArgsUsage: " ",
		Description: "Reads only; vtsize policy prints the IAM policy it needs. Flags of the work\n" +
			"(--p99, --sdk, ...) describe the consumers that are not Lambda functions.\n\n" +
			"Examples:\n" +
			"   vtsize audit --queue orders --demo\n" +
			"   vtsize audit --queue orders --profile prod --region eu-west-1\n" +
			"   vtsize audit --prefix agent- --format table --fail-on warning\n" +
			"   vtsize audit --queue orders --step-metric Agents/StepDuration \\\n" +
			"      --dimension Queue=orders --unit Seconds --basis step\n" +
			"   vtsize audit --all --save snapshot.json --mask",
		Flags: slices.Concat(auditFlags(), ownerFlags(), workFlags(), latencyFlags(auditUnit), outputFlags()),
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return &usageError{msg: fmt.Sprintf("audit takes no arguments, and got %q", c.Args().First()), hint: "name queues with --queue"}
			}
			return audit(c, env)
		},
	}
}

// auditUnit is the usage of --unit, which is for files and metrics.
const auditUnit = "`UNIT` of --csv: ns, us, ms, s, m, h; of --step-metric: Seconds, Milliseconds, Microseconds"

func audit(c *cli.Context, env Env) error {
	out, err := readOutput(c, env)
	if err != nil {
		return err
	}
	r := &flagReader{c: c}
	w := readWork(r)
	files := readLatencyFlags(r, env)
	survive := readOutage(r)
	if r.err != nil {
		return r.err
	}
	if c.Bool("mask") && c.String("save") == "" {
		return usagef("--mask is for what --save writes")
	}
	own, err := readOwner(c)
	if err != nil {
		return err
	}
	file, err := own.file(c.Context, "")
	if err != nil {
		return err
	}
	if files != nil {
		if out.latencies, err = files.read(c.Context, nil, &w); err != nil {
			return err
		}
	}
	snapshot, readErr := source(c, env, r, w.said)
	if snapshot == nil {
		return readErr
	}
	if err := save(c, snapshot); err != nil {
		return err
	}
	d := snapshot.Deployment()
	out.judge = own.apply(d, file, w, survive, false, out.judge)
	err = out.judgeAndWrite(d, report.Document{Command: "audit", Notes: own.notes, Line: own.lineOf})
	if readErr != nil {
		return readErr // a named queue that could not be read weighs more than findings
	}
	return err
}

// source reads the snapshot that the flags name: built in, a file, or AWS. An
// error beside a snapshot tells of named queues that could not be read.
func source(c *cli.Context, env Env, r *flagReader, workSaid bool) (*awsfetch.Snapshot, error) {
	if !c.Bool("demo") && c.String("snapshot") == "" {
		return fetch(c, env, r, workSaid)
	}
	for _, name := range []string{"profile", "region", "endpoint-url", "lookback", "prefix", "all", "step-metric", "dimension", "unit"} {
		if c.IsSet(name) && !(name == "unit" && c.IsSet("csv")) {
			return nil, usagef("--%s is for live AWS, and --snapshot and --demo read none", name)
		}
	}
	snapshot, err := savedSnapshot(c, env)
	if err != nil {
		return nil, err
	}
	if queues := c.StringSlice("queue"); len(queues) > 0 {
		s, err := snapshot.Select(queues)
		if err != nil {
			return nil, withHint(err)
		}
		return s, nil
	}
	return snapshot, nil
}

// savedSnapshot is the built-in snapshot or the one in a file.
func savedSnapshot(c *cli.Context, env Env) (*awsfetch.Snapshot, error) {
	file, demo := c.String("snapshot"), c.Bool("demo")
	if demo && file != "" {
		return nil, usagef("--demo and --snapshot cannot be combined")
	}
	if demo {
		return awsfetch.Demo(), nil
	}
	return readSnapshot(file, env.Stdin)
}

func readSnapshot(file string, stdin io.Reader) (*awsfetch.Snapshot, error) {
	in := stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, fmt.Errorf("read snapshot %q: %w", file, plain(err))
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("read snapshot %q: it is not a regular file", file)
		}
		in = f
	}
	s, err := awsfetch.Load(in)
	if err != nil {
		return nil, withHint(fmt.Errorf("read snapshot %q: %w", file, err))
	}
	return s, nil
}

func fetch(c *cli.Context, env Env, r *flagReader, workSaid bool) (*awsfetch.Snapshot, error) {
	steps, err := stepMetrics(c)
	if err != nil {
		return nil, err
	}
	if len(steps) > 0 && workSaid && (c.IsSet("p99") || c.IsSet("latency") || c.IsSet("stage")) {
		return nil, usagef("--step-metric measures the latency, and --p99, --latency and --stage say it: take one of them")
	}
	lookback := r.positive("lookback")
	if r.err != nil {
		return nil, r.err
	}
	o := awsfetch.Options{
		Queues: c.StringSlice("queue"), Prefix: c.String("prefix"), All: c.Bool("all"), StepMetrics: steps,
		Regions: c.StringSlice("region"), Profile: c.String("profile"), EndpointURL: c.String("endpoint-url"), Now: env.Now(),
	}
	o.Lookback, _ = lookback.Get()
	finish := progress(env, &o)
	s, err := awsfetch.Fetch(c.Context, o)
	finish()
	if errors.Is(err, context.Canceled) {
		return nil, errors.New("audit: stopped")
	}
	if err != nil {
		return s, withHint(err)
	}
	return s, nil
}

// progress shows on a terminal how far a long audit has come.
func progress(env Env, o *awsfetch.Options) (finish func()) {
	if _, ok := env.Terminal(env.Stderr); !ok {
		return func() {}
	}
	start, shown := env.Now(), false
	o.Progress = func(done, started int, action string) {
		if env.Now().Sub(start) < time.Second {
			return // a short audit needs none
		}
		shown = true
		fmt.Fprintf(env.Stderr, "\r\x1b[Kreading: %d of %d calls, %s", done, started, report.Escape(action))
	}
	return func() {
		if shown {
			fmt.Fprint(env.Stderr, "\r\x1b[K")
		}
	}
}

func stepMetrics(c *cli.Context) ([]awsfetch.StepMetric, error) {
	names := c.StringSlice("step-metric")
	if len(names) == 0 {
		if c.IsSet("dimension") || c.IsSet("unit") && !c.IsSet("csv") {
			return nil, usagef("--dimension and --unit are for a --step-metric")
		}
		return nil, nil
	}
	basis := c.String("basis")
	if basis == "" || !c.IsSet("unit") {
		return nil, &usageError{msg: "--step-metric needs --unit and --basis", hint: "say --unit Seconds, and --basis step where whole steps are measured, call where single calls are"}
	}
	dimensions := map[string]string{}
	for _, d := range c.StringSlice("dimension") {
		k, v, ok := strings.Cut(d, "=")
		if !ok || k == "" {
			return nil, usagef("--dimension %q is not NAME=VALUE", d)
		}
		dimensions[k] = v
	}
	var out []awsfetch.StepMetric
	for _, name := range names {
		i := strings.LastIndex(name, "/")
		if i <= 0 {
			return nil, usagef("--step-metric %q is not NAMESPACE/NAME", name)
		}
		out = append(out, awsfetch.StepMetric{Namespace: name[:i], Name: name[i+1:], Dimensions: dimensions, Unit: c.String("unit"), Basis: facts.Basis(basis)})
	}
	return out, nil
}

func save(c *cli.Context, s *awsfetch.Snapshot) error {
	file := c.String("save")
	if file == "" {
		return nil
	}
	if c.Bool("mask") {
		var err error
		if s, err = s.Mask(); err != nil {
			return fmt.Errorf("mask account ids: %w", err)
		}
	}
	var b strings.Builder
	if err := s.Save(&b); err != nil {
		return fmt.Errorf("write snapshot %q: %w", file, err)
	}
	return writeFile(file, whole(b.String()))
}

// withHint takes over the hint that an error of a reader has.
func withHint(err error) error {
	var usage *awsfetch.UsageError
	if errors.As(err, &usage) {
		return &usageError{msg: err.Error(), hint: usage.Hint()}
	}
	var h interface{ Hint() string }
	if errors.As(err, &h) {
		return &hinted{err: err, hint: h.Hint()}
	}
	return err
}
