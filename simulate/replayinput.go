package simulate

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"vtsize/sizing"
)

// StaleDelete says what a delete with the handle of an earlier receive does on
// a standard queue. SQS documents that the message "might not be deleted".
type StaleDelete string

// The readings of a stale delete.
const (
	StaleDeleteKeeps   StaleDelete = "keeps"   // the cautious one, and the zero value's meaning
	StaleDeleteRemoves StaleDelete = "removes" // the message goes, whoever works on it
)

// Heartbeat is a consumer's renewal of the visibility timeout while it works.
type Heartbeat struct {
	Interval  time.Duration // between beats; 0: no heartbeat
	Extension time.Duration // each beat asks for this from its own moment on; 0: the visibility timeout
}

// ReplayInput is one message and the consumers that are always polling for it.
type ReplayInput struct {
	VisibilityTimeout time.Duration
	Step              time.Duration // the work for the message
	MaxReceiveCount   int           // 0: no dead-letter queue
	Heartbeat         Heartbeat
	LoseBeats         []int         // numbers, from 1, of the first receive's beats that never arrive
	CrashAfter        time.Duration // the first receive's worker dies then; 0: it does not
	StepDeadline      time.Duration // a worker gives its step up then, without an effect or a delete; 0: never
	IdempotencyKey    bool          // a second effect is refused
	FIFO              bool          // of a FIFO queue: an expired handle is an error, and the message stops its group
	StaleDelete       StaleDelete   // standard queues only
	Retention         time.Duration // 0: 4 days, the default of SQS
}

// MaxReplayEvents is where a replay stops watching.
const MaxReplayEvents = 100_000

// Validate reports the first value that no queue or worker can have.
func (in ReplayInput) Validate() error {
	switch {
	case in.VisibilityTimeout < 0 || in.VisibilityTimeout > sizing.MaxVisibilityTimeout:
		return fmt.Errorf("visibility timeout %s is outside SQS's 0 to 43,200 s; give one within", sizing.Seconds(in.VisibilityTimeout))
	case in.Step <= 0:
		return errors.New("the step takes no time; give the time one message's work takes, as 45s")
	case in.Step > sizing.MaxRetention:
		return fmt.Errorf("a step of %s outlasts the longest retention, 14 days; give a shorter one", sizing.Seconds(in.Step))
	case in.MaxReceiveCount < 0 || in.MaxReceiveCount > maxReceives:
		return fmt.Errorf("max receive count %d is outside 1 to %d; give 0 for no dead-letter queue", in.MaxReceiveCount, maxReceives)
	case in.CrashAfter < 0 || in.StepDeadline < 0:
		return errors.New("a crash or a deadline before the receive; give a time after it")
	case in.Retention != 0 && (in.Retention < sizing.MinRetention || in.Retention > sizing.MaxRetention):
		return fmt.Errorf("retention %s is outside SQS's 60 s to 14 days; give one within", sizing.Seconds(in.Retention))
	case len(in.LoseBeats) > 0 && in.Heartbeat.Interval == 0:
		return errors.New("beats are lost but there is no heartbeat; give its interval")
	case len(in.LoseBeats) > 0 && slices.Min(in.LoseBeats) < 1:
		return errors.New("the beats are numbered from 1; give 1 for the first")
	}
	return cmp.Or(in.Heartbeat.validate(), in.validateStaleDelete())
}

// maxReceives is the largest maxReceiveCount that SQS's tools accept.
const maxReceives = 1000

func (h Heartbeat) validate() error {
	switch {
	case h.Interval < 0:
		return errors.New("the heartbeat interval is negative; give the time between two beats")
	case h.Interval == 0 && h.Extension != 0:
		return errors.New("an extension without a heartbeat; give the heartbeat's interval")
	case h.Extension < 0 || h.Extension > sizing.MaxVisibilityTimeout:
		return fmt.Errorf("extension %s is outside SQS's 0 to 43,200 s; give one within", sizing.Seconds(h.Extension))
	}
	return nil
}

func (in ReplayInput) validateStaleDelete() error {
	switch {
	case in.StaleDelete != "" && in.StaleDelete != StaleDeleteKeeps && in.StaleDelete != StaleDeleteRemoves:
		return fmt.Errorf("stale delete %q is neither %q nor %q", in.StaleDelete, StaleDeleteKeeps, StaleDeleteRemoves)
	case in.FIFO && in.StaleDelete == StaleDeleteRemoves:
		return errors.New("a FIFO queue refuses an expired handle, so a stale delete cannot remove; leave one of the two out")
	}
	return nil
}

// ExtendTo is what a beat asks for: the extension, or the visibility timeout.
func (in ReplayInput) ExtendTo() time.Duration {
	if in.Heartbeat.Extension > 0 {
		return in.Heartbeat.Extension
	}
	return in.VisibilityTimeout
}

// KeptFor is the retention in force.
func (in ReplayInput) KeptFor() time.Duration {
	if in.Retention > 0 {
		return in.Retention
	}
	return sizing.DefaultRetention
}
