package factstext

import (
	"errors"
	"strings"

	"vtsize/facts"
)

// failure is what is done on a failure; it is made where no key opened it.
func (p *parser) failure() *facts.OnFailure {
	f, _ := p.c.Work.OnFailure.Get()
	if f == nil {
		f = &facts.OnFailure{}
		p.c.Work.OnFailure = facts.Known(f, p.origin(facts.File))
	}
	return f
}

// effect reads "NAME KEY", with "none" and "?" as keys, and after it
// "guard=…" and "uncertain=…".
func effect(p *parser, s string) (facts.Effect, error) {
	name, key, ok := strings.Cut(s, " ")
	if !ok {
		return facts.Effect{}, errors.New("want NAME and KEY")
	}
	key, options, _ := strings.Cut(key, " guard=")
	guard, outcome, _ := strings.Cut(options, " uncertain=")
	if k, u, ok := strings.Cut(key, " uncertain="); ok {
		key, outcome = k, u
	}
	e := facts.Effect{Name: name, Key: facts.Known(&key, p.origin(facts.File))}
	switch key {
	case "none":
		e.Key = facts.Known[*string](nil, p.origin(facts.File))
	case "?":
		e.Key = facts.Unknown[*string](facts.NotDeclared, p.origin(facts.File))
	}
	e.Guard, e.Uncertain = saidOr[facts.Guard](p, guard), saidOr[facts.Uncertain](p, outcome)
	return e, nil
}

// saidOr is a word, or what nobody declared where it is empty.
func saidOr[T ~string](p *parser, s string) facts.Value[T] {
	if s == "" {
		return facts.Unknown[T](facts.NotDeclared, p.origin(facts.File))
	}
	return facts.Known(T(s), p.origin(facts.File))
}

// class reads "NAME P99".
func class(p *parser, s string) (facts.Class, error) {
	name, tail, _ := strings.Cut(s, " ")
	d, err := duration(p, tail)
	return facts.Class{Name: name, Latency: facts.Latency{Tail: facts.Known(d, p.origin(facts.File))}}, err
}
