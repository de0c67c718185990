package simview

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"vtsize/simulate"
)

// command builds a command line; what is left at its default is left out.
type command struct{ words []string }

func (c *command) add(flag, value string) { c.words = append(c.words, "--"+flag, value) }

func (c *command) flag(on bool, flag string) {
	if on {
		c.words = append(c.words, "--"+flag)
	}
}

func (c *command) duration(flag string, d time.Duration) {
	if d > 0 {
		c.add(flag, simulate.Flag(d))
	}
}

func (c *command) count(flag string, n int) {
	if n > 0 {
		c.add(flag, strconv.Itoa(n))
	}
}

func (c *command) number(flag, unit string, x float64) {
	if x > 0 {
		c.add(flag, strconv.FormatFloat(x, 'g', -1, 64)+unit)
	}
}

func (c *command) String() string { return "vtsize simulate " + strings.Join(c.words, " ") }

// queue adds what a replay and a fleet have in common.
func (c *command) queue(in simulate.ReplayInput) {
	c.add("visibility-timeout", simulate.Flag(in.VisibilityTimeout))
	c.count("max-receive-count", in.MaxReceiveCount)
	c.flag(in.MaxReceiveCount == 0, "no-dlq")
	c.duration("retention", in.Retention)
	c.duration("heartbeat", in.Heartbeat.Interval)
	c.duration("extension", in.Heartbeat.Extension)
	c.duration("step-deadline", in.StepDeadline)
	c.flag(in.IdempotencyKey, "idempotency-key")
	if in.FIFO {
		c.add("queue-type", "fifo")
	}
	if in.StaleDelete == simulate.StaleDeleteRemoves {
		c.add("stale-delete", string(in.StaleDelete))
	}
}

// ReplayCommand is the command line that replays the input.
func ReplayCommand(in simulate.ReplayInput) string {
	var c command
	c.add("step", simulate.Flag(in.Step))
	c.queue(in)
	c.duration("crash-after", in.CrashAfter)
	if len(in.LoseBeats) > 0 {
		c.add("lose-beat", strings.ReplaceAll(numbers(in.LoseBeats), " ", ""))
	}
	return c.String()
}

// FleetCommand is the command line that simulates the input. A latency drawn
// from samples is named FILE.
func FleetCommand(in simulate.FleetInput) string {
	var c command
	c.number("rate", "/s", in.Rate)
	c.count("consumers", in.Consumers)
	if spec, ok := in.Latency.Spec(); ok {
		c.add("latency", spec)
	} else {
		c.add("csv", "FILE")
	}
	c.queue(simulate.ReplayInput{VisibilityTimeout: in.VisibilityTimeout, MaxReceiveCount: in.MaxReceiveCount, Retention: in.Retention, Heartbeat: in.Heartbeat,
		StepDeadline: in.StepDeadline, IdempotencyKey: in.IdempotencyKey, FIFO: in.FIFO, StaleDelete: in.StaleDelete})
	c.fleetWork(in)
	c.duration("for", in.For)
	c.count("replications", in.Runs())
	c.add("seed", fmt.Sprint(in.Seed))
	return c.String()
}

func (c *command) fleetWork(in simulate.FleetInput) {
	if in.Arrivals != "" && in.Arrivals != simulate.Poisson {
		c.add("arrivals", string(in.Arrivals))
	}
	c.count("burst", in.Burst)
	c.flag(in.SlowMessages, "slow-messages")
	c.number("load-factor", "", in.LoadFactor)
	c.number("failure-rate", "", in.Retry.FailureRate)
	if in.Retry.Attempts > 1 {
		c.count("attempts", in.Retry.Attempts)
	}
	if len(in.Retry.Waits) > 0 {
		waits := make([]string, len(in.Retry.Waits))
		for i, d := range in.Retry.Waits {
			waits[i] = simulate.Flag(d)
		}
		c.add("backoff", strings.Join(waits, ","))
	}
	c.count("batch", in.Batch.Size)
	c.count("concurrency", in.Batch.Concurrency)
	c.count("prefetch", in.Batch.Prefetch)
	c.number("crash-rate", "/h", in.CrashRate)
	if in.CrashRate > 0 {
		c.add("restart", simulate.Flag(in.Restart))
	}
	c.flag(in.BeatFromHold, "beats-from-receive")
	c.number("beat-loss", "", in.BeatLoss)
	c.duration("beat-jitter", in.BeatJitter)
	c.duration("delay", in.Delay)
	c.count("groups", in.Groups)
	c.count("in-flight-quota", in.InFlightQuota)
	if in.ShortPolling {
		c.add("polling", "short")
	}
	c.number("cost-per-hour", "", in.Cost.PerHour)
	c.number("cost-per-call", "", in.Cost.PerCall)
}
