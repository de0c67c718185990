package simulate

import "math"

// Metric is one figure of a run.
type Metric struct {
	Name  string // as in the JSON output
	Title string
	Unit  Unit
	Of    func(*Run, *FleetInput) float64 // NaN where the run cannot tell
	Among func(*Run) int                  // what a share is a share of, where that can be counted
}

// Unit says how a metric is written.
type Unit string

// The units of metrics.
const (
	Share    Unit = "share" // from 0 to 1
	Seconds  Unit = "seconds"
	Messages Unit = "messages"
	PerHour  Unit = "per hour"
	Money    Unit = "money"
	Plain    Unit = "count"
)

// Metrics are all figures of a run, in the order in which they are shown.
var Metrics = []Metric{
	{"duplicate_rate", "messages with more than one effect", Share, func(r *Run, _ *FleetInput) float64 { return ratio(r.DoneTwice, r.Done) }, done},
	{"extra_effects_per_hour", "effects too many", PerHour, func(r *Run, _ *FleetInput) float64 { return float64(r.Effects-r.Done) / r.Simulated.Hours() }, nil},
	{"expiry_rate", "receives whose timeout ended", Share, func(r *Run, _ *FleetInput) float64 { return ratio(r.Expiries, r.Receives) }, receives},
	{"false_dead_letter_rate", "false dead letters, of all sent", Share, func(r *Run, _ *FleetInput) float64 { return ratio(r.FalseDeadLetters, r.Sent) }, sent},
	{"dead_letter_rate", "dead letters, of all sent", Share, func(r *Run, _ *FleetInput) float64 { return ratio(r.DeadLettered, r.Sent) }, sent},
	{"expired_rate", "dropped by retention, of all sent", Share, func(r *Run, _ *FleetInput) float64 { return ratio(r.Dropped, r.Sent) }, sent},
	{"wasted_share", "work wasted", Share, func(r *Run, _ *FleetInput) float64 { return share(r.WorkNS-r.UsefulNS, r.WorkNS) }, nil},
	{"wasted_hours_per_hour", "hours of work wasted", PerHour, func(r *Run, _ *FleetInput) float64 { return (r.WorkNS - r.UsefulNS) / float64(r.Simulated) }, nil},
	{"wasted_cost_per_hour", "cost of what is wasted", Money, wastedCost, nil},
	{"queue_time_mean_seconds", "time in queue, mean", Seconds, func(r *Run, _ *FleetInput) float64 { return r.waitNS / 1e9 / float64(r.firstReceives) }, nil},
	{"queue_time_p50_seconds", "time in queue, p50", Seconds, func(r *Run, _ *FleetInput) float64 { return r.waitQuantile(0.5) }, nil},
	{"queue_time_p99_seconds", "time in queue, p99", Seconds, func(r *Run, _ *FleetInput) float64 { return r.waitQuantile(0.99) }, nil},
	{"in_flight_mean", "in flight, mean", Messages, func(r *Run, _ *FleetInput) float64 { return r.inFlightTime / float64(r.Simulated) }, nil},
	{"in_flight_peak", "in flight, peak", Messages, func(r *Run, _ *FleetInput) float64 { return float64(r.InFlightPeak) }, nil},
	{"over_limit_errors_per_hour", "receives refused for the quota", PerHour, func(r *Run, _ *FleetInput) float64 { return float64(r.OverLimit) / r.Simulated.Hours() }, nil},
	{"waiting_mean", "waiting, mean", Messages, func(r *Run, _ *FleetInput) float64 { return r.waitingTime / float64(r.Simulated) }, nil},
	{"waiting_peak", "waiting, peak", Messages, func(r *Run, _ *FleetInput) float64 { return float64(r.WaitingPeak) }, nil},
	{"oldest_age_seconds", "age of the oldest that waited", Seconds, func(r *Run, _ *FleetInput) float64 { return float64(r.OldestNS) / 1e9 }, nil},
	{"recovery_mean_seconds", "recovery after a crash, mean", Seconds, func(r *Run, _ *FleetInput) float64 { return r.RecoveryNS / 1e9 / float64(r.Recoveries) }, nil},
	{"recovery_longest_seconds", "recovery after a crash, longest", Seconds, longestRecovery, nil},
	{"busy_share", "slots busy", Share, func(r *Run, _ *FleetInput) float64 { return r.busyTime / float64(r.Simulated) / float64(r.Slots) }, nil},
	{"deleted_per_hour", "messages deleted", PerHour, func(r *Run, _ *FleetInput) float64 { return float64(r.Deleted) / r.Simulated.Hours() }, nil},
}

// MetricNamed finds a metric by its name.
func MetricNamed(name string) (Metric, bool) {
	for _, m := range Metrics {
		if m.Name == name {
			return m, true
		}
	}
	return Metric{}, false
}

func sent(r *Run) int     { return r.Sent }
func receives(r *Run) int { return r.Receives }
func done(r *Run) int     { return r.Done }

func ratio(part, whole int) float64 { return share(float64(part), float64(whole)) }

// share is 0 of nothing: no receive, no expiry.
func share(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return part / whole
}

func (r *Run) waitQuantile(p float64) float64 {
	if r.firstReceives == 0 {
		return math.NaN()
	}
	return r.waits.quantile(p) / 1e9
}

func longestRecovery(r *Run, _ *FleetInput) float64 {
	if r.Recoveries == 0 {
		return math.NaN()
	}
	return float64(r.LongestRecoveryNS) / 1e9
}

func wastedCost(r *Run, in *FleetInput) float64 {
	if in.Cost == (Cost{}) {
		return math.NaN()
	}
	const hour = 3.6e12
	cost := (r.WorkNS-r.UsefulNS)/hour*in.Cost.PerHour + float64(r.Calls-r.UsefulCalls)*in.Cost.PerCall
	return cost / r.Simulated.Hours()
}
