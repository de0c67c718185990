package cli

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vtsize/csvread"
	"vtsize/facts"
)

// Samples are counted exactly above what a timeout leaves for them.
func TestLimits(t *testing.T) {
	known := func(d time.Duration) facts.Value[time.Duration] { return facts.Known(d, flagOrigin("test")) }
	c := &facts.Consumer{Kind: facts.Worker, Work: facts.Work{Countdown: known(10 * time.Second), Overhead: known(2 * time.Second), Write: known(time.Second)}}
	q := &facts.Queue{VisibilityTimeout: known(time.Minute), Consumers: facts.Known([]*facts.Consumer{c}, flagOrigin("test"))}
	if got := limits(&facts.Deployment{Queues: []*facts.Queue{q}}); !slices.Equal(got, []time.Duration{47 * time.Second}) {
		t.Errorf("%v, want 47 s", got)
	}
}

// The bound of p99 and the limit of one in a hundred rest on the same sample.
func TestRanks(t *testing.T) {
	l := &latencyFiles{maxDuplicates: facts.Known(0.01, flagOrigin("max-duplicates"))}
	l.Percentile = 99
	if got := l.ranks(2000); len(got) != 2 || got[0] != got[1] || got[0] != 1988 {
		t.Errorf("%v, want 1988 twice", got)
	}
	if got := l.ranks(298); got != nil {
		t.Errorf("%v of too few samples", got)
	}
}

// Samples that are counted in bins are never understated, hardly overstated,
// and exact above what was asked for.
func TestAtoms(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 9))
	for range 30 {
		n := 1 + rnd.IntN(3000)
		samples := make([]time.Duration, n)
		var b strings.Builder
		spread := 1 + rnd.IntN(1_000_000_000)
		for i := range samples {
			samples[i] = time.Duration(rnd.IntN(spread)) * time.Duration(1+rnd.IntN(50))
			fmt.Fprintln(&b, int64(samples[i]))
		}
		file := filepath.Join(t.TempDir(), "ns.txt")
		if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		l := &latencyFiles{Options: csvread.Options{Files: []string{file}, Unit: "ns", Percentile: 99}}
		l.Ranks = l.ranks
		l.Above = []time.Duration{samples[0], time.Duration(rnd.IntN(spread))}
		res, err := csvread.Read(context.Background(), l.Options)
		if err != nil {
			t.Fatal(err)
		}
		atoms := (&latencies{l, res, l.Above}).atoms()
		above := func(limit time.Duration) (got, want int) {
			for _, a := range atoms {
				if a.At > limit {
					got += a.N
				}
			}
			for _, d := range samples {
				if d > limit {
					want++
				}
			}
			return got, want
		}
		total := 0
		for i, a := range atoms {
			if total += a.N; a.N <= 0 || i > 0 && a.At < atoms[i-1].At {
				t.Fatalf("atom %d: %+v", i, a)
			}
		}
		if total != n {
			t.Fatalf("%d of %d samples", total, n)
		}
		for _, limit := range l.Above {
			if got, want := above(limit); got != want {
				t.Errorf("%d above %v, want %d", got, limit, want)
			}
		}
		for range 50 {
			limit := time.Duration(rnd.IntN(50 * spread))
			got, least := above(limit)
			if _, most := above(limit - limit/127 - 1); got < least || got > most {
				t.Errorf("%d above %v, want %d to %d", got, limit, least, most)
			}
		}
		for _, p := range []float64{50, 99, 99.9} {
			rank := csvread.Rank(n, p)
			d, _ := res.Whole.Rank(rank)
			if got, want := above(d); got < want || got > n-rank {
				t.Errorf("%d above p%v, want %d to %d", got, p, want, n-rank)
			}
		}
	}
}
