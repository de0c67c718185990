// Package cli is the command line: one file a command. It is the only place
// that knows urfave/cli.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"vtsize/report"
)

// The exit statuses. Where several hold, usage goes before job, and job before
// findings.
const (
	exitOK       = 0
	exitFindings = 1 // findings at or above --fail-on
	exitUsage    = 2 // wrong flags or arguments
	exitJob      = 3 // the job could not be done
)

// Version is set by the linker in releases.
var Version = "dev"

// Env is all that the commands have of the world outside.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Environ        []string
	Now            func() time.Time
	// Terminal says whether a stream is a terminal, and its width.
	Terminal func(stream any) (width int, ok bool)
}

// OSEnv is the environment of the process.
func OSEnv() Env {
	return Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Environ: os.Environ(), Now: time.Now, Terminal: terminal}
}

func terminal(stream any) (int, bool) {
	f, ok := stream.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	width, _, err := term.GetSize(int(f.Fd()))
	return width, err == nil
}

func (e Env) getenv(name string) string {
	for _, kv := range slices.Backward(e.Environ) {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			return v
		}
	}
	return ""
}

// usageError is a mistake in flags or arguments.
type usageError struct{ msg, hint string }

func (e *usageError) Error() string { return e.msg }

func usagef(format string, args ...any) error { return &usageError{msg: fmt.Sprintf(format, args...)} }

// hinted is an error with the next step to take.
type hinted struct {
	err  error
	hint string
}

func (e *hinted) Error() string { return e.err.Error() }
func (e *hinted) Unwrap() error { return e.err }

// errFindings ends a run that did its job and found something.
var errFindings = errors.New("findings")

// Main runs a command line and returns the exit status.
func Main(ctx context.Context, env Env, args []string) int {
	app := newApp(env)
	err := app.RunContext(ctx, flagsFirst(app, args))
	if err == nil {
		return exitOK
	}
	if errors.Is(err, errFindings) {
		return exitFindings
	}
	say := func(text string) { fmt.Fprintln(env.Stderr, "vtsize: "+report.Escape(text)) }
	say(err.Error())
	var u *usageError
	if errors.As(err, &u) {
		if u.hint != "" {
			say("hint: " + u.hint)
		}
		return exitUsage
	}
	var h *hinted
	if errors.As(err, &h) && h.hint != "" {
		say("hint: " + h.hint)
	}
	return exitJob
}

func newApp(env Env) *cli.App {
	app := &cli.App{
		Name:  "vtsize",
		Usage: "size and lint SQS visibility timeouts for slow work",
		Description: "A message whose work outlasts the queue's visibility timeout is delivered again.\n" +
			"vtsize says what the timeout and the heartbeat should be, and what will break.\n\n" +
			"Start with:\n" +
			"   vtsize audit --queue orders --demo\n" +
			"   vtsize calc --p99 45s --retries 2 --backoff 2s,4s --visibility-timeout 30s",
		Version:                   Version,
		Writer:                    env.Stdout,
		ErrWriter:                 env.Stderr,
		HideHelpCommand:           true,
		EnableBashCompletion:      true,
		DisableSliceFlagSeparator: true,
		ExitErrHandler:            func(*cli.Context, error) {},
		Commands: []*cli.Command{
			auditCommand(env), checkCommand(env), calcCommand(env), simulateCommand(env),
			rulesCommand(env), explainCommand(env), presetsCommand(env), policyCommand(env), completionCommand(env),
		},
	}
	app.Action = func(c *cli.Context) error {
		if c.NArg() == 0 {
			_ = cli.ShowAppHelp(c)
			return &usageError{msg: "no command", hint: "vtsize audit --queue orders --demo shows a first audit"}
		}
		name := c.Args().First()
		return &usageError{msg: fmt.Sprintf("no command %q", name), hint: didYouMean(name, commandNames(app), "vtsize --help lists the commands")}
	}
	onUsageError := func(_ *cli.Context, err error, _ bool) error { return flagError(app, err) }
	app.OnUsageError = onUsageError
	for _, cmd := range app.Commands {
		cmd.OnUsageError = onUsageError
		cmd.HideHelpCommand = true
	}
	cli.HelpPrinter = printHelp
	cli.VersionPrinter = func(*cli.Context) { fmt.Fprintln(env.Stdout, "vtsize "+Version) }
	return app
}

func commandNames(app *cli.App) []string {
	var names []string
	for _, c := range app.Commands {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	return names
}

// flagError puts what the flag package says into our words, with the nearest
// flag for one that does not exist.
func flagError(app *cli.App, err error) error {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		name = strings.TrimLeft(name, "-")
		var all []string
		for _, cmd := range app.Commands {
			for _, f := range cmd.Flags {
				for _, n := range f.Names() {
					all = append(all, "--"+n)
				}
			}
		}
		return &usageError{msg: "no flag --" + name, hint: didYouMean("--"+name, all, "vtsize COMMAND --help lists the flags")}
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: -"); ok {
		return usagef("--%s needs a value", strings.TrimLeft(name, "-"))
	}
	return usagef("%s", text)
}

// didYouMean is a hint with the nearest of some names, or the fallback.
func didYouMean(name string, names []string, fallback string) string {
	best, least := "", max(2, len(name)/3)+1
	for _, n := range names {
		if d := editDistance(strings.ToLower(name), n); d < least {
			best, least = n, d
		}
	}
	if best == "" {
		return fallback
	}
	return fmt.Sprintf("did you mean %q?", best)
}

// editDistance is the number of letters to insert, delete or change (Levenshtein).
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		prev := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := prev
			if a[i-1] != b[j-1] {
				cost++
			}
			prev, row[j] = row[j], min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

// flagsFirst moves flags in front of arguments: urfave/cli takes a flag after
// an argument for an argument. What follows "--" stays an argument.
func flagsFirst(app *cli.App, args []string) []string {
	if len(args) < 3 {
		return args
	}
	cmd := app.Command(args[1])
	if cmd == nil {
		return args
	}
	takesValue := map[string]bool{}
	for _, f := range cmd.Flags {
		_, isBool := f.(*cli.BoolFlag)
		for _, name := range f.Names() {
			takesValue[name] = !isBool
		}
	}
	flags, rest := []string{args[0], args[1]}, []string{}
	for i := 2; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			rest = append(rest, args[i+1:]...)
			break
		}
		if len(a) < 2 || a[0] != '-' {
			rest = append(rest, a)
			continue
		}
		flags = append(flags, a)
		if takesValue[strings.TrimLeft(a, "-")] {
			if i++; i == len(args) {
				return flags // the value is missing, and no argument may stand in for it
			}
			flags = append(flags, args[i])
		}
	}
	if len(rest) == 0 {
		return flags
	}
	if slices.Contains(args, "--generate-bash-completion") {
		return args
	}
	return append(append(flags, "--"), rest...)
}
