// Package factstext reads the notation in which the cases of the rules are
// written: one fact a line, under the queue or consumer that it belongs to.
//
//	queue orders
//	  visibility_timeout = 30s
//	  redrive = orders-dlq 5
//	  consumer worker
//	    p99 = 45s
//	    attempts = unknown not_declared
//
// Indentation does not matter; # starts a comment. "none" is known to be
// absent, "unknown CAUSE [DETAIL]" is not known, and "(default)" or another
// kind of origin after a value says where it is from.
package factstext

import (
	"fmt"
	"strings"

	"vtsize/facts"
)

// Parse reads a deployment; name is the file in the positions of its facts.
func Parse(name, text string) (*facts.Deployment, error) {
	p := &parser{d: &facts.Deployment{}, file: name}
	for i, line := range strings.Split(text, "\n") {
		p.line = i + 1
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if err := p.statement(line); err != nil {
			return nil, fmt.Errorf("%s:%d: %q: %w", name, p.line, line, err)
		}
	}
	p.endStages()
	return p.d, nil
}

type parser struct {
	d      *facts.Deployment
	q      *facts.Queue
	c      *facts.Consumer
	stages []facts.Stage
	file   string
	line   int
}

func (p *parser) statement(line string) error {
	if key, value, ok := strings.Cut(line, "="); ok {
		return p.set(strings.TrimSpace(key), strings.TrimSpace(value))
	}
	words := strings.Fields(line)
	switch {
	case words[0] == "queue" && len(words) == 2:
		p.endStages()
		p.q, p.c = &facts.Queue{ID: words[1], Name: words[1], Pos: p.pos()}, nil
		p.d.Queues = append(p.d.Queues, p.q)
	case words[0] == "consumer" && len(words) >= 2 && p.q != nil:
		p.endStages()
		p.c = &facts.Consumer{ID: words[1], Kind: facts.ConsumerKind(words[1]), Pos: p.pos()}
		if len(words) > 2 {
			p.c.Function, p.c.ID = words[2], words[2]
		}
		list, _ := p.q.Consumers.Get()
		p.q.Consumers = facts.Known(append(list, p.c), p.origin(facts.File))
	case words[0] == "stage" && len(words) == 2 && p.c != nil:
		p.stages = append(p.stages, facts.Stage{Name: words[1]})
	case words[0] == "alarm" && len(words) == 3:
		list, _ := p.d.Alarms.Get()
		watch := facts.Watch{Metric: words[1], Queue: facts.Known(words[2], p.origin(facts.File))}
		if words[2] == "unknown" {
			watch.Queue = facts.Unknown[string](facts.NotResolved, p.origin(facts.File))
		}
		p.d.Alarms = facts.Known(append(list, facts.Alarm{Name: words[1], Watches: []facts.Watch{watch}}), p.origin(facts.File))
	default:
		return fmt.Errorf("not a statement")
	}
	return nil
}

func (p *parser) pos() facts.Pos { return facts.Pos{File: p.file, Line: p.line, Column: 1} }

func (p *parser) origin(kind facts.Kind) facts.Origin { return facts.Origin{Kind: kind, Pos: p.pos()} }

// endStages gives the stages read so far to their consumer.
func (p *parser) endStages() {
	if p.c != nil && len(p.stages) > 0 {
		p.c.Work.Stages = facts.Known(p.stages, p.origin(facts.File))
	}
	p.stages = nil
}

// stage is the stage that latency keys belong to; one is made where none was
// opened.
func (p *parser) stage() *facts.Stage {
	if len(p.stages) == 0 {
		p.stages = append(p.stages, facts.Stage{})
	}
	return &p.stages[len(p.stages)-1]
}

func (p *parser) set(key, value string) error {
	if fn, ok := deploymentKeys[key]; ok && p.q == nil {
		return fn(p, value)
	}
	if fn, ok := consumerKeys[key]; ok && p.c != nil {
		return fn(p, value)
	}
	if fn, ok := queueKeys[key]; ok && p.q != nil {
		return fn(p, value)
	}
	return fmt.Errorf("no such key here")
}
