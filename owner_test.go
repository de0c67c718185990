package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"vtsize/internal/cli"
)

// The commands around a workload file, on the one that comes along.
func TestOwnersFile(t *testing.T) {
	const file = "testdata/workload/orders.yaml"
	for _, tt := range []struct {
		command string
		status  int
		says    []string
	}{
		{"config verify " + file, 0, []string{"fine, 2 entries"}},
		{"config init", 0, []string{"version: 1", `match: "orders"`}},
		// VT502 and VT602 are warnings: the demo's redelivery was measured.
		{"audit --queue orders --demo --workload " + file, 0, []string{"[VT705]", file + ":19:", "1 suppressed", "[VT602]"}},
		{"calc --workload " + file + " --queue orders", 0, []string{"every 9 s, extending to 30 s"}},
		{"calc --workload " + file + " --queue mail-eu", 0, []string{"message: p99 8 s", "[VT704]"}},
		{"checklist --queue orders --demo --workload " + file, 0, []string{"orders: 11 yes, 2 no, 0 not known"}},
		{"lease --queue orders --workload " + file + " --language go", 0, []string{"Renewal policy of queue orders", "interval     = 9 * time.Second", "it is parked"}},
	} {
		t.Run(tt.command, func(t *testing.T) {
			var out bytes.Buffer
			env := cli.Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Now: func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) },
				Terminal: func(any) (int, bool) { return 0, false }}
			if got := cli.Main(context.Background(), env, append([]string{"vtsize"}, strings.Fields(tt.command)...)); got != tt.status {
				t.Errorf("exit status %d, want %d", got, tt.status)
			}
			for _, want := range tt.says {
				if !strings.Contains(out.String(), want) {
					t.Errorf("no %q in\n%s", want, out.String())
				}
			}
		})
	}
}
