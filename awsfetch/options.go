package awsfetch

import (
	"net/url"
	"time"

	"vtsize/facts"
)

// Options says what to read, and how to reach AWS.
type Options struct {
	Queues []string // names, URLs or ARNs
	Prefix string   // queues whose names begin with this
	All    bool     // every queue

	// Lookback is how far back metrics are read, from an hour to 455 days.
	// Zero is [DefaultLookback].
	Lookback    time.Duration
	StepMetrics []StepMetric

	// Regions are where names, Prefix and All are looked for; none: the one
	// that the SDK finds. A URL or an ARN has its own.
	Regions     []string
	Profile     string
	EndpointURL string

	Now time.Time // zero: the clock

	// Progress is told after each step of a call how many have ended and how
	// many have begun. It is never run twice at the same time.
	Progress func(done, started int, action string)
}

// StepMetric is a custom CloudWatch metric of the latency of the work.
type StepMetric struct {
	Queue      string // the queue's name; may be empty where one queue is read
	Namespace  string
	Name       string
	Dimensions map[string]string
	Unit       string      // of the values: "Seconds", "Milliseconds" or "Microseconds"
	Basis      facts.Basis // facts.PerCall or facts.PerStep
}

// DefaultLookback is how far back metrics are read where nothing else is said.
const DefaultLookback = 14 * 24 * time.Hour

// CloudWatch keeps hourly data for 455 days.
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricData.html (read 2026-11-30)
const (
	shortestLookback = time.Hour
	longestLookback  = 455 * 24 * time.Hour
)

// units are the units of time that CloudWatch has.
var units = map[string]time.Duration{
	"Seconds":      time.Second,
	"Milliseconds": time.Millisecond,
	"Microseconds": time.Microsecond,
}

// Check reports the first mistake in the options as a [*UsageError].
func (o *Options) Check() error {
	_, err := o.refs()
	return err
}

// refs checks the options and returns the queues named.
func (o *Options) refs() ([]Ref, error) {
	if len(o.Queues) == 0 && o.Prefix == "" && !o.All {
		return nil, &UsageError{problem: "no queue to read", hint: "name one with --queue, or take --prefix or --all"}
	}
	var refs []Ref
	for _, name := range o.Queues {
		ref, err := ParseRef(name)
		if err != nil {
			return nil, err
		}
		refs = append(refs, ref)
	}
	if o.Prefix != "" {
		if err := checkPrefix(o.Prefix); err != nil {
			return nil, err
		}
	}
	for _, r := range o.Regions {
		if !regionName.MatchString(r) {
			return nil, usagef("%q is not an AWS region, as eu-west-1 is", r)
		}
	}
	if o.Lookback != 0 && (o.Lookback < shortestLookback || o.Lookback > longestLookback) {
		return nil, usagef("a lookback of %v is not between 1h and 455 days, which is as long as CloudWatch keeps data", o.Lookback)
	}
	if o.EndpointURL != "" {
		u, err := url.Parse(o.EndpointURL)
		if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
			return nil, usagef("%q is not the URL of an endpoint, as http://127.0.0.1:4566 is", o.EndpointURL)
		}
	}
	return refs, o.checkStepMetrics()
}

func (o *Options) checkStepMetrics() error {
	one := len(o.Queues) == 1 && o.Prefix == "" && !o.All
	bases := map[string]facts.Basis{}
	for _, m := range o.StepMetrics {
		name := m.Namespace + "/" + m.Name
		switch {
		case m.Namespace == "" || m.Name == "":
			return usagef("step metric %q: expected NAMESPACE/NAME", name)
		case units[m.Unit] == 0:
			return usagef("step metric %s: unit %q is not Seconds, Milliseconds or Microseconds", name, m.Unit)
		case m.Basis != facts.PerCall && m.Basis != facts.PerStep:
			return usagef("step metric %s: basis %q is neither call nor step", name, m.Basis)
		case m.Queue == "" && !one:
			return usagef("step metric %s: several queues are read, and it is not said which one it measures", name)
		case bases[m.Queue] != "" && bases[m.Queue] != m.Basis:
			return usagef("step metric %s: the metrics of one queue must have one basis", name)
		}
		bases[m.Queue] = m.Basis
	}
	return nil
}

// window is the time to read metrics of: whole hours, as CloudWatch answers
// those best, and up to the end of the present one.
func (o *Options) window() Window {
	lookback := o.Lookback
	if lookback == 0 {
		lookback = DefaultLookback
	}
	end := o.Now.UTC().Add(time.Hour - 1).Truncate(time.Hour)
	return Window{Start: end.Add(-lookback).Truncate(time.Minute), End: end}
}
