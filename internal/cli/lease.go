package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"vtsize/assess"
	"vtsize/facts"
	"vtsize/lease"
	"vtsize/report"
)

func leaseCommand(env Env) *cli.Command {
	var names []string
	for _, l := range lease.Languages {
		names = append(names, l.Name)
	}
	return &cli.Command{
		Name:      "lease",
		Usage:     "write the renewal policy of a worker, and a heartbeat with its numbers",
		ArgsUsage: " ",
		Description: "The policy is for a runbook: how often the worker renews a message, for how\nlong, what proves progress, and what happens when it loses the message.\n\n" +
			"Examples:\n" +
			"   vtsize lease --queue orders\n" +
			"   vtsize lease --queue orders --workload team-a.yaml --language go\n" +
			"   vtsize lease --p99 45s --language python --code-only > heartbeat.py",
		Flags: slices.Concat([]cli.Flag{
			text(catOwner, "queue", "take what the workload file says of `QUEUE`"),
		}, ownerFlags(), []cli.Flag{
			text(catOutput, "language", "write a heartbeat in `LANGUAGE`: "+strings.Join(names, ", ")),
			&cli.BoolFlag{Name: "code-only", Category: catOutput, Usage: "write the heartbeat alone"},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: catOutput, Usage: "write to `FILE` instead of standard output"},
			text(catQueue, "visibility-timeout", "the present visibility timeout, `DURATION`"),
		}, workFlags()),
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return usagef("lease takes no arguments, and got %q", c.Args().First())
			}
			language := c.String("language")
			if language != "" && !slices.Contains(names, language) {
				return &usageError{msg: fmt.Sprintf("no heartbeat in %q", language), hint: "languages: " + strings.Join(names, ", ")}
			}
			if c.Bool("code-only") && language == "" {
				return usagef("--code-only needs --language")
			}
			return writeLease(c, env, language)
		},
	}
}

func writeLease(c *cli.Context, env Env, language string) error {
	s, own, err := leaseSizing(c)
	if err != nil {
		return err
	}
	p, err := lease.Of(s)
	if err != nil {
		return &hinted{err: fmt.Errorf("lease of queue %q: %w", s.Queue.Name, err), hint: "say the latency or the stages in the workload file, or with --p99"}
	}
	var b strings.Builder
	if !c.Bool("code-only") {
		width, _ := env.Terminal(env.Stdout)
		if err := report.Lease(&b, p, own.notes, width); err != nil {
			return err
		}
		if language != "" {
			b.WriteString("\n")
		}
	}
	if language != "" {
		if err := lease.WriteCode(&b, language, p); err != nil {
			return err
		}
	}
	o := output{env: env, file: c.String("output")}
	return o.deliver(whole(b.String()))
}

// leaseSizing is the arithmetic for the worker that the workload file and the
// flags tell of.
func leaseSizing(c *cli.Context) (*assess.Sizing, *owner, error) {
	own, err := readOwner(c)
	if err != nil {
		return nil, nil, err
	}
	file, name, err := own.entryFor(c)
	if err != nil {
		return nil, nil, err
	}
	r := &flagReader{c: c}
	w := readWork(r)
	q := &facts.Queue{ID: name, Name: name, VisibilityTimeout: r.duration("visibility-timeout"), Rate: w.rate}
	worker := &facts.Consumer{ID: "worker", Kind: facts.Worker, Work: w.workOn(q)}
	q.Consumers = facts.Known([]*facts.Consumer{worker}, flagOrigin("queue"))
	d := &facts.Deployment{Queues: []*facts.Queue{q}}
	if file != nil {
		fromFile(d, q, file, w)
	} else if !w.said {
		r.fail(&usageError{msg: "nothing to make a policy from", hint: "name a queue of the workload file with --queue, or the latency with --p99"})
	}
	return assess.Of(q, worker), own, r.err
}
