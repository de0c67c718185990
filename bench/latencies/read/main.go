// Command read reads latency files as "vtsize calc --csv" does, and prints their
// percentiles: it is what the benchmark measures.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
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
	per := 1e6
	if res.Files[0].Unit == "ns" {
		per = 1
	}
	show("", res.Whole, per)
	for _, c := range res.Classes {
		show(c.Name, c.Samples, per)
	}
	if w := res.Worst; w != nil {
		fmt.Fprintf(os.Stderr, "worst %s from %s: %v of %d samples\n", w.Window, w.Start.Format(time.RFC3339), w.Value, w.N)
	}
}

// show prints a name and percentiles in milliseconds, or in the unit of
// so many nanoseconds.
func show(name string, s *csvread.Samples, per float64) {
	fmt.Printf("%s %d", name, s.N)
	for _, p := range []float64{50, 90, 95, 99, 99.9} {
		d, exact := s.At(p)
		fmt.Printf(" %v", float64(d)/per)
		if !exact {
			fmt.Print("?")
		}
	}
	fmt.Println()
}
