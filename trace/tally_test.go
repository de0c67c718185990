package trace_test

import (
	"testing"
	"time"

	"vtsize/facts"
	"vtsize/trace"
)

func tally(t *testing.T, short string) *trace.Tally {
	t.Helper()
	sum := trace.NewTally()
	for m := range readLines(t, eventLines(t, short)).Messages(trace.Selection{}) {
		sum.Add(m)
	}
	return sum
}

func TestTally(t *testing.T) {
	sum := tally(t, `
		receive 0-0.5 a count=1
		receive 30-30.5 b count=2
		delete 40-40.5 a
		delete 50-50.5 b
		receive 0-0.5 c count=1 message=n
		delete 4-4.5 c message=n
		receive 0-0.5 d count=1 message=o
		receive 60-60.5 e count=3 message=o queue=dead source=orders
		delete 61-62.5 e message=o
		receive 0-0.5 f message=p`)
	if sum.Messages != 4 || sum.Redelivered != 1 || sum.ByReason[trace.DeleteTooLate] != 1 || sum.DeadLettered != 1 || sum.FalseDeadLetters != 0 || sum.NoCount != 1 {
		t.Errorf("%+v", sum.Counts)
	}
	if sum.Twice != 1 || sum.ExtraRuns != 1 || sum.ExtraTime != 20*time.Second {
		t.Errorf("work done twice: %d messages, %d runs, %v", sum.Twice, sum.ExtraRuns, sum.ExtraTime)
	}
	if sum.Receives[1] != 2 || sum.Receives[2] != 1 || len(sum.Receives) != 2 {
		t.Errorf("histogram: %v", sum.Receives)
	}
	queues := sum.Sorted()
	if len(queues) != 2 || queues[0].Name != "dead" || queues[1].Name != "orders" {
		t.Fatalf("queues: %v", queues)
	}
	// The redrive's hold is its own queue's: it says nothing about the work.
	if q := queues[0]; q.Messages != 0 || len(q.Holds) != 1 || q.Holds[0] != 2*time.Second {
		t.Errorf("dead-letter queue: %+v", q)
	}
	// The run that was too late is among the runs, and not among the holds.
	if q := queues[1]; len(q.Holds) != 2 || len(q.Runs) != 3 || q.Runs[2] != 40*time.Second || q.Holds[1] != 20*time.Second {
		t.Errorf("holds %v, runs %v", q.Holds, q.Runs)
	}
	if all := sum.Holds(); len(all) != 3 {
		t.Errorf("holds of all queues: %v", all)
	}
}

func worker(t *testing.T, short string) facts.Work {
	t.Helper()
	d, ok := tally(t, short).Sorted()[0].Deployment(facts.Value[time.Duration]{})
	if !ok {
		t.Fatal("nothing was measured")
	}
	consumers, _ := d.Queues[0].Consumers.Get()
	return consumers[0].Work
}

// What extends is taken for a heartbeat only if it looks like one.
func TestHeartbeatOfALog(t *testing.T) {
	const beats = `
		receive 0-0 a count=1
		change 10-10 a to=30
		change 20-20 a to=30
		change 30-30 a to=45 failed=Throttled
		delete 35-35 a`
	h, ok := worker(t, beats).Heartbeat.Get()
	if !ok {
		t.Fatal("no heartbeat seen")
	}
	interval, _ := h.Interval.Get()
	extension, _ := h.Extension.Get()
	if interval != 10*time.Second || extension != 30*time.Second {
		t.Errorf("every %v to %v", interval, extension)
	}
	for name, log := range map[string]string{
		"a run too short to beat": beats + `
			receive 0-0 b count=1 message=n
			delete 15-15 b message=n`,
	} {
		if !worker(t, log).Heartbeat.IsKnown() {
			t.Errorf("%s: the heartbeat is not seen", name)
		}
	}
	for name, log := range map[string]string{
		"none": `
			receive 0-0 a count=1
			delete 35-35 a`,
		"one change alone, as a backoff": `
			receive 0-0 a count=1
			change 10-10 a to=30
			delete 35-35 a`,
		"a long run without beats": beats + `
			receive 0-0 b count=1 message=n
			delete 25-25 b message=n`,
	} {
		if worker(t, log).Heartbeat.IsKnown() {
			t.Errorf("%s: a heartbeat is seen", name)
		}
	}
}

func TestReceiveTimeoutOfALog(t *testing.T) {
	own, ok := worker(t, `
		receive 0-0 a count=1 for=60
		receive 90-90 b count=2 for=60
		delete 95-95 b`).ReceiveTimeout.Get()
	if !ok || *own != time.Minute {
		t.Errorf("%v, %v", own, ok)
	}
	if worker(t, `
		receive 0-0 a count=1 for=60
		receive 90-90 b count=2
		delete 95-95 b`).ReceiveTimeout.IsKnown() {
		t.Error("receives that differ have one timeout")
	}
}

func TestNothingMeasured(t *testing.T) {
	q := tally(t, `receive 0-0 a count=1`).Sorted()[0]
	if _, ok := q.Deployment(facts.Value[time.Duration]{}); ok {
		t.Error("a deployment out of nothing")
	}
}
