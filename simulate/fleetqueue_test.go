package simulate

import (
	"math"
	"testing"
	"time"

	"vtsize/sizing"
)

func TestQuota(t *testing.T) {
	in := quiet()
	in.Rate, in.Consumers, in.InFlightQuota, in.For = 20, 100, 15, time.Hour
	long := fleetOf(t, in).Runs[0]
	in.ShortPolling = true
	short := fleetOf(t, in).Runs[0]
	if long.OverLimit != 0 || short.OverLimit == 0 {
		t.Errorf("%d errors with long polling, %d with short polling", long.OverLimit, short.OverLimit)
	}
	if long.InFlightPeak != 15 || short.InFlightPeak != 15 {
		t.Errorf("peaks %d and %d, want the quota", long.InFlightPeak, short.InFlightPeak)
	}
	// 15 messages of 1 s each: 15 a second get through, whoever polls how.
	if got := float64(long.Deleted) / 3600; math.Abs(got-15) > 0.1 {
		t.Errorf("%v messages a second through the quota", got)
	}
}

func TestFIFOGroupIsASingleServer(t *testing.T) {
	in := quiet()
	in.FIFO, in.Groups, in.Rate, in.Consumers, in.Latency = true, 1, 0.08, 50, Constant(10*second)
	in.For = 60 * 24 * time.Hour
	r := fleetOf(t, in)
	within(t, "mean wait", estimate(t, r, "queue_time_mean_seconds"), 20, 0.1) // M/D/1
	if r.Runs[0].InFlightPeak != 1 {
		t.Errorf("%d of one group in flight", r.Runs[0].InFlightPeak)
	}
}

func TestFIFOGroupGoesOnAfterAnExpiry(t *testing.T) {
	in := quiet()
	in.FIFO, in.Groups, in.Arrivals, in.Messages, in.Latency = true, 1, Evenly, 2, Constant(45*second)
	in.VisibilityTimeout, in.MaxReceiveCount = 30*second, 2
	// 0 s and 30 s the first, 60 s and 90 s the second; dead letters at 60 s and 120 s.
	for end, want := range map[time.Duration][2]int{59 * second: {2, 0}, 61 * second: {3, 1}, 119 * second: {4, 1}, 121 * second: {4, 2}} {
		in.For = end
		if run := fleetOf(t, in).Runs[0]; run.Receives != want[0] || run.DeadLettered != want[1] {
			t.Errorf("until %v: %d receives and %d dead letters, want %v", end, run.Receives, run.DeadLettered, want)
		}
	}
}

func TestBeatCanShortenTheTimeout(t *testing.T) {
	in := quiet()
	in.Arrivals, in.Messages, in.Latency, in.VisibilityTimeout = Evenly, 1, Constant(192*second), 99*second
	in.Heartbeat = Heartbeat{Interval: 66 * second, Extension: 25 * second}
	for end, want := range map[time.Duration]int{90 * second: 1, 92 * second: 2} {
		in.For = end
		if run := fleetOf(t, in).Runs[0]; run.Receives != want {
			t.Errorf("until %v: %d receives, want %d", end, run.Receives, want)
		}
	}
}

func TestBatchHoldsSerially(t *testing.T) {
	in := quiet()
	in.Arrivals, in.Burst, in.Messages, in.Consumers, in.Batch = Bursts, 10, 10, 1, sizing.Batch{Size: 10}
	in.Latency, in.VisibilityTimeout, in.MaxReceiveCount = Constant(10*second), 45*second, 1
	run := fleetOf(t, in).Runs[0]
	// 10, 20, 30 and 40 s are within 45 s, the other six are too late.
	if run.Deleted != 4 || run.DeadLettered != 6 || run.FalseDeadLetters != 6 {
		t.Errorf("%+v", run)
	}
	in.Batch.Parallel = true
	if run = fleetOf(t, in).Runs[0]; run.Deleted != 10 {
		t.Errorf("handled at once: %d deleted", run.Deleted)
	}
}

func TestCrashedConsumersStayAway(t *testing.T) {
	in := quiet()
	in.Rate, in.Consumers, in.InFlightQuota, in.ShortPolling = 20, 50, 1, true
	in.CrashRate, in.Restart, in.For = 60, time.Hour, 20*time.Minute
	if run := fleetOf(t, in).Runs[0]; run.Crashes != in.Consumers {
		t.Errorf("%d crashes of %d consumers that are not back before the end", run.Crashes, in.Consumers)
	}
}
