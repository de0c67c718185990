package simview

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"vtsize/simulate"
	"vtsize/sizing"
)

// A Sweep is a series of simulations with the value that vtsize recommends.
type Sweep struct {
	simulate.SweepResult
	Recommended float64 // of the dial; 0: none
	Why         string  // how it is reached
}

// harm is what a sweep weighs first: the messages with more than one effect or,
// where an idempotency key refuses those, the receives whose timeout ended.
func (s Sweep) harm() string {
	if len(s.Results) > 0 && s.Results[0].Input.IdempotencyKey {
		return "expiry_rate"
	}
	return "duplicate_rate"
}

// columns of the table of a sweep; the first is its harm.
var sweepColumns = []struct{ metric, title string }{
	{"false_dead_letter_rate", "false DLQ"},
	{"wasted_share", "wasted"},
	{"queue_time_p99_seconds", "queue p99"},
	{"recovery_mean_seconds", "recovery"},
}

const barWidth = 10

// SweepText writes a sweep as a table with a bar for the duplicates.
func SweepText(w io.Writer, s Sweep) error {
	var b strings.Builder
	if len(s.Results) > 0 {
		wrap(&b, fleetScenario(s.Results[0].Input, s.Dial.Name)+"; "+s.Dial.Name+" is swept")
	}
	b.WriteString("\n")
	harm := "duplicates"
	if s.harm() != "duplicate_rate" {
		harm = "expiries"
	}
	fmt.Fprintf(&b, "%12s%11s", shortDial(s.Dial), harm)
	for _, c := range sweepColumns {
		fmt.Fprintf(&b, "%11s", c.title)
	}
	b.WriteString("\n")
	most := s.most(s.harm())
	for i, x := range s.Values {
		if len(s.Results[i].Runs) == 0 {
			continue
		}
		fmt.Fprintf(&b, "%12s%11s", s.value(x), s.cell(i, s.harm()))
		for _, c := range sweepColumns {
			fmt.Fprintf(&b, "%11s", s.cell(i, c.metric))
		}
		if x == s.Recommended {
			b.WriteString("  recommended")
		} else if n := s.bar(i, most); n > 0 {
			b.WriteString("  " + strings.Repeat("▆", n))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
	if s.Why != "" {
		wrap(&b, "recommended: "+s.Why)
	}
	wrap(&b, sweepFooter(s))
	_, err := io.WriteString(w, b.String())
	return err
}

func shortDial(d simulate.Dial) string {
	if d.Name == "visibility-timeout" {
		return "timeout"
	}
	return d.Name
}

func sweepFooter(s Sweep) string {
	if len(s.Results) == 0 || len(s.Results[0].Runs) == 0 {
		return "interrupted before anything was found"
	}
	text := fmt.Sprintf("%s of each point, seed %d; the same messages at every point; the intervals are in --format json",
		many(len(s.Results[0].Runs), "replication", "replications"), s.Results[0].Input.Seed)
	if s.Interrupted {
		text += "; interrupted: points or replications are missing"
	}
	return text
}

func (s Sweep) estimate(i int, name string) simulate.Estimate {
	m, _ := simulate.MetricNamed(name)
	return s.Results[i].Estimate(m)
}

func (s Sweep) cell(i int, name string) string {
	m, _ := simulate.MetricNamed(name)
	e := s.Results[i].Estimate(m)
	if !e.Known() {
		return "-"
	}
	return amount(m.Unit, e.Mean)
}

// value writes a value of the dial.
func (s Sweep) value(x float64) string {
	if s.Dial.Duration {
		return short(time.Duration(x * float64(time.Second)))
	}
	return sizing.Number(x)
}

// flag writes a value of the dial as --sweep takes it.
func (s Sweep) flag(x float64) string {
	text := strconv.FormatFloat(x, 'f', -1, 64)
	if s.Dial.Duration {
		text += "s"
	}
	return text
}

func (s Sweep) most(name string) float64 {
	most := 0.0
	for i := range s.Results {
		if e := s.estimate(i, name); e.Known() {
			most = max(most, e.Mean)
		}
	}
	return most
}

func (s Sweep) bar(i int, most float64) int {
	e := s.estimate(i, s.harm())
	if !e.Known() || most == 0 {
		return 0
	}
	return int(math.Ceil(e.Mean / most * barWidth))
}
