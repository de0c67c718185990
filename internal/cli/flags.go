package cli

import (
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"vtsize/facts"
	"vtsize/sizing"
)

// flagReader reads the values of flags into facts; the first mistake is kept.
type flagReader struct {
	c   *cli.Context
	err error
}

func (r *flagReader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func flagOrigin(name string) facts.Origin { return facts.Origin{Kind: facts.Flag, Detail: "--" + name} }

// notGiven is the origin of what a flag could have said.
func notGiven[T any](name string) facts.Value[T] {
	return facts.Unknown[T](facts.NotDeclared, flagOrigin(name))
}

// read is the value of a flag, or not declared.
func read[T any](r *flagReader, name string, parse func(string) (T, error)) facts.Value[T] {
	if !r.c.IsSet(name) {
		return notGiven[T](name)
	}
	v, err := parse(r.c.String(name))
	if err != nil {
		r.fail(usagef("--%s: %v", name, err))
	}
	return facts.Known(v, flagOrigin(name))
}

func (r *flagReader) duration(name string) facts.Value[time.Duration] {
	return read(r, name, sizing.ParseDuration)
}

// positive is a duration above zero.
func (r *flagReader) positive(name string) facts.Value[time.Duration] {
	return read(r, name, positiveDuration)
}

func positiveDuration(s string) (time.Duration, error) {
	d, err := sizing.ParseDuration(s)
	if err == nil && d == 0 {
		err = usagef("duration must be above zero")
	}
	return d, err
}

// count is a whole number within bounds.
func (r *flagReader) count(name string, least, most int) facts.Value[int] {
	return read(r, name, counted(least, most))
}

func counted(least, most int) func(string) (int, error) {
	return func(s string) (int, error) {
		n, err := strconv.Atoi(strings.ReplaceAll(s, ",", ""))
		if err != nil {
			return 0, usagef("%q is not a whole number", s)
		}
		if n < least || n > most {
			return 0, usagef("%d is not within %d to %d", n, least, most)
		}
		return n, nil
	}
}

// countedOrNone also reads "none", for a limit that is not set.
func countedOrNone(least, most int) func(string) (*int, error) {
	count := counted(least, most)
	return func(s string) (*int, error) {
		if s == "none" {
			return nil, nil
		}
		n, err := count(s)
		return &n, err
	}
}

// perHour reads a rate per hour.
func perHour(s string) (float64, error) { return sizing.ParseRatePer(s, time.Hour) }

func oneOf[T ~string](choices ...T) func(string) (T, error) {
	return func(s string) (T, error) {
		names := make([]string, len(choices))
		for i, c := range choices {
			if string(c) == s {
				return c, nil
			}
			names[i] = string(c)
		}
		return "", usagef("%q is none of %s", s, strings.Join(names, ", "))
	}
}

// pointer makes a value known with a pointer to it: what is there, for facts
// where nil stands for known absence.
func pointer[T any](x facts.Value[T]) facts.Value[*T] {
	return facts.Map(x, func(v T) *T { return &v })
}

// orAbsent is a fact that is known to be absent where its flag is not given.
func orAbsent[T any](x facts.Value[T], name string) facts.Value[*T] {
	if !x.IsKnown() {
		return facts.Known[*T](nil, facts.Origin{Kind: facts.Flag, Detail: "no --" + name})
	}
	return pointer(x)
}

// orDefault is the default where the flag is not given.
func orDefault[T any](x facts.Value[T], v T, detail string) facts.Value[T] {
	if x.IsKnown() {
		return x
	}
	return facts.Known(v, facts.Origin{Kind: facts.Default, Detail: detail})
}
