package simulate

import (
	"context"
	"runtime"
	"testing"
	"time"
)

func TestNoAllocationPerEvent(t *testing.T) {
	for name, in := range variants() {
		if name == "overloaded" {
			continue // it grows as long as it runs
		}
		f := newFleet(&in, 0)
		for f.now < int64(5*time.Hour) && f.step() {
		}
		f.tidy()
		allocs := testing.AllocsPerRun(1, func() {
			for range 5000 {
				f.step()
			}
			f.tidy()
		})
		if allocs > 3 { // a slice that still grows, and nothing for each event
			t.Errorf("%s: %v allocations in 5,000 events", name, allocs)
		}
	}
}

func TestMemoryGoesWithTheMessagesAlive(t *testing.T) {
	in := quiet()
	in.Rate, in.Retention, in.Heartbeat = 10, 11*time.Hour, Heartbeat{Interval: time.Hour}
	in.Consumers, in.CrashRate = 50, 0.1
	f := newFleet(&in, 0)
	f.simulate(context.Background())
	for name, n := range map[string]int{"expiries": f.expiries.n, "retained": f.retained.n, "beats": f.beats.n, "heap": len(f.heap.a), "messages": int(f.messages.n), "deliveries": int(f.deliveries.n)} {
		if n > 20_000 {
			t.Errorf("%d %s for %d messages alive", n, name, f.alive)
		}
	}
}

func TestMemoryOfAMessageInFlight(t *testing.T) {
	in := million()
	in.Rate, in.Consumers, in.For = in.Rate/10, in.Consumers/10, 2*time.Minute
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	f := newFleet(&in, 0)
	f.simulate(context.Background())
	runtime.GC()
	runtime.ReadMemStats(&after)
	each := float64(after.HeapAlloc-before.HeapAlloc) / float64(f.run.InFlightPeak)
	if f.run.InFlightPeak < 90_000 || each > 300 {
		t.Errorf("%.0f bytes for each of %d messages in flight", each, f.run.InFlightPeak)
	}
	runtime.KeepAlive(f)
}
