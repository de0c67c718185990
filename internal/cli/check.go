package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"

	"github.com/urfave/cli/v2"

	"vtsize/facts"
	"vtsize/report"
	"vtsize/rules"
	"vtsize/tfread"
	"vtsize/workload"
)

const catTerraform = "Terraform"

// inputList collects --var and --var-file in the order of the command line:
// later ones win.
type inputList struct {
	all  *[]tfread.Input
	file bool
}

// Set adds one.
func (l *inputList) Set(s string) error {
	if l.file {
		*l.all = append(*l.all, tfread.Input{File: s})
		return nil
	}
	in, err := tfread.ParseInput(s)
	if err == nil {
		*l.all = append(*l.all, in)
	}
	return err
}

// String is empty: there is no default to show.
func (l *inputList) String() string { return "" }

func checkCommand(env Env) *cli.Command {
	var inputs []tfread.Input
	flags := []cli.Flag{
		&cli.BoolFlag{Name: "recursive", Aliases: []string{"r"}, Category: catTerraform, Usage: "find the root modules at and below each directory"},
		&cli.GenericFlag{Name: "var", Category: catTerraform, Value: &inputList{all: &inputs}, Usage: "value of a root variable, `NAME=VALUE`; repeatable"},
		&cli.GenericFlag{Name: "var-file", Category: catTerraform, Value: &inputList{all: &inputs, file: true}, Usage: "values of root variables from `FILE`; repeatable"},
		text(catTerraform, "each-var-file", "check once for each file that matches `GLOB`, and label the findings"),
		text(catTerraform, "workspace", "terraform.workspace is `NAME` (default: TF_WORKSPACE, or default)"),
		text(catTerraform, "source", "the configuration that a plan or state was made from, `DIR`"),
	}
	return &cli.Command{
		Name:      "check",
		Usage:     "check queues defined in Terraform, before anything is deployed",
		ArgsUsage: "[PATH...]",
		Description: "PATH is a directory, a .tf, .tofu or .tf.json file, the JSON of a plan or a state\n" +
			"(terraform show -json PLAN), or - for standard input; the working directory where\n" +
			"none is given. Nothing is installed, downloaded or run.\n\n" +
			"Examples:\n" +
			"   vtsize check\n" +
			"   vtsize check infra --var-file prod.tfvars --fail-on warning\n" +
			"   vtsize check --recursive . --format sarif --output vtsize.sarif\n" +
			"   vtsize check infra --each-var-file 'infra/env/*.tfvars'\n" +
			"   terraform show -json plan | vtsize check - --source infra\n\n" +
			"Flags of the work (--p99, --sdk, ...) apply to every queue of the run. A finding\n" +
			"is suppressed by a comment on its line, or above the line or block:\n" +
			"   # vtsize:ignore VT302 until=2027-03-01 the function is being rewritten",
		Flags: slices.Concat(flags, ownerFlags(), workFlags(), outputFlags()),
		Action: func(c *cli.Context) error {
			out, err := readOutput(c, env)
			if err != nil {
				return err
			}
			r := &flagReader{c: c}
			ch := &checker{env: env, out: out, work: readWork(r), outage: readOutage(r), recursive: c.Bool("recursive"), inputs: inputs,
				workspace: c.String("workspace"), source: c.String("source"), doc: report.Document{Command: "check"}}
			if r.err != nil {
				return r.err
			}
			if ch.owner, err = readOwner(c); err != nil {
				return err
			}
			if ch.workspace == "" {
				ch.workspace = env.getenv("TF_WORKSPACE")
			}
			paths := c.Args().Slice()
			if len(paths) == 0 {
				paths = []string{"."}
			}
			varFiles, err := eachVarFile(c.String("each-var-file"))
			if err != nil {
				return err
			}
			return ch.check(c.Context, paths, varFiles)
		},
	}
}

// eachVarFile lists the files that match; one empty name where no pattern was
// given.
func eachVarFile(pattern string) ([]string, error) {
	if pattern == "" {
		return []string{""}, nil
	}
	files, err := filepath.Glob(pattern)
	if err != nil {
		return nil, usagef("--each-var-file %q: %v", pattern, err)
	}
	if len(files) == 0 {
		return nil, &usageError{msg: fmt.Sprintf("--each-var-file %q matches no file", pattern), hint: "quote the pattern, so that the shell leaves it alone"}
	}
	return files, nil
}

// softMemory is from where on the collector works harder: a check of ten
// thousand directories holds about half of this, and would otherwise grow to
// twice what it holds. It is not a limit: what is needed is taken.
const softMemory = 256 << 20

// checker judges one result after the other and keeps what came of each.
type checker struct {
	env       Env
	out       output
	work      work
	outage    flagOutage
	owner     *owner
	recursive bool
	inputs    []tfread.Input
	workspace string
	source    string

	several bool // several results: they are told apart by labels
	report  rules.Report
	doc     report.Document
	sources []*tfread.Sources
	fatal   int // problems for which not everything was read
	read    int // results
}

func (ch *checker) check(ctx context.Context, paths, varFiles []string) error {
	if ch.recursive {
		debug.SetMemoryLimit(softMemory)
	}
	ch.several = len(paths) > 1 || len(varFiles) > 1 || ch.recursive
	base := ""
	if len(paths) > 1 {
		base = "." // paths of several places are told from the working directory
	} else {
		ch.doc.Dir = ch.dirOf(paths[0])
	}
	var unread []error
	for _, path := range paths {
		if ch.source != "" && isDir(path) {
			return usagef("--source goes with the JSON of a plan or state, and %q is a directory", path)
		}
		for _, file := range varFiles {
			if err := ch.one(ctx, path, file, base); err != nil {
				if ctx.Err() != nil {
					return errors.New("check: stopped")
				}
				if _, broken := errors.AsType[*brokenWorkload](err); broken {
					return err // it would be the same for the other paths
				}
				unread = append(unread, err)
			}
		}
	}
	if ch.read == 0 {
		return unread[0]
	}
	ch.doc.Line = ch.line
	ch.doc.Notes = append(ch.owner.notes, ch.doc.Notes...)
	err := ch.out.writeReport(&ch.report, ch.doc)
	switch {
	case len(unread) > 0:
		return errors.Join(unread...)
	case ch.fatal > 0 && (err == nil || errors.Is(err, errFindings)):
		return &hinted{err: fmt.Errorf("check: not everything could be read: %d %s", ch.fatal, problems(ch.fatal)), hint: "they are named in the report; the rest was judged"}
	}
	return err
}

func problems(n int) string {
	if n == 1 {
		return "problem"
	}
	return "problems"
}

// dirOf is the directory that positions of a path are relative to.
func (ch *checker) dirOf(path string) string {
	if ch.source != "" {
		return fromHere(ch.source)
	}
	info, err := os.Stat(path)
	switch {
	case path == "-" || err != nil:
		return ""
	case info.IsDir():
		return fromHere(filepath.Clean(path))
	}
	return fromHere(filepath.Dir(path))
}

// fromHere tells a directory below the working directory from there, however it
// was named: code hosts know no other paths.
func fromHere(dir string) string {
	if wd, err := os.Getwd(); err == nil && filepath.IsAbs(dir) {
		if rel, err := filepath.Rel(wd, dir); err == nil && filepath.IsLocal(rel) {
			dir = rel
		}
	}
	return filepath.ToSlash(dir)
}

// one reads a path with one file of variables and judges what is there.
func (ch *checker) one(ctx context.Context, path, varFile, base string) error {
	opt := tfread.Options{Inputs: ch.inputs, Env: ch.env.Environ, Workspace: ch.workspace, Base: base, SourceDir: ch.source}
	label := ""
	if varFile != "" {
		opt.Inputs = append(slices.Clone(ch.inputs), tfread.Input{File: varFile})
		label = filepath.ToSlash(varFile)
	}
	if ch.recursive && isDir(path) {
		return ch.each(ctx, path, label, opt)
	}
	var res *tfread.Result
	var err error
	if path == "-" {
		res, err = tfread.ReadAll(ctx, "standard input", ch.env.Stdin, opt)
	} else {
		res, err = tfread.Read(ctx, path, opt)
	}
	if err != nil {
		return ch.explain(path, err)
	}
	if ch.several && base != "" {
		label = joinLabel(filepath.ToSlash(path), label)
	}
	ofPlan := (res.Kind == tfread.PlanKind || res.Kind == tfread.StateKind) && ch.source == ""
	dir := ch.dirOf(path)
	if ofPlan {
		ch.doc.Dir = "" // its positions name the file itself
	}
	file, err := ch.owner.file(ctx, ch.doc.Dir, dir)
	if err != nil {
		return err
	}
	if r := ch.judge(label, res, file); ofPlan && hasGaps(r) {
		ch.doc.Notes = append(ch.doc.Notes, "--source DIR, the configuration, can fill in what a plan or state leaves unknown")
	}
	return nil
}

func hasGaps(r *rules.Report) bool {
	gaps, _ := r.CountNotChecked()
	return gaps > 0
}

func (ch *checker) each(ctx context.Context, dir, label string, opt tfread.Options) error {
	var unread []error
	err := tfread.Each(ctx, dir, opt, func(root string, res *tfread.Result, err error) error {
		if err != nil {
			unread = append(unread, ch.explain(filepath.Join(dir, root), err))
			return nil
		}
		file, err := ch.owner.file(ctx, ch.doc.Dir, filepath.Join(dir, root), dir)
		if err != nil {
			return err
		}
		if ch.doc.Dir == "" {
			root = filepath.ToSlash(filepath.Join(dir, root))
		}
		ch.judge(joinLabel(root, label), res, file)
		return nil
	})
	if err != nil {
		return ch.explain(dir, err)
	}
	return errors.Join(unread...)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// joinLabel tells apart the results of several directories and of several
// files of variables.
func joinLabel(path, file string) string {
	switch {
	case file == "":
		return path
	case path == "" || path == ".":
		return file
	}
	return path + " [" + file + "]"
}

// explain puts an error of a reader into a line with the next step.
func (ch *checker) explain(path string, err error) error {
	if _, broken := errors.AsType[*brokenWorkload](err); broken {
		return err
	}
	wrapped := fmt.Errorf("check %q: %w", path, err)
	if errors.Is(err, tfread.ErrNoTerraform) && isDir(path) && !ch.recursive {
		return &hinted{err: wrapped, hint: "name a directory with .tf files, or take --recursive to look below"}
	}
	return wrapped
}

// judge judges one result. Results of one run are told apart by a label in
// front of the ids and of all else that is listed by its address.
func (ch *checker) judge(label string, res *tfread.Result, file *workload.File) *rules.Report {
	d := res.Deployment
	opt := ch.owner.apply(d, file, ch.work, ch.outage, true, ch.out.judge)
	r := rules.Judge(d, opt)
	if !ch.several || label == "." {
		label = ""
	}
	if label != "" {
		label += ": "
		for _, q := range d.Queues {
			q.ID = label + q.ID
			list, _ := q.Consumers.Get()
			for _, c := range list {
				c.ID = label + c.ID
			}
		}
		for i := range r.Unjoined {
			r.Unjoined[i].Address = label + r.Unjoined[i].Address
		}
	}
	ch.report.Add(r)
	ch.read++
	for _, p := range res.Problems {
		if p.Fatal() {
			ch.fatal++
		}
		ch.doc.Problems = append(ch.doc.Problems, report.Problem{Message: p.Message, Pos: p.Pos, Fatal: p.Fatal()})
	}
	for _, a := range res.Absent {
		a.Address = label + a.Address
		ch.doc.Absent = append(ch.doc.Absent, report.Absent(a))
	}
	for _, a := range res.Assumed {
		ch.doc.Notes = append(ch.doc.Notes, label+a.Address+": "+a.Text)
	}
	for _, h := range res.Hints {
		text := h.Address + ": module " + h.Source + " is not on disk, so what it makes is not known"
		if h.Used {
			text = h.Address + ": module " + h.Source + " is not on disk; facts were taken from its arguments"
		}
		ch.doc.Notes = append(ch.doc.Notes, label+text)
	}
	if len(r.Findings) > 0 || len(res.Problems) > 0 {
		ch.sources = append(ch.sources, res.Sources)
	}
	return r
}

// line gives a line of a source for the text format.
func (ch *checker) line(p facts.Pos) (string, bool) {
	for _, s := range ch.sources {
		if text, ok := s.Line(p.File, p.Line); ok {
			return text, true
		}
	}
	return ch.owner.lineOf(p)
}
