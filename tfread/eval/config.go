package eval

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// Module is the configuration in one directory.
type Module struct {
	Dir       string // absolute
	Variables map[string]*Variable
	Locals    map[string]*Local
	Outputs   map[string]*Output
	Calls     map[string]*ModuleCall
	Resources map[string]*Resource // by "type.name" and "data.type.name"
	Order     []string             // keys of Resources in the order of the files
	CallOrder []string
	Files     []string // display names of what was read
	Problems  []Problem

	// Terragrunt says that a terragrunt.hcl lies beside the files: it may make
	// more of them when it runs.
	Terragrunt bool

	// Partial says that a file could not be read: what is missing here may
	// well stand there.
	Partial bool
}

// Variable is a variable block.
type Variable struct {
	Name       string
	Type       cty.Type // cty.DynamicPseudoType where none is declared
	Defaults   *typeexpr.Defaults
	Default    hclsyntax.Expression // nil: none
	Nullable   bool
	Sensitive  bool
	DeclRange  hcl.Range
	typed      bool // a type is declared
	typeFailed bool
}

// Local is one local value.
type Local struct {
	Name string
	Expr hclsyntax.Expression
	Pos  hcl.Range
}

// Output is an output block.
type Output struct {
	Name      string
	Expr      hclsyntax.Expression
	Sensitive bool
	DeclRange hcl.Range
}

// ModuleCall is a module block.
type ModuleCall struct {
	Name           string
	Source         string
	Version        string
	Count, ForEach hclsyntax.Expression
	Args           map[string]*hclsyntax.Attribute
	DeclRange      hcl.Range
}

// Resource is a resource or data block.
type Resource struct {
	Data           bool
	Type, Name     string
	Count, ForEach hclsyntax.Expression
	Body           *hclsyntax.Body
	DeclRange      hcl.Range // the header
	BodyRange      hcl.Range // the whole block
}

// Key is the resource's name within its module.
func (r *Resource) Key() string {
	if r.Data {
		return "data." + r.Type + "." + r.Name
	}
	return r.Type + "." + r.Name
}

// ProblemKind sorts problems.
type ProblemKind string

// The kinds of problem.
const (
	ParseProblem     ProblemKind = "parse"     // a file does not parse or cannot be read
	ReferenceProblem ProblemKind = "reference" // something named is not there
	CycleProblem     ProblemKind = "cycle"
	DuplicateProblem ProblemKind = "duplicate"
	LimitProblem     ProblemKind = "limit"   // a limit of this program, named in the summary
	ValueProblem     ProblemKind = "value"   // an expression that Terraform refuses too
	ModuleProblem    ProblemKind = "module"  // a module that is not there
	CommentProblem   ProblemKind = "comment" // a vtsize comment that cannot be understood
)

// Problem is something wrong with the configuration, with its place.
type Problem struct {
	Kind    ProblemKind
	Pos     hcl.Range
	Summary string
	Detail  string
}

func fromDiag(kind ProblemKind, d *hcl.Diagnostic) Problem {
	p := Problem{Kind: kind, Summary: d.Summary, Detail: d.Detail}
	if d.Subject != nil {
		p.Pos = *d.Subject
	}
	return p
}
