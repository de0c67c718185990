package csvread

import (
	"bytes"
	"strings"
)

// dialect is how cells are written in a source.
type dialect struct {
	delim        byte // 0: every line is one cell
	quotes       bool
	decimalComma bool
}

// head is the beginning of a source, cut into records to tell its format.
type head struct {
	dialect
	text    string
	records []record // without comments and empty lines
	header  []string // nil: the source begins with data
	whole   bool     // there is nothing behind the head
	opt     *Options
}

// record is a row of the head.
type record struct {
	cells []string
	end   int // where the next one begins
}

// headRecords is how many records are looked at.
const headRecords = 2000

// newHead tells the dialect of a source, and whether it has a header.
func newHead(text []byte, whole bool, opt *Options) *head {
	return newHeadOf(text, whole, opt, headRecords)
}

// newHeadOf is newHead for up to so many records.
func newHeadOf(text []byte, whole bool, opt *Options, most int) *head {
	h := &head{text: string(text), whole: whole, opt: opt}
	start := 0
	if strings.HasPrefix(h.text, "\uFEFF") {
		start = len("\uFEFF")
	}
	if said, end, ok := saidSeparator(h.text[start:]); ok {
		h.delim, h.quotes = said, true
		h.records = splitRecords(h.text, start+end, h.dialect, most)
	} else {
		h.quotes = true
		h.delim = likelyDelimiter(h.text, start)
		h.records = splitRecords(h.text, start, h.dialect, most)
	}
	if !whole && len(h.records) > 1 && len(h.records) < most {
		h.records = h.records[:len(h.records)-1] // it may be cut off
	}
	if len(h.records) > 0 && isHeader(h.records[0].cells) {
		h.header = h.records[0].cells
		if len(h.header) == 1 && h.delim != 0 {
			// Under a single column, commas belong to the numbers.
			h.delim = 0
			h.records = append(h.records[:1:1], splitRecords(h.text, h.records[0].end, h.dialect, most)...)
		}
	}
	return h
}

// all reports whether the records of the head are all that there are.
func (h *head) all() bool { return h.whole && len(h.records) < headRecords }

// crowded reports whether most rows have more cells than there are columns,
// as happens where numbers have decimal commas and stand in no quotes.
func (h *head) crowded() bool {
	crowded := 0
	for _, r := range h.data() {
		if len(r.cells) > len(h.header) && strings.Join(r.cells[len(h.header):], "") != "" {
			crowded++
		}
	}
	return h.header != nil && 2*crowded > len(h.data())
}

// saidSeparator reads the line "sep=;" with which some spreadsheets begin.
func saidSeparator(text string) (sep byte, end int, ok bool) {
	line, _, found := strings.Cut(text, "\n")
	said, isSep := strings.CutPrefix(strings.TrimRight(line, "\r"), "sep=")
	if !isSep || len(said) != 1 || !found {
		return 0, 0, false
	}
	return said[0], len(line) + 1, true
}

// likelyDelimiter tells the delimiter by how well the records agree on how
// many cells they have.
func likelyDelimiter(text string, start int) byte {
	best, bestScore := byte(0), 0
	for _, d := range []byte{',', ';', '\t', '|'} {
		counts := map[int]int{}
		for _, r := range splitRecords(text, start, dialect{delim: d, quotes: true}, 100) {
			counts[len(r.cells)]++
		}
		score := 0
		for cells, n := range counts {
			if cells > 1 {
				score = max(score, n*1000+min(cells, 999))
			}
		}
		if score > bestScore {
			best, bestScore = d, score
		}
	}
	return best
}

// splitRecords cuts text into records, as the rows of the file will be cut.
func splitRecords(text string, at int, d dialect, most int) (all []record) {
	buf := append(make([]byte, padding), text...)
	buf = append(buf, '\n')
	buf = append(buf, make([]byte, padding)...)
	s := scanner{delim: d.delim, delims: lanes01 * uint64(d.delim)}
	for i := at + padding; i < len(buf)-padding-1 && len(all) < most; {
		if buf[i] == '#' || buf[i] == '\n' || buf[i] == '\r' && buf[i+1] == '\n' {
			i += bytes.IndexByte(buf[i:], '\n') + 1
			continue
		}
		var r record
		for {
			c := span{from: i}
			if d.quotes && buf[i] == '"' {
				c, i = s.quoted(buf, i)
			} else {
				i = s.separator(buf, i)
				c.to = i
			}
			r.cells = append(r.cells, strings.TrimSpace(string(c.text(buf))))
			if buf[i] == '\n' {
				break
			}
			i++
		}
		i++
		r.end = i - padding
		all = append(all, r)
	}
	return all
}

// isHeader reports whether a record names columns: no cell of it is a number
// or a time, and at least one has a letter in it.
func isHeader(cells []string) bool {
	letters := false
	for _, c := range cells {
		if c == "" {
			continue
		}
		r := reader{}
		if _, why := r.read([]byte(c)); why != whyNumber && why != whyNotThere || isTime(c) {
			return false
		}
		letters = letters || strings.ContainsFunc(c, func(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' || r >= 0x80 })
	}
	return letters
}

// isTime reports whether a cell is a timestamp.
func isTime(cell string) bool {
	_, _, ok := parseTime([]byte(strings.Trim(cell, besideTime)))
	return ok
}

// column finds a column by one of some names, which are in the form that words
// gives; -1: there is none.
func (h *head) column(names ...string) int {
	for _, name := range names {
		for i, cell := range h.header {
			if words(cell) == name {
				return i
			}
		}
	}
	return -1
}

// has reports whether there are columns of all these names.
func (h *head) has(names ...string) bool {
	for _, name := range names {
		if h.column(name) < 0 {
			return false
		}
	}
	return true
}

// data gives the records below the header.
func (h *head) data() []record {
	if h.header != nil {
		return h.records[1:]
	}
	return h.records
}

// cells gives what stands in a column of the head.
func (h *head) cells(column int) (all []string) {
	for _, r := range h.data() {
		if column >= 0 && column < len(r.cells) {
			all = append(all, r.cells[column])
		}
	}
	return all
}

// columns describes the columns, for messages.
func (h *head) columns() string {
	if h.header == nil {
		if len(h.records) == 0 {
			return "none"
		}
		return "no header; the first row is " + quoteAll(h.records[0].cells)
	}
	return quoteAll(h.header)
}

// quoteAll lists cells, not more than a line or two of them.
func quoteAll(cells []string) string {
	const most = 40
	var b strings.Builder
	for i, c := range cells {
		if i == most {
			b.WriteString(", ...")
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		if len(c) > 60 {
			c = c[:60] + "..."
		}
		b.WriteString(strings.ToValidUTF8(c, "?"))
	}
	return b.String()
}
