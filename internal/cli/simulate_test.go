package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"
)

// A simulation that is stopped, as by Ctrl-C, tells what it found so far, and
// says by its status that this is not all.
func TestInterruptedSimulation(t *testing.T) {
	long := "vtsize simulate --rate 4000/s --consumers 90000 --latency p50=12s,p99=45s --for 300d --yes --replications 2"
	for name, command := range map[string]string{"fleet": long, "sweep": long + " --sweep visibility-timeout=30s..60s --points 2"} {
		t.Run(name, func(t *testing.T) {
			ctx, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer stop()
			var out, errs bytes.Buffer
			env := Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Now: time.Now, Terminal: func(any) (int, bool) { return 0, false }}
			if status := Main(ctx, env, strings.Fields(command)); status != exitJob {
				t.Errorf("status %d, want %d", status, exitJob)
			}
			if want := "vtsize: interrupted; what was found until then is told\n"; errs.String() != want {
				t.Errorf("errors %q, want %q", errs.String(), want)
			}
			if !strings.Contains(out.String(), "interrupted") {
				t.Errorf("the report does not say that it is not all:\n%s", out.String())
			}
		})
	}
}
