package simview

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"vtsize/simulate"
	"vtsize/sizing"
)

// FleetText writes a fleet's simulation for a person.
func FleetText(w io.Writer, r simulate.FleetResult) error {
	var b strings.Builder
	wrap(&b, fleetScenario(r.Input, ""))
	b.WriteString("\n")
	if len(r.Runs) == 0 {
		b.WriteString("interrupted before anything was found\n")
		_, err := io.WriteString(w, b.String())
		return err
	}
	fmt.Fprintf(&b, "%-42s%12s   %s\n", "", "mean", confidenceTitle(r))
	for _, m := range simulate.Metrics {
		e := r.Estimate(m)
		if !e.Known() || (e.Mean == 0 && m.Name == "over_limit_errors_per_hour") {
			continue
		}
		fmt.Fprintf(&b, "%-42s%12s   %s\n", m.Title, amount(m.Unit, e.Mean), interval(m.Unit, e))
	}
	b.WriteString("\n")
	wrap(&b, fleetFooter(r))
	_, err := io.WriteString(w, b.String())
	return err
}

func confidenceTitle(r simulate.FleetResult) string {
	if len(r.Runs) < 2 {
		return "no interval from one replication"
	}
	return "95 % confidence"
}

// fleetScenario says what was simulated, but for the value of the dial that a
// sweep turns.
func fleetScenario(in simulate.FleetInput, swept string) string {
	to := many(in.Consumers, "consumer", "consumers")
	if swept == "consumers" {
		to = "consumers"
	}
	parts := []string{fmt.Sprintf("%s messages/s to %s for %s, from an empty queue on", sizing.Number(in.Rate), to, short(in.For))}
	add := func(on bool, format string, args ...any) {
		if on {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	switch in.Arrivals {
	case simulate.Evenly:
		add(true, "evenly spaced")
	case simulate.Bursts:
		add(true, "in bursts of %s", sizing.Number(float64(in.Burst)))
	default:
		add(true, "Poisson arrivals")
	}
	add(true, "latency %s", in.Latency)
	add(in.SlowMessages, "a slow message stays slow")
	add(in.LoadFactor > 0, "%s times as long at full load", sizing.Number(1+in.LoadFactor))
	add(in.Retry.FailureRate > 0, "%s of attempts fail, %s", amount(simulate.Share, in.Retry.FailureRate), many(max(1, in.Retry.Attempts), "attempt", "attempts"))
	add(in.StepDeadline > 0, "step deadline %s", sizing.Seconds(in.StepDeadline))
	b := in.Batch
	add(b.Held() > 1 && swept != "batch", "a consumer receives %d, holds %d and works on %d at once", max(1, b.Size), b.Held(), b.Slots())
	add(swept != "visibility-timeout", "visibility timeout %s", sizing.Seconds(in.VisibilityTimeout))
	add(in.Heartbeat.Interval > 0 && swept != "heartbeat", "a beat every %s extends to %s", sizing.Seconds(in.Heartbeat.Interval), sizing.Seconds(in.ExtendTo()))
	add(in.BeatFromHold, "beats from the receive on")
	add(in.BeatLoss > 0, "%s of beats are lost", amount(simulate.Share, in.BeatLoss))
	add(in.BeatJitter > 0, "beats up to %s late", sizing.Seconds(in.BeatJitter))
	add(in.CrashRate > 0, "a consumer crashes %s times an hour and is back after %s", sizing.Number(in.CrashRate), sizing.Seconds(in.Restart))
	add(in.MaxReceiveCount > 0, "max receive count %d", in.MaxReceiveCount)
	add(in.MaxReceiveCount == 0, "no dead-letter queue")
	add(true, "retention %s", sizing.Seconds(in.KeptFor()))
	add(in.Delay > 0, "delay %s", sizing.Seconds(in.Delay))
	add(in.FIFO, "FIFO with %s", many(in.Groups, "message group", "message groups"))
	add(in.IdempotencyKey, "idempotency key")
	add(in.StaleDelete == simulate.StaleDeleteRemoves, "a stale delete removes")
	return strings.Join(parts, ", ")
}

func fleetFooter(r simulate.FleetResult) string {
	sent, events, peak := 0, 0, 0
	var simulated time.Duration
	for _, run := range r.Runs {
		sent += run.Sent
		events += run.Events
		peak = max(peak, run.InFlightPeak)
		simulated += run.Simulated
	}
	text := fmt.Sprintf("%s, seed %d: %s messages, %s events; in flight at most %s of the quota of %s",
		many(len(r.Runs), "replication", "replications"), r.Input.Seed, sizing.Number(float64(sent)), sizing.Number(float64(events)),
		sizing.Number(float64(peak)), sizing.Number(float64(r.Input.Quota())))
	if r.Interrupted {
		text += fmt.Sprintf("; interrupted after %s of the %s that were asked for", short(simulated.Round(time.Minute)), short(r.Input.For*time.Duration(r.Input.Runs())))
	}
	return text
}

func many(n int, one, more string) string {
	return sizing.Number(float64(n)) + " " + plural(n, one, more)
}

// amount writes a figure with its unit.
func amount(u simulate.Unit, x float64) string {
	switch u {
	case simulate.Share:
		return significant(100*x) + " %"
	case simulate.Seconds:
		return significant(x) + " s"
	case simulate.PerHour, simulate.Money:
		return significant(x) + " /h"
	}
	return significant(x)
}

// significant keeps four digits of a number, and no more than three decimals.
func significant(x float64) string {
	if x == 0 || math.IsNaN(x) {
		return sizing.Number(x)
	}
	digits := max(0, min(3, 3-int(math.Floor(math.Log10(math.Abs(x))))))
	scale := math.Pow(10, float64(digits))
	if y := math.Round(x*scale) / scale; y != 0 {
		return sizing.Number(y)
	}
	if x > 0 {
		return "< 0.001"
	}
	return "0"
}

func interval(u simulate.Unit, e simulate.Estimate) string {
	if !e.HasInterval() {
		return ""
	}
	return amount(u, max(0, e.Low)) + " to " + amount(u, e.High)
}

// wrap writes text in lines of at most 80 columns.
func wrap(b *strings.Builder, text string) {
	column := 0
	for i, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case i == 0:
		case column+1+n > textWidth:
			b.WriteString("\n")
			column = 0
		default:
			b.WriteString(" ")
			column++
		}
		b.WriteString(word)
		column += n
	}
	b.WriteString("\n")
}
