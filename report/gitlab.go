package report

import (
	"fmt"
	"io"

	"vtsize/facts"
	"vtsize/rules"
)

// gitlabEntry is one violation of a code quality report.
type gitlabEntry struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
}

// GitLab writes a code quality report. Every entry must have a path and a
// line: what is in no file has the id of its queue for a path, or a dot where
// it is of no queue, and line 1. An entry that is not a finding has the kind of
// remark for its check name, as "not-checked". Suppressed findings and notes
// are left out, since each entry counts as a violation.
//
// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
func GitLab(w io.Writer, d *Document) error {
	entries := []gitlabEntry{}
	seen := map[string]int{}
	add := func(e gitlabEntry) {
		// GitLab keeps one entry of each fingerprint. One deployment has no two
		// findings alike, but the same mistake may be in the file twice.
		seen[e.Fingerprint]++
		if n := seen[e.Fingerprint]; n > 1 {
			e.Fingerprint = digest(e.Fingerprint, fmt.Sprint(n))
		}
		entries = append(entries, e)
	}
	for _, f := range d.Report.Findings {
		text := headline(f)
		if fix := remedy(f); fix != "" {
			text += "; fix: " + fix
		}
		severity := map[rules.Severity]string{rules.Error: "critical", rules.Warning: "major", rules.Info: "info"}[f.Severity]
		add(gitlabEntry{text, f.Rule.ID, Fingerprint(f), severity, gitlabPlace(d.at(f), f.Queue)})
	}
	for _, r := range d.remarks() {
		if r.kind == note {
			continue
		}
		severity := "info" // of a gap it cannot be said how bad it is
		switch {
		case r.fatal:
			severity = "blocker"
		case r.kind == problem, r.kind == suppression:
			severity = "minor"
		}
		var q *facts.Queue
		if len(r.queues) > 0 {
			q = r.queues[0]
		}
		add(gitlabEntry{r.line(), r.kind.id(), digest(string(r.kind), r.key), severity, gitlabPlace(r.pos, q)})
	}
	return encodeJSON(w, entries)
}

func gitlabPlace(pos facts.Pos, q *facts.Queue) gitlabLocation {
	out := gitlabLocation{".", gitlabLines{max(1, pos.Line)}}
	switch {
	case pos.IsValid():
		out.Path = Escape(pos.File)
	case q != nil:
		out.Path = Escape(q.ID)
	}
	return out
}
