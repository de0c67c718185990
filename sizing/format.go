package sizing

import (
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
