package simview

import (
	"encoding/json"
	"io"
	"math"

	"vtsize/simulate"
)

// The names of the forms of a fleet's and a sweep's JSON.
const (
	FleetSchema = "vtsize.fleet.v1"
	SweepSchema = "vtsize.sweep.v1"
)

type fleetJSON struct {
	Schema       string                   `json:"schema"`
	Input        fleetInput               `json:"input"`
	Seed         uint64                   `json:"seed"`
	Replications int                      `json:"replications"` // that were simulated
	Interrupted  bool                     `json:"interrupted"`
	Metrics      map[string]*estimateJSON `json:"metrics"` // null: not known
	Totals       map[string]int           `json:"totals"`  // over the replications
}

type fleetInput struct {
	For               float64  `json:"for_seconds"`
	Rate              float64  `json:"rate_per_second"`
	Arrivals          string   `json:"arrivals"`
	Burst             int      `json:"burst"`
	Consumers         int      `json:"consumers"`
	Batch             int      `json:"batch"`
	Held              int      `json:"held"`
	Slots             int      `json:"slots"`
	LatencyText       string   `json:"latency"`
	LatencyMean       float64  `json:"latency_mean_seconds"`
	LatencyP50        float64  `json:"latency_p50_seconds"`
	LatencyP99        float64  `json:"latency_p99_seconds"`
	VisibilityTimeout float64  `json:"visibility_timeout_seconds"`
	MaxReceiveCount   *int     `json:"max_receive_count"`
	Heartbeat         *float64 `json:"heartbeat_seconds"`
	Extension         *float64 `json:"extension_seconds"`
	CrashRate         float64  `json:"crash_rate_per_hour"`
	Retention         float64  `json:"retention_seconds"`
	QueueType         string   `json:"queue_type"`
	InFlightQuota     int      `json:"in_flight_quota"`
	Scenario          string   `json:"scenario"` // all of it, in words
}

// estimateJSON has null ends where one replication gives no interval.
type estimateJSON struct {
	Mean float64  `json:"mean"`
	Low  *float64 `json:"low_95"`
	High *float64 `json:"high_95"`
}

// FleetJSON writes a fleet's simulation as one indented JSON object.
func FleetJSON(w io.Writer, r simulate.FleetResult) error { return indented(w, fleetObject(r)) }

func indented(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

func fleetObject(r simulate.FleetResult) fleetJSON {
	out := fleetJSON{Schema: FleetSchema, Input: fleetInputJSON(r.Input), Seed: r.Input.Seed, Replications: len(r.Runs), Interrupted: r.Interrupted,
		Metrics: map[string]*estimateJSON{}, Totals: totals(r)}
	for _, m := range simulate.Metrics {
		out.Metrics[m.Name] = estimateOf(r.Estimate(m))
	}
	return out
}

func estimateOf(e simulate.Estimate) *estimateJSON {
	if !e.Known() {
		return nil
	}
	return &estimateJSON{Mean: e.Mean, Low: finite(e.Low), High: finite(e.High)}
}

func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

func totals(r simulate.FleetResult) map[string]int {
	t := map[string]int{}
	for _, run := range r.Runs {
		for name, n := range map[string]int{
			"sent": run.Sent, "deleted": run.Deleted, "dead_lettered": run.DeadLettered, "expired": run.Dropped, "waiting_at_end": run.WaitingAtEnd, "in_flight_at_end": run.InFlightAtEnd,
			"receives": run.Receives, "timeouts_ended": run.Expiries, "effects": run.Effects, "effects_refused": run.EffectsRefused, "messages_with_effect": run.Done,
			"messages_with_more_effects": run.DoneTwice, "false_dead_letters": run.FalseDeadLetters, "stale_deletes": run.StaleDeletes, "failed_steps": run.Failures,
			"given_up_steps": run.GivenUp, "crashes": run.Crashes, "beats": run.Beats, "beats_lost": run.BeatsLost, "beats_stale": run.BeatsStale, "beats_refused": run.BeatsRefused,
			"over_limit_errors": run.OverLimit, "events": run.Events,
		} {
			t[name] += n
		}
	}
	return t
}

func fleetInputJSON(in simulate.FleetInput) fleetInput {
	j := fleetInput{
		For: in.For.Seconds(), Rate: in.Rate, Arrivals: string(in.Arrivals), Burst: in.Burst, Consumers: in.Consumers,
		Batch: max(1, in.Batch.Size), Held: in.Batch.Held(), Slots: in.Slots(), LatencyText: in.Latency.String(), LatencyMean: in.Latency.Mean().Seconds(),
		LatencyP50: in.Latency.Quantile(0.5).Seconds(), LatencyP99: in.Latency.Quantile(0.99).Seconds(), VisibilityTimeout: in.VisibilityTimeout.Seconds(),
		Heartbeat: positive(in.Heartbeat.Interval), CrashRate: in.CrashRate, Retention: in.KeptFor().Seconds(), QueueType: "standard",
		InFlightQuota: in.Quota(), Scenario: fleetScenario(in, ""),
	}
	if in.Arrivals == "" {
		j.Arrivals = string(simulate.Poisson)
	}
	if in.MaxReceiveCount > 0 {
		j.MaxReceiveCount = &in.MaxReceiveCount
	}
	if in.Heartbeat.Interval > 0 {
		j.Extension = positive(in.ExtendTo())
	}
	if in.FIFO {
		j.QueueType = "fifo"
	}
	return j
}

type sweepJSON struct {
	Schema      string       `json:"schema"`
	Dial        string       `json:"dial"`
	Unit        string       `json:"unit"` // of the values: seconds or count
	Recommended *float64     `json:"recommended"`
	Why         string       `json:"why,omitempty"`
	Interrupted bool         `json:"interrupted"`
	Points      []sweepPoint `json:"points"`
}

type sweepPoint struct {
	Value       float64 `json:"value"`
	Recommended bool    `json:"recommended"`
	fleetJSON
}

// SweepJSON writes a sweep as one indented JSON object.
func SweepJSON(w io.Writer, s Sweep) error {
	out := sweepJSON{Schema: SweepSchema, Dial: s.Dial.Name, Unit: "count", Why: s.Why, Interrupted: s.Interrupted, Points: []sweepPoint{}}
	if s.Dial.Duration {
		out.Unit = "seconds"
	}
	if s.Recommended > 0 {
		out.Recommended = &s.Recommended
	}
	for i, x := range s.Values {
		out.Points = append(out.Points, sweepPoint{Value: x, Recommended: x == s.Recommended, fleetJSON: fleetObject(s.Results[i])})
	}
	return indented(w, out)
}
