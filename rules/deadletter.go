package rules

import (
	"slices"
	"strings"

	"vtsize/facts"
)

// Sources are the queues of the deployment whose redrive policy names q.
func Sources(d *facts.Deployment, q *facts.Queue) []*facts.Queue {
	var sources []*facts.Queue
	for _, other := range d.Queues {
		if deadLetterQueue(d, other) == q {
			sources = append(sources, other)
		}
	}
	return sources
}

// deadLetterQueue is the queue that the redrive policy of q names, or nil
// where there is none or it is not known.
func deadLetterQueue(d *facts.Deployment, q *facts.Queue) *facts.Queue {
	r, ok := q.Redrive.Get()
	if !ok || r == nil {
		return nil
	}
	id, ok := r.Target.Get()
	if !ok {
		return nil
	}
	return d.Queue(id)
}

// isDeadLetterQueue reports whether something says that q takes dead letters
// of another queue: a redrive policy, here or elsewhere, or an allow policy
// that lists its sources.
func isDeadLetterQueue(d *facts.Deployment, q *facts.Queue) bool {
	if len(Sources(d, q)) > 0 {
		return true
	}
	if elsewhere, ok := q.DeadLetterFor.Get(); ok && len(elsewhere) > 0 {
		return true
	}
	allow, ok := q.RedriveAllow.Get()
	return ok && allow != nil && strings.EqualFold(allow.Permission, "byQueue")
}

// OnlyDeadLetters reports whether q is a dead-letter queue that nothing is
// known to consume, and that itself has no redrive policy.
func OnlyDeadLetters(d *facts.Deployment, q *facts.Queue) bool {
	if !isDeadLetterQueue(d, q) {
		return false
	}
	if list, ok := q.Consumers.Get(); ok && len(list) > 0 {
		return false
	}
	r, ok := q.Redrive.Get()
	return !ok || r == nil
}

// namedAsDeadLetterQueue reports whether the name alone suggests it.
func namedAsDeadLetterQueue(q *facts.Queue) bool {
	words := strings.FieldsFunc(strings.ToLower(q.Name+" "+q.Address), func(r rune) bool {
		return !('a' <= r && r <= 'z' || '0' <= r && r <= '9')
	})
	for i, w := range words {
		if slices.Contains([]string{"dlq", "dlqueue", "deadletter", "deadletters"}, w) || strings.HasSuffix(w, "dlq") ||
			w == "dead" && i+1 < len(words) && strings.HasPrefix(words[i+1], "letter") {
			return true
		}
	}
	return false
}
