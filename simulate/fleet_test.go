package simulate

import (
	"context"
	"math"
	"reflect"
	"runtime"
	"testing"
	"time"

	"vtsize/sizing"
)

func fleetOf(t *testing.T, in FleetInput) FleetResult {
	t.Helper()
	if err := in.Validate(); err != nil {
		t.Fatal(err)
	}
	return Fleet(context.Background(), in)
}

func estimate(t *testing.T, r FleetResult, name string) Estimate {
	t.Helper()
	m, ok := MetricNamed(name)
	if !ok {
		t.Fatalf("no metric %s", name)
	}
	return r.Estimate(m)
}

// within fails unless the estimate is near what theory says.

func within(t *testing.T, what string, e Estimate, want, share float64) {
	t.Helper()
	if math.Abs(e.Mean-want) > share*want {
		t.Errorf("%s: %.5g (%.5g to %.5g), theory says %.5g", what, e.Mean, e.Low, e.High, want)
	}
}

func mustLognormal(t testing.TB, p50, p99 time.Duration) Latency {
	t.Helper()
	l, err := Lognormal(Point{50, p50}, Point{99, p99})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// quiet is a fleet in which nothing goes wrong.

func quiet() FleetInput {
	return FleetInput{For: 24 * time.Hour, Rate: 1, Consumers: 10, Latency: Constant(second), VisibilityTimeout: 12 * time.Hour, Seed: 1}
}

// hard is a fleet in which everything goes wrong at once.

func hard() FleetInput {
	l, _ := Lognormal(Point{50, 12 * second}, Point{99, 45 * second})
	return FleetInput{For: 6 * time.Hour, Rate: 3, Consumers: 12, Batch: sizing.Batch{Size: 5, Prefetch: 8, Concurrency: 4},
		Latency: l, LoadFactor: 0.3, Retry: Retry{FailureRate: 0.1, Attempts: 2, Waits: []time.Duration{second}}, StepDeadline: 80 * second,
		Heartbeat: Heartbeat{Interval: 9 * second, Extension: 20 * second}, BeatLoss: 0.1, BeatJitter: 3 * second, CrashRate: 2, Restart: 20 * second,
		VisibilityTimeout: 30 * second, MaxReceiveCount: 3, Retention: time.Hour, Delay: 5 * second, Seed: 7, Replications: 3}
}

// variants are fleets of every kind, for what must hold in all of them.

func variants() map[string]FleetInput {
	vs := map[string]FleetInput{"hard": hard()}
	add := func(name string, change func(*FleetInput)) {
		in := hard()
		change(&in)
		vs[name] = in
	}
	add("no heartbeat", func(in *FleetInput) { in.Heartbeat, in.BeatLoss, in.BeatJitter = Heartbeat{}, 0, 0 })
	add("beats from the receive on", func(in *FleetInput) { in.BeatFromHold, in.BeatJitter = true, 0 })
	add("fifo", func(in *FleetInput) { in.FIFO, in.Groups = true, 40 })
	add("fifo, few groups", func(in *FleetInput) { in.FIFO, in.Groups, in.Batch = true, 3, sizing.Batch{Size: 10} })
	add("bursts", func(in *FleetInput) { in.Arrivals, in.Burst = Bursts, 500 })
	add("evenly", func(in *FleetInput) { in.Arrivals, in.SlowMessages = Evenly, true })
	add("small quota, long polling", func(in *FleetInput) { in.InFlightQuota = 20 })
	add("small quota, short polling", func(in *FleetInput) { in.InFlightQuota, in.ShortPolling = 20, true })
	add("overloaded", func(in *FleetInput) { in.Rate, in.Retention = 10, 10*time.Minute })
	add("no dead-letter queue", func(in *FleetInput) { in.MaxReceiveCount, in.IdempotencyKey = 0, true })
	add("stale delete removes", func(in *FleetInput) { in.StaleDelete = StaleDeleteRemoves })
	add("no timeout at all", func(in *FleetInput) { in.VisibilityTimeout, in.Heartbeat.Extension = 0, 0 })
	return vs
}

// Nothing is lost and nothing is counted twice.

func TestConservation(t *testing.T) {
	for name, in := range variants() {
		t.Run(name, func(t *testing.T) {
			for i, r := range fleetOf(t, in).Runs {
				if r.Sent == 0 || r.Receives == 0 {
					t.Fatalf("replication %d: nothing happened: %+v", i, r.Sent)
				}
				if sum := r.Deleted + r.DeadLettered + r.Dropped + r.WaitingAtEnd + r.InFlightAtEnd; sum != r.Sent {
					t.Errorf("replication %d: sent %d, but %d deleted, dead-lettered, dropped, waiting or in flight", i, r.Sent, sum)
				}
				if r.UsefulNS > r.WorkNS || r.Done > r.Effects || r.FalseDeadLetters > r.DeadLettered || r.InFlightPeak > in.Quota() {
					t.Errorf("replication %d: %+v", i, r)
				}
			}
		})
	}
}

func TestFleetIsDeterministic(t *testing.T) {
	in := hard()
	in.For = time.Hour
	a := fleetOf(t, in)
	cores := runtime.GOMAXPROCS(1)
	b := fleetOf(t, in)
	runtime.GOMAXPROCS(8)
	c := fleetOf(t, in)
	runtime.GOMAXPROCS(cores)
	if !reflect.DeepEqual(a, b) || !reflect.DeepEqual(a, c) {
		t.Error("runs of one seed differ with the number of cores")
	}
	// One replication is the same alone and among others.
	in.Replications = 1
	if alone := fleetOf(t, in); !reflect.DeepEqual(alone.Runs[0], a.Runs[0]) {
		t.Error("the first replication depends on the others")
	}
	in.Seed = 8
	if other := fleetOf(t, in); reflect.DeepEqual(other.Runs[0], a.Runs[0]) {
		t.Error("two seeds give the same run")
	}
}

// One message and a pool of consumers: the fleet does what the replay does.

func TestReplayIsAFleetOfOneMessage(t *testing.T) {
	beat := Heartbeat{Interval: 21_600 * second, Extension: 21_601 * second}
	stories := map[string]ReplayInput{
		"past twelve hours":    {VisibilityTimeout: 43_000 * second, Step: 50_000 * second, MaxReceiveCount: 1, Heartbeat: beat},
		"deadline":             {VisibilityTimeout: 30 * second, Step: 100 * second, MaxReceiveCount: 2, StepDeadline: 40 * second, Heartbeat: Heartbeat{Interval: 10 * second}},
		"deadline not reached": {VisibilityTimeout: 30 * second, Step: 45 * second, MaxReceiveCount: 2, StepDeadline: 45 * second},
		"stale delete removes": {VisibilityTimeout: 30 * second, Step: 45 * second, MaxReceiveCount: 5, StaleDelete: StaleDeleteRemoves},
		"retention":            {VisibilityTimeout: 30 * second, Step: 45 * second, Retention: 100 * second},
		"no timeout":           {VisibilityTimeout: 0, Step: 45 * second, MaxReceiveCount: 7},
	}
	for _, v := range vectors(t) {
		stories[v.Name] = v.input()
	}
	for name, one := range stories {
		if len(one.LoseBeats) > 0 || one.CrashAfter > 0 {
			continue // these happen by chance in a fleet
		}
		want := Replay(one)
		run := fleetOf(t, FleetInput{For: 48 * time.Hour, Rate: 1, Arrivals: Evenly, Messages: 1, Consumers: 100, Latency: Constant(one.Step),
			VisibilityTimeout: one.VisibilityTimeout, MaxReceiveCount: one.MaxReceiveCount, Heartbeat: one.Heartbeat, IdempotencyKey: one.IdempotencyKey,
			StepDeadline: one.StepDeadline, StaleDelete: one.StaleDelete, Retention: one.Retention}).Runs[0]
		if run.Receives != want.Receives || run.Effects != want.Effects || run.WorkNS != float64(want.Work) || run.UsefulNS != float64(want.Useful) ||
			(run.DeadLettered == 1) != (want.DeadLetteredAt != nil) || (run.Deleted == 1) != (want.DeletedAt != nil) || (run.FalseDeadLetters == 1) != want.FalseDeadLetter() {
			t.Errorf("%s: fleet %+v\nreplay %+v", name, run, want)
		}
		count := map[EventKind]int{}
		for _, e := range want.Events {
			count[e.Kind]++
		}
		if run.Expiries != count[Expired] || run.StaleDeletes != count[DeleteStale] || run.BeatsStale != count[ExtendStale] || run.BeatsRefused != count[ExtendRefused] ||
			run.Beats != count[Extended]+count[ExtendStale]+count[ExtendRefused] || run.GivenUp != count[GaveUp] || run.Dropped != count[RetentionOver] {
			t.Errorf("%s: fleet %+v\nreplay %v", name, run, count)
		}
	}
}

// A longer timeout never makes more receives expire, a heartbeat in time never

// more duplicates, and a longer timeout never a faster recovery.

func TestMonotone(t *testing.T) {
	in := quiet()
	in.Latency, in.Rate, in.Consumers, in.For, in.CrashRate = mustLognormal(t, 12*second, 45*second), 5, 300, 12*time.Hour, 0.2
	last := FleetResult{}
	for i, vt := range []time.Duration{10 * second, 20 * second, 30 * second, 60 * second, 120 * second, 600 * second} {
		in.VisibilityTimeout = vt
		r := fleetOf(t, in)
		if i > 0 {
			for name, down := range map[string]bool{"expiry_rate": true, "duplicate_rate": true, "wasted_share": true, "recovery_mean_seconds": false} {
				before, after := estimate(t, last, name).Mean, estimate(t, r, name).Mean
				if down && after > before || !down && after < before {
					t.Errorf("%s goes from %v to %v at timeout %v", name, before, after, vt)
				}
			}
		}
		last = r
	}
	in.CrashRate, in.VisibilityTimeout, in.Heartbeat = 0, 30*second, Heartbeat{Interval: 9 * second}
	if r := fleetOf(t, in); r.Runs[0].Expiries != 0 {
		t.Errorf("%d expiries under a heartbeat in time", r.Runs[0].Expiries)
	}
}

// While one message of a group is in flight no other is received: with one

// group the fleet is a single server.

// The timeout gives a group free, as a delete does, and what comes back comes

// before what was sent later.

// A beat that asks for less than the message has makes it come back sooner.

func TestInterruptedFleetSaysWhatItFound(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := Fleet(ctx, hard())
	if !r.Interrupted || len(r.Runs) != 0 {
		t.Errorf("interrupted %v, %d runs", r.Interrupted, len(r.Runs))
	}
	for _, m := range Metrics {
		if r.Estimate(m).Known() {
			t.Errorf("%s is known of nothing", m.Name)
		}
	}
}

// Once the fleet has reached its size, an event takes no memory.

// Alarms that no longer hold do not pile up: twelve hours of them would be

// 400,000.

// What was never seen among n may still happen: up to 3/n of the time.

// A message in flight takes a few hundred bytes with all that belongs to it: a

// million of them stay far below 500 MB.

// The mean of 1 and 3 is 2 ± t(1) × √2 / √2.

// The averages over time go on to the end, whatever happens last.

// A consumer that crashes stays away until its restart, even if it was about

// to poll again after an OverLimit error.
