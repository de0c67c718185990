package factstext

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"vtsize/facts"
	"vtsize/sizing"
)

type setter func(p *parser, value string) error

// field sets one value: unknown, or what parse makes of the text.
func field[T any](dst func(p *parser) *facts.Value[T], parse func(p *parser, s string) (T, error)) setter {
	return func(p *parser, value string) error {
		if rest, ok := strings.CutPrefix(value, "unknown"); ok {
			words := strings.Fields(rest)
			if len(words) == 0 {
				return errors.New("unknown needs a cause")
			}
			cause, ok := facts.ParseCause(words[0])
			if !ok {
				return fmt.Errorf("no cause %q", words[0])
			}
			*dst(p) = facts.Unknown[T](cause, facts.Origin{Detail: strings.Join(words[1:], " "), Pos: p.pos()})
			return nil
		}
		kind := facts.File
		if i := strings.LastIndex(value, " ("); i >= 0 && strings.HasSuffix(value, ")") {
			kind, value = facts.Kind(value[i+2:len(value)-1]), value[:i]
		}
		v, err := parse(p, value)
		if err != nil {
			return err
		}
		*dst(p) = facts.Known(v, p.origin(kind))
		return nil
	}
}

func duration(_ *parser, s string) (time.Duration, error) { return sizing.ParseDuration(s) }
func integer(_ *parser, s string) (int, error)            { return strconv.Atoi(s) }
func number(_ *parser, s string) (float64, error)         { return strconv.ParseFloat(s, 64) }
func boolean(_ *parser, s string) (bool, error)           { return strconv.ParseBool(s) }

// optional reads "none" as a nil pointer.
func optional[T any](parse func(*parser, string) (T, error)) func(*parser, string) (*T, error) {
	return func(p *parser, s string) (*T, error) {
		if s == "none" {
			return nil, nil
		}
		v, err := parse(p, s)
		return &v, err
	}
}

// word reads a text as one of the string types of facts.
func word[T ~string](_ *parser, s string) (T, error) { return T(s), nil }

// list reads comma-separated texts.
func list[T any](parse func(*parser, string) (T, error)) func(*parser, string) ([]T, error) {
	return func(p *parser, s string) ([]T, error) {
		out := []T{}
		if s == "none" {
			return out, nil
		}
		for part := range strings.SplitSeq(s, ",") {
			v, err := parse(p, strings.TrimSpace(part))
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
		return out, nil
	}
}

var deploymentKeys = map[string]setter{
	"outage": field(func(p *parser) *facts.Value[time.Duration] { return &p.d.Outage }, duration),
	"alarms": field(func(p *parser) *facts.Value[[]facts.Alarm] { return &p.d.Alarms },
		func(*parser, string) ([]facts.Alarm, error) { return []facts.Alarm{}, nil }),
}

var queueKeys = map[string]setter{
	"visibility_timeout": field(func(p *parser) *facts.Value[time.Duration] { return &p.q.VisibilityTimeout }, duration),
	"retention":          field(func(p *parser) *facts.Value[time.Duration] { return &p.q.Retention }, duration),
	"delay":              field(func(p *parser) *facts.Value[time.Duration] { return &p.q.Delay }, duration),
	"receive_wait":       field(func(p *parser) *facts.Value[time.Duration] { return &p.q.ReceiveWait }, duration),
	"fifo":               field(func(p *parser) *facts.Value[bool] { return &p.q.FIFO }, boolean),
	"redrive":            field(func(p *parser) *facts.Value[*facts.Redrive] { return &p.q.Redrive }, optional(redrive)),
	"redrive_allow": field(func(p *parser) *facts.Value[*facts.RedriveAllow] { return &p.q.RedriveAllow },
		optional(func(_ *parser, s string) (facts.RedriveAllow, error) { return facts.RedriveAllow{Permission: s}, nil })),
	"dead_letter_for": field(func(p *parser) *facts.Value[[]string] { return &p.q.DeadLetterFor }, list(word[string])),
	"consumers": field(func(p *parser) *facts.Value[[]*facts.Consumer] { return &p.q.Consumers },
		func(*parser, string) ([]*facts.Consumer, error) { return nil, nil }),
	"rate":             field(func(p *parser) *facts.Value[float64] { return &p.q.Rate }, number),
	"not_visible_max":  field(func(p *parser) *facts.Value[float64] { return &p.q.Metrics.NotVisibleMax }, number),
	"oldest_age":       field(func(p *parser) *facts.Value[time.Duration] { return &p.q.Metrics.OldestAge }, duration),
	"sent":             field(func(p *parser) *facts.Value[float64] { return &p.q.Metrics.Sent }, number),
	"received":         field(func(p *parser) *facts.Value[float64] { return &p.q.Metrics.Received }, number),
	"deleted":          field(func(p *parser) *facts.Value[float64] { return &p.q.Metrics.Deleted }, number),
	"visible_at_start": field(func(p *parser) *facts.Value[float64] { return &p.q.Metrics.VisibleAtStart }, number),
	"visible":          field(func(p *parser) *facts.Value[facts.Depth] { return &p.q.Metrics.Visible }, depth),
	"external": func(p *parser, s string) (err error) {
		p.q.External, err = strconv.ParseBool(s)
		return err
	},
}

// redrive reads "TARGET MAX-RECEIVE-COUNT"; either may be "?".
func redrive(p *parser, s string) (facts.Redrive, error) {
	words := strings.Fields(s)
	if len(words) != 2 {
		return facts.Redrive{}, errors.New("want TARGET and maxReceiveCount")
	}
	r := facts.Redrive{
		Target:          facts.Known(words[0], p.origin(facts.File)),
		MaxReceiveCount: facts.Unknown[int](facts.NotResolved, p.origin(facts.File)),
	}
	if words[0] == "?" {
		r.Target = facts.Unknown[string](facts.NotResolved, p.origin(facts.File))
	}
	if words[1] != "?" {
		n, err := strconv.Atoi(words[1])
		if err != nil {
			return r, err
		}
		r.MaxReceiveCount = facts.Known(n, p.origin(facts.File))
	}
	return r, nil
}

// depth reads "FIRST MAX".
func depth(_ *parser, s string) (d facts.Depth, err error) {
	_, err = fmt.Sscan(s, &d.First, &d.Max)
	return d, err
}

var consumerKeys = map[string]setter{
	"function_timeout":       field(func(p *parser) *facts.Value[time.Duration] { return &p.c.FunctionTimeout }, duration),
	"batch_size":             field(func(p *parser) *facts.Value[int] { return &p.c.BatchSize }, integer),
	"batching_window":        field(func(p *parser) *facts.Value[time.Duration] { return &p.c.BatchingWindow }, duration),
	"partial_batch_response": field(func(p *parser) *facts.Value[bool] { return &p.c.ReportBatchItemFailures }, boolean),
	"maximum_concurrency":    field(func(p *parser) *facts.Value[*int] { return &p.c.MaximumConcurrency }, optional(integer)),
	"provisioned_pollers":    field(func(p *parser) *facts.Value[*int] { return &p.c.ProvisionedPollers }, optional(integer)),
	"reserved_concurrency":   field(func(p *parser) *facts.Value[*int] { return &p.c.ReservedConcurrency }, optional(integer)),
	"enabled":                field(func(p *parser) *facts.Value[bool] { return &p.c.Enabled }, boolean),
	"mappings":               field(func(p *parser) *facts.Value[[]facts.Mapping] { return &p.c.Mappings }, list(mapping)),
	"errors":                 field(func(p *parser) *facts.Value[float64] { return &p.c.Metrics.Errors }, number),
	"throttles":              field(func(p *parser) *facts.Value[float64] { return &p.c.Metrics.Throttles }, number),

	"basis": field(func(p *parser) *facts.Value[facts.Basis] { return &p.c.Work.Basis }, word[facts.Basis]),
	"percentile": func(p *parser, s string) (err error) {
		p.c.Work.Percentile, err = strconv.ParseFloat(s, 64)
		return err
	},
	"latency": field(func(p *parser) *facts.Value[[]facts.Stage] { return &p.c.Work.Stages },
		func(*parser, string) ([]facts.Stage, error) {
			return nil, errors.New("only unknown can be said of the latency as a whole")
		}),
	"p99":             field(func(p *parser) *facts.Value[time.Duration] { return &p.stage().Latency.Tail }, duration),
	"mean":            field(func(p *parser) *facts.Value[time.Duration] { return &p.stage().Latency.Mean }, duration),
	"p50":             field(func(p *parser) *facts.Value[time.Duration] { return &p.stage().Latency.P50 }, duration),
	"p999":            field(func(p *parser) *facts.Value[time.Duration] { return &p.stage().Latency.P999 }, duration),
	"max":             field(func(p *parser) *facts.Value[time.Duration] { return &p.stage().Latency.Max }, duration),
	"samples":         field(func(p *parser) *facts.Value[int] { return &p.stage().Latency.Samples }, integer),
	"attempts":        field(func(p *parser) *facts.Value[int] { return &p.stage().Attempts }, integer),
	"backoff":         field(func(p *parser) *facts.Value[[]time.Duration] { return &p.stage().Backoff }, list(duration)),
	"request_timeout": field(func(p *parser) *facts.Value[*time.Duration] { return &p.stage().RequestTimeout }, optional(duration)),
	"retry_after":     field(func(p *parser) *facts.Value[facts.RetryAfter] { return &p.stage().RetryAfter }, retryAfter),

	"overhead":        field(func(p *parser) *facts.Value[time.Duration] { return &p.c.Work.Overhead }, duration),
	"write":           field(func(p *parser) *facts.Value[time.Duration] { return &p.c.Work.Write }, duration),
	"batch":           field(func(p *parser) *facts.Value[int] { return &p.c.Work.Batch }, integer),
	"handling":        field(func(p *parser) *facts.Value[facts.Handling] { return &p.c.Work.Handling }, word[facts.Handling]),
	"concurrency":     field(func(p *parser) *facts.Value[int] { return &p.c.Work.Concurrency }, integer),
	"prefetch":        field(func(p *parser) *facts.Value[*int] { return &p.c.Work.Prefetch }, optional(integer)),
	"countdown":       field(func(p *parser) *facts.Value[time.Duration] { return &p.c.Work.Countdown }, duration),
	"receive_timeout": field(func(p *parser) *facts.Value[*time.Duration] { return &p.c.Work.ReceiveTimeout }, optional(duration)),
	"step_deadline":   field(func(p *parser) *facts.Value[*time.Duration] { return &p.c.Work.StepDeadline }, optional(duration)),
	"unbounded":       field(func(p *parser) *facts.Value[bool] { return &p.c.Work.Unbounded }, boolean),
	"processes":       field(func(p *parser) *facts.Value[int] { return &p.c.Work.Consumers }, integer),
	"useful_for":      field(func(p *parser) *facts.Value[*time.Duration] { return &p.c.Work.UsefulFor }, optional(duration)),
	"effects":         field(func(p *parser) *facts.Value[[]facts.Effect] { return &p.c.Work.Effects }, list(effect)),
	"classes":         field(func(p *parser) *facts.Value[[]facts.Class] { return &p.c.Work.Classes }, list(class)),

	"release":       field(func(p *parser) *facts.Value[*time.Duration] { return &p.failure().Release }, optional(duration)),
	"release_grows": field(func(p *parser) *facts.Value[facts.Backoff] { return &p.failure().Backoff }, word[facts.Backoff]),
	"release_stops": field(func(p *parser) *facts.Value[bool] { return &p.failure().StopsBeats }, boolean),
	"on_failure": field(func(p *parser) *facts.Value[*facts.OnFailure] { return &p.c.Work.OnFailure },
		optional(func(*parser, string) (facts.OnFailure, error) {
			return facts.OnFailure{}, errors.New("only none and unknown can be said of it as a whole")
		})),
	"unit":          field(func(p *parser) *facts.Value[*string] { return &p.c.Work.Practice.Unit }, optional(word[string])),
	"checkpoints":   field(func(p *parser) *facts.Value[bool] { return &p.c.Work.Practice.Checkpoints }, boolean),
	"tests":         field(func(p *parser) *facts.Value[[]facts.Tested] { return &p.c.Work.Practice.Tests }, list(word[facts.Tested])),
	"metrics_carry": field(func(p *parser) *facts.Value[*string] { return &p.c.Work.Practice.MetricsCarry }, optional(word[string])),

	"delete":    field(func(p *parser) *facts.Value[facts.DeleteWhen] { return &p.c.Work.Delete }, word[facts.DeleteWhen]),
	"handed_to": field(func(p *parser) *facts.Value[*string] { return &p.c.Work.HandedTo }, optional(word[string])),

	"extension":           field(func(p *parser) *facts.Value[time.Duration] { return &p.c.Work.Extension }, duration),
	"heartbeat":           field(func(p *parser) *facts.Value[*facts.Heartbeat] { return &p.c.Work.Heartbeat }, optional(heartbeat)),
	"heartbeat_threshold": field(func(p *parser) *facts.Value[*time.Duration] { return &p.beat().Threshold }, optional(duration)),
	"heartbeat_renews":    field(func(p *parser) *facts.Value[facts.Renews] { return &p.beat().Renews }, word[facts.Renews]),
	"heartbeat_progress":  field(func(p *parser) *facts.Value[bool] { return &p.beat().Progress }, boolean),
	"heartbeat_stops":     field(func(p *parser) *facts.Value[bool] { return &p.beat().StopsWork }, boolean),
	"heartbeat_leads_to":  field(func(p *parser) *facts.Value[facts.Destination] { return &p.beat().AfterDeadline }, word[facts.Destination]),
}

// beat is the heartbeat opened by the key before.
func (p *parser) beat() *facts.Heartbeat {
	h, _ := p.c.Work.Heartbeat.Get()
	if h == nil {
		h = &facts.Heartbeat{}
	}
	return h
}

// heartbeat reads "INTERVAL EXTENSION".
func heartbeat(p *parser, s string) (facts.Heartbeat, error) {
	words := strings.Fields(s)
	if len(words) != 2 {
		return facts.Heartbeat{}, errors.New("want INTERVAL and EXTENSION")
	}
	h := facts.Heartbeat{Threshold: facts.Known[*time.Duration](nil, p.origin(facts.File))}
	err := errors.Join(
		field(func(*parser) *facts.Value[time.Duration] { return &h.Interval }, duration)(p, words[0]),
		field(func(*parser) *facts.Value[time.Duration] { return &h.Extension }, duration)(p, words[1]))
	return h, err
}

// mapping reads the MaximumConcurrency of a mapping, or "unlimited", or "N pollers";
// "disabled" after it says that the mapping is off.
func mapping(p *parser, s string) (facts.Mapping, error) {
	s, off := strings.CutSuffix(s, " disabled")
	m := facts.Mapping{Enabled: facts.Known(!off, p.origin(facts.File))}
	concurrency, pollers := s, "none"
	if n, ok := strings.CutSuffix(s, " pollers"); ok {
		concurrency, pollers = "none", n
	}
	if concurrency == "unlimited" {
		concurrency = "none"
	}
	err := errors.Join(
		field(func(*parser) *facts.Value[*int] { return &m.MaximumConcurrency }, optional(integer))(p, concurrency),
		field(func(*parser) *facts.Value[*int] { return &m.ProvisionedPollers }, optional(integer))(p, pollers))
	return m, err
}

// retryAfter reads "none", "any", or the longest wait obeyed.
func retryAfter(p *parser, s string) (facts.RetryAfter, error) {
	switch s {
	case "none":
		return facts.RetryAfter{}, nil
	case "any":
		return facts.RetryAfter{Obeyed: true}, nil
	}
	d, err := duration(p, s)
	return facts.RetryAfter{Obeyed: true, Cap: &d}, err
}
