// Package workload reads vtsize.yaml: what only the owner of a queue knows.
//
// A queue's attributes and metrics do not tell how a worker handles a batch,
// renews, retries or protects its effects. The file does, queue by queue. Every
// value carries its place in the file, so that findings point there. What the
// file does not say stays undeclared: nothing is assumed for it, except where
// an entry names a framework whose defaults were read.
package workload

import (
	"time"

	"vtsize/facts"
	"vtsize/rules"
	"vtsize/sizing"
)

// FileName is the name under which the file is looked for.
const FileName = "vtsize.yaml"

// Version is the version of the format.
const Version = 1

// MaxSize bounds what is read, in bytes: a file for a thousand queues has less.
// maxDepth bounds how deep lists and mappings nest, which the YAML parser does
// not: it takes minutes for a hundred thousand brackets.
const (
	MaxSize  = 1 << 20
	maxDepth = 100
)

// File is what a file says.
type File struct {
	Name     string // as it was given, for positions
	Outage   facts.Value[time.Duration]
	Severity map[string]rules.Severity // by rule id
	Entries  []*Entry

	lines []string
}

// Entry is what a file says of the queues that it matches.
type Entry struct {
	Match     string // name, glob, ARN or Terraform address
	Pos       facts.Pos
	Framework facts.Value[sizing.Framework]
	Rate      facts.Value[float64]
	Work      facts.Work // what the file says; what it does not is not declared
	Ignores   []facts.Ignore

	// CSV is a file of latencies to read; nil: none is named.
	CSV *CSV

	ownBeats bool // heartbeat: framework
}

// CSV names a file of latencies.
type CSV struct {
	File   string // as written: a relative path is one from the workload file's directory
	Column string // name or number; empty: to be found
	Unit   string // of the column; empty: to be found
	Class  string // column that tells the kinds of work apart; empty: none
	Pos    facts.Pos
}

// ReadCSV reads the latency files that the entries name. The reader gives the
// latencies and, where the file holds several kinds of work, those. Problems
// point to the entry.
func (f *File) ReadCSV(read func(CSV) (facts.Latency, []facts.Class, error)) []error {
	var problems []error
	for _, e := range f.Entries {
		if e.CSV == nil {
			continue
		}
		latency, classes, err := read(*e.CSV)
		if err != nil {
			problems = append(problems, f.problem(e.CSV.Pos, len(e.CSV.File), "", "%v", err))
			continue
		}
		stages, _ := e.Work.Stages.Get()
		stages[0].Latency = latency
		if len(classes) > 0 {
			e.Work.Classes = facts.Known(classes, declared(e.CSV.Pos))
		}
	}
	return problems
}

// Line gives a line of the file, for a position in it.
func (f *File) Line(n int) (string, bool) {
	if n < 1 || n > len(f.lines) {
		return "", false
	}
	return f.lines[n-1], true
}

func declared(p facts.Pos) facts.Origin { return facts.Origin{Kind: facts.Declared, Pos: p} }
