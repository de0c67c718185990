package simulate

import (
	"math"
	"testing"
	"time"
)

// Every figure of one run, calculated by hand.
func TestMetrics(t *testing.T) {
	hours := 3600 * 1e9
	r := Run{Simulated: 2 * time.Hour, Slots: 5, Sent: 10, Deleted: 6, DeadLettered: 2, Dropped: 1, FalseDeadLetters: 1, Receives: 20, Expiries: 5,
		Done: 4, DoneTwice: 1, Effects: 6, WorkNS: 10 * hours, UsefulNS: 4 * hours, Calls: 30, UsefulCalls: 10, OverLimit: 8, InFlightPeak: 7, WaitingPeak: 9,
		OldestNS: 90e9, Recoveries: 4, RecoveryNS: 100e9, LongestRecoveryNS: 40e9, waitNS: 12e9, inFlightTime: 6 * hours, waitingTime: 3 * hours, busyTime: 4 * hours}
	for _, ns := range []int64{1e9, 2e9, 9e9} {
		r.waits.add(ns)
		r.firstReceives++
	}
	in := FleetInput{Cost: Cost{PerHour: 3, PerCall: 0.5}}
	want := map[string]float64{
		"duplicate_rate": 1.0 / 4, "extra_effects_per_hour": 1, "expiry_rate": 5.0 / 20, "false_dead_letter_rate": 0.1, "dead_letter_rate": 0.2, "expired_rate": 0.1,
		"wasted_share": 0.6, "wasted_hours_per_hour": 3, "wasted_cost_per_hour": (6*3 + 20*0.5) / 2, "queue_time_mean_seconds": 4, "queue_time_p50_seconds": 2, "queue_time_p99_seconds": 9,
		"in_flight_mean": 3, "in_flight_peak": 7, "over_limit_errors_per_hour": 4, "waiting_mean": 1.5, "waiting_peak": 9, "oldest_age_seconds": 90,
		"recovery_mean_seconds": 25, "recovery_longest_seconds": 40, "busy_share": 0.4, "deleted_per_hour": 3,
	}
	for _, m := range Metrics {
		x, ok := want[m.Name]
		if !ok {
			t.Errorf("no expected value of %s", m.Name)
		}
		tolerance := 1e-9
		if m.Unit == Seconds {
			tolerance = 0.02 // the classes of the histogram
		}
		if got := m.Of(&r, &in); math.Abs(got-x) > tolerance*x {
			t.Errorf("%s is %v, want %v", m.Name, got, x)
		}
	}
	nothing := Run{Simulated: time.Hour, Slots: 1}
	for name, known := range map[string]bool{"duplicate_rate": true, "wasted_cost_per_hour": false, "queue_time_mean_seconds": false, "queue_time_p99_seconds": false, "recovery_mean_seconds": false, "recovery_longest_seconds": false} {
		m, _ := MetricNamed(name)
		if got := m.Of(&nothing, &FleetInput{}); math.IsNaN(got) == known {
			t.Errorf("%s of nothing is %v", name, got)
		}
	}
}

// A class of the histogram is at most 1/32 of its value wide.
func TestHistogramClasses(t *testing.T) {
	last := -1
	for ns := uint64(0); ns < 1<<50; ns += 1 + ns/100 {
		c := class(ns)
		if c < last {
			t.Fatalf("class of %d is %d, below %d", ns, c, last)
		}
		last = c
		if middle := classMiddle(c); math.Abs(middle-float64(ns)) > float64(ns)/60+1 {
			t.Errorf("%d ns is told as %v", ns, middle)
		}
	}
}
