package sizing

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Seconds writes a duration in seconds, as AWS takes it: "45 s", "136.5 s",
// "1,410 s". From 600 s on, a rounder unit stands beside: "1,800 s (30 min)".
func Seconds(d time.Duration) string {
	s := Number(d.Seconds()) + " s"
	abs := d.Abs()
	switch {
	case abs < 600*time.Second || abs >= Forever:
		return s
	case abs%(24*time.Hour) == 0:
		return s + " (" + Number(d.Hours()/24) + " d)"
	case abs >= 2*time.Hour:
		return s + " (" + Number(round1(d.Hours())) + " h)"
	}
	return s + " (" + Number(round1(d.Minutes())) + " min)"
}

func round1(x float64) float64 { return math.Round(x*10) / 10 }

// Number writes a number with thousands separators and at most three decimals.
func Number(x float64) string {
	x = math.Round(x*1000) / 1000
	s := strconv.FormatFloat(math.Abs(x), 'f', -1, 64)
	whole, frac, _ := strings.Cut(s, ".")
	var b strings.Builder
	if x < 0 {
		b.WriteByte('-')
	}
	for i, c := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	if frac != "" {
		b.WriteString("." + frac)
	}
	return b.String()
}

// ParseDuration reads a duration with a unit, as "45s", "1.5h" or "14d" (a day
// is 24 hours). A bare number has no unit and is refused, as are negative
// durations and those above a year.
func ParseDuration(s string) (time.Duration, error) {
	text := strings.TrimSpace(s)
	if text == "0" {
		return 0, nil
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return 0, fmt.Errorf("duration %q has no unit; write %ss for seconds", s, strings.TrimPrefix(text, "-"))
	}
	var d time.Duration
	var err error
	if days, rest, ok := strings.Cut(text, "d"); ok {
		var n float64
		n, err = strconv.ParseFloat(days, 64)
		if err == nil && (math.IsNaN(n) || strings.HasPrefix(rest, "-")) {
			err = strconv.ErrSyntax
		}
		if err == nil && math.Abs(n) <= 366 {
			d = time.Duration(n * 24 * float64(time.Hour))
		} else if err == nil {
			return 0, fmt.Errorf("duration %q is above a year", s)
		}
		if rest != "" && err == nil {
			var more time.Duration
			more, err = time.ParseDuration(rest)
			d += more
		}
	} else {
		d, err = time.ParseDuration(text)
	}
	switch {
	case err != nil:
		return 0, fmt.Errorf("duration %q is not a number with a unit, as 45s, 2m, 12h or 14d", s)
	case d < 0 || strings.HasPrefix(text, "-"):
		return 0, fmt.Errorf("duration %q is negative", s)
	case d > 366*24*time.Hour:
		return 0, fmt.Errorf("duration %q is above a year", s)
	}
	return d, nil
}

// ParseRate reads messages per second, from "40/s", "100/m" or "5000/h".
func ParseRate(s string) (float64, error) { return ParseRatePer(s, time.Second) }

// ParseRatePer reads a rate as [ParseRate] does, in messages per unit.
func ParseRatePer(s string, unit time.Duration) (float64, error) {
	number, per, ok := strings.Cut(s, "/")
	if !ok {
		return 0, fmt.Errorf("rate %q has no unit; write %s/s for messages per second", s, s)
	}
	n, err := strconv.ParseFloat(number, 64)
	seconds := map[string]float64{"s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}[per]
	if err != nil || seconds == 0 || !(n >= 0) || n > 1e9 {
		return 0, fmt.Errorf("rate %q is not a number and a unit, as 40/s, 100/m or 5000/h", s)
	}
	return n * (unit.Seconds() / seconds), nil
}

// Count writes a number of things: "1 sample", "2,000 samples".
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Number(float64(n)) + " " + thing + "s"
}
