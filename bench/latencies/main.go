// Command latencies reads latency files as "vtsize calc --csv" does, and prints
// their percentiles: what the benchmarks beside it measure.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"vtsize/csvread"
)

func main() {
	var opt csvread.Options
	flag.StringVar(&opt.ClassColumn, "class-column", "", "column of classes")
	flag.StringVar(&opt.Column, "column", "", "column of latencies")
	flag.StringVar(&opt.Unit, "unit", "", "unit of latencies")
	flag.IntVar(&opt.Workers, "workers", 0, "goroutines that read")
	worst := flag.String("worst", "hour", "hour, day or none")
	flag.Parse()
	opt.Files, opt.Stdin, opt.Worst = flag.Args(), os.Stdin, csvread.Window(*worst)
	res, err := csvread.Read(context.Background(), opt)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, n := range res.Notes {
		fmt.Fprintln(os.Stderr, "note:", n)
	}
	show("", res.Whole)
	for _, c := range res.Classes {
		show(c.Name, c.Samples)
	}
	if w := res.Worst; w != nil {
		fmt.Fprintf(os.Stderr, "worst %s from %s: %v of %d samples\n", w.Window, w.Start.Format(time.RFC3339), w.Value, w.N)
	}
	if os.Getenv("VMHWM") != "" {
		status, _ := os.ReadFile("/proc/self/status")
		for line := range strings.Lines(string(status)) {
			if strings.HasPrefix(line, "VmHWM") || strings.HasPrefix(line, "RssAnon") {
				fmt.Fprint(os.Stderr, line)
			}
		}
	}
}

// show prints a name and percentiles in milliseconds.
func show(name string, s *csvread.Samples) {
	fmt.Printf("%s %d", name, s.N)
	for _, p := range []float64{50, 95, 99, 99.9} {
		d, exact := s.At(p)
		fmt.Printf(" %v", float64(d)/1e6)
		if !exact {
			fmt.Print("?")
		}
	}
	fmt.Println()
}
