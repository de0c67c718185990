// Package simpage writes a page to play with: the replay, the fleet and the
// sweep of package simulate, with sliders. It is one file that needs no
// network: the engine is in it, compiled to WebAssembly.
package simpage

import (
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"vtsize/simulate"
	"vtsize/sizing"
)

//go:generate go run ./build

// The engine is internal/wasm, compressed, and the glue that Go has for it.
// Both are made by go generate; a test tells when they are out of date.
var (
	//go:embed engine.wasm.gz
	engine []byte
	//go:embed wasm_exec.js
	exec string
	//go:embed page.html
	page string
	//go:embed page.js
	script string
)

// Page is what the sliders begin with. Where only one of replay and fleet is
// given, the other is made to fit.
type Page struct {
	Version string
	Replay  *simulate.ReplayInput
	Fleet   *simulate.FleetInput
	Sweep   *Sweep // nil: of the visibility timeout
}

// Sweep is the sweep that the page begins with.
type Sweep struct {
	Dial   string  `json:"dial"`
	From   float64 `json:"from"` // seconds or a count; both ends 0: the page chooses
	To     float64 `json:"to"`
	Points int     `json:"points"`
}

// pageInput is the page's beginning, as its script reads it.
type pageInput struct {
	Replay         simulate.ReplayInput `json:"replay"`
	Fleet          simulate.FleetInput  `json:"fleet"`
	For            time.Duration        `json:"for"`
	Sweep          Sweep                `json:"sweep"`
	SweepCrashRate float64              `json:"sweepCrashRate"`
	Dials          []string             `json:"dials"`
}

// pageReplications are enough for an interval and quick enough for a slider.
const pageReplications = 3

// Write writes the page.
func Write(w io.Writer, p Page) error {
	in := pageInput{SweepCrashRate: simulate.SweepCrashRate, Sweep: Sweep{Dial: simulate.Dials[0].Name}}
	for _, d := range simulate.Dials {
		in.Dials = append(in.Dials, d.Name)
	}
	switch {
	case p.Replay != nil:
		in.Replay, in.Fleet = *p.Replay, fleetFor(*p.Replay)
	case p.Fleet != nil:
		in.Replay, in.Fleet = replayFor(*p.Fleet), *p.Fleet
	default:
		return fmt.Errorf("write page: nothing to show")
	}
	in.For = in.Fleet.For
	in.Fleet.Replications = pageReplications
	if p.Sweep != nil {
		in.Sweep = *p.Sweep
	}
	begin, err := json.Marshal(in) // escapes <, > and &, so it can stand in a script
	if err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	_, err = strings.NewReplacer(
		"{{version}}", p.Version,
		"{{input}}", string(begin),
		"{{exec}}", exec,
		"{{engine}}", base64.StdEncoding.EncodeToString(engine),
		"{{script}}", script,
	).WriteString(w, page)
	return err
}

// fleetFor is a fleet that works on messages as slow as the one replayed: the
// step is its p99, its median a quarter of that, and there are consumers
// enough.
func fleetFor(one simulate.ReplayInput) simulate.FleetInput {
	in := simulate.FleetInput{
		For: 4 * time.Hour, Rate: 4, VisibilityTimeout: one.VisibilityTimeout, MaxReceiveCount: one.MaxReceiveCount, Retention: one.Retention,
		Heartbeat: one.Heartbeat, StepDeadline: one.StepDeadline, IdempotencyKey: one.IdempotencyKey, StaleDelete: one.StaleDelete, FIFO: one.FIFO,
		CrashRate: 0.1, Restart: 30 * time.Second, Seed: 1, Replications: pageReplications,
	}
	if one.FIFO {
		in.Groups = 1000
	}
	median := max(time.Millisecond, (one.Step / 4).Round(time.Second))
	l, err := simulate.Lognormal(simulate.Point{Percentile: 50, At: median}, simulate.Point{Percentile: 99, At: max(one.Step, median+time.Second)})
	if err != nil {
		l = simulate.Constant(one.Step)
	}
	in.Latency = l
	in.Consumers = int(in.Rate*in.Latency.Mean().Seconds()*1.5) + 1
	return in
}

// replayFor is a slow message of the fleet: its step is the p99.
func replayFor(in simulate.FleetInput) simulate.ReplayInput {
	step := max(time.Second, in.Latency.Quantile(0.99).Round(time.Second))
	return simulate.ReplayInput{
		VisibilityTimeout: in.VisibilityTimeout, Step: min(step, sizing.MaxRetention), MaxReceiveCount: in.MaxReceiveCount, Retention: in.Retention,
		Heartbeat: in.Heartbeat, StepDeadline: in.StepDeadline, IdempotencyKey: in.IdempotencyKey, StaleDelete: in.StaleDelete, FIFO: in.FIFO,
	}
}
