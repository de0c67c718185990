package csvread

import (
	"regexp"
	"strings"
	"unicode"
)

// units are the names under which a unit may stand in a flag, in brackets in a
// header, at the end of a header or behind a number.
var units = func() map[string]unit {
	all := map[string]unit{}
	for _, u := range []struct {
		unit
		names string
	}{
		{unit{"ns", 1, 0}, "ns nsec nsecs nano nanos nanosecond nanoseconds"},
		{unit{"us", 1, 3}, "us usec usecs micro micros microsecond microseconds µs μs"},
		{unit{"ms", 1, 6}, "ms msec msecs milli millis millisecond milliseconds"},
		{unit{"s", 1, 9}, "s sec secs second seconds"},
		{unit{"m", 6, 10}, "m min mins minute minutes"},
		{unit{"h", 36, 11}, "h hr hrs hour hours"},
	} {
		for _, name := range strings.Fields(u.names) {
			all[name] = u.unit
		}
	}
	return all
}()

// scales are those of the units, by the same names.
var scales = func() map[string]*scale {
	all := map[string]*scale{}
	for name, u := range units {
		all[name] = newScale(u)
	}
	return all
}()

// alsoWords are names of units that mean other things at the end of a header:
// latency_min is more often the minimum than minutes.
var alsoWords = map[string]bool{"m": true, "min": true, "h": true, "micro": true, "second": true, "nano": true}

// bracketed is a unit in brackets in a header: "response_time (s)".
var bracketed = regexp.MustCompile(`[(\[{]\s*([a-zµμ]+)\s*[)\]}]`)

// nameUnit finds the unit that the name of a column states: in brackets, or as
// its last word, as in "duration_ms", "elapsedSeconds" and "latency.ns". It
// gives the name without the unit, in lower case with a space between words.
func nameUnit(column string) (bare string, u unit, ok bool) {
	lower := strings.ToLower(column)
	if m := bracketed.FindStringSubmatchIndex(lower); m != nil {
		if u, ok = units[lower[m[2]:m[3]]]; ok {
			return words(lower[:m[0]] + " " + lower[m[1]:]), u, true
		}
	}
	bare = words(column)
	head, last, several := cutLast(bare)
	if u, ok = units[last]; ok && several && !alsoWords[last] {
		return strings.TrimSuffix(head, " in"), u, true
	}
	return bare, unit{}, false
}

// words lowers the name of a column and puts single spaces between its words,
// whether they were written in camel case, with underscores or otherwise.
func words(name string) string {
	var b strings.Builder
	before := ' '
	for _, c := range name {
		switch {
		case !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '%' && c != '@' && c != '#':
			c = ' '
		case unicode.IsUpper(c) && unicode.IsLower(before):
			b.WriteByte(' ')
		}
		if c != ' ' || b.Len() > 0 && before != ' ' {
			b.WriteRune(unicode.ToLower(c))
		}
		before = c
	}
	return strings.TrimSpace(b.String())
}

// cutLast cuts a name before its last word.
func cutLast(name string) (head, last string, several bool) {
	i := strings.LastIndexByte(name, ' ')
	if i < 0 {
		return "", name, false
	}
	return name[:i], name[i+1:], true
}
