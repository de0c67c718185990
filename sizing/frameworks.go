package sizing

import "time"

// Framework is what a consumer framework does by itself, as read in its source.
type Framework struct {
	Name    string // as given in a workload file
	Title   string
	Version string
	Read    string // month of the version or snapshot read

	ReceiveTimeout time.Duration // visibility timeout that it passes at receive; 0: the queue's is in force
	ReceiveNote    string        // what else is to say of it

	Renewal     Renewal
	OnLoss      Loss          // what it does when a renewal fails; empty: not known
	Batch       int           // messages received at once; 0: not known, or chosen by its user
	Concurrency int           // messages worked on at once; 0: not known
	Prefetch    int           // messages held, running ones included; 0: no more than run, or not known
	PerSlot     int           // messages held for each that may run; 0: not known
	Handling    string        // how messages received at once are worked through: serial or parallel; empty: not known
	StepLimit   time.Duration // it ends a step after this; 0: never, or not known

	ReleasesAtOnce bool // a failed message gets timeout 0
	DeletesFirst   bool // by default the message is deleted before the work

	Note   string
	Source string // URL
	Files  string // where in it
	Sure   string // how it is known: source, or documentation
}

// Loss is what a framework does with the work when a renewal fails.
type Loss string

// LossContinues is where the work goes on, and may run beside another worker.
const LossContinues Loss = "continue"

// RenewalKind says whether a framework renews.
type RenewalKind string

// The kinds of renewal.
const (
	NoRenewal RenewalKind = "none"
	OptIn     RenewalKind = "opt-in"
	Automatic RenewalKind = "automatic"
)

// Renewal is how a framework extends the visibility timeout of a message.
type Renewal struct {
	Kind RenewalKind
	// Rule gives the numbers for a visibility timeout in force; nil: they are
	// chosen by the user of the framework, or not known.
	Rule func(timeout time.Duration) Rhythm
	Text string // the rule in words
	Held bool   // from the receive on; else during the work, or not known
}

// Rhythm is the numbers of a renewal.
type Rhythm struct {
	Interval  time.Duration // between beats, or between looks with a threshold
	Extension time.Duration
	Threshold time.Duration // extend when less than this is left; 0: at every beat
}

// fixedBeats are the same whatever the timeout is.
func fixedBeats(b Rhythm) func(time.Duration) Rhythm { return func(time.Duration) Rhythm { return b } }

// shoryukenBeats beat 5 s before the end, or halfway where that is sooner.
func shoryukenBeats(timeout time.Duration) Rhythm {
	interval := timeout - 5*time.Second
	if interval <= 0 {
		interval = timeout / 2
	}
	return Rhythm{Interval: interval, Extension: timeout}
}

// massTransitBeats extend to a minute at most, at 0.7 of what was given.
func massTransitBeats(timeout time.Duration) Rhythm {
	extension := min(timeout, time.Minute)
	return Rhythm{Interval: Scale(extension, 7, 10), Extension: extension}
}

const (
	fromSource        = "source"
	fromDocumentation = "documentation"
)

// Frameworks are the consumer frameworks whose defaults were read.
var Frameworks = []Framework{
	{Name: "aws-messaging-dotnet", Title: "AWS Message Processing Framework for .NET", Version: "1.3.0", Read: "2026-04",
		ReceiveTimeout: 30 * time.Second, Batch: 10, Concurrency: 10, Handling: "parallel",
		Renewal: Renewal{Automatic, fixedBeats(Rhythm{Interval: time.Second, Extension: 30 * time.Second, Threshold: 5 * time.Second}), "looks each 1 s and extends to 30 s when less than 5 s are left", false},
		Source:  "https://github.com/aws/aws-dotnet-messaging", Files: "src/AWS.Messaging/SQS/SQSMessagePoller.cs", Sure: fromSource},
	{Name: "celery", Title: "Celery with kombu's SQS transport", Version: "5.6.2", Read: "2026-10",
		ReceiveNote: "its visibility_timeout of 1,800 s is used only when kombu itself creates the queue, and never with predefined_queues",
		Renewal:     Renewal{Kind: NoRenewal}, PerSlot: 4, DeletesFirst: true,
		Note:   "task_acks_late is off by default: then the message is deleted just before the task runs. worker_prefetch_multiplier is 4. A countdown or an ETA is waited for inside the worker",
		Source: "https://github.com/celery/kombu", Files: "kombu/transport/SQS; task_acks_late and worker_prefetch_multiplier: docs.celeryq.dev", Sure: fromSource},
	{Name: "dramatiq-sqs", Title: "dramatiq_sqs", Version: "snapshot", Read: "2026-07",
		ReceiveTimeout: 43_200 * time.Second, OnLoss: LossContinues,
		Renewal: Renewal{Kind: OptIn, Text: "heartbeat_interval, in newer versions; each beat extends to heartbeat_extension (120 s), from the receive on and 60 times at most", Held: true},
		Note:    "a rejected message is copied to the dead-letter queue and deleted; it prefetches",
		Source:  "https://github.com/Bogdanp/dramatiq_sqs", Files: "src/dramatiq_sqs/broker.py, heartbeat.py", Sure: fromSource},
	{Name: "laravel", Title: "Laravel queue worker", Version: "13.26", Read: "2026-11",
		Renewal: Renewal{Kind: NoRenewal}, Batch: 1, Handling: "serial", StepLimit: 60 * time.Second,
		Note:   "the worker's --timeout ends a job after 60 s; retry_after does not apply to SQS",
		Source: "https://github.com/laravel/framework", Files: "src/Illuminate/Queue/SqsQueue.php", Sure: fromSource},
	{Name: "masstransit", Title: "MassTransit", Version: "snapshot", Read: "2026-02",
		Renewal: Renewal{Automatic, massTransitBeats, "at 0.7 of the timeout, to the timeout or 60 s, whichever is less (MaxVisibilityTimeoutRenewal)", false},
		Note:    "a queue of 300 s is cut to 60 s at 210 s, then renewed each 42 s, up to 12 h",
		Source:  "https://github.com/MassTransit/MassTransit", Files: "src/Transports/MassTransit.AmazonSqsTransport", Sure: fromSource},
	{Name: "nservicebus", Title: "NServiceBus SQS transport", Version: "7.3", Read: "2025-04",
		ReceiveNote: "a timeout may be given at receive",
		Renewal:     Renewal{Kind: Automatic, Text: "for up to 5 minutes by default; its interval was not read"},
		Source:      "https://github.com/Particular/docs.particular.net/pull/7078", Files: "pull request 7078", Sure: fromDocumentation},
	{Name: "redpanda-connect", Title: "Redpanda Connect, aws_sqs input", Version: "4.106", Read: "2026-11",
		ReceiveTimeout: 30 * time.Second, ReceiveNote: "its message_timeout", Prefetch: 1000, ReleasesAtOnce: true,
		Renewal: Renewal{Automatic, fixedBeats(Rhythm{Interval: time.Second, Extension: 30 * time.Second, Threshold: 15 * time.Second}), "looks each 1 s and extends to message_timeout when less than half is left", true},
		Note:    "max_outstanding 1,000; reset_visibility releases a rejected message at once",
		Source:  "https://github.com/redpanda-data/connect", Files: "internal/impl/aws: the aws_sqs input", Sure: fromSource},
	{Name: "shoryuken", Title: "Shoryuken", Version: "7.0.3", Read: "2026-11",
		Renewal: Renewal{OptIn, shoryukenBeats, "auto_visibility_timeout: 5 s before the end, or halfway where the timeout is 5 s or less, to the queue's timeout; not for batch workers", false},
		Source:  "https://github.com/ruby-shoryuken/shoryuken", Files: "lib/shoryuken/middleware/server/auto_extend_visibility.rb", Sure: fromSource},
	{Name: "spring-cloud-aws", Title: "Spring Cloud AWS", Version: "4.1 snapshot", Read: "2026-11",
		ReceiveNote: "only where messageVisibility is set", Renewal: Renewal{Kind: NoRenewal}, Batch: 10, Concurrency: 10, Handling: "parallel",
		Note:   "acknowledges on success; for FIFO queues the whole group is extended before each message",
		Source: "https://github.com/awspring/spring-cloud-aws", Files: "spring-cloud-aws-sqs/src/main/java/io/awspring/cloud/sqs/listener", Sure: fromSource},
	{Name: "sqs-consumer", Title: "bbc/sqs-consumer", Version: "15.0.3", Read: "2026-11",
		ReceiveNote: "only where visibilityTimeout is set", Batch: 1, Handling: "parallel", OnLoss: LossContinues,
		Renewal: Renewal{Kind: OptIn, Text: "heartbeatInterval; each beat sets visibilityTimeout, which has to be set too"},
		Note:    "a failed beat is an event and stops nothing; handleMessageTimeout is in milliseconds and does not cancel the work",
		Source:  "https://github.com/bbc/sqs-consumer", Files: "src/consumer.ts, validation.ts", Sure: fromSource},
	{Name: "taskiq-aio-sqs", Title: "taskiq-aio-sqs", Version: "snapshot", Read: "2024-09",
		Renewal: Renewal{Kind: NoRenewal, Text: "none in the snapshot; pull request 54 adds one"}, Batch: 1,
		Source: "https://github.com/vonsteer/taskiq-aio-sqs", Files: "taskiq_aio_sqs/sqs_broker.py", Sure: fromSource},
	{Name: "watermill", Title: "Watermill, watermill-aws", Version: "snapshot", Read: "2025-08",
		Renewal: Renewal{Kind: NoRenewal}, Batch: 1, Handling: "serial",
		Note:   "a rejected message waits its timeout out",
		Source: "https://github.com/ThreeDotsLabs/watermill-aws", Files: "sqs/subscriber.go", Sure: fromSource},
}

// FrameworkNamed finds a framework by its name.
func FrameworkNamed(name string) (Framework, bool) {
	for _, f := range Frameworks {
		if f.Name == name {
			return f, true
		}
	}
	return Framework{}, false
}
