package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// asVtsize makes the test binary run as vtsize, where a test has to start it
// and not a script.
const asVtsize = "VTSIZE_TEST_RUN"

func TestMain(m *testing.M) {
	vtsize := func() { os.Exit(runProcess()) }
	if os.Getenv(asVtsize) != "" {
		vtsize()
	}
	testscript.Main(m, map[string]func(){"vtsize": vtsize})
}

// The scripts say how the command line behaves; `status N vtsize …` runs it
// and demands exactly that exit status.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE") != "",
		Setup: func(e *testscript.Env) error {
			// No credentials of the machine, no region, no metadata service.
			e.Setenv("AWS_EC2_METADATA_DISABLED", "true")
			csv, err := filepath.Abs("testdata/csv")
			if err != nil {
				return err
			}
			e.Setenv("CSV", csv)
			e.Setenv("AWS_CONFIG_FILE", e.WorkDir+"/none")
			e.Setenv("AWS_SHARED_CREDENTIALS_FILE", e.WorkDir+"/none")
			events, err := filepath.Abs("testdata/events")
			if err != nil {
				return err
			}
			e.Setenv("EVENTS", events)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status},
	})
}

// status runs a command and checks its exit status.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command [args...]")
	}
	want := args[0]
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		text, ok := strings.CutPrefix(err.Error(), "exit status ")
		if !ok {
			ts.Fatalf("%s: %v", args[1], err)
		}
		got = text
	}
	if got != want {
		ts.Fatalf("exit status %s, want %s", got, want)
	}
}
