package report

import (
	"time"

	"vtsize/assess"
	"vtsize/facts"
	"vtsize/sizing"
)

// jsonSizing is the arithmetic for one consumer. Numbers that are not known are
// {"unknown": cause}; null is what is known to be absent.
type jsonSizing struct {
	Basis             any      `json:"basis"`
	Percentile        float64  `json:"percentile"`
	Samples           any      `json:"samples"`
	MessageFloor      any      `json:"message_floor_seconds"`
	Multiplier        any      `json:"batch_multiplier"`
	StartWait         any      `json:"start_wait_seconds"`
	Floor             any      `json:"floor_seconds"`
	MustCover         any      `json:"must_cover_seconds"`
	Ceiling           any      `json:"ceiling"`
	Current           any      `json:"current_seconds"`
	Minimum           any      `json:"minimum_seconds"`
	VisibilityTimeout any      `json:"visibility_timeout_seconds"`
	Heartbeat         any      `json:"heartbeat"`
	StepDeadline      any      `json:"step_deadline_seconds"`
	Recovery          any      `json:"recovery_delay_seconds"`
	TimeToDeadLetter  any      `json:"time_to_dead_letter_seconds"`
	Deliveries        any      `json:"deliveries_per_message"`
	InFlight          any      `json:"in_flight"`
	Strategy          any      `json:"strategy"`
	Formula           string   `json:"formula"`
	Warnings          []string `json:"warnings"`
}

func unknown(c facts.Cause) any { return object{"unknown": c.String()} }

// number writes a result, or the cause of its being unknown.
func number[T any](n assess.Number[T], put func(T) any) any {
	if v, ok := n.Get(); ok {
		return put(v)
	}
	return unknown(n.Cause())
}

// value writes a fact's value alone, or the cause of its being unknown.
func value[T any](x facts.Value[T], put func(T) any) any {
	if v, ok := x.Get(); ok {
		return put(v)
	}
	return unknown(x.Cause())
}

func sizingJSON(s *assess.Sizing) *jsonSizing {
	if s == nil {
		return nil
	}
	out := &jsonSizing{
		Basis: value(s.Basis, func(b facts.Basis) any { return string(b) }), Percentile: s.Percentile, Samples: nil,
		MessageFloor: number(s.MessageFloor, seconds), Multiplier: number(s.Multiplier, same[int]), StartWait: number(s.StartWait, seconds),
		Floor: number(s.Floor, seconds), MustCover: number(s.MustCover, seconds), Ceiling: number(s.Ceiling, ceilingJSON),
		Minimum: number(s.Minimum, seconds), VisibilityTimeout: number(s.Recommended, seconds), Recovery: number(s.Recovery, seconds),
		TimeToDeadLetter: number(s.TimeToDeadLetter, func(d *time.Duration) any {
			if d == nil {
				return nil
			}
			return d.Seconds()
		}),
		Deliveries: number(s.Deliveries, func(d assess.Deliveries) any {
			return object{"at_least": d.AtLeast, "at_most": value(d.AtMost, orNull)}
		}),
		InFlight: inFlightJSON(s), Formula: s.Formula, Warnings: append([]string{}, s.Warnings...),
	}
	if n, ok := s.Samples.Get(); ok {
		out.Samples = n
	}
	if d, ok := s.Timeout.Get(); ok {
		out.Current = d.Seconds()
	} else if s.Timeout.Cause().IsGap() {
		out.Current = unknown(s.Timeout.Cause())
	}
	if s.IsLambda() {
		out.Strategy = string(sizing.Fixed)
		return out
	}
	out.Strategy = number(s.Plan, func(p sizing.Plan) any { return string(p.Strategy) })
	out.StepDeadline = number(s.Plan, func(p sizing.Plan) any { return p.StepDeadline.Seconds() })
	out.Heartbeat = number(s.Plan, func(p sizing.Plan) any {
		h := p.Heartbeat
		return object{"interval_seconds": h.Interval.Seconds(), "extend_to_seconds": h.ExtendTo.Seconds(),
			"lost_beats_survived": h.LostBeatsSurvived, "queue_timeout_seconds": h.QueueTimeout.Seconds()}
	})
	return out
}

func ceilingJSON(c sizing.Ceiling) any {
	out := object{}
	if c.IsBounded() {
		out["seconds"] = c.Bound.Seconds()
	} else {
		out["unbounded"] = c.Unbounded
	}
	if c.Note != "" {
		out["note"] = c.Note
	}
	return out
}

// inFlightJSON is null where no arrival rate was given.
func inFlightJSON(s *assess.Sizing) any {
	if !s.Queue.Rate.IsKnown() && !s.Queue.Rate.Cause().IsGap() {
		return nil
	}
	return object{"expected": number(s.InFlight.Expected, same[float64]), "worst": number(s.InFlight.Worst, same[float64]), "quota": sizing.InFlightQuota}
}
