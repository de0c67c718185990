package rules

import (
	"slices"
	"strings"

	"vtsize/facts"
)

// Wiring is which queue of a deployment takes the dead letters of which.
type Wiring struct {
	letters map[*facts.Queue]*facts.Queue   // the dead-letter queue of a queue
	sources map[*facts.Queue][]*facts.Queue // the queues of a dead-letter queue
}

// Wire follows the redrive policies of a deployment. What a policy names and
// the deployment has not is left out.
func Wire(d *facts.Deployment) *Wiring {
	w := &Wiring{letters: map[*facts.Queue]*facts.Queue{}, sources: map[*facts.Queue][]*facts.Queue{}}
	byID := make(map[string]*facts.Queue, len(d.Queues))
	for _, q := range d.Queues {
		byID[q.ID] = q
	}
	for _, q := range d.Queues {
		r, ok := q.Redrive.Get()
		if !ok || r == nil {
			continue
		}
		id, _ := r.Target.Get()
		if letters := byID[id]; letters != nil {
			w.letters[q] = letters
			w.sources[letters] = append(w.sources[letters], q)
		}
	}
	return w
}

// isDeadLetterQueue reports whether something says that q takes dead letters
// of another queue: a redrive policy, here or elsewhere, or an allow policy
// that lists its sources.
func (w *Wiring) isDeadLetterQueue(q *facts.Queue) bool {
	if len(w.sources[q]) > 0 {
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
func (w *Wiring) OnlyDeadLetters(q *facts.Queue) bool {
	if !w.isDeadLetterQueue(q) {
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
