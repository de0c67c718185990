package trace

import "time"

// parseTime reads the forms of RFC 3339 that logs have, some ten times faster
// than time.Parse; whatever it does not take is left to that.
func parseTime(b []byte) (int64, bool) {
	if len(b) < len("2006-01-02T15:04:05Z") || b[4] != '-' || b[7] != '-' || b[10] != 'T' || b[13] != ':' || b[16] != ':' {
		return 0, false
	}
	year, ok1 := digits(b[0:4])
	month, ok2 := digits(b[5:7])
	day, ok3 := digits(b[8:10])
	hour, ok4 := digits(b[11:13])
	minute, ok5 := digits(b[14:16])
	second, ok6 := digits(b[17:19])
	if !(ok1 && ok2 && ok3 && ok4 && ok5 && ok6) || year < 1971 || year > 2261 || month < 1 || month > 12 ||
		day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 59 {
		return 0, false
	}
	fraction, rest, ok := parseFraction(b[19:])
	if !ok {
		return 0, false
	}
	offset, ok := parseZone(rest)
	if !ok {
		return 0, false
	}
	seconds := int64(daysSince1970(year, month, day))*86_400 + int64(hour*3600+minute*60+second) - int64(offset)
	return seconds*int64(time.Second) + fraction, true
}

// parseFraction reads ".402", of up to nine digits, as nanoseconds.
func parseFraction(b []byte) (nanos int64, rest []byte, ok bool) {
	if len(b) == 0 || b[0] != '.' {
		return 0, b, true
	}
	b = b[1:]
	n, unit := 0, int64(time.Second)
	for n < len(b) && b[n] >= '0' && b[n] <= '9' {
		unit /= 10
		nanos += int64(b[n]-'0') * unit
		n++
	}
	return nanos, b[n:], n >= 1 && n <= 9
}

// parseZone reads "Z" or "+02:00" as seconds east of UTC.
func parseZone(b []byte) (seconds int, ok bool) {
	if len(b) == 1 && b[0] == 'Z' {
		return 0, true
	}
	if len(b) != len("+02:00") || b[3] != ':' || b[0] != '+' && b[0] != '-' {
		return 0, false
	}
	hours, ok1 := digits(b[1:3])
	minutes, ok2 := digits(b[4:6])
	if !ok1 || !ok2 || hours > 23 || minutes > 59 {
		return 0, false
	}
	seconds = hours*3600 + minutes*60
	if b[0] == '-' {
		seconds = -seconds
	}
	return seconds, true
}

func digits(b []byte) (n int, ok bool) {
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

func daysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// daysSince1970 counts days in years that begin in March, so that the leap day
// is the last of its year.
func daysSince1970(year, month, day int) int {
	if month <= 2 {
		year--
		month += 12
	}
	const before = 719_468 // days from March of year 0 to 1970-01-01
	return 365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day - 1 - before
}
