package rules

import "fmt"

var _ = register(&Rule{
	ID: "VT603", Name: "no-dead-letter-alarm", Severity: Info, Scope: PerQueue,
	Title: "no alarm watches the dead-letter queue",
	Why: "Messages in a dead-letter queue wait for a person, and expire unseen where nobody is told. Its depth is the metric to watch: " +
		"moves into a dead-letter queue do not count as messages sent.",
	Fix:     "Alarm on ApproximateNumberOfMessagesVisible of the dead-letter queue, above 0.",
	Sources: []Source{srcSQSMetrics, srcDeadLetter},
	Needs:   []string{"cloudwatch:DescribeAlarms", "sqs:GetQueueAttributes"},
	Run: func(p *Pass) {
		policy := p.Queue.Redrive.Need(p, "redrive policy")
		if policy == nil {
			if !p.Incomplete() {
				p.NotApplicable()
			}
			return
		}
		target := policy.Target.Need(p, "dead-letter queue")
		if p.Incomplete() {
			return
		}
		names := []string{target}
		if letters := p.wiring.letters[p.Queue]; letters != nil {
			names = append(names, letters.Name)
		}
		wantAlarm(p, "ApproximateNumberOfMessagesVisible", names, fmt.Sprintf("of dead-letter queue %q; its messages expire unseen, so alarm above 0", nameIn(target)))
	},
})
