package simview

import (
	"encoding/json"
	"io"
	"time"

	"vtsize/simulate"
)

// ReplaySchema names the form of a replay's JSON.
const ReplaySchema = "vtsize.replay.v1"

type replayJSON struct {
	Schema          string        `json:"schema"`
	Input           replayInput   `json:"input"`
	Receives        int           `json:"receives"`
	Effects         int           `json:"effects"`
	DeletedAt       *float64      `json:"deleted_at_seconds"`
	DeadLetteredAt  *float64      `json:"dead_lettered_at_seconds"`
	FalseDeadLetter bool          `json:"false_dead_letter"`
	Work            float64       `json:"work_seconds"`
	Useful          float64       `json:"useful_seconds"`
	Wasted          float64       `json:"wasted_seconds"`
	Cut             bool          `json:"cut"` // more would follow
	Events          []replayEvent `json:"events"`
}

// replayInput repeats what was asked; null stands for what was left out.
type replayInput struct {
	VisibilityTimeout float64  `json:"visibility_timeout_seconds"`
	Step              float64  `json:"step_seconds"`
	MaxReceiveCount   *int     `json:"max_receive_count"`
	Heartbeat         *float64 `json:"heartbeat_seconds"`
	Extension         *float64 `json:"extension_seconds"`
	LoseBeats         []int    `json:"lose_beats"`
	CrashAfter        *float64 `json:"crash_after_seconds"`
	StepDeadline      *float64 `json:"step_deadline_seconds"`
	IdempotencyKey    bool     `json:"idempotency_key"`
	QueueType         string   `json:"queue_type"`
	StaleDelete       string   `json:"stale_delete"`
	Retention         float64  `json:"retention_seconds"`
}

type replayEvent struct {
	At           float64  `json:"at_seconds"`
	Event        string   `json:"event"`
	Receipt      int      `json:"receipt,omitempty"`
	Consumer     string   `json:"consumer,omitempty"`
	ReceiveCount int      `json:"receive_count,omitempty"`
	Until        *float64 `json:"until_seconds,omitempty"`
}

// ReplayJSON writes a replay as one indented JSON object.
func ReplayJSON(w io.Writer, r simulate.ReplayResult) error {
	out := replayJSON{
		Schema: ReplaySchema, Input: inputJSON(r.Input),
		Receives: r.Receives, Effects: r.Effects,
		DeletedAt: secondsOf(r.DeletedAt), DeadLetteredAt: secondsOf(r.DeadLetteredAt), FalseDeadLetter: r.FalseDeadLetter(),
		Work: r.Work.Seconds(), Useful: r.Useful.Seconds(), Wasted: r.Wasted().Seconds(),
		Cut: r.Cut, Events: make([]replayEvent, 0, len(r.Events)),
	}
	for _, e := range r.Events {
		j := replayEvent{At: e.At.Seconds(), Event: string(e.Kind), Receipt: e.Receipt, Consumer: simulate.Consumer(e.Receipt)}
		switch e.Kind {
		case simulate.Received:
			j.ReceiveCount = e.Receipt
		case simulate.Extended:
			j.Until = secondsOf(&e.Until)
		}
		out.Events = append(out.Events, j)
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

func inputJSON(in simulate.ReplayInput) replayInput {
	j := replayInput{
		VisibilityTimeout: in.VisibilityTimeout.Seconds(), Step: in.Step.Seconds(),
		LoseBeats: append([]int{}, in.LoseBeats...), CrashAfter: positive(in.CrashAfter), StepDeadline: positive(in.StepDeadline),
		IdempotencyKey: in.IdempotencyKey, QueueType: "standard", StaleDelete: string(simulate.StaleDeleteKeeps),
		Retention: in.KeptFor().Seconds(), Heartbeat: positive(in.Heartbeat.Interval),
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
	if in.StaleDelete != "" {
		j.StaleDelete = string(in.StaleDelete)
	}
	return j
}

func secondsOf(d *time.Duration) *float64 {
	if d == nil {
		return nil
	}
	s := d.Seconds()
	return &s
}

func positive(d time.Duration) *float64 {
	if d <= 0 {
		return nil
	}
	return secondsOf(&d)
}
