package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"vtsize/facts"
	"vtsize/report"
	"vtsize/rules"
)

const catOutput = "Output"

// outputFlags choose what is judged and how it is written.
func outputFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "format", Aliases: []string{"f"}, Category: catOutput, Value: "text", Usage: "`FORMAT`: " + strings.Join(report.FormatNames(), ", ")},
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: catOutput, Usage: "write to `FILE` instead of standard output"},
		&cli.StringFlag{Name: "fail-on", Category: catOutput, Value: "error", Usage: "exit 1 from this `SEVERITY` on: error, warning, info, never"},
		&cli.BoolFlag{Name: "fail-on-not-checked", Category: catOutput, Usage: "exit 1 where a reader tried and could not tell"},
		&cli.StringSliceFlag{Name: "only", Category: catOutput, Usage: "run only these `RULES`, as VT101,VT301; repeatable"},
		&cli.StringSliceFlag{Name: "except", Category: catOutput, Usage: "leave out these `RULES`; repeatable"},
		&cli.BoolFlag{Name: "no-color", Category: catOutput, Usage: "no colours on a terminal"},
	}
}

// output is what the flags of outputFlags say.
type output struct {
	env        Env
	write      report.Writer
	file       string
	failOn     rules.Severity // 0: never
	failOnGaps bool
	judge      rules.Options
	latencies  *latencies // nil: none were read
	color      bool
	width      int
}

func readOutput(c *cli.Context, env Env) (output, error) {
	o := output{env: env, file: c.String("output"), failOnGaps: c.Bool("fail-on-not-checked"), judge: rules.Options{Now: env.Now()}}
	format := c.String("format")
	var ok bool
	if o.write, ok = report.Formats[format]; !ok {
		return o, &usageError{msg: fmt.Sprintf("no format %q", format), hint: didYouMean(format, report.FormatNames(), "formats: "+strings.Join(report.FormatNames(), ", "))}
	}
	if name := c.String("fail-on"); name != "never" {
		if o.failOn, ok = rules.ParseSeverity(name); !ok {
			return o, usagef("--fail-on: %q is none of error, warning, info, never", name)
		}
	}
	var err error
	if o.judge.Only, err = ruleIDs(c.StringSlice("only")); err != nil {
		return o, err
	}
	if o.judge.Except, err = ruleIDs(c.StringSlice("except")); err != nil {
		return o, err
	}
	if !slices.ContainsFunc(rules.All(), func(r *rules.Rule) bool {
		return (len(o.judge.Only) == 0 || slices.Contains(o.judge.Only, r.ID)) && !slices.Contains(o.judge.Except, r.ID)
	}) {
		return o, usagef("--only and --except leave no rule to run")
	}
	if width, ok := env.Terminal(env.Stdout); ok && o.file == "" {
		o.width = width
		o.color = !c.Bool("no-color") && env.getenv("NO_COLOR") == "" && env.getenv("TERM") != "dumb"
	}
	return o, nil
}

// ruleIDs are the ids of rules given by id or name, separated by commas.
func ruleIDs(lists []string) ([]string, error) {
	var ids []string
	for _, list := range lists {
		for name := range strings.SplitSeq(list, ",") {
			r := rules.Find(strings.TrimSpace(name))
			if r == nil {
				return nil, noRule(name)
			}
			ids = append(ids, r.ID)
		}
	}
	return ids, nil
}

func noRule(name string) error {
	var all []string
	for _, r := range rules.All() {
		all = append(all, r.Name, r.ID)
	}
	return &usageError{msg: fmt.Sprintf("no rule %q", name), hint: didYouMean(name, all, "vtsize rules lists them")}
}

// judgeAndWrite runs the rules and writes the report, with what files of
// latencies told.
func (o output) judgeAndWrite(d *facts.Deployment, doc report.Document) error {
	r := rules.Judge(d, o.judge)
	if o.latencies != nil {
		var err error
		if doc.Latencies, err = o.latencies.tell(r); err != nil {
			return err
		}
	}
	return o.writeReport(r, doc)
}

// writeReport writes what came out, and says by its error how to exit.
func (o output) writeReport(r *rules.Report, doc report.Document) error {
	doc.Version, doc.Report, doc.Width, doc.Color = Version, r, o.width, o.color
	if err := o.deliver(func(w io.Writer) error { return o.write(w, &doc) }); err != nil {
		return err
	}
	gaps, _ := r.CountNotChecked()
	failing := slices.ContainsFunc(r.Findings, func(f rules.Finding) bool { return o.failOn > 0 && f.Severity >= o.failOn })
	if failing || o.failOnGaps && gaps > 0 {
		return errFindings
	}
	return nil
}

// deliver has content written to standard output, or to the file. It is not
// kept in memory: a report can have hundreds of megabytes.
func (o output) deliver(content func(io.Writer) error) error {
	if o.file != "" {
		return writeFile(o.file, content)
	}
	if err := buffered(o.env.Stdout, content); err != nil {
		return fmt.Errorf("write to standard output: %w", err)
	}
	return nil
}

// whole writes a text that is there already.
func whole(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

// writeFile writes a temporary file beside the target and renames it, so that
// nothing half-written is ever there. What is no regular file, as a pipe or
// /dev/null, is written to as it is: a rename would put a file in its place. So
// it would in that of a link, as /dev/stdout is one.
func writeFile(name string, content func(io.Writer) error) error {
	target := name
	if behind, err := filepath.EvalSymlinks(name); err == nil {
		target = behind
	}
	var err error
	if info, e := os.Lstat(target); e == nil && !info.Mode().IsRegular() {
		err = fill(target, content)
	} else {
		err = replace(target, content)
	}
	if err != nil {
		return fmt.Errorf("write %q: %w", name, plain(err))
	}
	return nil
}

// fill writes to what is there, or to where a link points.
func fill(name string, content func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	return write(f, content)
}

// replace puts a new file in the place of what is there, if anything is.
func replace(name string, content func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	unfinished.Store(f.Name(), true)
	defer unfinished.Delete(f.Name())
	err = errors.Join(f.Chmod(0o644), write(f, content))
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// unfinished has the names of the files that are to be renamed.
var unfinished sync.Map

// RemoveUnfinished removes what is half-written. It is for the end of a process
// that does not wait for its run to end.
func RemoveUnfinished() {
	unfinished.Range(func(name, _ any) bool {
		os.Remove(name.(string))
		return true
	})
}

// write writes to a file and closes it.
func write(f *os.File, content func(io.Writer) error) error {
	return errors.Join(buffered(f, content), f.Close())
}

// buffered writes in large pieces. A writer that failed would tell it again
// when it is flushed.
func buffered(to io.Writer, content func(io.Writer) error) error {
	w := bufio.NewWriter(to)
	if err := content(w); err != nil {
		return err
	}
	return w.Flush()
}

// plain takes the operation and path off a path error: the message around it
// names them in the user's words.
func plain(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return l.Err
	}
	return err
}
