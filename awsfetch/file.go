package awsfetch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"vtsize/facts"
)

// largestSnapshot bounds what Load reads, in bytes: five thousand queues with
// their functions are about 60 MB. A variable only for the test's sake.
var largestSnapshot int64 = 256 << 20

// Save writes the snapshot as indented JSON. The same snapshot gives the same
// bytes.
func (s *Snapshot) Save(w io.Writer) error {
	b, err := s.encode()
	if err == nil {
		_, err = w.Write(b)
	}
	if err != nil {
		return fmt.Errorf("write snapshot: %w", err)
	}
	return nil
}

func (s *Snapshot) encode() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(s)
	return b.Bytes(), err
}

// Load reads a snapshot that Save wrote. Its errors are one line each and leave
// it to the caller to name the file; fields it does not know are ignored.
func Load(r io.Reader) (*Snapshot, error) {
	b, err := io.ReadAll(io.LimitReader(r, largestSnapshot+1))
	if err != nil {
		return nil, err
	}
	if int64(len(b)) > largestSnapshot {
		return nil, fmt.Errorf("it is larger than %d MiB", largestSnapshot>>20)
	}
	if err := checkSchema(b); err != nil {
		return nil, err
	}
	s := new(Snapshot)
	if err := json.Unmarshal(b, s); err != nil {
		return nil, jsonError(err)
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	return s, nil
}

// checkSchema looks at the version alone first: a newer format may differ in
// anything else.
func checkSchema(b []byte) error {
	var head struct {
		Schema string `json:"schema"`
	}
	if len(bytes.TrimSpace(b)) == 0 {
		return errors.New("it is empty")
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return jsonError(err)
	}
	if head.Schema == Schema {
		return nil
	}
	family, ours, _ := strings.Cut(Schema, ".v")
	if version, ok := strings.CutPrefix(head.Schema, family+".v"); ok {
		have, _ := strconv.Atoi(ours)
		if n, err := strconv.Atoi(version); err == nil && n > have {
			return fmt.Errorf("its format %q is newer than this vtsize reads (%q); take a newer vtsize", head.Schema, Schema)
		}
	}
	if head.Schema == "" {
		return fmt.Errorf("it is JSON but not a snapshot of vtsize: it has no \"schema\": %q", Schema)
	}
	return fmt.Errorf("it is not a snapshot of vtsize: its schema is %q, not %q", head.Schema, Schema)
}

// jsonError puts an error of encoding/json into the words of a reader.
func jsonError(err error) error {
	var syntax *json.SyntaxError
	var mismatch *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax) && strings.Contains(syntax.Error(), "unexpected end"):
		return fmt.Errorf("it is cut off after %d bytes: %w", syntax.Offset, err)
	case errors.As(err, &syntax):
		return fmt.Errorf("it is not JSON at byte %d: %w", syntax.Offset, err)
	case errors.As(err, &mismatch) && mismatch.Field == "":
		return fmt.Errorf("it is JSON but not a snapshot of vtsize: a JSON %s", mismatch.Value)
	case errors.As(err, &mismatch):
		return fmt.Errorf("%s is a JSON %s where %s belongs", mismatch.Field, mismatch.Value, mismatch.Type)
	}
	return err
}

// check finds what no Save writes and what Deployment could not make sense of.
func (s *Snapshot) check() error {
	if s.TakenAt.IsZero() || !s.Window.Start.Before(s.Window.End) || s.lookback() > longestLookback+day {
		return errors.New("its times make no sense: taken_at, window.start and window.end")
	}
	seen := map[string]bool{}
	for _, q := range s.Queues {
		if !isSQS(q.ARN) || checkName(q.Name()) != nil {
			return fmt.Errorf("%q is not the ARN of a queue", q.ARN)
		}
		if seen[q.ARN] {
			return fmt.Errorf("queue %q stands in it twice", q.ARN)
		}
		seen[q.ARN] = true
		for _, m := range q.StepMetrics {
			if units[m.Unit] == 0 || (m.Basis != string(facts.PerCall) && m.Basis != string(facts.PerStep)) {
				return fmt.Errorf("step metric %s/%s of queue %q has no known unit or basis", m.Namespace, m.Name, q.ARN)
			}
		}
	}
	return s.checkFunctions()
}

func (s *Snapshot) checkFunctions() error {
	seen := map[string]bool{}
	for _, f := range s.Functions {
		if seen[f.ARN] {
			return fmt.Errorf("function %q stands in it twice", f.ARN)
		}
		seen[f.ARN] = true
	}
	return nil
}
