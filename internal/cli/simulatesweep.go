package cli

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"vtsize/simpage"
	"vtsize/simulate"
	"vtsize/simview"
	"vtsize/sizing"
)

func dialNames() []string {
	var names []string
	for _, d := range simulate.Dials {
		names = append(names, d.Name)
	}
	return names
}

func simulateSweep(c *cli.Context, env Env, in simulate.FleetInput) error {
	if !c.IsSet("crash-rate") {
		in.CrashRate = simulate.SweepCrashRate
	}
	dial, values, err := readSweep(c, in)
	if err != nil {
		return err
	}
	events := 0.0
	for _, x := range values {
		one := in
		dial.Set(&one, x)
		if err := one.Validate(); err != nil {
			return usagef("--sweep %s at %s: %v", dial.Name, sizing.Number(x), err)
		}
		events += one.Events()
	}
	if err := tooMany(c, events); err != nil {
		return err
	}
	s := simview.Sweep{SweepResult: simulate.Sweep(c.Context, in, dial, values)}
	if value, why, ok := in.Recommended(dial); ok {
		s.Recommended, s.Why = value, why
	}
	return writeSimulation(c, env, simulated{
		text:        func(w io.Writer) error { return simview.SweepText(w, s) },
		json:        func(w io.Writer) error { return simview.SweepJSON(w, s) },
		plot:        func(w io.Writer) error { return simview.SweepSVG(w, s) },
		page:        func(w io.Writer) error { return sweepPage(w, in, dial, values) },
		interrupted: s.Interrupted,
	})
}

// sweepPage begins with the sweep that was asked for, at points few enough for
// a page.
func sweepPage(w io.Writer, in simulate.FleetInput, dial simulate.Dial, values []float64) error {
	if in.Consumers == 0 {
		in.Consumers = int(values[len(values)/2])
	}
	sweep := simpage.Sweep{Dial: dial.Name, From: values[0], To: values[len(values)-1], Points: min(len(values), defaultPoints)}
	return simpage.Write(w, simpage.Page{Version: Version, Fleet: &in, Sweep: &sweep})
}

// readSweep reads "visibility-timeout=30s..10m". Where vtsize recommends a
// value between the ends, it is one of the points.
func readSweep(c *cli.Context, in simulate.FleetInput) (simulate.Dial, []float64, error) {
	spec := c.String("sweep")
	name, span, ok := strings.Cut(spec, "=")
	low, high, ok2 := strings.Cut(span, "..")
	if !ok || !ok2 {
		return simulate.Dial{}, nil, usagef("--sweep %q is not NAME=FROM..TO, as visibility-timeout=30s..10m", spec)
	}
	dial, ok := simulate.DialNamed(name)
	if !ok {
		return dial, nil, &usageError{msg: fmt.Sprintf("--sweep: nothing to turn is called %q", name), hint: didYouMean(name, dialNames(), "names: "+strings.Join(dialNames(), ", "))}
	}
	from, err1 := dialValue(dial, low)
	to, err2 := dialValue(dial, high)
	for _, err := range []error{err1, err2} {
		if err != nil {
			return dial, nil, usagef("--sweep %q: %v", spec, err)
		}
	}
	points := defaultPoints
	if c.IsSet("points") {
		n, err := counted(2, math.MaxInt32)(c.String("points"))
		if err != nil {
			return dial, nil, usagef("--points: %v", err)
		}
		points = n
	}
	var extra []float64
	if value, _, ok := in.Recommended(dial); ok {
		extra = append(extra, value)
	}
	values, err := dial.Between(from, to, points, extra...)
	if err != nil {
		return dial, nil, usagef("--sweep %q: %v", spec, err)
	}
	return dial, values, nil
}

func dialValue(d simulate.Dial, s string) (float64, error) {
	if !d.Duration {
		n, err := strconv.Atoi(strings.ReplaceAll(s, ",", ""))
		if err != nil {
			return 0, usagef("%q is not a whole number", s)
		}
		return float64(n), nil
	}
	t, err := wholeSeconds(s)
	return t.Seconds(), err
}
