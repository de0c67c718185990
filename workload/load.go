package workload

import (
	"fmt"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"vtsize/facts"
	"vtsize/internal/spell"
	"vtsize/rules"
	"vtsize/sizing"
)

// Load reads a file; name is the one in its positions. Every mistake is a
// [*Problem]; where there is any the file is nil.
func Load(name string, text []byte) (*File, []error) {
	f := &File{Name: name, Severity: map[string]rules.Severity{}, lines: strings.Split(lineBreaks.Replace(string(text)), "\n")}
	d := &decoder{f: f}
	here := declared(facts.Pos{File: name})
	f.Outage = facts.Unknown[time.Duration](facts.NotDeclared, here)
	if len(text) > MaxSize {
		d.add(facts.Pos{File: name}, 0, "", "the file is larger than %d MiB", MaxSize>>20)
		return nil, d.problems
	}
	if line := tooDeep(f.lines); line > 0 {
		d.add(facts.Pos{File: name, Line: line, Column: 1}, 0, "", "lists and mappings nest more than %d deep", maxDepth)
		return nil, d.problems
	}
	body := d.parse(text)
	if len(d.problems) > 0 {
		return nil, d.problems
	}
	if body == nil {
		d.add(facts.Pos{File: name, Line: 1, Column: 1}, 0, "vtsize config init writes an example", "the file is empty")
		return nil, d.problems
	}
	var said facts.Value[int]
	d.object(body, "the file", fields{
		"version":  into(d, "version", &said, version),
		"outage":   into(d, "outage", &f.Outage, positive),
		"severity": d.severities,
		"queues":   d.entries,
	})
	if !said.IsKnown() && len(d.problems) == 0 {
		d.fail(body, "", "version is missing; begin the file with version: %d", Version)
	}
	if len(d.problems) > 0 {
		return nil, d.problems
	}
	return f, nil
}

// lineBreaks makes all line breaks of YAML the one of Unix.
var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// tooDeep is the first line where brackets or dashes nest too deep; 0 where
// none do. Those within quotes count too, as nobody writes so many.
func tooDeep(lines []string) int {
	depth := 0
	for i, line := range lines {
		dashes := strings.Count(line, "- ") + strings.Count(line, "? ")
		for _, c := range line {
			switch c {
			case '[', '{':
				depth++
			case ']', '}':
				depth = max(0, depth-1)
			}
			if depth > maxDepth {
				return i + 1
			}
		}
		if dashes > maxDepth {
			return i + 1
		}
	}
	return 0
}

// severities reads the severities of rules, named by id or name.
func (d *decoder) severities(n ast.Node) {
	pairs, _ := d.pairs(n, "severity")
	for _, pair := range pairs {
		name, ok := d.key(pair)
		if !ok {
			continue
		}
		rule := d.rule(pair.Key, name)
		var s facts.Value[string]
		into(d, "severity of "+name, &s, oneOf("error", "warning", "info"))(pair.Value)
		if text, ok := s.Get(); ok && rule != nil {
			f := d.f
			f.Severity[rule.ID], _ = rules.ParseSeverity(text)
		}
	}
}

// rule finds a rule by id or name.
func (d *decoder) rule(n ast.Node, name string) *rules.Rule {
	r := rules.Find(name)
	if r == nil {
		var all []string
		for _, r := range rules.All() {
			all = append(all, r.ID, r.Name)
		}
		hint := "vtsize rules lists them"
		if near := spell.Nearest(name, all); near != "" {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
		d.fail(n, hint, "no rule %q", name)
	}
	return r
}

// entries reads the queues.
func (d *decoder) entries(n ast.Node) {
	seen := map[string]int{}
	d.list(n, "queues", func(_ int, item ast.Node) {
		e, match := d.entry(item)
		if match == nil {
			return
		}
		if line, twice := seen[e.Match]; twice {
			d.fail(match, "", "%q is matched in line %d already, and the first match wins", e.Match, line)
			return
		}
		seen[e.Match] = e.Pos.Line
		d.f.Entries = append(d.f.Entries, e)
	})
}

// entry reads one entry; the node of its match comes along, nil where there is
// none.
func (d *decoder) entry(n ast.Node) (*Entry, ast.Node) {
	place := d.origin(n)
	e := &Entry{Pos: place.Pos, Work: undeclared(place), Rate: facts.Unknown[float64](facts.NotDeclared, place),
		Framework: facts.Unknown[sizing.Framework](facts.NotDeclared, place)}
	var match facts.Value[string]
	var matchNode ast.Node
	if _, ok := d.pairs(n, "an entry of queues"); !ok {
		return e, nil
	}
	w := &e.Work
	times := &timing{entry: e}
	d.object(n, "an entry of queues", fields{
		"match": func(n ast.Node) {
			matchNode = n
			into(d, "match", &match, words)(n)
		},
		"framework":     into(d, "framework", &e.Framework, framework),
		"latency":       func(n ast.Node) { d.latency(n, times) },
		"stages":        func(n ast.Node) { d.stages(n, times) },
		"basis":         into(d, "basis", &times.basis, bases),
		"classes":       func(n ast.Node) { d.classes(n, w) },
		"write":         into(d, "write", &w.Write, sizing.ParseDuration),
		"overhead":      into(d, "overhead", &w.Overhead, sizing.ParseDuration),
		"batch":         func(n ast.Node) { d.batch(n, w) },
		"rate":          into(d, "rate", &e.Rate, sizing.ParseRate),
		"consumers":     into(d, "consumers", &w.Consumers, whole(1, 10_000_000)),
		"heartbeat":     func(n ast.Node) { d.heartbeat(n, e, times) },
		"deadline":      func(n ast.Node) { d.deadline(n, "deadline", w, times) },
		"unbounded":     into(d, "unbounded", &w.Unbounded, truth),
		"useful_for":    into(d, "useful_for", &w.UsefulFor, orNone(positive)),
		"on_failure":    func(n ast.Node) { d.onFailure(n, w) },
		"delete":        into(d, "delete", &w.Delete, oneOf(facts.AfterResult, facts.BeforeResult)),
		"handed_to":     into(d, "handed_to", &w.HandedTo, orNone(words)),
		"effects":       func(n ast.Node) { d.effects(n, w) },
		"unit":          into(d, "unit", &w.Practice.Unit, orNone(words)),
		"checkpoints":   into(d, "checkpoints", &w.Practice.Checkpoints, truth),
		"tests":         func(n ast.Node) { d.tests(n, w) },
		"metrics_carry": into(d, "metrics_carry", &w.Practice.MetricsCarry, orNone(words)),
		"ignore":        func(n ast.Node) { d.ignores(n, e) },
	})
	if matchNode == nil {
		d.fail(n, "name, glob, ARN or Terraform address of the queue", "match is missing")
		return e, nil
	}
	e.Match, _ = match.Get()
	e.Pos = d.pos(first(matchNode))
	d.settle(e, times)
	return e, matchNode
}

// undeclared is work of which nothing was said, looked for in an entry.
func undeclared(o facts.Origin) facts.Work {
	var w facts.Work
	w.Percentile = 99
	w.Basis = facts.Known(facts.PerCall, facts.Origin{Kind: facts.Default, Detail: "default of basis", Pos: o.Pos})
	not(&w.Stages, o)
	not(&w.Overhead, o)
	not(&w.Write, o)
	not(&w.Batch, o)
	not(&w.Handling, o)
	not(&w.Concurrency, o)
	not(&w.Prefetch, o)
	not(&w.Countdown, o)
	not(&w.ReceiveTimeout, o)
	not(&w.StepDeadline, o)
	not(&w.Heartbeat, o)
	not(&w.Unbounded, o)
	not(&w.Consumers, o)
	not(&w.UsefulFor, o)
	not(&w.Effects, o)
	not(&w.Classes, o)
	not(&w.OnFailure, o)
	not(&w.Delete, o)
	not(&w.HandedTo, o)
	not(&w.Practice.Unit, o)
	not(&w.Practice.Checkpoints, o)
	not(&w.Practice.Tests, o)
	not(&w.Practice.MetricsCarry, o)
	return w
}

// not makes a value not declared.
func not[T any](x *facts.Value[T], o facts.Origin) { *x = facts.Unknown[T](facts.NotDeclared, o) }
