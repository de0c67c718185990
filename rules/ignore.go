package rules

import (
	"fmt"
	"slices"
	"time"

	"vtsize/facts"
)

// Suppressed is a finding that a suppression in the source keeps back.
type Suppressed struct {
	Finding Finding
	Ignore  facts.Ignore
}

// IgnoreProblem is a suppression that does nothing: it ended, or nothing was
// found where it stands.
type IgnoreProblem struct {
	Ignore  facts.Ignore
	Message string
}

// ignores are the suppressions of a deployment and whether each was of use.
type ignores struct {
	list []facts.Ignore
	used []bool
	now  time.Time
}

func newIgnores(list []facts.Ignore, now time.Time) *ignores {
	return &ignores{list: list, used: make([]bool, len(list)), now: now}
}

func (g *ignores) expired(i facts.Ignore) bool { return !i.Until.IsZero() && !g.now.Before(i.Until) }

// match finds the suppression that covers a finding.
func (g *ignores) match(f Finding) (Suppressed, bool) {
	for _, ig := range g.list {
		if ig.Rule == f.Rule.ID && covers(ig, f) && !g.expired(ig) {
			g.use(ig)
			return Suppressed{Finding: f, Ignore: ig}, true
		}
	}
	return Suppressed{}, false
}

// use takes note of a suppression that was of use. One that covers several
// queues by a glob is one, wherever it was of use.
func (g *ignores) use(ig facts.Ignore) {
	for i, other := range g.list {
		if other.Rule == ig.Rule && other.Pos == ig.Pos {
			g.used[i] = true
		}
	}
}

func covers(ig facts.Ignore, f Finding) bool {
	if ig.Queue != "" {
		return ig.Queue == f.Queue.ID
	}
	places := []facts.Pos{f.Origin.Pos, f.Queue.Pos}
	calls := f.Queue.Calls
	if f.Consumer != nil {
		places = append(places, f.Consumer.Pos)
		calls = slices.Concat(calls, f.Consumer.Calls)
	}
	// One caller of a module may accept what another does not.
	for _, c := range calls {
		places = append(places, c.Pos)
	}
	return slices.ContainsFunc(places, func(p facts.Pos) bool {
		return p.IsValid() && p.File == ig.File && ig.FirstLine <= p.Line && p.Line <= ig.LastLine
	})
}

// problems lists the suppressions that ended or were of no use, among those of
// the rules that ran. Whether one is of use is not known where its rule lacked
// an input for the queue.
func (g *ignores) problems(ran []*Rule, notChecked []NotChecked) []IgnoreProblem {
	for _, n := range notChecked {
		for _, ig := range g.list {
			if ig.Queue == n.Queue.ID && ig.Rule == n.Rule.ID {
				g.use(ig)
			}
		}
	}
	var out []IgnoreProblem
	told := map[facts.Ignore]bool{}
	for i, ig := range g.list {
		known := Find(ig.Rule) != nil
		one := ig
		one.Queue = ""
		if told[one] {
			continue // one line of a file, for several queues
		}
		told[one] = true
		switch {
		case !known:
			out = append(out, IgnoreProblem{ig, fmt.Sprintf("suppression of %s: there is no such rule", ig.Rule)})
		case g.expired(ig):
			out = append(out, IgnoreProblem{ig, fmt.Sprintf("suppression of %s ended on %s; mend the cause or set a new date", ig.Rule, ig.Until.Format(time.DateOnly))})
		case !g.used[i] && slices.ContainsFunc(ran, func(r *Rule) bool { return r.ID == ig.Rule }):
			out = append(out, IgnoreProblem{ig, fmt.Sprintf("suppression of %s suppresses nothing; remove it", ig.Rule)})
		}
	}
	return out
}
