package trace_test

import (
	"strings"
	"testing"

	"vtsize/trace"
)

// The tables of the specification, row by row: what is in the log, and what
// must be told of it.
func TestInference(t *testing.T) {
	const slow = `
		receive 0.4-0.5 a count=1 by=worker-1
		receive 10.9-11 b count=2 by=worker-2`
	for _, c := range []struct{ name, log, want string }{
		// Patterns.
		{"slow consumer, refused", slow + `
			delete 11.1-11.2 b
			delete 13.4-13.5 a failed=ReceiptHandleIsInvalid`,
			"slow_consumer a=failed(ReceiptHandleIsInvalid) b=final; a>b expired 0.4..11 known"},
		{"slow consumer, accepted", slow + `
			delete 11.1-11.2 b
			delete 13.4-13.5 a`,
			"slow_consumer a=stale_handle b=final; a>b delete_too_late 0.4..11 known"},
		{"released", `
			receive 0.2-0.21 a count=1
			change 0.23-0.24 a to=0
			receive 0.78-0.79 b count=2
			delete 0.81-0.82 b`,
			"released a=none b=final; a>b released(0) 0.23..0.79 known"},
		{"heartbeat stopped", `
			receive 0.1-0.11 a count=1
			change 5-5.01 a to=5
			change 9-9.01 a to=5
			receive 15-15.01 b count=2`,
			"heartbeat_stopped a=none b=none; a>b last_changed(5) 9..15.01 known"},
		{"late delete", `
			receive 0-0.1 a count=1
			delete 10.2-10.3 a
			receive 10.9-11 b count=2`,
			"late_delete a=stale_handle b=none; a>b delete_too_late 0..11 known"},
		{"concurrent", `
			receive 0-0.1 a count=1
			delete 10.2-10.3 a failed=ReceiptHandleIsInvalid
			receive 10.9-11 b count=2`,
			"concurrent a=failed(ReceiptHandleIsInvalid) b=none; a>b expired 0..11 unknown"},
		{"crashed without a heartbeat", slow, "none a=none b=none; a>b expired 0.4..11 known"},

		// Reasons, in their order.
		{"a release goes before an earlier extension", `
			receive 0-0.1 a count=1
			change 5-5.1 a to=30
			change 6-6.1 a to=0
			delete 7-7.1 a
			receive 9-9.1 b count=2`,
			"released a=stale_handle b=none; a>b released(0) 6..9.1 known"},
		{"an extension goes before an earlier release", `
			receive 0-0.1 a count=1
			change 5-5.1 a to=0
			change 6-6.1 a to=30
			receive 40-40.1 b count=2`,
			"heartbeat_stopped a=none b=none; a>b last_changed(30) 6..40.1 known"},
		{"an extension goes before a late delete", `
			receive 0-0.1 a count=1
			change 5-5.1 a to=30
			receive 40-40.1 b count=2
			delete 50-50.1 a`,
			"heartbeat_stopped a=stale_handle b=none; a>b last_changed(30) 5..40.1 known"},

		// Only what was accepted, and is proven to come before, counts.
		{"a refused change does not count", `
			receive 0-0.1 a count=1
			change 5-5.1 a to=0 failed=AccessDenied
			receive 31-31.1 b count=2`,
			"none a=none b=none; a>b expired 0..31.1 known"},
		{"a refused delete is no late delete", `
			receive 0-0.1 a count=1
			receive 31-31.1 b count=2
			delete 40-40.1 a failed=NoResponse`,
			"slow_consumer a=failed(NoResponse) b=none; a>b expired 0..31.1 known"},
		{"a change after the redelivery does not count", `
			receive 0-0.1 a count=1
			receive 31-31.1 b count=2
			change 32-32.1 a to=0`,
			"none a=none b=none; a>b expired 0..31.1 known"},
		{"a change during the redelivery is not proven", `
			receive 0-0.1 a count=1
			change 5-5.1 a to=0
			receive 4-6 b count=2`,
			"concurrent a=none b=none; a>b expired 0..6 unknown"},
		{"a change that ends when the redelivery starts is not proven", `
			receive 0-0.1 a count=1
			change 5-5.1 a to=0
			receive 5.1-6 b count=2`,
			"concurrent a=none b=none; a>b expired 0..6 unknown"},
		{"a delete during the redelivery", `
			receive 0-0.1 a count=1
			receive 30-31 b count=2
			delete 30.2-30.3 a`,
			"concurrent a=stale_handle b=none; a>b delete_too_late 0..31 unknown"},
		{"a change by another handle does not count", `
			receive 0-0.1 a count=1
			change 5-5.1 b to=0
			receive 31-31.1 b count=2`,
			"none a=none b=none; a>b expired 0..31.1 known"},

		// Receive counts.
		{"the same count is a duplicate", `
			receive 0-0.1 a count=1
			receive 1-1.1 b count=1
			delete 2-2.1 b`,
			"none a=none b=final; 1 duplicates"},
		{"a duplicate, then a redelivery", `
			receive 0-0.1 a count=1
			receive 1-1.1 b count=1
			receive 31-31.1 c count=2`,
			"none a=none b=none c=none; b>c expired 1..31.1 known; 1 duplicates"},
		{"of duplicates, the one that was released", `
			receive 0-0.1 a count=1
			receive 1-1.1 b count=1
			change 2-2.1 a to=0
			receive 3-3.1 c count=2`,
			"released a=none b=none c=none; a>c released(0) 2..3.1 known; 1 duplicates"},
		{"a jump", `
			receive 0-0.1 a count=1
			receive 99-99.1 b count=4`,
			"none a=none b=none; a>b expired 0..99.1 known; 2 not observed"},
		{"a first count above one", `
			receive 0-0.1 a count=3
			delete 1-1.1 a`,
			"none a=final; 2 not observed"},
		{"counts against the order of the lines", `
			receive 31-31.1 b count=2
			receive 0-0.1 a count=1`,
			"none a=none b=none; a>b expired 0..31.1 known"},
		{"counts against the clocks", `
			receive 31-31.1 a count=1
			receive 0-0.1 b count=2`,
			"none a=none b=none"},
		{"a long poll that began before the first receive", `
			receive 2-2.1 a count=1
			receive 1-12.5 b count=2`,
			"none a=none b=none; a>b expired 2..12.5 known"},
		{"no counts", `
			receive 0-0.1 a
			receive 31-31.1 b
			delete 40-40.1 b`,
			"none a=none b=final"},
		{"a receive without a count explains a jump", `
			receive 0-0.1 a count=1
			receive 31-31.1 b
			receive 62-62.1 c count=3`,
			"none a=none b=none c=none; a>c expired 0..62.1 known"},

		// Queues.
		{"another queue is no redelivery", `
			receive 0-0.1 a count=1
			receive 31-31.1 b count=2 queue=copies`,
			"none a=none b=none; 1 not observed"},
		{"one queue by name, URL and ARN", `
			receive 0-0.1 a count=1 queue=https://sqs.eu-west-1.amazonaws.com/123456789012/orders
			receive 31-31.1 b count=2 queue=arn:aws:sqs:eu-west-1:123456789012:orders`,
			"none a=none b=none; a>b expired 0..31.1 known"},
		{"a dead letter", `
			receive 0-0.1 a count=1
			receive 31-31.1 b count=2
			receive 90-90.1 c count=3 queue=dead source=arn:aws:sqs:eu-west-1:123456789012:orders
			delete 91-91.1 c`,
			"none a=none b=none c=final; a>b expired 0..31.1 known; dead-lettered, false false"},
		{"a false dead letter", `
			receive 0-0.1 a count=1
			receive 31-31.1 b count=2
			delete 45-45.1 a
			receive 90-90.1 c count=3 queue=dead source=orders`,
			"slow_consumer a=stale_handle b=none c=none; a>b delete_too_late 0..31.1 known; dead-lettered, false true"},
		{"only the dead letter was seen", `
			receive 90-90.1 c count=4 queue=dead source=orders`,
			"none c=none; dead-lettered, false false"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := tell(one(t, c.log)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// A message with several expiries has the gravest pattern, and each expiry its
// own reason.
func TestGravestPattern(t *testing.T) {
	m := one(t, `
		receive 0-0.1 a count=1
		change 1-1.1 a to=0
		receive 2-2.1 b count=2
		receive 33-33.1 c count=3
		delete 40-40.1 b
		delete 41-41.1 c`)
	const want = "slow_consumer a=none b=stale_handle c=final; a>b released(0) 1..2.1 known; b>c delete_too_late 2..33.1 known"
	if got := tell(m); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestDeleteStatus(t *testing.T) {
	m := one(t, `
		receive 0-0.1 a count=1
		delete 1-1.1 a failed=NoResponse
		delete 2-2.1 a
		delete 3-3.1 x
		delete 4-4.1 y failed=ReceiptHandleIsInvalid
		change 5-5.1 z to=30`)
	if d := m.Deliveries[0]; d.Delete != trace.Final || d.ErrorCode != "" || len(d.Deletes) != 2 || d.Deletes[0].Status != trace.FailedDelete {
		t.Errorf("a refused delete and an accepted one: %+v", d)
	}
	if hold, ok := m.Deliveries[0].Hold(); !ok || hold.Seconds() != 2 {
		t.Errorf("held %v, want 2 s: until the delete that was accepted", hold)
	}
	var got []trace.DeleteStatus
	for _, c := range m.Unmatched {
		got = append(got, c.Status)
	}
	if len(got) != 3 || got[0] != trace.UnmatchedHandle || got[1] != trace.FailedDelete {
		t.Errorf("calls by handles that no receive has: %v", got)
	}
}

// The join is by the handle alone: a delete needs no message, and one that
// names another message belongs to that of its handle.
func TestJoinIsByHandle(t *testing.T) {
	l := readLines(t, append(eventLines(t, `
		receive 0-0.1 a count=1
		delete 1-1.1 a message=other
		receive 0-0.1 twice count=1 message=n1
		receive 0-0.1 twice count=1 message=n2
		delete 1-1.1 twice message=n2`),
		`{"op":"delete","start":"2026-11-27T10:00:02Z","end":"2026-11-27T10:00:02Z","delivery":"twice","result":"ok"}`,
		`{"op":"delete","start":"2026-11-27T10:00:03Z","end":"2026-11-27T10:00:03Z","delivery":"nobody","result":"ok"}`,
		`{"op":"change","start":"2026-11-27T10:00:03Z","end":"2026-11-27T10:00:03Z","delivery":"nobody","result":"ok","timeout_seconds":5}`))
	got := map[string]string{}
	for m := range l.Messages(trace.Selection{}) {
		got[m.ID] = tell(m)
	}
	want := map[string]string{"m": "none a=final", "n1": "none twice=none", "n2": "none twice=final"}
	for id, w := range want {
		if got[id] != w {
			t.Errorf("%s: got %s, want %s", id, got[id], w)
		}
	}
	if len(got) != len(want) {
		t.Errorf("messages: %v", got)
	}
	if deletes, others := l.Orphans(trace.Selection{}); deletes != 2 || others != 1 {
		t.Errorf("%d deletes and %d others of no message, want 2 and 1", deletes, others)
	}
}

func TestMeaning(t *testing.T) {
	for code, part := range map[string]string{
		"ReceiptHandleIsInvalid":                      "no longer takes this handle",
		"AWS.SimpleQueueService.NonExistentQueue":     "no such queue",
		"com.amazonaws.sqs#QueueDoesNotExist":         "no such queue",
		"MissingFromResponse":                         "neither as done nor as failed",
		"NoResponse":                                  "no answer",
		"botocore.exceptions.EndpointConnectionError": "not reached",
		"SomethingElse":                               "not a code of SQS",
		"":                                            "no error code",
	} {
		if got := trace.Meaning(code); !strings.Contains(got, part) {
			t.Errorf("%q: %q does not say %q", code, got, part)
		}
	}
}
