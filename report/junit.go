package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"vtsize/facts"
	"vtsize/rules"
)

type junitSuites struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	junitCounts
	Suites []*junitSuite `xml:"testsuite"`
}

type junitCounts struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Skipped  int `xml:"skipped,attr"`
}

type junitSuite struct {
	Name string `xml:"name,attr"`
	junitCounts
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
	Out        *junitText      `xml:"system-out"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	File    string        `xml:"file,attr,omitempty"`
	Line    int           `xml:"line,attr,omitempty"`
	Failure *junitOutcome `xml:"failure"`
	Error   *junitOutcome `xml:"error"`
	Skipped *junitOutcome `xml:"skipped"`
}

// junitOutcome has its message twice: Jenkins shows the attribute above the
// content, GitLab the content alone.
type junitOutcome struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	junitText
}

type junitText struct {
	Text string `xml:",cdata"`
}

func outcome(kind, message string, details ...string) *junitOutcome {
	return &junitOutcome{message, kind, junitText{strings.Join(append([]string{message}, details...), "\n")}}
}

// JUnit writes a test suite for each queue, with a test case for each rule and
// subject that ran: passed, failed with a finding, or skipped where it was
// suppressed or could not be checked. Rules that lack only what the owner can
// say are no test cases; the property "undeclared" counts them. A last suite
// has what concerns the run as a whole: an error for each problem for which not
// everything could be read, a skipped case for the other remarks, and the
// summary as its output.
//
// There is no standard; the elements and attributes are those that Jenkins and
// GitLab read. GitLab takes one test of each class and name, so names have the
// consumer in them.
//
// https://docs.gitlab.com/ci/testing/unit_test_reports/#junit-xml-format-specification
// https://github.com/jenkinsci/xunit-plugin/blob/master/src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd
func JUnit(w io.Writer, d *Document) error {
	out := junitSuites{Name: "vtsize"}
	suites := map[*facts.Queue]*junitSuite{}
	for _, res := range d.Report.Queues {
		s := &junitSuite{Name: Escape(res.Queue.ID)}
		suites[res.Queue] = s
		out.Suites = append(out.Suites, s)
	}
	undeclared := d.junitCases(suites)
	for _, res := range d.Report.Queues {
		s := suites[res.Queue]
		s.Properties = []junitProperty{{"undeclared", strconv.Itoa(undeclared[res.Queue])}}
		slices.SortStableFunc(s.Cases, func(a, b junitCase) int { return strings.Compare(a.Name, b.Name) })
	}
	out.Suites = append(out.Suites, d.junitRun())
	for _, s := range out.Suites {
		s.count()
		out.Tests, out.Failures, out.Errors, out.Skipped = out.Tests+s.Tests, out.Failures+s.Failures, out.Errors+s.Errors, out.Skipped+s.Skipped
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(out); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// junitCases gives the suites their cases, and counts what is undeclared.
func (d *Document) junitCases(suites map[*facts.Queue]*junitSuite) map[*facts.Queue]int {
	add := func(r *rules.Rule, q *facts.Queue, c *facts.Consumer, pos facts.Pos) *junitCase {
		s := suites[q]
		s.Cases = append(s.Cases, junitCase{Name: caseName(r, q, c), Class: s.Name, File: Escape(pos.File), Line: pos.Line})
		return &s.Cases[len(s.Cases)-1]
	}
	for _, p := range d.Report.Passes {
		add(p.Rule, p.Queue, p.Consumer, d.place(p.Queue.Pos))
	}
	for _, f := range d.Report.Findings {
		add(f.Rule, f.Queue, f.Consumer, d.at(f)).Failure = outcome(f.Severity.String(), headline(f), d.details(f)...)
	}
	for _, s := range d.Report.Suppressed {
		f := s.Finding
		add(f.Rule, f.Queue, f.Consumer, d.at(f)).Skipped = outcome("", d.suppressedText(s))
	}
	undeclared := map[*facts.Queue]int{}
	for _, n := range d.Report.NotChecked {
		if !n.IsGap() {
			undeclared[n.Queue]++
			continue
		}
		var missing []string
		for _, m := range n.Missing {
			missing = append(missing, fmt.Sprintf("%s not known (%s)", Escape(m.Input), d.why(m.Cause, m.Origin)))
		}
		add(n.Rule, n.Queue, n.Consumer, d.place(n.Queue.Pos)).Skipped = outcome("", "not checked: "+strings.Join(missing, "; "))
	}
	return undeclared
}

// caseName tells the cases of one queue apart: two mappings may have the same
// function.
func caseName(r *rules.Rule, q *facts.Queue, c *facts.Consumer) string {
	name := r.ID + " " + r.Name
	if c == nil || c.ID == rules.UndeclaredWorker {
		return name
	}
	_, who, _ := strings.Cut(subject(q, c), " → ")
	if id := Escape(c.ID); id != who {
		who += " (" + id + ")"
	}
	return name + ": " + who
}

// junitRun is the suite of what concerns no one queue. What could not be
// checked of the queues stands in their suites.
func (d *Document) junitRun() *junitSuite {
	s := &junitSuite{Name: "vtsize", Properties: []junitProperty{{"version", Escape(d.Version)}, {"command", d.Command}}}
	var out []string
	for i, r := range d.remarks() {
		switch r.kind {
		case notChecked:
			continue
		case note:
			out = append(out, r.text)
			continue
		}
		c := junitCase{Name: fmt.Sprintf("%s %d", r.kind, i+1), Class: s.Name, File: Escape(r.pos.File), Line: r.pos.Line}
		if r.fatal {
			c.Error = outcome(string(r.kind), r.text)
		} else {
			c.Skipped = outcome("", r.line())
		}
		s.Cases = append(s.Cases, c)
	}
	s.Out = &junitText{strings.Join(append(out, Summary(d.Report)), "\n")}
	return s
}

func (s *junitSuite) count() {
	s.Tests = len(s.Cases)
	for _, c := range s.Cases {
		switch {
		case c.Failure != nil:
			s.Failures++
		case c.Error != nil:
			s.Errors++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
}
