package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"vtsize/checklist"
	"vtsize/facts"
	"vtsize/report"
	"vtsize/rules"
	"vtsize/workload"
)

func checklistCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "checklist",
		Usage:     "answer thirteen questions on the readiness of a queue and its workers",
		ArgsUsage: "[DIR]",
		Description: "Each question is answered with yes, no or not known, with the evidence and\n" +
			"what would make it yes. Most of the answers are in the workload file. The\n" +
			"queues are read from AWS, from a snapshot, or from Terraform in DIR.\n\n" +
			"Examples:\n" +
			"   vtsize checklist --queue orders\n" +
			"   vtsize checklist --queue orders --demo --workload vtsize.yaml\n" +
			"   vtsize checklist infra --format markdown > readiness.md",
		Flags: slices.Concat(auditFlags(), ownerFlags(), workFlags(), []cli.Flag{
			&cli.StringFlag{Name: "format", Aliases: []string{"f"}, Category: catOutput, Value: "text", Usage: "`FORMAT`: " + strings.Join(report.ChecklistFormats, ", ")},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: catOutput, Usage: "write to `FILE` instead of standard output"},
		}),
		Action: func(c *cli.Context) error {
			if format := c.String("format"); !slices.Contains(report.ChecklistFormats, format) {
				return &usageError{msg: fmt.Sprintf("no format %q", format), hint: didYouMean(format, report.ChecklistFormats, "formats: "+strings.Join(report.ChecklistFormats, ", "))}
			}
			if c.NArg() > 1 {
				return usagef("checklist takes one directory, and got %d", c.NArg())
			}
			return answer(c, env)
		},
	}
}

// answer reads the queues, judges them and writes the answers.
func answer(c *cli.Context, env Env) error {
	r := &flagReader{c: c}
	w, survive := readWork(r), readOutage(r)
	if r.err != nil {
		return r.err
	}
	own, err := readOwner(c)
	if err != nil {
		return err
	}
	dir := c.Args().First()
	var file *workload.File
	if dir == "" {
		file, err = own.file(c.Context, "")
	} else {
		file, err = own.file(c.Context, "", dir)
	}
	if err != nil {
		return err
	}
	d, readErr := checklistQueues(c, env, r, w.said, dir)
	if d == nil {
		return readErr
	}
	opt := own.apply(d, file, w, survive, dir != "", rules.Options{Now: env.Now()})
	lists := checklist.Of(d, rules.Judge(d, opt))
	if lists, err = chosen(lists, c.StringSlice("queue")); err != nil {
		return err
	}
	var b strings.Builder
	width, _ := env.Terminal(env.Stdout)
	if err := report.Checklist(&b, c.String("format"), lists, own.notes, width); err != nil {
		return err
	}
	o := output{env: env, file: c.String("output")}
	if err := o.deliver(whole(b.String())); err != nil {
		return err
	}
	return readErr
}

// checklistQueues reads the queues of a directory, a snapshot or AWS.
func checklistQueues(c *cli.Context, env Env, r *flagReader, workSaid bool, dir string) (*facts.Deployment, error) {
	if dir != "" {
		for _, name := range []string{"demo", "snapshot", "profile", "region", "endpoint-url", "lookback", "prefix", "all", "save", "step-metric"} {
			if c.IsSet(name) {
				return nil, usagef("--%s and a directory cannot be combined", name)
			}
		}
		return terraformQueues(c.Context, env, dir)
	}
	s, err := source(c, env, r, workSaid)
	if s == nil {
		return nil, err
	}
	if err := save(c, s); err != nil {
		return nil, err
	}
	return s.Deployment(), err
}

// chosen are the lists of the queues that were named, by name, ARN or address;
// all where none was.
func chosen(lists []checklist.List, names []string) ([]checklist.List, error) {
	if len(names) == 0 {
		return lists, nil
	}
	var out []checklist.List
	for _, name := range names {
		found := false
		for _, l := range lists {
			if q := l.Queue; slices.Contains([]string{q.Name, q.ARN, q.URL, q.Address, q.ID}, name) {
				out, found = append(out, l), true
			}
		}
		if !found {
			return nil, fmt.Errorf("checklist: no queue %q here", name)
		}
	}
	return out, nil
}
