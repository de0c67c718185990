package simview

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"vtsize/simulate"
)

// request is what the page asks of the engine: one of the three.
type request struct {
	Replay *simulate.ReplayInput `json:"replay"`
	Fleet  *simulate.FleetInput  `json:"fleet"`
	Sweep  *sweepRequest         `json:"sweep"`
}

type sweepRequest struct {
	Fleet  simulate.FleetInput `json:"fleet"`
	Dial   string              `json:"dial"`
	From   float64             `json:"from"` // seconds or a count
	To     float64             `json:"to"`
	Points int                 `json:"points"`
}

// answer is what the page shows.
type answer struct {
	Error    string          `json:"error,omitempty"`
	Headline string          `json:"headline,omitempty"`
	Command  string          `json:"command,omitempty"` // that gives the same
	SVG      string          `json:"svg,omitempty"`
	Rows     [][]string      `json:"rows,omitempty"` // timeline: time, what; fleet: figure, mean, interval
	Bill     [][2]string     `json:"bill,omitempty"`
	Result   json.RawMessage `json:"result,omitempty"` // as --format json
}

// Answer simulates what a JSON request asks for and answers in JSON. It is how
// a page talks to the engine; the numbers are those of the command line.
func Answer(asked []byte) []byte {
	var r request
	a := answer{}
	err := json.Unmarshal(asked, &r)
	switch {
	case err != nil:
	case r.Replay != nil:
		a, err = answerReplay(*r.Replay)
	case r.Fleet != nil:
		a, err = answerFleet(*r.Fleet)
	case r.Sweep != nil:
		a, err = answerSweep(*r.Sweep)
	default:
		err = errors.New("nothing was asked")
	}
	if err != nil {
		a = answer{Error: err.Error()}
	}
	out, err := json.Marshal(a)
	if err != nil {
		return []byte(`{"error":"the answer cannot be written"}`)
	}
	return out
}

func answerReplay(in simulate.ReplayInput) (answer, error) {
	if err := in.Validate(); err != nil {
		return answer{}, err
	}
	r := simulate.Replay(in)
	var svg, js bytes.Buffer
	if err := errors.Join(ReplaySVG(&svg, r), ReplayJSON(&js, r)); err != nil {
		return answer{}, err
	}
	a := answer{Headline: headline(r), Command: ReplayCommand(in), SVG: svg.String(), Bill: bill(r), Result: js.Bytes()}
	for i, l := range timelineOf(r) {
		if i == pageLines {
			a.Rows = append(a.Rows, []string{"…", "and so on"})
			break
		}
		a.Rows = append(a.Rows, []string{clock(l.at), l.text})
	}
	return a, nil
}

// pageLines is how much of a timeline a page shows.
const pageLines = 200

func answerFleet(in simulate.FleetInput) (answer, error) {
	if err := in.Validate(); err != nil {
		return answer{}, err
	}
	r := simulate.Fleet(context.Background(), in)
	var js bytes.Buffer
	if err := FleetJSON(&js, r); err != nil {
		return answer{}, err
	}
	a := answer{Headline: fleetScenario(in, ""), Command: FleetCommand(in), Result: js.Bytes()}
	for _, m := range simulate.Metrics {
		if e := r.Estimate(m); e.Known() {
			a.Rows = append(a.Rows, []string{m.Title, amount(m.Unit, e.Mean), interval(m.Unit, e)})
		}
	}
	return a, nil
}

func answerSweep(q sweepRequest) (answer, error) {
	dial, ok := simulate.DialNamed(q.Dial)
	if !ok {
		return answer{}, fmt.Errorf("nothing to turn is called %q", q.Dial)
	}
	best, why, _ := q.Fleet.Recommended(dial)
	values, err := dial.Between(q.From, q.To, q.Points, best)
	if err != nil {
		return answer{}, err
	}
	for _, x := range values {
		one := q.Fleet
		dial.Set(&one, x)
		if err := one.Validate(); err != nil {
			return answer{}, err
		}
	}
	s := Sweep{SweepResult: simulate.Sweep(context.Background(), q.Fleet, dial, values), Recommended: best, Why: why}
	var svg, js bytes.Buffer
	if err := errors.Join(SweepSVG(&svg, s), SweepJSON(&js, s)); err != nil {
		return answer{}, err
	}
	command := fmt.Sprintf("%s --sweep %s=%s..%s --points %d", FleetCommand(q.Fleet), q.Dial, s.flag(q.From), s.flag(q.To), q.Points)
	return answer{Headline: "recommended: " + why, Command: command, SVG: svg.String(), Result: js.Bytes()}, nil
}
