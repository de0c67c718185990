// Package tfread turns Terraform into facts: directories, single files, plan
// and state JSON.
//
// Directories are evaluated statically, by package eval: nothing is installed,
// downloaded or executed. What cannot be known without doing so is a fact that
// is unknown, with its cause and its place; nothing is guessed, and nothing that
// was left out goes unsaid (see [Result]).
package tfread

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/zclconf/go-cty/cty"

	"vtsize/facts"
)

// Options are what a reader takes besides a path.
type Options struct {
	// Inputs are values of root variables from the command line, in its order;
	// later ones win, as with Terraform's -var and -var-file.
	Inputs []Input

	// Env is the environment, as os.Environ gives it; TF_VAR_name sets a
	// variable. The package reads no environment of its own.
	Env []string

	// Workspace is terraform.workspace; if empty, what TF_WORKSPACE in Env says,
	// else "default".
	Workspace string

	// Base is the directory that positions are given relative to; the directory
	// that is read, if empty.
	Base string

	// SourceDir is, for a plan or state, the directory of the configuration it
	// was made from: it fills what the plan leaves unknown, and gives findings
	// their file and line.
	SourceDir string
}

// Input sets one variable, or those in a file.
type Input struct {
	Name, Value string // --var name=value
	File        string // --var-file

	value cty.Value // of a variable in a plan; NilVal for the others
}

// ParseInput splits name=value.
func ParseInput(s string) (Input, error) {
	for i := range len(s) {
		if s[i] == '=' && i > 0 {
			return Input{Name: s[:i], Value: s[i+1:]}, nil
		}
	}
	return Input{}, fmt.Errorf("variable %q: want name=value", s)
}

// Result is what was read.
type Result struct {
	Deployment *facts.Deployment

	// Kind says what the path turned out to be.
	Kind Kind

	// Absent are resources that are defined but have no instance.
	Absent []Absent

	// Assumed are things taken for true that Terraform would have decided at
	// apply, as that an instance exists whose count is not known.
	Assumed []Assumed

	// Problems are what is wrong with the input. The rest is judged all the
	// same.
	Problems []Problem

	// Hints are modules that are not on disk, with what their arguments told.
	Hints []Hint

	// Sources gives the lines of the files that positions name.
	Sources *Sources
}

// Absent is a resource or module call without instances.
type Absent struct {
	Address string
	Reason  string // "count is 0"
	Pos     facts.Pos
}

// Assumed is something taken for true.
type Assumed struct {
	Address string
	Text    string
	Pos     facts.Pos
}

// Hint is a module that is not on disk.
type Hint struct {
	Address string
	Source  string
	Used    bool // facts were taken from its arguments
	Pos     facts.Pos
}

// Problem is something wrong with the input.
type Problem struct {
	Kind    ProblemKind
	Pos     facts.Pos
	Message string // "Missing newline after argument: An argument definition must …"
}

// String gives file:line:column: message.
func (p Problem) String() string {
	if !p.Pos.IsValid() {
		return p.Message
	}
	return p.Pos.String() + ": " + p.Message
}

// ProblemKind sorts problems.
type ProblemKind string

// The kinds of problem.
const (
	ParseProblem     ProblemKind = "parse"     // a file that does not parse or cannot be read
	ReferenceProblem ProblemKind = "reference" // something named is not there
	CycleProblem     ProblemKind = "cycle"     // Terraform would refuse it for a cycle
	DuplicateProblem ProblemKind = "duplicate" // defined twice
	LimitProblem     ProblemKind = "limit"     // a limit of this program was exceeded; the message names it
	ValueProblem     ProblemKind = "value"     // an expression that Terraform would refuse
	ModuleProblem    ProblemKind = "module"    // a local module that is not there
	CommentProblem   ProblemKind = "comment"   // a vtsize comment that cannot be understood
)

// Fatal reports whether the problem means that not everything could be read:
// the exit status is then 3. A value that Terraform would refuse is one fact
// that is not known; a comment is only ineffective.
func (p Problem) Fatal() bool { return p.Kind != ValueProblem && p.Kind != CommentProblem }

// Kind says what a path is.
type Kind string

// The kinds of input.
const (
	DirectoryKind Kind = "directory"
	FileKind      Kind = "file"
	PlanKind      Kind = "plan"
	StateKind     Kind = "state"
)

// The errors that mean that there is nothing to judge.
var (
	// ErrNoTerraform says that a path has nothing to do with Terraform.
	ErrNoTerraform = errors.New("no Terraform here")
	// ErrBinaryPlan says that a plan is in Terraform's own binary form.
	ErrBinaryPlan = errors.New(`a binary plan; make JSON of it with "terraform show -json PLAN > plan.json"`)
)

// maxJSON bounds plan and state files.
const maxJSON = 512 << 20

// Read reads a path, whatever it is: a directory, a configuration file, the
// JSON of a plan or of a state. The kind is told by the content.
func Read(ctx context.Context, path string, opt Options) (*Result, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, short(err)
	}
	switch {
	case info.IsDir():
		return Directory(ctx, path, opt)
	case !info.Mode().IsRegular():
		return nil, errors.New("not a directory and not a regular file")
	case isConfigFile(path):
		return File(ctx, path, opt)
	case info.Size() > maxJSON:
		return nil, fmt.Errorf("limit exceeded: file size above %d bytes", maxJSON)
	}
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, short(err)
	}
	return Bytes(ctx, filepath.ToSlash(path), src, opt)
}

// ReadAll reads a plan or state from a stream, as standard input.
func ReadAll(ctx context.Context, name string, in io.Reader, opt Options) (*Result, error) {
	src, err := io.ReadAll(io.LimitReader(in, maxJSON+1))
	if err != nil {
		return nil, err
	}
	if len(src) > maxJSON {
		return nil, fmt.Errorf("limit exceeded: input above %d bytes", maxJSON)
	}
	return Bytes(ctx, name, src, opt)
}

// short leaves the path out of an error: whoever reports it names it.
func short(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
