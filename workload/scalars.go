package workload

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"vtsize/facts"
	"vtsize/internal/spell"
	"vtsize/sizing"
)

// hintError is a mistake in a value, with what to write instead.
type hintError struct{ text, hint string }

func (e *hintError) Error() string { return e.text }

// into makes the reader of a key that sets a fact.
func into[T any](d *decoder, what string, dst *facts.Value[T], parse func(string) (T, error)) func(ast.Node) {
	return func(n ast.Node) {
		text, ok := d.text(n, what)
		if !ok {
			return
		}
		v, err := parse(text)
		if err != nil {
			var h *hintError
			hint := ""
			if errors.As(err, &h) {
				hint = h.hint
			}
			message := err.Error()
			if !strings.HasPrefix(message, what+" ") {
				message = what + ": " + message
			}
			d.fail(n, hint, "%s", message)
			return
		}
		*dst = facts.Known(v, d.origin(n))
	}
}

// orNone reads "none" as known absence.
func orNone[T any](parse func(string) (T, error)) func(string) (*T, error) {
	return func(s string) (*T, error) {
		if s == "none" {
			return nil, nil
		}
		v, err := parse(s)
		return &v, err
	}
}

// positive is a duration above zero.
func positive(s string) (time.Duration, error) {
	d, err := sizing.ParseDuration(s)
	if err == nil && d == 0 {
		err = errors.New("must be above zero")
	}
	return d, err
}

// visibility is a visibility timeout that SQS takes.
func visibility(least time.Duration) func(string) (time.Duration, error) {
	return func(s string) (time.Duration, error) {
		d, err := sizing.ParseDuration(s)
		switch {
		case err != nil:
		case d < least || d > sizing.MaxVisibilityTimeout:
			err = fmt.Errorf("%s is not within %s to %s, which SQS takes", sizing.Seconds(d), sizing.Seconds(least), sizing.Seconds(sizing.MaxVisibilityTimeout))
		case d%time.Second != 0:
			err = fmt.Errorf("%s is not a whole number of seconds, as SQS takes it", sizing.Seconds(d))
		}
		return d, err
	}
}

// whole is a whole number within bounds.
func whole(least, most int) func(string) (int, error) {
	return func(s string) (int, error) {
		n, err := strconv.Atoi(s)
		if err != nil {
			return 0, fmt.Errorf("%q is not a whole number", s)
		}
		if n < least || n > most {
			return 0, fmt.Errorf("%d is not within %s to %s", n, sizing.Number(float64(least)), sizing.Number(float64(most)))
		}
		return n, nil
	}
}

func truth(s string) (bool, error) {
	switch s {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, fmt.Errorf("%q is neither true nor false", s)
}

// oneOf is one of some words.
func oneOf[T ~string](choices ...T) func(string) (T, error) {
	return func(s string) (T, error) {
		names := make([]string, len(choices))
		for i, c := range choices {
			if string(c) == s {
				return c, nil
			}
			names[i] = string(c)
		}
		err := &hintError{text: fmt.Sprintf("%q is none of %s", s, strings.Join(names, ", "))}
		if near := spell.Nearest(s, names); near != "" {
			err.hint = fmt.Sprintf("did you mean %q?", near)
		}
		return "", err
	}
}

// version is the one version there is.
func version(s string) (int, error) {
	if n, err := strconv.Atoi(s); err != nil || n != Version {
		return 0, fmt.Errorf("version %s is not known; this vtsize reads version %d", s, Version)
	}
	return Version, nil
}

// words is a text that says something.
func words(s string) (string, error) {
	if strings.TrimSpace(s) == "" {
		return "", errors.New("is empty")
	}
	return s, nil
}

// date is a day, in UTC.
func date(s string) (time.Time, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return t, &hintError{fmt.Sprintf("%q is not a date", s), "write it as 2027-03-01"}
	}
	return t, nil
}

// durations reads a list of them.
func (d *decoder) durations(n ast.Node, what string) ([]time.Duration, bool) {
	out, good := []time.Duration{}, true
	d.list(n, what, func(_ int, item ast.Node) {
		var v facts.Value[time.Duration]
		into(d, what, &v, sizing.ParseDuration)(item)
		got, ok := v.Get()
		out, good = append(out, got), good && ok
	})
	_, isList := n.(*ast.SequenceNode)
	return out, good && isList
}
