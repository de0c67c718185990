package rules

var _ = register(&Rule{
	ID: "VT602", Name: "no-age-alarm", Severity: Info, Scope: PerQueue,
	Title: "no alarm watches the age of the oldest message",
	Why: "The age of the oldest message is the one number that tells a stopped or slow consumer whatever the traffic is. " +
		"Without an alarm on it the first sign is a customer, or messages that expired.",
	Fix:     "Alarm on ApproximateAgeOfOldestMessage, above maxReceiveCount × visibility timeout and well below the retention.",
	Sources: []Source{srcSQSMetrics},
	Needs:   []string{"cloudwatch:DescribeAlarms"},
	Run: func(p *Pass) {
		wantAlarm(p, "ApproximateAgeOfOldestMessage", []string{p.Queue.ID, p.Queue.Name}, "of the queue; a stopped consumer shows there first, so alarm well below the retention")
	},
})
