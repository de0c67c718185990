package simulate

import (
	"math"
	"testing"
	"time"
)

// erlangC is the probability of waiting in M/M/c: Erlang's second formula.
func erlangC(c int, offered float64) float64 {
	b := 1.0
	for n := 1; n <= c; n++ {
		b = offered * b / (float64(n) + offered*b)
	}
	return b / (1 - offered/float64(c)*(1-b))
}

func TestWaitingTimeOfMMc(t *testing.T) {
	for _, c := range []struct {
		consumers int
		load      float64
	}{{1, 0.5}, {4, 0.8}, {30, 0.9}} {
		in := quiet()
		in.Consumers, in.Latency, in.Replications = c.consumers, Exponential(10*second), 4
		in.Rate = c.load * float64(c.consumers) / 10
		in.For = time.Duration(400_000/in.Rate) * second
		r := fleetOf(t, in)
		offered := c.load * float64(c.consumers)
		wait := erlangC(c.consumers, offered) * 10 / (float64(c.consumers) - offered)
		within(t, "mean wait", estimate(t, r, "queue_time_mean_seconds"), wait, 0.06)
		within(t, "busy", estimate(t, r, "busy_share"), c.load, 0.01)
		// Little's law, for the queue and for the consumers.
		within(t, "waiting", estimate(t, r, "waiting_mean"), in.Rate*wait, 0.06)
		within(t, "in flight", estimate(t, r, "in_flight_mean"), in.Rate*10, 0.01)
		if c.consumers == 1 {
			// In M/M/1 the wait beyond w has probability ρ e^(−(μ−λ)w).
			p99 := math.Log(0.5/0.01) / (0.1 - in.Rate)
			within(t, "p99 of the wait", estimate(t, r, "queue_time_p99_seconds"), p99, 0.08)
		}
	}
}

// The wait of M/D/1 is half of that of M/M/1 (Pollaczek and Khinchine).
func TestWaitingTimeOfMD1(t *testing.T) {
	in := quiet()
	in.Consumers, in.Latency, in.Rate, in.Replications = 1, Constant(10*second), 0.08, 4
	in.For = 366 * 24 * time.Hour / 4
	within(t, "mean wait", estimate(t, fleetOf(t, in), "queue_time_mean_seconds"), 0.8*10/2/(1-0.8), 0.06)
}

// With consumers to spare, the first receive expires with P(hold ≥ timeout).
func TestExpiriesAreTheTailOfTheLatency(t *testing.T) {
	samples := make([]time.Duration, 1000)
	for i := range samples {
		samples[i] = time.Duration(i) * 50 * time.Millisecond
	}
	empirical, err := Empirical(samples)
	if err != nil {
		t.Fatal(err)
	}
	for name, l := range map[string]Latency{"lognormal": mustLognormal(t, 12*second, 45*second), "exponential": Exponential(12 * second), "empirical": empirical} {
		in := quiet()
		in.Latency, in.Rate, in.Consumers, in.VisibilityTimeout, in.For = l, 10, 2000, 30*second, 12*time.Hour
		r := fleetOf(t, in)
		run := r.Runs[0]
		got := float64(run.FirstExpiries) / float64(run.Sent)
		if want := l.exceeds(30 * second); math.Abs(got-want) > 0.05*want {
			t.Errorf("%s: %.5f of first receives expire, theory says %.5f", name, got, want)
		}
	}
}

// With the latency drawn anew at each receive, the n-th receive happens with
// P^(n−1): a message is received while all before lasted too long. Later ones
// race the earlier ones only where a stale delete removes; it does not here.
func TestReceivesAreGeometric(t *testing.T) {
	in := quiet()
	in.Latency, in.Rate, in.Consumers, in.VisibilityTimeout, in.MaxReceiveCount = Exponential(30*second), 5, 2000, 30*second, 4
	run := fleetOf(t, in).Runs[0]
	p := math.Exp(-1)
	if got, want := float64(run.Receives)/float64(run.Sent), 1+p+p*p+p*p*p; math.Abs(got-want) > 0.01*want {
		t.Errorf("%.4f receives a message, theory says %.4f", got, want)
	}
	if got, want := float64(run.DeadLettered)/float64(run.Sent), math.Pow(p, 4); math.Abs(got-want) > 0.05*want {
		t.Errorf("%.5f dead letters a message, theory says %.5f", got, want)
	}
	// Every step succeeds in the end, but for those still at work at the horizon.
	if unfinished := run.DeadLettered - run.FalseDeadLetters; unfinished < 0 || unfinished > 20 {
		t.Errorf("%d false of %d dead letters", run.FalseDeadLetters, run.DeadLettered)
	}
}

// What a crashed consumer held comes back when the timeout is over: after half
// of it on average where the crash is anywhere in a hold as long as that.
func TestRecoveryAfterACrash(t *testing.T) {
	in := quiet()
	in.Latency, in.Rate, in.Consumers, in.VisibilityTimeout = Constant(60*second), 10, 1000, 60*second
	in.VisibilityTimeout, in.CrashRate, in.For = 120*second, 0.5, 100*time.Hour
	r := fleetOf(t, in)
	// The crash comes evenly within the 60 s of work, so 120 − U(0, 60) s are left.
	within(t, "recovery", estimate(t, r, "recovery_mean_seconds"), 90, 0.02)
	if e := estimate(t, r, "recovery_longest_seconds"); e.Mean > 120 {
		t.Errorf("a recovery took %v s, longer than the timeout", e.Mean)
	}
	run := r.Runs[0]
	if want := 0.5 * 1000 * 100; math.Abs(float64(run.Crashes)-want) > 0.03*want {
		t.Errorf("%d crashes, want about %v", run.Crashes, want)
	}
}

func TestShareOfBeatsLost(t *testing.T) {
	in := quiet()
	in.Latency, in.Consumers, in.Heartbeat, in.BeatLoss = Constant(100*second), 200, Heartbeat{Interval: 10 * second}, 0.1
	run := fleetOf(t, in).Runs[0]
	if got := float64(run.BeatsLost) / float64(run.Beats); math.Abs(got-0.1) > 0.002 {
		t.Errorf("%.4f of beats are lost, want 0.1", got)
	}
	// A beat at 10, 20, … 90 s: the one at 100 s would come with the end.
	if got := float64(run.Beats) / float64(run.Deleted); math.Abs(got-9) > 0.05 {
		t.Errorf("%.3f beats a message, want 9", got)
	}
}

// At full load, the work itself included, work takes 1 + the factor as long.
func TestLoadSlowsWorkDown(t *testing.T) {
	in := quiet()
	in.Arrivals, in.Messages, in.Consumers, in.Latency, in.LoadFactor = Evenly, 1, 1, Constant(10*second), 0.5
	if got := fleetOf(t, in).Runs[0].WorkNS; got != 15e9 {
		t.Errorf("work of %v ns where every slot is busy, want 15 s", got)
	}
	in.Consumers = 5
	if got := fleetOf(t, in).Runs[0].WorkNS; got != 11e9 {
		t.Errorf("work of %v ns where a fifth is busy, want 11 s", got)
	}
}

// A client that fails q of its attempts and makes at most three makes
// 1 + q + q² of them, and fails q³ of the steps; each attempt takes its own
// time.
func TestRetries(t *testing.T) {
	in := quiet()
	in.Consumers, in.Latency = 100, Constant(10*second)
	in.Retry = Retry{FailureRate: 0.4, Attempts: 3, Waits: []time.Duration{second, 5 * second}}
	run := fleetOf(t, in).Runs[0]
	steps := float64(run.Done + run.Failures)
	if got, want := float64(run.Calls)/steps, 1+0.4+0.16; math.Abs(got-want) > 0.01*want {
		t.Errorf("%.4f calls a step, want %v", got, want)
	}
	if got, want := float64(run.Failures)/steps, 0.064; math.Abs(got-want) > 0.05*want {
		t.Errorf("%.4f of steps fail, want %v", got, want)
	}
	if got, want := run.WorkNS/1e9/steps, 10*(1+0.4+0.16)+0.4*1+0.16*5; math.Abs(got-want) > 0.01*want {
		t.Errorf("%.3f s of work a step, want %v", got, want)
	}

	// Two attempts of 1 s or 3 s, each as likely: 2, 4, 4 or 6 s. Three of four
	// are above 3.5 s; if both took the same it would be half.
	var err error
	if in.Latency, err = Empirical([]time.Duration{second, 3 * second}); err != nil {
		t.Fatal(err)
	}
	in.Retry, in.StepDeadline = Retry{FailureRate: 1, Attempts: 2}, 3500*time.Millisecond
	run = fleetOf(t, in).Runs[0]
	if got := float64(run.GivenUp) / float64(run.GivenUp+run.Failures); math.Abs(got-0.75) > 0.01 {
		t.Errorf("%.4f of steps are given up, want 0.75", got)
	}
}

// A slow message that stays slow is dead-lettered as often as the latency
// exceeds the timeout, however many receives it has.
func TestSlowMessagesStaySlow(t *testing.T) {
	in := quiet()
	in.Latency, in.Rate, in.Consumers, in.VisibilityTimeout, in.MaxReceiveCount, in.SlowMessages = Exponential(30*second), 5, 2000, 30*second, 3, true
	run := fleetOf(t, in).Runs[0]
	if got, want := float64(run.DeadLettered)/float64(run.Sent), math.Exp(-1); math.Abs(got-want) > 0.02*want {
		t.Errorf("%.4f dead letters a message, theory says %.4f", got, want)
	}
}

// A crash has something to recover from only where the consumer still had the
// message: for 10 of the 60 s that it works here.
func TestOnlyOwnersAreRecoveredFrom(t *testing.T) {
	in := quiet()
	in.Arrivals, in.Burst, in.Messages, in.Consumers = Bursts, 20, 20, 20
	in.Latency, in.VisibilityTimeout, in.CrashRate, in.For = Constant(60*second), 10*second, 1, 80*time.Hour
	run := fleetOf(t, in).Runs[0]
	if got, want := float64(run.Recoveries)/float64(run.Crashes), 1.0/6; math.Abs(got-want) > 0.04 {
		t.Errorf("%.3f recoveries a crash, want %.3f", got, want)
	}
}
