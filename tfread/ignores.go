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
func (s *session) scanComments(display string, src []byte, body *hclsyntax.Body) {
	if !bytes.Contains(src, []byte(ignoreMark)) {
		return
	}
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	blocks := map[int]int{}
	blockLines(body, blocks)
	lines := strings.Split(string(src), "\n")
	next := nextCode(lines)
	toks, _ := hclsyntax.LexConfig(src, display, hcl.Pos{Line: 1, Column: 1}) // it has been parsed
	var found comments
	for _, t := range toks {
		if t.Type != hclsyntax.TokenComment {
			continue
		}
		comment, ok := cutComment(string(t.Bytes))
		if !ok {
			continue
		}
		n := t.Range.Start.Line
		at := facts.Pos{File: display, Line: n, Column: t.Range.Start.Column}
		ig, err := parseIgnore(comment)
		if err != nil {
			found.problems = append(found.problems, Problem{Kind: CommentProblem, Pos: at, Message: err.Error()})
			continue
		}
		before := src[bytes.LastIndexByte(src[:t.Range.Start.Byte], '\n')+1 : t.Range.Start.Byte]
		alone := len(bytes.TrimSpace(before)) == 0
		first := n
		if alone {
			first = next[n]
		}
		last := first
		if end, ok := blocks[first]; ok && alone {
			last = end
		}
		for _, ig := range ig {
			ig.Pos, ig.File, ig.FirstLine, ig.LastLine = at, display, first, last
			found.ignores = append(found.ignores, ig)
		}
	}
	s.comments[display] = found
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
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

// cutComment takes the suppression out of a comment.
func cutComment(text string) (string, bool) {
	text = strings.TrimSpace(firstLine(text))
	for _, sign := range []string{"#", "//", "/*"} {
		if rest, is := strings.CutPrefix(text, sign); is {
			rest, is = strings.CutPrefix(strings.TrimSpace(rest), ignoreMark)
			return strings.TrimSuffix(strings.TrimSpace(rest), "*/"), is
		}
	}
	return "", false
}

// nextCode has for every index the number of the next line that is not a
// comment: suppressions stack. A comment above an empty line is above nothing.
func nextCode(lines []string) []int {
	next := make([]int, len(lines)+1)
	next[len(lines)] = len(lines)
	for i := len(lines) - 1; i >= 0; i-- {
		t := strings.TrimSpace(lines[i])
		if strings.HasPrefix(t, "#") || strings.HasPrefix(t, "//") || strings.HasPrefix(t, "/*") {
			next[i] = next[i+1]
		} else {
			next[i] = i + 1
		}
	}
	return next
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

// blockLines maps the first line of every argument and block to its last.
func blockLines(b *hclsyntax.Body, out map[int]int) {
	for _, a := range b.Attributes {
		out[a.SrcRange.Start.Line] = a.SrcRange.End.Line
	}
	for _, blk := range b.Blocks {
		out[blk.TypeRange.Start.Line] = blk.CloseBraceRange.End.Line
		blockLines(blk.Body, out)
	}
}
