package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// A run that waits for its input stops when it is told to, and leaves no file,
// not even while it keeps samples in a temporary one.
func TestStop(t *testing.T) {
	const rows = 1_200_000 // 14 MB of samples; the first 8 stay in memory
	tests := []struct {
		name, args, input string
		signal            os.Signal
	}{
		{"while the format is not clear yet", "calc --csv -", "duration_ms\n" + strings.Repeat("83.035\n", 20_000), os.Interrupt},
		{"while samples are kept in a file", "calc --csv -", "duration_ms\n" + strings.Repeat("83.035\n", rows), os.Interrupt},
		{"told to terminate", "calc --csv -", "duration_ms\n" + strings.Repeat("83.035\n", rows), syscall.SIGTERM},
		{"a log of events", "diagnose -", strings.Repeat(`{"event":"sent","message_id":"m1","at":"2026-11-30T18:42:49Z"}`+"\n", 4000), os.Interrupt},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			temp := t.TempDir()
			cmd := exec.Command(os.Args[0], strings.Fields(tt.args)...)
			cmd.Env = append(os.Environ(), asVtsize+"=1", "TMPDIR="+temp)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			// A pipe holds less than this: vtsize is reading when it returns.
			if _, err := in.Write([]byte(tt.input)); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Process.Signal(tt.signal); err != nil {
				t.Fatal(err)
			}
			err = cmd.Wait()
			exit, ok := errors.AsType[*exec.ExitError](err)
			if !ok {
				t.Fatalf("it ended with %v", err)
			}
			if exit.ExitCode() != 3 || !strings.Contains(stderr.String(), "stopped") {
				t.Errorf("exit status %d, %q", exit.ExitCode(), stderr.String())
			}
			if stdout.Len() > 0 {
				t.Errorf("it wrote %q", stdout.String())
			}
			left, err := os.ReadDir(temp)
			if err != nil || len(left) > 0 {
				t.Errorf("%v are left behind, %v", left, err)
			}
		})
	}
}
