// Package checklist answers thirteen questions about a queue and its workers,
// from facts and from what the rules found.
//
// An answer is yes only where something shows it: a fact, a measurement, a
// line of the workload file, or rules that had all they need and found nothing.
package checklist

import (
	"fmt"
	"slices"
	"strings"

	"vtsize/assess"
	"vtsize/facts"
	"vtsize/rules"
)

// Answer is yes, no, or not known.
type Answer string

// The answers.
const (
	Yes      Answer = "yes"
	No       Answer = "no"
	NotKnown Answer = "not_known"
)

// Evidence is what an answer rests on.
type Evidence struct {
	Text   string
	Origin facts.Origin // may be empty
}

// Item is a question with its answer.
type Item struct {
	Number   int
	Question string
	Answer   Answer
	Evidence []Evidence
	ToYes    string // what would make it yes; empty where it is
}

// List is the checklist of one queue.
type List struct {
	Queue *facts.Queue
	Items []Item
}

// Count is the number of answers of a kind.
func (l *List) Count(a Answer) int {
	n := 0
	for _, i := range l.Items {
		if i.Answer == a {
			n++
		}
	}
	return n
}

// question is one of the thirteen: how it is answered for one consumer.
type question struct {
	text  string
	toYes string
	ask   func(*subject)
}

// Of answers the questions for each queue of a report that somebody works on.
// The report has to have run all rules.
func Of(d *facts.Deployment, r *rules.Report) []List {
	var out []List
	wiring := rules.Wire(d)
	for _, q := range r.Queues {
		if wiring.OnlyDeadLetters(q.Queue) {
			continue
		}
		l := List{Queue: q.Queue}
		for i, question := range questions {
			item := Item{Number: i + 1, Question: question.text, Answer: NotKnown}
			consumers := sizings(q)
			for n, s := range consumers {
				sub := &subject{report: r, queue: q.Queue, sizing: s, answer: Yes}
				question.ask(sub)
				if n == 0 || rank(sub.answer) < rank(item.Answer) {
					item.Answer = sub.answer
				}
				item.Evidence = append(item.Evidence, sub.named(len(consumers) > 1)...)
			}
			if len(consumers) == 0 {
				item.Evidence = []Evidence{missing("consumers", q.Queue.Consumers.Cause(), q.Queue.Consumers.Origin())}
			}
			if item.Answer != Yes {
				item.ToYes = question.toYes
			}
			l.Items = append(l.Items, item)
		}
		out = append(out, l)
	}
	return out
}

// sizings are those of the queue's consumers; where none is known some worker
// reads it, of which nothing is known.
func sizings(q rules.QueueResult) []*assess.Sizing {
	if len(q.Consumers) == 0 && q.Queue.Consumers.IsKnown() {
		return []*assess.Sizing{assess.Of(q.Queue, &facts.Consumer{ID: rules.UndeclaredWorker, Kind: facts.Worker})}
	}
	return q.Consumers
}

// rank orders answers: of several consumers the worst one counts.
func rank(a Answer) int { return slices.Index([]Answer{No, NotKnown, Yes}, a) }

// missing is the evidence for something that is not known.
func missing(what string, c facts.Cause, o facts.Origin) Evidence {
	return Evidence{fmt.Sprintf("%s: %s", what, strings.ReplaceAll(c.String(), "_", " ")), o}
}
