package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"vtsize/facts"
	"vtsize/report"
	"vtsize/rules"
	"vtsize/sizing"
	"vtsize/tfread"
	"vtsize/workload"
)

func configCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "config",
		Usage:     "verify a workload file, or write a first one",
		ArgsUsage: "COMMAND",
		Description: "A workload file, " + workload.FileName + ", says what only the owner of a queue knows.\n\n" +
			"Examples:\n" +
			"   vtsize config verify " + workload.FileName + "\n" +
			"   vtsize config init\n" +
			"   vtsize config init infra --output " + workload.FileName,
		Subcommands: []*cli.Command{configVerify(env), configInit(env)},
		Action: func(c *cli.Context) error {
			if c.NArg() == 0 {
				return &usageError{msg: "config needs a command", hint: "verify or init"}
			}
			name := c.Args().First()
			return &usageError{msg: fmt.Sprintf("no command \"config %s\"", name), hint: didYouMean(name, []string{"verify", "init"}, "verify or init")}
		},
	}
}

func configVerify(env Env) *cli.Command {
	return &cli.Command{
		Name:        "verify",
		Usage:       "check workload files: keys, units, values, contradictions",
		ArgsUsage:   "[FILE...]",
		Description: "Examples:\n   vtsize config verify\n   vtsize config verify team-a.yaml team-b.yaml",
		Action: func(c *cli.Context) error {
			files := c.Args().Slice()
			if len(files) == 0 {
				files = []string{workload.FileName}
			}
			own := &owner{files: map[string]*workload.File{}}
			failed := 0
			var last error
			for _, path := range files {
				f, err := own.load(c.Context, path, "", true)
				if err == nil {
					if _, err := fmt.Fprintf(env.Stdout, "%s: fine, %s\n", report.Escape(path), plurals(len(f.Entries), "entry", "entries")); err != nil {
						return fmt.Errorf("write to standard output: %w", err)
					}
					continue
				}
				if last != nil {
					showProblem(env, last)
				}
				failed, last = failed+1, err
			}
			if failed > 1 {
				return fmt.Errorf("%w; %d of %d files are not fine", last, failed, len(files))
			}
			return last
		},
	}
}

// plurals is a count with its word.
func plurals(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func configInit(env Env) *cli.Command {
	return &cli.Command{
		Name:      "init",
		Usage:     "write a commented workload file, with the queues of a directory or a snapshot",
		ArgsUsage: "[DIR]",
		Description: "DIR is a directory with Terraform. Without one, and without --snapshot or\n--demo, the file has one queue as an example.\n\n" +
			"Examples:\n   vtsize config init\n   vtsize config init infra --output infra/" + workload.FileName + "\n   vtsize config init --demo",
		Flags: []cli.Flag{
			text("", "snapshot", "write entries for the queues in `FILE`, which audit --save wrote"),
			&cli.BoolFlag{Name: "demo", Usage: "write entries for the queues of the built-in snapshot"},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write to `FILE`, which must not be there, instead of standard output"},
		},
		Action: func(c *cli.Context) error {
			examples, err := initQueues(c, env)
			if err != nil {
				return err
			}
			var b strings.Builder
			if err := workload.WriteExample(&b, examples); err != nil {
				return err
			}
			o := output{env: env, file: c.String("output")}
			if o.file != "" {
				if _, err := os.Lstat(o.file); !errors.Is(err, os.ErrNotExist) {
					return &hinted{err: fmt.Errorf("write %q: it is there already", o.file), hint: "vtsize config verify checks it; name another file to begin anew"}
				}
			}
			return o.deliver(whole(b.String()))
		},
	}
}

// initQueues are the queues to write entries for.
func initQueues(c *cli.Context, env Env) ([]workload.Example, error) {
	fromSnapshot := c.Bool("demo") || c.IsSet("snapshot")
	switch {
	case c.NArg() > 1:
		return nil, usagef("config init takes one directory, and got %d", c.NArg())
	case c.NArg() == 1 && fromSnapshot:
		return nil, usagef("a directory and --snapshot or --demo cannot be combined")
	case fromSnapshot:
		snapshot, err := savedSnapshot(c, env)
		if err != nil {
			return nil, err
		}
		return examplesOf(snapshot.Deployment()), nil
	case c.NArg() == 1:
		d, err := terraformQueues(c.Context, env, c.Args().First())
		if err != nil {
			return nil, err
		}
		return examplesOf(d), nil
	}
	return nil, nil
}

// terraformQueues reads the deployment that a directory defines.
func terraformQueues(ctx context.Context, env Env, dir string) (*facts.Deployment, error) {
	res, err := tfread.Read(ctx, dir, tfread.Options{Env: env.Environ, Workspace: env.getenv("TF_WORKSPACE")})
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", dir, err)
	}
	return res.Deployment, nil
}

// examplesOf makes an entry for each queue that somebody works on. An address
// is the same in every environment, and a name need not be.
func examplesOf(d *facts.Deployment) []workload.Example {
	var out []workload.Example
	wiring := rules.Wire(d)
	for _, q := range d.Queues {
		if wiring.OnlyDeadLetters(q) {
			continue
		}
		e := workload.Example{Match: q.Address}
		if e.Match == "" {
			e.Match = q.Name
		}
		if e.Match == "" {
			e.Match = q.ID
		}
		if timeout, ok := q.VisibilityTimeout.Get(); ok {
			e.Known = append(e.Known, "visibility timeout "+sizing.Seconds(timeout))
		}
		if list, ok := q.Consumers.Get(); ok {
			e.Known = append(e.Known, readersOf(list))
		}
		out = append(out, e)
	}
	return out
}

// readersOf says who reads a queue, and how long it was seen to take.
func readersOf(list []*facts.Consumer) string {
	if len(list) == 0 {
		return "read by a worker"
	}
	c := list[0]
	what := "read by a worker"
	if c.Kind == facts.Lambda {
		what = "read by a function"
	}
	stages, _ := c.Work.Stages.Get()
	for _, st := range stages {
		if tail, ok := st.Latency.Tail.Get(); ok {
			return fmt.Sprintf("%s that takes %s at p%v", what, sizing.Seconds(tail), c.Work.Percentile)
		}
	}
	return what
}
