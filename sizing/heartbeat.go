package sizing

import "time"

// Interval is the recommended time between beats: the largest whole number of
// seconds below a third of the extension, at least 1 s.
func Interval(extension time.Duration) time.Duration {
	return max(time.Second, ((extension - time.Second) / 3).Truncate(time.Second))
}

// Beats is how many beats fit before an extension runs out. A beat at the
// same moment comes too late.
func Beats(extension, interval time.Duration) int {
	if interval <= 0 || extension <= 0 {
		return 0
	}
	return int((extension+interval-1)/interval) - 1
}

// LostBeatsSurvived is how many beats in a row may fail before the message is
// lost.
func LostBeatsSurvived(extension, interval time.Duration) int {
	return max(0, Beats(extension, interval)-1)
}

// ThresholdTries is how many looks fall into the time below the threshold, for
// a worker that looks every interval and extends when less than threshold is
// left.
func ThresholdTries(threshold, interval time.Duration) int { return Beats(threshold, interval) }

// HeartbeatPlan is a heartbeat worth having.
type HeartbeatPlan struct {
	ExtendTo          time.Duration // each beat sets the timeout to this
	Interval          time.Duration
	LostBeatsSurvived int
	QueueTimeout      time.Duration // the queue's own timeout, which covers the wait before the first beat
}

// PlanHeartbeat makes the plan for an extension and the wait before the work
// starts. Rate is in messages per second.
func PlanHeartbeat(extendTo, startWait time.Duration, rate float64) HeartbeatPlan {
	interval := Interval(extendTo)
	return HeartbeatPlan{
		ExtendTo:          extendTo,
		Interval:          interval,
		LostBeatsSurvived: LostBeatsSurvived(extendTo, interval),
		QueueTimeout:      min(MaxVisibilityTimeout, RoundUp(Sum(startWait, extendTo), rate)),
	}
}
