package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"vtsize/facts"
	"vtsize/rules"
	"vtsize/trace"
	"vtsize/traceview"
)

const catLog = "What of the log"

func diagnoseFlags() []cli.Flag {
	return []cli.Flag{
		text(catLog, "message", "only the message with this `ID`"),
		text(catLog, "queue", "only messages of `QUEUE`, by name, URL or ARN"),
		text(catLog, "only", "list only these `MESSAGES`: redelivered; what is summed up stays the same"),
		text(catLog, "show", "messages told in full in the text, `N` (default: 20)"),
		&cli.BoolFlag{Name: "strict", Category: catLog, Usage: "a line that is no event ends the run"},
		text(catLog, "max-memory", "give up where the log needs more than `MB` of memory (default: 2048)"),

		text(catQueue, "visibility-timeout", "the queue's visibility timeout, `DURATION`, to judge it by what was measured"),

		&cli.StringFlag{Name: "format", Aliases: []string{"f"}, Category: catOutput, Value: "text", Usage: "`FORMAT`: json, text"},
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: catOutput, Usage: "write to `FILE` instead of standard output"},
		text(catOutput, "plot", "draw the timelines into `FILE`, an SVG"),
		&cli.StringFlag{Name: "fail-on", Category: catOutput, Value: "error", Usage: "exit 1 from this `SEVERITY` of finding on: error, warning, info, never"},
		&cli.BoolFlag{Name: "fail-on-redelivered", Category: catOutput, Usage: "exit 1 where a message came again and was not released"},
		&cli.BoolFlag{Name: "no-color", Category: catOutput, Usage: "no colours on a terminal"},
	}
}

func diagnoseCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "diagnose",
		Usage:     "tell from a log of receives and deletes why messages came twice",
		ArgsUsage: "EVENTS...",
		Description: "EVENTS are files of JSON lines, compressed with gzip or not, or - for standard\n" +
			"input: events of vtsize (docs/schema/vtsize.event.v1.json), OpenTelemetry spans\n" +
			"as OTLP JSON, CloudTrail data events of SQS. Their order does not matter.\n\n" +
			"Examples:\n" +
			"   vtsize diagnose events.jsonl\n" +
			"   vtsize diagnose logs/*.jsonl.gz --queue orders --visibility-timeout 30s\n" +
			"   vtsize diagnose events.jsonl --message 4f1c2d7e --plot timeline.svg\n" +
			"   vtsize diagnose events.jsonl --format json --only redelivered\n\n" +
			"Redeliveries are reported and leave the exit status at 0, unless\n" +
			"--fail-on-redelivered is given; --fail-on is about findings of rules.",
		Flags: diagnoseFlags(),
		Action: func(c *cli.Context) error {
			d, err := readDiagnose(c, env)
			if err != nil {
				return err
			}
			return d.run(c.Context)
		},
	}
}

// diagnose is what the flags and arguments say.
type diagnose struct {
	env              Env
	files            []string
	opt              traceview.Options
	read             trace.Options
	text             traceview.TextOptions
	json             bool
	output, plot     string
	failOn           rules.Severity // 0: never
	failOnRedelivery bool
}

func readDiagnose(c *cli.Context, env Env) (*diagnose, error) {
	d := &diagnose{env: env, files: c.Args().Slice(), output: c.String("output"), plot: c.String("plot"), failOnRedelivery: c.Bool("fail-on-redelivered")}
	if len(d.files) == 0 {
		return nil, &usageError{msg: "no EVENTS", hint: "name the files of the log, or - for standard input"}
	}
	if first := slices.Index(d.files, "-"); first >= 0 && slices.Contains(d.files[first+1:], "-") {
		return nil, usagef("standard input is named more than once")
	}
	d.opt = traceview.Options{Selection: trace.Selection{Message: c.String("message"), Queue: c.String("queue")}, Judge: rules.Options{Now: env.Now()}}
	switch only := c.String("only"); only {
	case "":
	case "redelivered":
		d.opt.OnlyRedelivered = true
	default:
		return nil, &usageError{msg: fmt.Sprintf("--only: no kind of message %q", only), hint: didYouMean(only, []string{"redelivered"}, "there is: redelivered")}
	}
	switch format := c.String("format"); format {
	case "text", "json":
		d.json = format == "json"
	default:
		return nil, &usageError{msg: fmt.Sprintf("no format %q", format), hint: didYouMean(format, []string{"text", "json"}, "formats: json, text")}
	}
	if name := c.String("fail-on"); name != "never" {
		var ok bool
		if d.failOn, ok = rules.ParseSeverity(name); !ok {
			return nil, usagef("--fail-on: %q is none of error, warning, info, never", name)
		}
	}
	r := &flagReader{c: c}
	d.opt.Timeout = r.positive("visibility-timeout")
	d.read = trace.Options{Strict: c.Bool("strict"), MaxMemory: orZero(r.count("max-memory", 1, 1<<20)) << 20}
	d.text = traceview.TextOptions{Show: orZero(orDefault(r.count("show", 0, 1_000_000), 20, "default of --show")), All: d.opt.Message != ""}
	if width, ok := env.Terminal(env.Stdout); ok && d.output == "" {
		d.text.Width = width
		d.text.Color = !c.Bool("no-color") && env.getenv("NO_COLOR") == "" && env.getenv("TERM") != "dumb"
	}
	return d, r.err
}

func orZero[T any](x facts.Value[T]) T {
	v, _ := x.Get()
	return v
}

// run reads the log and writes what it tells.
func (d *diagnose) run(ctx context.Context) error {
	// Most memory is the log, which has no pointers: it costs little to collect
	// often, and a large share of garbage would cost as much as the log again.
	defer debug.SetGCPercent(debug.SetGCPercent(25))
	log := trace.NewLog(d.read)
	for _, name := range d.files {
		if err := d.readFile(ctx, log, name); err != nil {
			return err
		}
	}
	if log.Events() == 0 && log.Bad > 0 {
		return &hinted{err: fmt.Errorf("diagnose: none of %d lines is an event; the first: %s", log.Bad, log.FirstBad[0]), hint: "the formats that are read are in docs/diagnose.md"}
	}
	if err := d.known(log); err != nil {
		return err
	}
	answer, err := d.write(log)
	if err != nil {
		return err
	}
	return d.verdict(answer)
}

// verdict says by its error how to exit.
func (d *diagnose) verdict(a *traceview.Answer) error {
	if a.Report != nil && slices.ContainsFunc(a.Report.Findings, func(f rules.Finding) bool { return d.failOn > 0 && f.Severity >= d.failOn }) {
		return errFindings
	}
	notReleased := a.Tally.NotObserved
	for reason, n := range a.Tally.ByReason {
		if reason != trace.Released {
			notReleased += n
		}
	}
	if d.failOnRedelivery && notReleased > 0 {
		return errFindings
	}
	return nil
}

// readFile reads one file, or standard input.
func (d *diagnose) readFile(ctx context.Context, log *trace.Log, name string) error {
	var in io.Reader
	shown := filepath.ToSlash(name)
	if name == "-" {
		in, shown = d.env.Stdin, "standard input"
	} else {
		f, err := os.Open(name)
		if err != nil {
			return fmt.Errorf("read %q: %w", name, plain(err))
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return &hinted{err: fmt.Errorf("read %q: it is a directory", name), hint: "name the files in it, as " + filepath.ToSlash(filepath.Join(name, "*.jsonl"))}
		}
		in = f
	}
	err := log.Read(shown, stoppable{ctx, in})
	var strict *trace.StrictError
	switch {
	case ctx.Err() != nil:
		return errors.New("diagnose: stopped")
	case errors.As(err, &strict):
		return &hinted{err: fmt.Errorf("diagnose: %w", err), hint: "without --strict, bad lines are counted and left out"}
	case errors.Is(err, trace.ErrMemory):
		return &hinted{err: fmt.Errorf("diagnose: %w", err), hint: "raise --max-memory, or split the log by queue or by time"}
	case err != nil:
		return fmt.Errorf("diagnose: %w", err)
	}
	return nil
}

// stoppable ends a read when the context does.
type stoppable struct {
	ctx context.Context
	r   io.Reader
}

func (s stoppable) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.r.Read(p)
}

// known checks that what was asked for is in the log.
func (d *diagnose) known(log *trace.Log) error {
	if d.opt.Message == "" && d.opt.Queue == "" {
		return nil
	}
	for range log.Messages(d.opt.Selection) {
		return nil
	}
	queues, found := map[string]bool{}, false
	for m := range log.Messages(trace.Selection{Message: d.opt.Message}) {
		queues[trace.QueueName(m.Queue)], found = true, true
	}
	if !found {
		return &hinted{err: fmt.Errorf("diagnose: no event of message %q in the log", d.opt.Message), hint: "without --message, the text lists the messages that came again"}
	}
	names := make([]string, 0, len(queues))
	for name := range queues {
		names = append(names, name)
	}
	slices.Sort(names)
	name := trace.QueueName(d.opt.Queue)
	return &hinted{err: fmt.Errorf("diagnose: no message of queue %q in the log", name), hint: didYouMean(name, names, "queues in it: "+strings.Join(names[:min(10, len(names))], ", "))}
}

// write writes the report, and the picture.
func (d *diagnose) write(log *trace.Log) (*traceview.Answer, error) {
	var picture bytes.Buffer
	var plots []traceview.MessageWriter
	if d.plot != "" {
		plots = append(plots, traceview.NewSVG(&picture, d.text.All))
	}
	var answer *traceview.Answer
	err := output{env: d.env, file: d.output}.deliver(func(w io.Writer) error {
		var out traceview.MessageWriter = traceview.NewJSON(w)
		if !d.json {
			out = traceview.NewText(w, d.text)
		}
		var err error
		answer, err = traceview.Write(log, d.opt, append(plots, out)...)
		return err
	})
	if err != nil {
		return nil, err
	}
	if d.plot != "" {
		return answer, writeFile(d.plot, whole(picture.String()))
	}
	return answer, nil
}
