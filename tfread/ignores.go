package tfread

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"vtsize/facts"
	"vtsize/tfread/eval"
)

const ignoreMark = "vtsize:ignore"

var ruleID = regexp.MustCompile(`^VT\d{3}$`)

// scanComments looks for suppressions in a file that is read:
//
//	# vtsize:ignore VT302 until=2027-03-01 the function is being rewritten
//
// behind a line, for that line; or alone above a line or a block, for that.
func (s *session) scanComments(display string, src []byte) {
	if !bytes.Contains(src, []byte(ignoreMark)) || strings.HasSuffix(display, ".json") {
		return
	}
	blocks := blockLines(src, display)
	lines := strings.Split(string(src), "\n")
	var found comments
	for n, line := range lines {
		before, comment, ok := cutComment(line)
		if !ok {
			continue
		}
		at := facts.Pos{File: display, Line: n + 1, Column: len(before) + 1}
		ig, err := parseIgnore(comment)
		if err != nil {
			found.problems = append(found.problems, Problem{Kind: CommentProblem, Pos: at, Message: err.Error()})
			continue
		}
		first := n + 1
		if strings.TrimSpace(before) == "" {
			first = nextCode(lines, n+1)
		}
		last := first
		if end, ok := blocks[first]; ok && strings.TrimSpace(before) == "" {
			last = end
		}
		for _, ig := range ig {
			ig.Pos, ig.File, ig.FirstLine, ig.LastLine = at, display, first, last
			found.ignores = append(found.ignores, ig)
		}
	}
	s.comments[display] = found
}

// comments are the suppressions of one file.
type comments struct {
	ignores  []facts.Ignore
	problems []Problem
}

// addComments takes over the suppressions of a module's files, once.
func (rd *reader) addComments(m *eval.Module) {
	if rd.commented[m] {
		return
	}
	rd.commented[m] = true
	for _, file := range m.Files {
		c := rd.session.comments[file]
		rd.d.Ignores = append(rd.d.Ignores, c.ignores...)
		rd.problems = append(rd.problems, c.problems...)
	}
}

// cutComment finds a comment with a suppression.
func cutComment(line string) (before, comment string, ok bool) {
	i := strings.Index(line, ignoreMark)
	if i < 0 {
		return "", "", false
	}
	head := strings.TrimRight(line[:i], " \t")
	for _, sign := range []string{"#", "//", "/*"} {
		if h, is := strings.CutSuffix(head, sign); is {
			return h, strings.TrimSuffix(strings.TrimSpace(line[i+len(ignoreMark):]), "*/"), true
		}
	}
	return "", "", false
}

// nextCode is the number of the next line, after index i, that is not a
// comment: suppressions stack.
func nextCode(lines []string, i int) int {
	for ; i < len(lines); i++ {
		t := strings.TrimSpace(lines[i])
		if t != "" && !strings.HasPrefix(t, "#") && !strings.HasPrefix(t, "//") && !strings.HasPrefix(t, "/*") {
			return i + 1
		}
		if t == "" {
			return i + 1 // a comment above an empty line is above nothing
		}
	}
	return len(lines)
}

// parseIgnore reads "VT302,VT101 until=2027-03-01 reason".
func parseIgnore(s string) ([]facts.Ignore, error) {
	words := strings.Fields(s)
	if len(words) == 0 {
		return nil, fmt.Errorf("%s needs a rule and a reason: # %s VT302 the reason", ignoreMark, ignoreMark)
	}
	var out []facts.Ignore
	for rule := range strings.SplitSeq(words[0], ",") {
		if !ruleID.MatchString(rule) {
			return nil, fmt.Errorf("%s: %q is not a rule; write # %s VT302 the reason", ignoreMark, rule, ignoreMark)
		}
		out = append(out, facts.Ignore{Rule: rule})
	}
	words = words[1:]
	var until time.Time
	if len(words) > 0 {
		if date, ok := strings.CutPrefix(words[0], "until="); ok {
			t, err := time.Parse(time.DateOnly, date)
			if err != nil {
				return nil, fmt.Errorf("%s: %q is not a date; write until=2027-03-01", ignoreMark, date)
			}
			until, words = t, words[1:]
		}
	}
	if len(words) == 0 {
		return nil, fmt.Errorf("%s %s has no reason; write it behind the rule", ignoreMark, out[0].Rule)
	}
	for i := range out {
		out[i].Until, out[i].Reason = until, strings.Join(words, " ")
	}
	return out, nil
}

// blockLines maps the first line of every block to its last.
func blockLines(src []byte, display string) map[int]int {
	out := map[int]int{}
	f, diags := hclsyntax.ParseConfig(src, display, hcl.Pos{Line: 1, Column: 1})
	if diags.HasErrors() {
		return out
	}
	var visit func(*hclsyntax.Body)
	visit = func(b *hclsyntax.Body) {
		for _, a := range b.Attributes {
			out[a.SrcRange.Start.Line] = a.SrcRange.End.Line
		}
		for _, blk := range b.Blocks {
			out[blk.TypeRange.Start.Line] = blk.CloseBraceRange.End.Line
			visit(blk.Body)
		}
	}
	if body, ok := f.Body.(*hclsyntax.Body); ok {
		visit(body)
	}
	return out
}
