package workload

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"vtsize/facts"
)

// Problem is a mistake in a file.
type Problem struct {
	Pos     facts.Pos
	Message string
	Hint    string // what to write instead; may be empty

	source string // the line
	width  int    // letters at fault
}

// Error gives the place and the message, in one line.
func (p *Problem) Error() string { return p.Pos.String() + ": " + p.Message }

// Excerpt shows the line with a mark under what is at fault, in two lines;
// none where no line is known. Tabs are shown as spaces, so that the mark
// stands right.
func (p *Problem) Excerpt() []string {
	if p.source == "" || p.Pos.Column < 1 {
		return nil
	}
	number := fmt.Sprint(p.Pos.Line)
	line := strings.ReplaceAll(p.source, "\t", " ")
	letters := utf8.RuneCountInString(line)
	at := min(p.Pos.Column-1, letters)
	width := max(1, min(p.width, letters-at))
	return []string{
		fmt.Sprintf("  %s | %s", number, line),
		fmt.Sprintf("  %s | %s%s", strings.Repeat(" ", len(number)), strings.Repeat(" ", at), strings.Repeat("^", width)),
	}
}

// problem makes a mistake at a place, over some letters.
func (f *File) problem(p facts.Pos, width int, hint, format string, args ...any) *Problem {
	line, _ := f.Line(p.Line)
	return &Problem{Pos: p, Message: fmt.Sprintf(format, args...), Hint: hint, source: line, width: width}
}
