package facts

import "time"

// Basis says what a latency was measured on.
type Basis string

// The bases of a latency.
const (
	PerCall       Basis = "call"       // one attempt at a remote call: attempts and batch multiply it
	PerStep       Basis = "step"       // all the work for one message: only the batch multiplies it
	PerInvocation Basis = "invocation" // a whole batch in a function, cut off at its timeout: nothing multiplies it
)

// Handling says how a consumer works through what it received at once.
type Handling string

// The ways of handling a batch.
const (
	Serial   Handling = "serial"
	Parallel Handling = "parallel"
)

// Work is what is known of the work done for a message, and of how the
// consumer holds the message meanwhile.
type Work struct {
	Basis      Value[Basis]
	Percentile float64        // that Tail of every stage stands for, as 99
	Stages     Value[[]Stage] // one or more; their times add up
	Overhead   Value[time.Duration]
	Write      Value[time.Duration]

	Batch          Value[int] // messages received at once
	Handling       Value[Handling]
	Concurrency    Value[int]            // messages worked on at once by one process
	Prefetch       Value[*int]           // messages held by one process, running ones included; nil: no more than run
	Countdown      Value[time.Duration]  // delay inside the worker before a message is started
	ReceiveTimeout Value[*time.Duration] // visibility timeout given at receive; nil: the queue's
	StepDeadline   Value[*time.Duration] // the worker gives a step up after this; nil: never
	Heartbeat      Value[*Heartbeat]     // nil: none
	Extension      Value[time.Duration]  // what a heartbeat that is planned is to extend to
	Unbounded      Value[bool]           // the owner says that nothing bounds the work
	Consumers      Value[int]            // processes

	UsefulFor Value[*time.Duration] // business deadline; nil: none
	Effects   Value[[]Effect]
	Classes   Value[[]Class] // kinds of work that share the queue

	OnFailure Value[*OnFailure] // nil: a failed message waits its timeout out
	Delete    Value[DeleteWhen] // when the message is deleted
	HandedTo  Value[*string]    // durable store that took the work over before the delete; nil: none
	Practice  Practice          // what the checklist asks beside
}

// DeleteWhen says when a worker deletes a message.
type DeleteWhen string

// The moments of the delete.
const (
	AfterResult  DeleteWhen = "after-result"  // once the result is valid and stored
	BeforeResult DeleteWhen = "before-result" // at the receive, or before the work is done
)

// OnFailure is what a worker does with a message whose work failed.
type OnFailure struct {
	Release    Value[*time.Duration] // timeout set at a failure, the first wait; nil: left as it is
	Backoff    Value[Backoff]        // how the waits of later failures grow
	StopsBeats Value[bool]           // the heartbeat is stopped before the timeout is set
}

// Backoff says how the waits between the receives of a failing message grow.
type Backoff string

// The backoffs.
const (
	NoBackoff   Backoff = "none"
	Exponential Backoff = "exponential"
)

// Practice is how the owners work with the queue. No rule judges it; the
// checklist asks for it.
type Practice struct {
	Unit         Value[*string]  // identifier of the business unit that a message stands for; nil: none
	Checkpoints  Value[bool]     // a later delivery resumes from what an earlier one stored
	Tests        Value[[]Tested] // what the tests bring about
	MetricsCarry Value[*string]  // identifier that metrics and logs carry; nil: none
}

// Tested is an event of a lease that tests bring about.
type Tested string

// The events worth a test.
const (
	TestsRedelivery Tested = "redelivery"
	TestsLostLease  Tested = "lost-lease"
	TestsDuplicate  Tested = "duplicate"
)

// Stage is one part of a step, with its own calls.
type Stage struct {
	Name           string
	Latency        Latency
	Attempts       Value[int]             // 1 + retries
	Backoff        Value[[]time.Duration] // attempts - 1 waits, at their largest
	RequestTimeout Value[*time.Duration]  // of one attempt; nil: the client has none
	RetryAfter     Value[RetryAfter]
	Client         string // the SDK preset, if one was named
}

// RetryAfter says how a client follows a server's Retry-After header.
type RetryAfter struct {
	Obeyed bool
	Cap    *time.Duration // longest wait obeyed; nil: no limit
	Above  time.Duration  // if not 0: obeyed up to this much above the client's own wait
}

// Latency is a distribution as far as it is known.
type Latency struct {
	Tail    Value[time.Duration] // at Work.Percentile
	Mean    Value[time.Duration]
	P50     Value[time.Duration]
	P999    Value[time.Duration]
	Max     Value[time.Duration]
	Samples Value[int]
	Method  string // "nearest rank", "CloudWatch p99, worst of 14 periods of 24h"
	Doubts  []string
}

// Renews says from when on a worker extends a message.
type Renews string

// The ways of renewing.
const (
	RenewsInWork Renews = "in-work" // only while the message is worked on
	RenewsHeld   Renews = "held"    // from the receive on
)

// Heartbeat is how a worker extends the visibility timeout of a message.
type Heartbeat struct {
	Interval  Value[time.Duration]  // between beats, or between looks with a threshold
	Extension Value[time.Duration]  // each beat sets the timeout to this, from the call on
	Threshold Value[*time.Duration] // extend when less than this is left; nil: at every beat
	Renews    Value[Renews]
	Progress  Value[bool] // renewal is tied to observable progress
	StopsWork Value[bool] // the worker stops when a renewal fails

	AfterDeadline Value[Destination] // where the message goes when the step deadline is over
}

// Destination is where a message goes that no worker will finish.
type Destination string

// The destinations.
const (
	ToDeadLetter  Destination = "dead-letter"
	ToPark        Destination = "park" // a place of its own, for a person or a slower worker
	NoDestination Destination = "none"
)

// Effect is something the work does to the outside.
type Effect struct {
	Name      string
	Key       Value[*string]   // idempotency key; nil: none
	Guard     Value[Guard]     // how the target refuses a worker that lost its message
	Uncertain Value[Uncertain] // what is done when nobody knows whether the effect happened
}

// Guard is how the target of a write refuses an outdated one.
type Guard string

// The guards.
const (
	GuardVersion Guard = "version"       // the write names the version that it changes
	GuardFencing Guard = "fencing-token" // the write carries a token that only grows
	NoGuard      Guard = "none"
)

// Uncertain is what is done about an effect of unknown outcome.
type Uncertain string

// The ways out of an unknown outcome.
const (
	Reconcile Uncertain = "reconcile" // ask the target, then decide
	RetryIt   Uncertain = "retry"     // do it again
)

// Class is one kind of work among several that share a queue.
type Class struct {
	Name    string
	Latency Latency
}
