package simulate

import (
	"encoding/json"
	"errors"
	"time"
)

// latencyJSON carries a latency to the engine in a page. Exactly one field is
// set.
type latencyJSON struct {
	Constant    time.Duration   `json:"constant_ns,omitempty"`
	Exponential time.Duration   `json:"exponential_ns,omitempty"`
	Points      []Point         `json:"points,omitempty"`
	Samples     []time.Duration `json:"samples_ns,omitempty"`
}

// MarshalJSON writes the distribution, exactly.
func (l Latency) MarshalJSON() ([]byte, error) {
	var j latencyJSON
	switch l.shape {
	case constantShape:
		j.Constant = l.base
	case exponentialShape:
		j.Exponential = l.base
	case lognormalShape:
		j.Points = l.points[:]
	case empiricalShape:
		j.Samples = l.samples
	}
	return json.Marshal(j)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (l *Latency) UnmarshalJSON(b []byte) error {
	var j latencyJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return err
	}
	var err error
	switch {
	case j.Constant > 0:
		*l = Constant(j.Constant)
	case j.Exponential > 0:
		*l = Exponential(j.Exponential)
	case len(j.Points) == 2:
		*l, err = Lognormal(j.Points[0], j.Points[1])
	case len(j.Samples) > 0:
		*l, err = Empirical(j.Samples)
	default:
		err = errors.New("a latency without a distribution")
	}
	return err
}
