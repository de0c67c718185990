package tfread

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"vtsize/facts"
	"vtsize/tfread/eval"
	"vtsize/tfread/shims"
)

func isConfigFile(path string) bool { return eval.IsConfigName(filepath.Base(path)) }

// Directory evaluates the root module in a directory.
func Directory(ctx context.Context, dir string, opt Options) (*Result, error) {
	return directory(ctx, dir, nil, opt)
}

// File evaluates one configuration file as if it were alone in its directory.
func File(ctx context.Context, path string, opt Options) (*Result, error) {
	res, err := directory(ctx, filepath.Dir(path), []string{filepath.Base(path)}, opt)
	if err != nil {
		return nil, err
	}
	res.Kind = FileKind
	return res, nil
}

func directory(ctx context.Context, dir string, files []string, opt Options) (*Result, error) {
	rd, err := readDirectory(ctx, dir, files, opt)
	if err != nil {
		return nil, err
	}
	return rd.result(DirectoryKind), nil
}

func readDirectory(ctx context.Context, dir string, files []string, opt Options) (*reader, error) {
	return readRoot(ctx, dir, files, opt, nil)
}

// readRoot reads one root module; s is what is shared with others, or nil.
func readRoot(ctx context.Context, dir string, files []string, opt Options, s *session) (*reader, error) {
	abs, err := resolve(dir)
	if err != nil {
		return nil, err
	}
	base := abs
	if opt.Base != "" {
		if base, err = resolve(opt.Base); err != nil {
			return nil, err
		}
	}
	if s == nil {
		s = newSession(base)
	}
	rd := newReader(ctx, abs, s, opt)
	var m *eval.Module
	if files == nil {
		m, err = rd.loader.Load(abs)
	} else {
		m = rd.loader.LoadFiles(abs, files...)
	}
	if errors.Is(err, eval.ErrNoConfiguration) {
		return nil, ErrNoTerraform
	}
	if err != nil {
		return nil, short(err)
	}
	values, err := rd.variables(m)
	if err != nil {
		return nil, err
	}
	rd.root = eval.NewRoot(ctx, m, eval.Config{Loader: rd.loader, Provider: awsProvider, Shims: shims.Find,
		Workspace: opt.workspace(), Values: values, Allowed: []string{base}})
	rd.collect()
	return rd, nil
}

// resolve gives the absolute path of a directory, links resolved.
func resolve(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return "", short(err)
	}
	return abs, nil
}

// fence is how far links may lead: the repository around a directory, or the
// directory itself.
func fence(dir string) string {
	for p := dir; ; p = filepath.Dir(p) {
		if _, err := os.Lstat(filepath.Join(p, ".git")); err == nil {
			return p
		}
		if p == filepath.Dir(p) {
			return dir
		}
	}
}

// reader gathers the facts of one root module.
type reader struct {
	ctx     context.Context
	kind    facts.Kind // of what is known: from files, or from a plan
	opt     Options
	dir     string
	session *session
	loader  *eval.Loader
	root    *eval.Root
	sources *Sources

	d        *facts.Deployment
	absent   []Absent
	assumed  []Assumed
	problems []Problem
	hints    []Hint

	queues    []*queueRef
	functions []*functionRef
	mappings  []*item
	pipes     []*item
	policies  []*item // aws_sqs_queue_redrive_policy
	allows    []*item // aws_sqs_queue_redrive_allow_policy
	alarms    []*item
	missing   map[string]*eval.ModuleInst // by path

	queueByAddress    map[string]*queueRef
	queueByName       map[string][]*queueRef
	functionByName    map[string][]*functionRef
	functionByAddress map[string]*functionRef
	aliasByAddress    map[string]*item
	external          map[string]*facts.Queue
	ids               map[string]int
	commented         map[*eval.Module]bool
}

// session is what the roots of one run share: the modules that they call, and
// the suppressions in them.
type session struct {
	base     string
	loader   *eval.Loader
	comments map[string]comments
	sources  *Sources
}

func newSession(base string) *session {
	s := &session{base: base, loader: eval.NewLoader(base, fence(base)), comments: map[string]comments{}, sources: newSources(base)}
	s.loader.Seen = s.scanComments
	return s
}

func newReader(ctx context.Context, dir string, s *session, opt Options) *reader {
	return &reader{ctx: ctx, kind: facts.File, opt: opt, dir: dir, session: s, loader: s.loader, sources: s.sources,
		commented: map[*eval.Module]bool{},
		d:         &facts.Deployment{}, missing: map[string]*eval.ModuleInst{}, queueByAddress: map[string]*queueRef{},
		queueByName: map[string][]*queueRef{}, functionByName: map[string][]*functionRef{},
		functionByAddress: map[string]*functionRef{}, aliasByAddress: map[string]*item{},
		external: map[string]*facts.Queue{}, ids: map[string]int{}}
}

func (rd *reader) result(kind Kind) *Result {
	for _, p := range rd.root.Problems() {
		msg := p.Summary
		if p.Detail != "" {
			msg += ": " + p.Detail
		}
		rd.problems = append(rd.problems, Problem{Kind: ProblemKind(p.Kind), Pos: pos(p.Pos), Message: clean(msg)})
	}
	slices.SortStableFunc(rd.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column))
	})
	return &Result{Deployment: rd.d, Kind: kind, Absent: rd.absent, Assumed: rd.assumed, Problems: rd.problems,
		Hints: rd.hints, Sources: rd.sources}
}

// pos is a range as facts have it.
func pos(r hcl.Range) facts.Pos {
	return facts.Pos{File: r.Filename, Line: r.Start.Line, Column: r.Start.Column}
}

// clean makes one plain line of a message.
func clean(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.TrimSuffix(s, ".")
}

// collect walks the modules and then makes the facts.
func (rd *reader) collect() {
	rd.root.FindCycles(wanted)
	rd.walk(rd.root.Main())
	rd.makeFacts()
}

// makeFacts joins what was gathered.
func (rd *reader) makeFacts() {
	rd.makeQueues()
	rd.makeRedrives()
	rd.makeConsumers()
	rd.makeAlarms()
}

// walk gathers the instances that matter, module by module.
func (rd *reader) walk(m *eval.ModuleInst) {
	if m.Missing != "" {
		rd.missing[m.Path] = m
		rd.hint(m)
		return
	}
	cfg := m.Config()
	rd.addComments(cfg)
	for _, key := range cfg.Order {
		res := cfg.Resources[key]
		if !wanted[res.Type] || res.Data {
			continue // data sources are found through what refers to them
		}
		insts, absent := m.Instances(res)
		if absent != "" && named[res.Type] && cfg.Dir != "" {
			rd.absent = append(rd.absent, Absent{Address: rd.show(m.Address(key)), Reason: absent, Pos: pos(res.DeclRange)})
		}
		if len(insts) > 0 && !m.CountKnown(res) {
			which := "one is judged for all"
			if res.Count != nil {
				which = "the first is judged"
			}
			rd.assumed = append(rd.assumed, Assumed{Address: rd.show(m.Address(key)), Pos: pos(res.DeclRange),
				Text: "how many instances there are is not known; " + which})
		}
		for _, i := range insts {
			rd.sort(rd.itemOf(i))
		}
	}
	for c, reason := range m.AbsentCalls {
		rd.absent = append(rd.absent, Absent{Address: rd.show(m.Address("module." + c.Name)), Reason: reason, Pos: pos(c.DeclRange)})
	}
	for _, child := range m.Calls() {
		rd.walk(child)
	}
}

// named are the resources whose absence is worth a line.
var named = map[string]bool{"aws_sqs_queue": true, "aws_lambda_function": true, "aws_lambda_event_source_mapping": true, "aws_pipes_pipe": true}

// wanted are the resource types that facts are made of.
var wanted = map[string]bool{
	"aws_sqs_queue": true, "aws_sqs_queue_redrive_policy": true, "aws_sqs_queue_redrive_allow_policy": true,
	"aws_lambda_function": true, "aws_lambda_alias": true, "aws_lambda_event_source_mapping": true,
	"aws_pipes_pipe": true, "aws_cloudwatch_metric_alarm": true,
}

// sort puts an item where the joins look for it.
func (rd *reader) sort(i *item) {
	switch i.typ {
	case "aws_sqs_queue":
		rd.addQueue(i)
	case "aws_lambda_function":
		rd.addFunction(i)
	case "aws_lambda_alias":
		rd.aliasByAddress[i.address] = i
	case "aws_lambda_event_source_mapping":
		rd.mappings = append(rd.mappings, i)
	case "aws_pipes_pipe":
		rd.pipes = append(rd.pipes, i)
	case "aws_sqs_queue_redrive_policy":
		rd.policies = append(rd.policies, i)
	case "aws_sqs_queue_redrive_allow_policy":
		rd.allows = append(rd.allows, i)
	case "aws_cloudwatch_metric_alarm":
		rd.alarms = append(rd.alarms, i)
	}
}

// show is an address as people write it; unique makes it an id.
func (rd *reader) show(addr string) string { return rd.root.ShowAddress(addr) }

func (rd *reader) unique(addr string) string {
	id := rd.show(addr)
	rd.ids[id]++
	if n := rd.ids[id]; n > 1 {
		return fmt.Sprintf("%s#%d", id, n)
	}
	return id
}

// calls is the chain of module calls that leads to an instance.
func (rd *reader) calls(m *eval.ModuleInst) []facts.Call {
	var out []facts.Call
	for ; m != nil && m.Call != nil; m = m.Parent {
		out = append([]facts.Call{{Module: rd.show(m.Path), Pos: pos(m.Call.DeclRange)}}, out...)
	}
	return out
}
