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
