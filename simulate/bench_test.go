package simulate

import (
	"context"
	"testing"
	"time"

	"vtsize/sizing"
)

// day is the busy queue of the documentation: 40 messages a second for 24 h.
func day(t testing.TB) FleetInput {
	return FleetInput{For: 24 * time.Hour, Rate: 40, Consumers: 900, Latency: mustLognormal(t, 12*second, 45*second), VisibilityTimeout: 30 * second, MaxReceiveCount: 5, Seed: 1}
}

func benchmark(b *testing.B, in FleetInput) {
	if err := in.Validate(); err != nil {
		b.Fatal(err)
	}
	events, messages := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		run := newFleet(&in, 0).simulate(context.Background())
		events += run.Events
		messages += run.Sent
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds()/1e6, "Mevents/s")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(messages), "ns/message")
}

func BenchmarkFleetDay(b *testing.B) { benchmark(b, day(b)) }

func BenchmarkFleetDayHeartbeat(b *testing.B) {
	in := day(b)
	in.Heartbeat = Heartbeat{Interval: 9 * second}
	benchmark(b, in)
}

func BenchmarkFleetDayAtTheWorst(b *testing.B) {
	in := hard()
	in.Rate, in.Consumers, in.For = 40, 160, 24*time.Hour
	benchmark(b, in)
}

// A million messages in flight at once: 20,000 a second, each held for about
// 60 s, by consumers that hold ten.
func BenchmarkFleetMillionInFlight(b *testing.B) { benchmark(b, million()) }

func million() FleetInput {
	return FleetInput{For: 3 * time.Minute, Rate: 20_000, Consumers: 120_000, Latency: Exponential(60 * second), VisibilityTimeout: 10 * time.Minute,
		InFlightQuota: 2_000_000, Heartbeat: Heartbeat{Interval: 30 * second}, Seed: 1,
		Batch: sizing.Batch{Size: 10, Prefetch: 10, Concurrency: 10}}
}

func BenchmarkReplayIncident(b *testing.B) {
	in := ReplayInput{VisibilityTimeout: 30 * second, Step: 45 * second, MaxReceiveCount: 5}
	b.ReportAllocs()
	for b.Loop() {
		Replay(in)
	}
}
