package simview

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"vtsize/simulate"
)

// The picture is as wide as a terminal is at least.
const (
	textWidth = 80
	nameWidth = 8
	laneWidth = textWidth - nameWidth - 2
	mostLanes = 12
)

// legend explains the signs that a picture may use.
var legend = []struct {
	sign rune
	text string
}{
	{'━', "holds the message"}, {'╌', "works on without it"}, {'+', "beat"}, {'o', "beat lost, late or refused"},
	{'●', "reply"}, {'◌', "refused reply"}, {'✓', "deletes"}, {'✗', "stale delete"}, {'†', "dies"}, {'!', "gives up"},
}

// writeLegend explains the signs in the rows, in lines that fit the width.
func writeLegend(b *strings.Builder, rows string) {
	line := ""
	for _, l := range legend {
		if !strings.ContainsRune(rows, l.sign) {
			continue
		}
		entry := string(l.sign) + " " + l.text
		if line != "" && nameWidth+utf8.RuneCountInString(line+"   "+entry) > textWidth {
			fmt.Fprintf(b, "%-*s%s\n", nameWidth, "", line)
			line = ""
		}
		if line != "" {
			line += "   "
		}
		line += entry
	}
	fmt.Fprintf(b, "%-*s%s\n", nameWidth, "", line)
}

// writeLanes draws who worked when: one lane for the message, with the receive
// that hides it, and one for each consumer.
func writeLanes(b *strings.Builder, r simulate.ReplayResult) {
	lanes, holds := lanesOf(r)
	end := max(r.End(), 1)
	b.WriteString(strings.Repeat(" ", nameWidth) + axis(end) + "\n")
	fmt.Fprintf(b, "%-*s%s\n", nameWidth, "message", messageLane(r, holds, end))
	var rows strings.Builder
	for i, l := range lanes {
		if len(lanes) > mostLanes && i == mostLanes-2 {
			fmt.Fprintf(&rows, "%-*s… %d more consumers\n", nameWidth, "", len(lanes)-mostLanes+1)
		}
		if len(lanes) <= mostLanes || i < mostLanes-2 || i == len(lanes)-1 {
			fmt.Fprintf(&rows, "%-*s%s\n", nameWidth, simulate.Consumer(l.receipt), consumerLane(l, end))
		}
	}
	b.WriteString(rows.String())
	writeLegend(b, rows.String())
}

func column(at, end time.Duration) int {
	return int(float64(at) / float64(end) * float64(laneWidth-3))
}

func axis(end time.Duration) string {
	right := clock(end)
	return "0 s" + strings.Repeat(" ", max(1, laneWidth-3-len(right))) + right
}

// messageLane writes h1, h2, … over the stretches of time that they hide the
// message.
func messageLane(r simulate.ReplayResult, holds []hold, end time.Duration) string {
	row := blank()
	for _, h := range holds {
		from, to := column(h.from, end), column(h.to, end)
		for c := from; c < to; c++ {
			row[c] = '─'
		}
		row[from] = '├'
		if name := []rune(fmt.Sprintf("h%d", h.receipt)); from+1+len(name) <= to {
			copy(row[from+1:], name)
		}
	}
	if r.DeadLetteredAt != nil {
		copy(row[column(*r.DeadLetteredAt, end):], []rune("DLQ"))
	}
	return strings.TrimRight(string(row), " ")
}

func consumerLane(l lane, end time.Duration) string {
	row := blank()
	from, owned, to := column(l.from, end), column(l.owned, end), column(l.to, end)
	for c := from; c <= to; c++ {
		row[c] = '━'
		if c > owned || (c == owned && l.stale()) {
			row[c] = '╌'
		}
	}
	row[from] = '┣'
	for _, e := range l.events {
		c := column(e.At, end)
		switch e.Kind {
		case simulate.Extended:
			row[c] = '+'
		case simulate.BeatLost, simulate.ExtendRefused, simulate.ExtendStale:
			row[c] = 'o'
		case simulate.Effect:
			row[c] = '●'
		case simulate.EffectRefused:
			row[c] = '◌'
		case simulate.Deleted:
			row[c+1] = '✓'
		case simulate.DeleteStale:
			row[c+1] = '✗'
		case simulate.Crashed:
			row[c] = '†'
		case simulate.GaveUp:
			row[c] = '!'
		}
	}
	return strings.TrimRight(string(row), " ")
}

func blank() []rune { return []rune(strings.Repeat(" ", laneWidth)) }
