package tfread

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"vtsize/facts"
	"vtsize/tfread/eval"
)

// queueRef is a queue with what it can be found by.
type queueRef struct {
	inst   *item            // nil for hints
	module *eval.ModuleInst // of a hint: the module itself
	path   string           // of the module it is defined in
	name   string           // with stand-ins
	q      *facts.Queue
}

func (rd *reader) addQueue(i *item) {
	ref := &queueRef{inst: i, path: i.path, name: rd.own(i, "name")}
	rd.queues = append(rd.queues, ref)
	rd.queueByAddress[i.address] = ref
	rd.queueByName[ref.name] = append(rd.queueByName[ref.name], ref)
}

// makeQueues fills in the queues that are defined here.
func (rd *reader) makeQueues() {
	for _, ref := range rd.queues {
		if ref.inst == nil {
			continue // a hint has its facts already
		}
		i := ref.inst
		id := rd.unique(i.address)
		q := &facts.Queue{ID: id, Address: id, Pos: i.pos, Calls: i.calls}
		if name := i.get("name"); !name.Secret && eval.TokenPattern.FindString(ref.name) != ref.name {
			q.Name = rd.root.Show(ref.name)
		}
		q.VisibilityTimeout = rd.seconds(i.get("visibility_timeout_seconds"), 30)
		q.Retention = rd.seconds(i.get("message_retention_seconds"), 345600)
		q.Delay = rd.seconds(i.get("delay_seconds"), 0)
		q.ReceiveWait = rd.seconds(i.get("receive_wait_time_seconds"), 0)
		q.FIFO = rd.boolean(i.get("fifo_queue"), false)
		ref.q = q
		rd.d.Queues = append(rd.d.Queues, q)
	}
}

// links are the tokens in s that lead to what they are of. What a function has
// made of an identifier leads there only where it is the whole text.
func (rd *reader) links(s string) []eval.Token {
	all := rd.root.Tokens(s)
	if len(all) == 1 && eval.TokenPattern.FindString(s) == s {
		return all
	}
	return slices.DeleteFunc(all, func(t eval.Token) bool { return t.Derived })
}

// findQueue finds the queue that an ARN, a URL or a name with stand-ins means.
func (rd *reader) findQueue(s, path string) *queueRef {
	for _, t := range rd.links(s) {
		if ref := rd.queueByAddress[t.Address]; ref != nil && t.Address != "" {
			return ref
		}
	}
	name, ok := queueNameOf(s)
	if !ok {
		return nil
	}
	if name == "" {
		return nil
	}
	ref, _ := nearest(rd.queueByName[name], path, func(r *queueRef) string { return r.path })
	return ref
}

// nearest prefers the definition whose module is closest to the place that
// refers to it by name; where two are equally close, none is meant for sure.
func nearest[T any](found []T, path string, pathOf func(T) string) (best T, ok bool) {
	most := -1
	for _, x := range found {
		a, n := pathOf(x), 0
		for n < len(a) && n < len(path) && a[n] == path[n] {
			n++
		}
		switch {
		case n > most:
			best, most, ok = x, n, true
		case n == most:
			ok = false
		}
	}
	if !ok {
		var none T
		return none, false
	}
	return best, true
}

// queueNameOf takes the name out of a queue's ARN or URL.
func queueNameOf(s string) (string, bool) {
	if p := strings.Split(s, ":"); len(p) == 6 && p[0] == "arn" && p[2] == "sqs" {
		return p[5], true
	}
	if strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://") {
		if p := strings.Split(s, "/"); len(p) == 5 && (strings.Contains(p[2], "sqs") || strings.Contains(p[2], "queue")) {
			return p[4], true
		}
	}
	return "", false
}

// externalQueue makes or finds a queue that is defined elsewhere, if s is
// certain to mean a queue.
func (rd *reader) externalQueue(s string, v eval.Value, path string) *facts.Queue {
	key, q := s, &facts.Queue{External: true, Pos: pos(v.Pos)}
	cause, why := facts.NotCollected, "it is defined elsewhere"
	expr := ""
	name, isQueue := queueNameOf(s)
	if n := len(rd.queueByName[name]); n > 1 {
		cause, why = facts.NotResolved, fmt.Sprintf("%d queues have this name", n)
	}
	for _, t := range rd.links(s) {
		typ := resourceType(t.Address)
		switch {
		case typ == "aws_sqs_queue":
			key, isQueue = t.Address, true
			q.Address = rd.show(t.Address)
		case t.Address == "" && !isQueue && looksLikeQueue(t.Expr, t.Attr), rd.missing[t.Address] != nil && looksLikeQueue(t.Expr, t.Attr):
			isQueue = true
		}
		if t.Cause == eval.NotSet {
			r := rd.root.TokenReason(t)
			cause, why = causes[r.Cause], clean(r.Text)
		}
		if eval.TokenPattern.FindString(s) == s {
			expr = rd.show(rd.root.Show(t.Expr))
		}
		if rd.missing[t.Address] != nil {
			why = "it is defined in module " + rd.show(t.Address) + ", which is not on disk"
			cause = facts.NotResolved
		}
	}
	if !isQueue {
		return nil
	}
	if old := rd.external[key]; old != nil {
		return old
	}
	q.Name = rd.root.Show(name)
	if len(rd.root.Tokens(s)) == 0 && strings.HasPrefix(s, "arn:") {
		q.ARN = s
	}
	id := q.Address
	if id == "" {
		id = expr
	}
	if id == "" {
		id = rd.root.Show(s)
	}
	q.ID = rd.unique(id)
	at := facts.Origin{Kind: rd.kind, Detail: why, Pos: q.Pos}
	unknownQueue(q, cause, at)
	q.Consumers = facts.Known[[]*facts.Consumer](nil, at)
	rd.external[key] = q
	rd.d.Queues = append(rd.d.Queues, q)
	return q
}

func resourceType(addr string) string {
	parts := strings.Split(addr, ".")
	for i, p := range parts {
		if strings.HasPrefix(p, "aws_") && i+1 < len(parts) {
			return p
		}
	}
	return ""
}

// looksLikeQueue reads the name of an output or variable: queue_arn, sqs_arn.
func looksLikeQueue(names ...string) bool {
	for _, n := range names {
		n = strings.ToLower(n)
		if i := strings.LastIndexByte(n, '.'); i >= 0 {
			n = n[i+1:]
		}
		if strings.Contains(n, "queue") || strings.Contains(n, "sqs") {
			return true
		}
	}
	return false
}

// unknownQueue leaves every fact of a queue unknown for one reason.
func unknownQueue(q *facts.Queue, c facts.Cause, at facts.Origin) {
	q.VisibilityTimeout = facts.Unknown[timeout](c, at)
	q.Retention = facts.Unknown[timeout](c, at)
	q.Delay = facts.Unknown[timeout](c, at)
	q.ReceiveWait = facts.Unknown[timeout](c, at)
	q.FIFO = facts.Unknown[bool](c, at)
	q.Redrive = facts.Unknown[*facts.Redrive](c, at)
	q.RedriveAllow = facts.Unknown[*facts.RedriveAllow](c, at)
	if strings.HasSuffix(q.Name, ".fifo") {
		q.FIFO = facts.Known(true, at)
	} else if q.ARN != "" {
		q.FIFO = facts.Known(false, at)
	}
}

// isNull reports an argument that is not set or null.
func isNull(v cty.Value) bool { return v == cty.NilVal || v.IsKnown() && v.IsNull() }
