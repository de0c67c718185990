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

	"vtsize/csvread"
	"vtsize/internal/spell"
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

// Stopped is the exit status of a run that was told to stop.
const Stopped = exitJob

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
	showProblem(env, err)
	if _, ok := errors.AsType[*usageError](err); ok {
		return exitUsage
	}
	return exitJob
}

// showProblem says on standard error what went wrong, and what to do next.
func showProblem(env Env, err error) {
	say := func(text string) { fmt.Fprintln(env.Stderr, "vtsize: "+report.Escape(text)) }
	if broken, ok := errors.AsType[*brokenWorkload](err); ok {
		broken.show(env.Stderr)
	}
	say(err.Error())
	if bad, ok := errors.AsType[*csvread.BadRowsError](err); ok && len(bad.First) > 1 {
		for _, row := range bad.First[1:] { // the error has the first
			say(row.String())
		}
	}
	if u, ok := errors.AsType[*usageError](err); ok {
		if u.hint != "" {
			say("hint: " + u.hint)
		}
		return
	}
	if h, ok := errors.AsType[*hinted](err); ok && h.hint != "" {
		say("hint: " + h.hint)
	}
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
			auditCommand(env), checkCommand(env), calcCommand(env), simulateCommand(env), diagnoseCommand(env),
			checklistCommand(env), leaseCommand(env), configCommand(env),
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
	onUsageError := func(c *cli.Context, err error, _ bool) error { return flagError(app, c.Command, err) }
	app.OnUsageError = onUsageError
	everyCommand(app.Commands, func(cmd *cli.Command) {
		cmd.OnUsageError = onUsageError
		cmd.HideHelpCommand = true
	})
	cli.HelpPrinter = printHelp
	cli.VersionPrinter = func(*cli.Context) { fmt.Fprintln(env.Stdout, "vtsize "+Version) }
	return app
}

// everyCommand visits commands and their subcommands: urfave/cli inherits
// neither handlers nor flags.
func everyCommand(cmds []*cli.Command, visit func(*cli.Command)) {
	for _, c := range cmds {
		visit(c)
		everyCommand(c.Subcommands, visit)
	}
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
// flag of the command for one that it does not have.
func flagError(app *cli.App, cmd *cli.Command, err error) error {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		name = strings.TrimLeft(name, "-")
		where, fallback := "", "vtsize COMMAND --help lists the flags"
		var all []string
		known := func(cmd *cli.Command) {
			for _, f := range cmd.Flags {
				for _, n := range f.Names() {
					all = append(all, "--"+n)
				}
			}
		}
		if cmd != nil && cmd.Name != "" && cmd.Name != app.Name {
			where, fallback = strings.TrimPrefix(cmd.FullName(), app.Name+" ")+" has ", "vtsize "+strings.TrimPrefix(cmd.FullName(), app.Name+" ")+" --help lists its flags"
			known(cmd)
		} else {
			everyCommand(app.Commands, known)
		}
		return &usageError{msg: where + "no flag --" + name, hint: didYouMean("--"+name, all, fallback)}
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: -"); ok {
		return usagef("--%s needs a value", strings.TrimLeft(name, "-"))
	}
	return usagef("%s", text)
}

// didYouMean is a hint with the nearest of some names, or the fallback.
func didYouMean(name string, names []string, fallback string) string {
	best := spell.Nearest(name, names)
	if best == "" {
		return fallback
	}
	return fmt.Sprintf("did you mean %q?", best)
}

// flagsFirst moves flags in front of arguments: urfave/cli takes a flag after
// an argument for an argument. What follows "--" stays an argument. A
// subcommand stays in front of its flags.
func flagsFirst(app *cli.App, args []string) []string {
	if len(args) < 3 || slices.Contains(args, "--generate-bash-completion") {
		return args
	}
	cmd := app.Command(args[1])
	if cmd == nil {
		return args
	}
	names := 2
	for names < len(args) {
		sub := cmd.Command(args[names])
		if sub == nil {
			break
		}
		cmd, names = sub, names+1
	}
	takesValue := map[string]bool{}
	for _, f := range cmd.Flags {
		_, isBool := f.(*cli.BoolFlag)
		for _, name := range f.Names() {
			takesValue[name] = !isBool
		}
	}
	flags, rest := slices.Clone(args[:names]), []string{}
	for i := names; i < len(args); i++ {
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
	return append(append(flags, "--"), rest...)
}
