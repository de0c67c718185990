package cli

import (
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"vtsize/facts"
	"vtsize/report"
	"vtsize/sizing"
	"vtsize/workload"
)

// lambdaFlags describe an event source mapping and its function.
func lambdaFlags() []cli.Flag {
	return []cli.Flag{
		text(catLambda, "function-timeout", "the function's timeout, `DURATION`"),
		text(catLambda, "batching-window", "the mapping's MaximumBatchingWindowInSeconds, `DURATION`"),
		&cli.BoolFlag{Name: "partial-batch-response", Category: catLambda, Usage: "the mapping reports batch item failures"},
		text(catLambda, "reserved-concurrency", "reserved for the function, `N` or none"),
		text(catLambda, "maximum-concurrency", "the mapping's MaximumConcurrency, `N` or none"),
	}
}

// queueFlags describe the queue.
func queueFlags() []cli.Flag {
	return []cli.Flag{
		text(catQueue, "visibility-timeout", "the present visibility timeout, `DURATION`"),
		text(catQueue, "retention", "message retention, `DURATION`"),
		text(catQueue, "max-receive-count", "receives before a message is dead-lettered, `N`"),
		text(catQueue, "dlq-retention", "message retention of the dead-letter queue, `DURATION`"),
		&cli.BoolFlag{Name: "no-dlq", Category: catQueue, Usage: "there is no dead-letter queue"},
		&cli.BoolFlag{Name: "fifo", Category: catQueue, Usage: "the queue is FIFO"},
	}
}

func calcCommand(env Env) *cli.Command {
	flags := append(workFlags(), queueFlags()...)
	flags = append(flags, lambdaFlags()...)
	flags = append(flags, latencyFlags("the latencies' `UNIT`: ns, us, ms, s, m, h")...)
	return &cli.Command{
		Name:      "calc",
		Usage:     "calculate timeout and heartbeat from flags, offline",
		ArgsUsage: " ",
		Description: "Examples:\n" +
			"   vtsize calc --p99 45s --retries 2 --backoff 2s,4s\n" +
			"   vtsize calc --p99 45s --sdk openai-python --visibility-timeout 30s\n" +
			"   vtsize calc --stage name=read,p99=12s --stage name=draft,p99=20s,attempts=3,backoff=0.5s+1s\n" +
			"   vtsize calc --workload vtsize.yaml --queue orders\n" +
			"   vtsize calc --function-timeout 60s --batching-window 5s --visibility-timeout 60s\n" +
			"   vtsize calc --csv steps.csv --basis step --max-duplicates 1e-3 --rate 20/s",
		Flags: slices.Concat(flags, []cli.Flag{text(catOwner, "queue", "take what the workload file says of `QUEUE`")}, ownerFlags(), outputFlags()),
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return usagef("calc takes no arguments, and got %q", c.Args().First())
			}
			return calc(c, env)
		},
	}
}

func calc(c *cli.Context, env Env) error {
	out, err := readOutput(c, env)
	if err != nil {
		return err
	}
	own, err := readOwner(c)
	if err != nil {
		return err
	}
	owned, name, err := own.entryFor(c)
	if err != nil {
		return err
	}
	r := &flagReader{c: c}
	w := readWork(r)
	files := readLatencyFlags(r, env)
	w.said = w.said || files != nil
	d := calcDeployment(r, w, owned, name)
	if r.err != nil {
		return r.err
	}
	if files != nil {
		if out.latencies, err = files.read(c.Context, d, &w); err != nil {
			return err
		}
		d = calcDeployment(r, w, owned, name) // a file may be of invocations, and so the consumer a function
	}
	if owned != nil && len(owned.Severity) > 0 {
		out.judge.Severity = owned.Severity
	}
	q := d.Queues[0]
	consumers, _ := q.Consumers.Get()
	return out.judgeAndWrite(d, report.Document{Command: "calc", Inputs: report.Inputs(q, consumers[0]), Notes: own.notes, Line: own.lineOf})
}

// calcDeployment is the queue and its consumer that the flags describe, on top
// of what a workload file says of the queue of that name.
func calcDeployment(r *flagReader, w work, file *workload.File, name string) *facts.Deployment {
	q := &facts.Queue{ID: name, Name: name, VisibilityTimeout: r.duration("visibility-timeout"), Retention: read(r, "retention", retention), Rate: w.rate}
	q.FIFO = facts.Known(false, facts.Origin{Kind: facts.Default, Detail: "no --fifo"})
	if r.c.IsSet("fifo") {
		q.FIFO = facts.Known(r.c.Bool("fifo"), flagOrigin("fifo"))
	}
	q.RedriveAllow = notGiven[*facts.RedriveAllow]("dlq-retention")
	q.Consumers = facts.Known([]*facts.Consumer{calcConsumer(r, w, q)}, flagOrigin("p99"))
	d := &facts.Deployment{Queues: []*facts.Queue{q}}
	outage := readOutage(r)
	if dead := redrive(r, q); dead != nil {
		d.Queues = append(d.Queues, dead)
	}
	if file != nil {
		fromFile(d, q, file, w)
	}
	outage.apply(d)
	if file == nil && !w.said && !r.c.IsSet("visibility-timeout") && !r.c.IsSet("retention") && !r.c.IsSet("max-receive-count") && !r.c.IsSet("no-dlq") && !isLambda(r.c, w) {
		r.fail(&usageError{msg: "nothing to calculate from", hint: "start with the latency, as: vtsize calc --p99 45s --retries 2 --backoff 2s,4s"})
	}
	return d
}

// fromFile puts what a workload file says of the queue below the flags.
func fromFile(d *facts.Deployment, q *facts.Queue, file *workload.File, w work) {
	list, _ := q.Consumers.Get()
	list[0].Work = facts.Work{}
	file.Apply(d)
	if w.rate.IsKnown() {
		q.Rate = w.rate
	}
	list[0].Work = workload.Overlay(list[0].Work, w.workOn(q))
}

// redrive reads the redrive policy; the dead-letter queue that it needs is
// returned.
func redrive(r *flagReader, q *facts.Queue) *facts.Queue {
	count := r.count("max-receive-count", 1, 1000)
	retention := read(r, "dlq-retention", retention)
	if r.c.Bool("no-dlq") {
		if count.IsKnown() || retention.IsKnown() {
			r.fail(usagef("--no-dlq contradicts --max-receive-count and --dlq-retention"))
		}
		q.Redrive = facts.Known[*facts.Redrive](nil, flagOrigin("no-dlq"))
		return nil
	}
	if !count.IsKnown() && !retention.IsKnown() {
		q.Redrive = notGiven[*facts.Redrive]("max-receive-count")
		return nil
	}
	dead := &facts.Queue{ID: "dead-letter queue", Name: "dead-letter queue", Retention: retention, FIFO: notGiven[bool]("fifo"),
		VisibilityTimeout: facts.Unknown[time.Duration](facts.NotDeclared, facts.Origin{}), Consumers: facts.Known([]*facts.Consumer{}, facts.Origin{})}
	q.Redrive = facts.Known(&facts.Redrive{Target: facts.Known(dead.ID, flagOrigin("max-receive-count")), MaxReceiveCount: count}, flagOrigin("max-receive-count"))
	return dead
}

func isLambda(c *cli.Context, w work) bool {
	for _, f := range lambdaFlags() {
		if c.IsSet(f.Names()[0]) {
			return true
		}
	}
	basis, _ := w.Basis.Get()
	return basis == facts.PerInvocation
}

// calcConsumer is a worker, or a function where a flag of one was given.
func calcConsumer(r *flagReader, w work, q *facts.Queue) *facts.Consumer {
	if !isLambda(r.c, w) {
		return &facts.Consumer{ID: "worker", Kind: facts.Worker, Work: w.workOn(q)}
	}
	c := &facts.Consumer{
		ID: "function", Kind: facts.Lambda, Work: w.workOn(q),
		FunctionTimeout:     read(r, "function-timeout", functionTimeout),
		BatchSize:           w.Batch,
		BatchingWindow:      orDefault(r.duration("batching-window"), 0, "AWS default"),
		MaximumConcurrency:  read(r, "maximum-concurrency", countedOrNone(0, 1_000_000)),
		ProvisionedPollers:  notGiven[*int]("maximum-concurrency"),
		ReservedConcurrency: read(r, "reserved-concurrency", countedOrNone(0, 1_000_000)),
		Enabled:             facts.Known(true, facts.Origin{Kind: facts.Default, Detail: "AWS default"}),
	}
	c.ReportBatchItemFailures = notGiven[bool]("partial-batch-response")
	if r.c.IsSet("partial-batch-response") || w.Batch.IsKnown() {
		c.ReportBatchItemFailures = facts.Known(r.c.Bool("partial-batch-response"), flagOrigin("partial-batch-response"))
	}
	c.Mappings = facts.Map(c.MaximumConcurrency, func(n *int) []facts.Mapping {
		return []facts.Mapping{{ID: c.ID, Enabled: c.Enabled, MaximumConcurrency: facts.Known(n, flagOrigin("maximum-concurrency")),
			ProvisionedPollers: facts.Known[*int](nil, flagOrigin("maximum-concurrency"))}}
	})
	return c
}

// retention is how long SQS can keep messages.
func retention(s string) (time.Duration, error) {
	d, err := sizing.ParseDuration(s)
	if err == nil && (d < sizing.MinRetention || d > sizing.MaxRetention) {
		err = usagef("%s is not within %s to %s, which SQS can keep messages", sizing.Seconds(d), sizing.Seconds(sizing.MinRetention), sizing.Seconds(sizing.MaxRetention))
	}
	return d, err
}

// functionTimeout is a timeout that Lambda accepts, the longer one of Managed
// Instances included.
func functionTimeout(s string) (time.Duration, error) {
	d, err := positiveDuration(s)
	if err == nil && (d < time.Second || d > sizing.LambdaManagedMaxTimeout) {
		err = usagef("%s is not within 1 s to %s, the longest of Lambda", sizing.Seconds(d), sizing.Seconds(sizing.LambdaManagedMaxTimeout))
	}
	return d, err
}
