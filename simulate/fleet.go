package simulate

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

// FleetResult is what the replications of one simulation counted.
type FleetResult struct {
	Input       FleetInput
	Runs        []Run // in the order of replications; those that never started are left out
	Interrupted bool  // the context was done before the end
}

// Fleet simulates a queue and its consumers, one replication after another or
// as many at once as there are cores: the result is the same. When the context
// is done it returns what was found so far. The input must be valid.
func Fleet(ctx context.Context, in FleetInput) FleetResult {
	return fleets(ctx, []FleetInput{in})[0]
}

// fleets runs the replications of all the inputs on all cores.
func fleets(ctx context.Context, ins []FleetInput) []FleetResult {
	type job struct{ input, replication int }
	var jobs []job
	runs := make([][]Run, len(ins))
	for i := range ins {
		runs[i] = make([]Run, ins[i].Runs())
		for r := range runs[i] {
			jobs = append(jobs, job{i, r})
		}
	}
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(len(jobs), runtime.GOMAXPROCS(0)) {
		all.Go(func() {
			for {
				n := int(next.Add(1)) - 1
				if n >= len(jobs) || ctx.Err() != nil {
					return
				}
				j := jobs[n]
				runs[j.input][j.replication] = newFleet(&ins[j.input], j.replication).simulate(ctx)
			}
		})
	}
	all.Wait()
	results := make([]FleetResult, len(ins))
	for i := range ins {
		results[i].Input = ins[i]
		for _, run := range runs[i] {
			if run.Simulated > 0 {
				results[i].Runs = append(results[i].Runs, run)
			}
			results[i].Interrupted = results[i].Interrupted || run.Simulated < ins[i].For
		}
	}
	return results
}

// Estimate is the mean of a metric over the replications with its 95 %
// confidence interval, by Student's t. With fewer than two replications there
// is no interval, and Low and High are NaN. A metric that no replication knows,
// as the recovery without a crash, is NaN itself.
type Estimate struct {
	Mean, Low, High float64
	N               int // replications that know it
}

// Known reports whether any replication knows the metric.
func (e Estimate) Known() bool { return e.N > 0 }

// HasInterval reports whether there are enough replications for an interval.
func (e Estimate) HasInterval() bool { return e.N > 1 }

// Estimate evaluates a metric over the replications.
func (r FleetResult) Estimate(m Metric) Estimate {
	n, sum, squares := 0, 0.0, 0.0
	for i := range r.Runs {
		if x := m.Of(&r.Runs[i], &r.Input); !math.IsNaN(x) {
			n++
			sum += x
		}
	}
	if n == 0 {
		return Estimate{Mean: math.NaN(), Low: math.NaN(), High: math.NaN()}
	}
	mean := sum / float64(n)
	for i := range r.Runs {
		if x := m.Of(&r.Runs[i], &r.Input); !math.IsNaN(x) {
			squares += (x - mean) * (x - mean)
		}
	}
	if n == 1 {
		return Estimate{Mean: mean, Low: math.NaN(), High: math.NaN(), N: 1}
	}
	if mean == 0 && m.Among != nil {
		return Estimate{High: r.ruleOfThree(m), N: n}
	}
	half := studentT(n-1) * math.Sqrt(squares/float64(n-1)/float64(n))
	return Estimate{Mean: mean, Low: mean - half, High: mean + half, N: n}
}

// ruleOfThree is the 95 % upper bound of a share of which nothing was seen:
// 3/n. Never seen is not never.
func (r FleetResult) ruleOfThree(m Metric) float64 {
	n := 0
	for i := range r.Runs {
		n += m.Among(&r.Runs[i])
	}
	return math.Min(1, 3/math.Max(1, float64(n)))
}

// studentT is the 97.5 % quantile of Student's t. From 30 degrees of freedom on
// it is Cornish and Fisher's expansion around the normal quantile.
func studentT(freedom int) float64 {
	table := [...]float64{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
		2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045}
	if freedom <= len(table) {
		return table[freedom-1]
	}
	const z = 1.959964
	v := float64(freedom)
	return z + (z*z*z+z)/(4*v) + (5*z*z*z*z*z+16*z*z*z+3*z)/(96*v*v)
}
