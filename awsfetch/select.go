package awsfetch

import (
	"fmt"
	"slices"
	"strings"
)

// NotInSnapshotError says that a queue was asked for that a snapshot has not.
type NotInSnapshotError struct {
	Queue string
	Near  []string // names in the snapshot that are like it, the nearest first
	Have  int      // how many queues the snapshot has
}

// Error says which queue is missing.
func (e *NotInSnapshotError) Error() string {
	return fmt.Sprintf("read queue %q: it is not in the snapshot", e.Queue)
}

// Hint names queues that are there.
func (e *NotInSnapshotError) Hint() string {
	if len(e.Near) == 0 {
		return fmt.Sprintf("the snapshot has %s; leave --queue out to see them", plural(e.Have, "queue"))
	}
	return "did you mean " + strings.Join(e.Near, " or ") + "?"
}

// Select returns a copy with the queues named, by name, URL or ARN, and what
// belongs to them: dead-letter queues, functions, alarms. The error is a
// [*UsageError] or a [*NotInSnapshotError].
func (s *Snapshot) Select(names []string) (*Snapshot, error) {
	keep := map[string]bool{}
	for _, name := range names {
		ref, err := ParseRef(name)
		if err != nil {
			return nil, err
		}
		found := s.matching(ref)
		if len(found) == 0 {
			return nil, &NotInSnapshotError{Queue: name, Near: s.near(ref.Name), Have: len(s.Queues)}
		}
		for _, q := range found {
			keep[q.ARN] = true
			if target := deadLetterTarget(q); target != "" && !keep[target] {
				keep[target] = false
			}
		}
	}
	selected := *s
	selected.Queues, selected.Functions = []Queue{}, []Function{}
	functions := map[string]bool{}
	for _, q := range s.Queues {
		asked, ok := keep[q.ARN]
		if !ok {
			continue
		}
		if asked && q.Mappings.Value != nil {
			for _, m := range *q.Mappings.Value {
				functions[m.Function] = true
			}
		}
		if !asked {
			q = asDeadLetterQueue(q)
		}
		selected.Queues = append(selected.Queues, q)
	}
	for _, f := range s.Functions {
		if functions[f.ARN] {
			selected.Functions = append(selected.Functions, f)
		}
	}
	selected.Alarms = selectAlarms(s.Alarms, keep)
	return &selected, nil
}

// asDeadLetterQueue is what Fetch would have read of a queue that was not
// asked for: what is wrong with its own consumers is not the question.
func asDeadLetterQueue(q Queue) Queue {
	only := Queue{ARN: q.ARN, URL: q.URL, Attributes: q.Attributes}
	for _, s := range q.Metrics {
		if s.Metric == depthMetric {
			only.Metrics = append(only.Metrics, s)
		}
	}
	return only
}

func (s *Snapshot) matching(ref Ref) []*Queue {
	var found []*Queue
	for i := range s.Queues {
		q := &s.Queues[i]
		have, err := parseARN(q.ARN)
		if err == nil && have.Name == ref.Name &&
			(ref.Region == "" || ref.Region == have.Region) && (ref.Account == "" || ref.Account == have.Account) {
			found = append(found, q)
		}
	}
	return found
}

func selectAlarms(all []RegionAlarms, keep map[string]bool) []RegionAlarms {
	selected := []RegionAlarms{}
	for _, region := range all {
		if region.Alarms.Value != nil {
			kept := []Alarm{}
			for _, a := range *region.Alarms.Value {
				a.Watches = slices.DeleteFunc(slices.Clone(a.Watches), func(w Watch) bool {
					_, ok := keep[w.Queue]
					return w.Queue != "" && !ok
				})
				if len(a.Watches) > 0 {
					kept = append(kept, a)
				}
			}
			region.Alarms = answered(kept)
		}
		selected = append(selected, region)
	}
	return selected
}

// near finds names like the one given: at most a third of it differs, or one
// is part of the other.
func (s *Snapshot) near(name string) []string {
	type candidate struct {
		name     string
		distance int
	}
	var near []candidate
	for i := range s.Queues {
		have := s.Queues[i].Name()
		d := distance(strings.ToLower(name), strings.ToLower(have))
		if d <= max(1, len(name)/3) || strings.Contains(have, name) || strings.Contains(name, have) {
			near = append(near, candidate{have, d})
		}
	}
	slices.SortFunc(near, func(a, b candidate) int {
		if a.distance != b.distance {
			return a.distance - b.distance
		}
		return strings.Compare(a.name, b.name)
	})
	var names []string
	for _, c := range near {
		if len(names) < 3 && !slices.Contains(names, c.name) {
			names = append(names, c.name)
		}
	}
	return names
}

// distance is the edit distance of two names, which are ASCII.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
