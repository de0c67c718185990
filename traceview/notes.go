package traceview

import "fmt"

// notes say what of the log could not be used or inferred.
func notes(a *Answer) []string {
	out := []string{}
	add := func(n int, one, more string) {
		switch {
		case n == 1:
			out = append(out, "1 "+one)
		case n > 1:
			out = append(out, fmt.Sprintf("%d %s", n, more))
		}
	}
	add(a.Tally.NoCount, "receive has no receive count: no expiry can be inferred from it", "receives have no receive count: no expiry can be inferred from them")
	add(a.Tally.Repeated, "event stood in the log twice and was counted once", "events stood in the log more than once and were counted once")
	add(a.OtherOrphans, "change or refused delete has a handle that no receive of the log has", "changes and refused deletes have handles that no receive of the log has")
	add(a.Log.Skipped, "record or span says nothing about a message", "records and spans say nothing about a message")
	return out
}
