package tfread

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vtsize/facts"
)

// describe writes what a result says, one fact a line.
func describe(res *Result) string {
	var b strings.Builder
	known, all := flat(res.Deployment)
	causes := unknownCauses(res.Deployment)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		v, ok := known[name]
		if !ok {
			v = "? " + causes[name]
		}
		if plainDefaults[name[strings.LastIndexByte(name, '.')+1:]+" "+v] {
			continue
		}
		fmt.Fprintf(&b, "%s = %s\n", name, v)
	}
	for _, q := range res.Deployment.Queues {
		kind := "queue"
		if q.External {
			kind = "external queue"
		}
		fmt.Fprintf(&b, "%s %s name %q at %s\n", kind, q.ID, q.Name, q.Pos)
		for _, c := range q.Calls {
			fmt.Fprintf(&b, "  through %s at %s\n", c.Module, c.Pos)
		}
	}
	for _, u := range res.Deployment.Unjoined {
		fmt.Fprintf(&b, "unjoined %s: %s at %s\n", u.Address, u.Reason, u.Pos)
	}
	if as, ok := res.Deployment.Alarms.Get(); ok {
		for _, a := range as {
			for _, w := range a.Watches {
				q, _ := w.Queue.Get()
				fmt.Fprintf(&b, "alarm %s watches %s of %s\n", a.Name, w.Metric, q)
			}
		}
	}
	for _, i := range res.Deployment.Ignores {
		fmt.Fprintf(&b, "ignore %s lines %d-%d until %s: %s\n", i.Rule, i.FirstLine, i.LastLine, i.Until.Format("2006-01-02"), i.Reason)
	}
	for _, x := range res.Absent {
		fmt.Fprintf(&b, "absent %s: %s\n", x.Address, x.Reason)
	}
	for _, x := range res.Assumed {
		fmt.Fprintf(&b, "assumed %s: %s\n", x.Address, x.Text)
	}
	for _, x := range res.Hints {
		fmt.Fprintf(&b, "hint %s from %s used %v\n", x.Address, x.Source, x.Used)
	}
	for _, p := range res.Problems {
		fmt.Fprintf(&b, "problem %s %s\n", p.Kind, p)
	}
	return b.String()
}

// plainDefaults are what nobody set; leaving them out keeps the files readable.
var plainDefaults = map[string]bool{"delay 0s": true, "wait 0s": true, "retention 96h0m0s": true, "fifo false": true, "allow <nil>": true,
	"max none": true, "pollers none": true, "reserved none": true, "enabled true": true, "partial false": true, "window 0s": true, "redrive false": true, "redrive true": true}

func unknownCauses(d *facts.Deployment) map[string]string {
	out := map[string]string{}
	for _, q := range d.Queues {
		why(out, q.ID+".visibility", q.VisibilityTimeout)
		why(out, q.ID+".retention", q.Retention)
		why(out, q.ID+".delay", q.Delay)
		why(out, q.ID+".wait", q.ReceiveWait)
		why(out, q.ID+".fifo", q.FIFO)
		why(out, q.ID+".redrive", q.Redrive)
		why(out, q.ID+".allow", q.RedriveAllow)
		if r, ok := q.Redrive.Get(); ok && r != nil {
			why(out, q.ID+".redrive.target", r.Target)
			why(out, q.ID+".redrive.max", r.MaxReceiveCount)
		}
		cs, _ := q.Consumers.Get()
		for _, c := range cs {
			id := q.ID + " <- " + c.ID
			why(out, id+".timeout", c.FunctionTimeout)
			why(out, id+".batch", c.BatchSize)
			why(out, id+".window", c.BatchingWindow)
			why(out, id+".partial", c.ReportBatchItemFailures)
			why(out, id+".max", c.MaximumConcurrency)
			why(out, id+".pollers", c.ProvisionedPollers)
			why(out, id+".reserved", c.ReservedConcurrency)
			why(out, id+".enabled", c.Enabled)
		}
	}
	return out
}

func why[T any](out map[string]string, name string, v facts.Value[T]) {
	if !v.IsKnown() {
		out[name] = v.Cause().String() + ": " + v.Origin().Detail
	}
}

// TestFacts compares what is said of each folder of testdata/facts with its
// want.txt. UPDATE=1 writes them anew; read the difference before you keep it.
func TestFacts(t *testing.T) {
	dirs, err := filepath.Glob("testdata/facts/*")
	if err != nil || len(dirs) < 30 {
		t.Fatalf("%d cases, %v; want at least 30", len(dirs), err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			path := dir
			if _, err := os.Stat(filepath.Join(dir, "input.json")); err == nil {
				path = filepath.Join(dir, "input.json")
			}
			var a caseArgs
			readJSON(t, filepath.Join(dir, "args.json"), &a)
			var opt Options
			for _, v := range a.Vars {
				in, err := ParseInput(v)
				if err != nil {
					t.Fatal(err)
				}
				opt.Inputs = append(opt.Inputs, in)
			}
			res, err := Read(t.Context(), path, opt)
			if err != nil {
				t.Fatal(err)
			}
			wellFormed(t, res)
			got := describe(res)
			golden := filepath.Join(dir, "want.txt")
			if os.Getenv("UPDATE") != "" {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}
