package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"vtsize/csvread"
	"vtsize/facts"
	"vtsize/report"
	"vtsize/rules"
	"vtsize/workload"
)

const catOwner = "Workload file"

// ownerFlags choose the workload file.
func ownerFlags() []cli.Flag {
	return []cli.Flag{
		text(catOwner, "workload", "what only you know, in `FILE` (default: "+workload.FileName+", where there is one)"),
		&cli.BoolFlag{Name: "no-workload", Category: catOwner, Usage: "read no workload file"},
	}
}

// owner finds and reads workload files.
type owner struct {
	named string // by --workload
	off   bool
	files map[string]*workload.File // by path; nil: there is none
	notes []string
}

func readOwner(c *cli.Context) (*owner, error) {
	o := &owner{named: c.String("workload"), off: c.Bool("no-workload"), files: map[string]*workload.File{}}
	if o.off && o.named != "" {
		return nil, usagef("--workload and --no-workload contradict each other")
	}
	if c.IsSet("workload") && o.named == "" {
		return nil, usagef("--workload needs a file")
	}
	return o, nil
}

// file is the workload file: the one named, else the first that is found in
// some directories, else in the working directory; nil where there is none.
// Its positions are relative to base ("" for the working directory).
func (o *owner) file(ctx context.Context, base string, dirs ...string) (*workload.File, error) {
	if o.off {
		return nil, nil
	}
	if o.named != "" {
		return o.load(ctx, o.named, base, true)
	}
	for _, dir := range append(dirs, ".") {
		f, err := o.load(ctx, filepath.Join(dir, workload.FileName), base, false)
		if f != nil || err != nil {
			return f, err
		}
	}
	return nil, nil
}

func (o *owner) load(ctx context.Context, path, base string, must bool) (*workload.File, error) {
	if f, known := o.files[path]; known {
		return f, nil
	}
	text, err := readRegular(path)
	if errors.Is(err, os.ErrNotExist) && !must {
		o.files[path] = nil
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read workload file %q: %w", path, plain(err))
	}
	name := filepath.ToSlash(path)
	if rel, err := filepath.Rel(base, path); base != "" && err == nil {
		name = filepath.ToSlash(rel)
	}
	f, problems := loadWith(ctx, name, path, text)
	if len(problems) > 0 {
		_, problems = loadWith(ctx, path, path, text) // with places from the working directory
		return nil, &brokenWorkload{path, problems}
	}
	o.files[path] = f
	o.notes = append(o.notes, "workload file: "+filepath.ToSlash(path))
	return f, nil
}

// loadWith loads a file, under a name for its places, with the latency files
// that it names.
func loadWith(ctx context.Context, name, path string, text []byte) (*workload.File, []error) {
	f, problems := workload.Load(name, text)
	if f != nil {
		problems = f.ReadCSV(csvReader(ctx, filepath.Dir(path)))
	}
	return f, problems
}

// readRegular reads a file that is no device or pipe, which might never end.
func readRegular(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	return io.ReadAll(io.LimitReader(f, workload.MaxSize+1))
}

// csvReader reads latency files that are named from a directory.
func csvReader(ctx context.Context, dir string) func(workload.CSV) (facts.Latency, []facts.Class, error) {
	return func(c workload.CSV) (facts.Latency, []facts.Class, error) {
		path := c.File
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		res, err := csvread.Read(ctx, csvread.Options{Files: []string{path}, Column: c.Column, Unit: c.Unit, ClassColumn: c.Class})
		if err != nil {
			return facts.Latency{}, nil, err
		}
		return res.Latency(), res.FactClasses(), nil
	}
}

// brokenWorkload is a workload file with mistakes.
type brokenWorkload struct {
	path     string
	problems []error
}

func (b *brokenWorkload) Error() string {
	if len(b.problems) == 1 {
		return fmt.Sprintf("read workload file %q: 1 problem", b.path)
	}
	return fmt.Sprintf("read workload file %q: %d problems", b.path, len(b.problems))
}

// show writes the problems with their lines.
func (b *brokenWorkload) show(w io.Writer) {
	for _, err := range b.problems {
		fmt.Fprintln(w, report.Escape(err.Error()))
		var p *workload.Problem
		if !errors.As(err, &p) {
			continue
		}
		for _, line := range p.Excerpt() {
			fmt.Fprintln(w, report.Escape(line))
		}
		if p.Hint != "" {
			fmt.Fprintln(w, "  hint: "+report.Escape(p.Hint))
		}
	}
}

// apply gives a workload file and then the flags to a deployment: flags win.
// The options of the judgement come back with the file's severities.
func (o *owner) apply(d *facts.Deployment, f *workload.File, w work, survive flagOutage, functions bool, opt rules.Options) rules.Options {
	var entries map[string]*workload.Entry
	if f != nil {
		entries = f.Apply(d)
		if len(f.Severity) > 0 {
			opt.Severity = f.Severity
		}
		if len(entries) == 0 && len(f.Entries) > 0 {
			if note := f.Name + ": no entry matches a queue here"; !slices.Contains(o.notes, note) {
				o.notes = append(o.notes, note)
			}
		}
	}
	survive.apply(d)
	declareWork(d, w, functions, entries)
	return opt
}

// entryFor finds what a workload file says of the queue of --queue, for the
// commands that calculate from it. Without --queue and --workload no file is
// read, and the name is "queue".
func (o *owner) entryFor(c *cli.Context) (*workload.File, string, error) {
	name := c.String("queue")
	if name == "" && o.named == "" {
		return nil, "queue", nil
	}
	file, err := o.file(c.Context, "")
	switch {
	case err != nil:
		return nil, "", err
	case file == nil:
		return nil, "", &usageError{msg: "--queue " + name + " wants a workload file, and there is no " + workload.FileName + " here",
			hint: "name it with --workload FILE, or write one: vtsize config init --output " + workload.FileName}
	case name == "" && len(file.Entries) != 1:
		return nil, "", &usageError{msg: fmt.Sprintf("%s tells of %d queues", file.Name, len(file.Entries)), hint: "choose one with --queue NAME"}
	case name == "":
		name = file.Entries[0].Match
	}
	if file.Entry(&facts.Queue{Name: name}) == nil {
		return nil, "", &usageError{msg: fmt.Sprintf("no entry of %s matches queue %q", file.Name, name), hint: didYouMean(name, file.Matches(), "vtsize config verify "+file.Name+" lists them")}
	}
	return file, name, nil
}

// lineOf gives a line of any workload file that was read, for a position with
// that name.
func (o *owner) lineOf(p facts.Pos) (string, bool) {
	for _, f := range o.files {
		if f != nil && f.Name == p.File {
			return f.Line(p.Line)
		}
	}
	return "", false
}
