package cli

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"vtsize/csvread"
	"vtsize/facts"
	"vtsize/sizing"
)

const catFiles = "Latency files"

// latencyFlags say how files of latencies are read, and what is wanted of
// them. Where the command reads metrics too, the unit is also theirs.
func latencyFlags(unit string) []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "csv", Category: catFiles, Usage: "latencies from `FILE`, of any format in docs/latency-files.md; - is standard input; repeatable"},
		text(catFiles, "csv-format", "`FORMAT` of the files: "+strings.Join(csvread.Formats(), ", ")),
		text(catFiles, "column", "the latencies' `COLUMN`, by name or number"),
		text(catFiles, "unit", unit),
		text(catFiles, "class-column", "`COLUMN` that tells kinds of work apart"),
		&cli.StringSliceFlag{Name: "where", Category: catFiles, Usage: "only rows with `COLUMN=VALUE`; repeatable"},
		text(catFiles, "percentile", "size by this `PERCENTILE` (default: 99)"),
		&cli.BoolFlag{Name: "use-upper-bound", Category: catFiles, Usage: "size by the percentile's 95 % upper confidence bound"},
		text(catFiles, "worst", "`WINDOW` to find the worst of: hour (default), day, none"),
		&cli.BoolFlag{Name: "strict", Category: catFiles, Usage: "a bad row is an error"},
		text(catFiles, "error-rate", "`SHARE` of the calls that fail and are made again, as 0.02 (default: every attempt is used)"),
		text(catFiles, "max-duplicates", "find the timeout that keeps second deliveries to this `SHARE` of the messages, as 1e-5"),
		text(catFiles, "plot", "draw the latencies to `FILE`.svg or .png"),
	}
}

// latencyFiles is what the flags say of files of latencies.
type latencyFiles struct {
	csvread.Options
	basis         facts.Value[facts.Basis] // known where a flag said it
	upperBound    bool
	plot          string
	errorRate     facts.Value[float64]
	maxDuplicates facts.Value[float64]
}

// readLatencyFlags reads the flags of latencyFlags; nil where no file is named.
func readLatencyFlags(r *flagReader, env Env) *latencyFiles {
	c := r.c
	if !c.IsSet("csv") {
		for _, f := range latencyFlags("") {
			name := f.Names()[0]
			if c.IsSet(name) && !(name == "unit" && takesMetrics(c)) {
				r.fail(&usageError{msg: "--" + name + " is for files of latencies", hint: "name one with --csv"})
			}
		}
		return nil
	}
	for _, name := range []string{"p99", "latency", "stage", "samples", "step-metric"} {
		if c.IsSet(name) {
			r.fail(usagef("--csv and --%s both say the latency; take one of them", name))
		}
	}
	l := &latencyFiles{
		Options: csvread.Options{
			Files: c.StringSlice("csv"), Stdin: env.Stdin, Format: c.String("csv-format"), Column: c.String("column"), Unit: c.String("unit"),
			ClassColumn: c.String("class-column"), Where: c.StringSlice("where"), Strict: c.Bool("strict"), Percentile: 99,
		},
		upperBound: c.Bool("use-upper-bound"), plot: c.String("plot"),
		errorRate: read(r, "error-rate", shareFrom(0)), maxDuplicates: read(r, "max-duplicates", shareFrom(1e-12)),
		basis: read(r, "basis", oneOf(facts.PerCall, facts.PerStep, facts.PerInvocation)),
	}
	if p, ok := read(r, "percentile", percentile).Get(); ok {
		l.Percentile = p
	}
	l.Worst, _ = read(r, "worst", oneOf(csvread.Hour, csvread.Day, csvread.NoWindows)).Get()
	l.Ranks = l.ranks
	if l.plot != "" && !slices.Contains([]string{".svg", ".png"}, strings.ToLower(filepath.Ext(l.plot))) {
		r.fail(usagef("--plot %q ends in neither .svg nor .png", l.plot))
	}
	return l
}

// takesMetrics reports whether the command has a use for a unit of its own.
func takesMetrics(c *cli.Context) bool {
	return slices.ContainsFunc(c.Command.Flags, func(f cli.Flag) bool { return f.Names()[0] == "step-metric" })
}

// ranks are those that a bound rests on: that of the percentile, and the
// samples that may be longer where duplicates are limited.
func (l *latencyFiles) ranks(n int) (out []int) {
	if rank, ok := sizing.UpperBoundRank(n, l.Percentile); ok {
		out = append(out, rank)
	}
	if most, ok := l.maxDuplicates.Get(); ok {
		if seen, ok := sizing.SeenWithin(most, n); ok {
			out = append(out, n-seen)
		}
	}
	return out
}

// percentile reads "99.9" or "p99.9".
func percentile(s string) (float64, error) {
	p, err := strconv.ParseFloat(strings.TrimPrefix(s, "p"), 64)
	if err != nil {
		return 0, usagef("%q is not a percentile, as 99 or 99.9", s)
	}
	if !(p > 0 && p < 100) {
		return 0, usagef("%v is not between 0 and 100", p)
	}
	return p, nil
}

// shareFrom reads a share of 1, from a least one on.
func shareFrom(least float64) func(string) (float64, error) {
	return func(s string) (float64, error) {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return 0, usagef("%q is not a share of 1, as 0.01", s)
		}
		if !(x >= least && x < 1) {
			return 0, usagef("%v is not a share between %v and 1", x, least)
		}
		return x, nil
	}
}
