package tfread

import (
	"fmt"
	"time"

	"vtsize/facts"
	"vtsize/tfread/eval"
)

// hint looks at the call of a module that is not on disk. Arguments with a
// resource's own names are most likely handed to such a resource; facts that are
// made of them say so in their origin.
func (rd *reader) hint(m *eval.ModuleInst) {
	h := Hint{Address: rd.show(m.Path), Source: m.Source, Pos: pos(m.Call.DeclRange)}
	if h.Source == "" {
		h.Source = m.Missing
	}
	args := m.Call.Args
	switch {
	case args["visibility_timeout_seconds"] != nil:
		rd.hintQueue(m)
		h.Used = true
	case args["timeout"] != nil && (args["function_name"] != nil || args["handler"] != nil || args["runtime"] != nil || args["lambda_name"] != nil):
		rd.hintFunction(m)
		h.Used = true
	}
	rd.hints = append(rd.hints, h)
}

// hinted is an argument of the call as an attribute.
func (rd *reader) hinted(m *eval.ModuleInst, name string) (eval.Value, bool) {
	v, rng, ok := m.Argument(name)
	if !ok {
		return eval.Value{}, false
	}
	v, _ = v.UnmarkDeep()
	return eval.Value{V: v, Set: true, Pos: rng, Expr: m.Call.Args[name].Expr}, true
}

func hintDetail(m *eval.ModuleInst) string {
	return fmt.Sprintf("argument of module %q, whose source %q is not on disk", m.Name, m.Source)
}

// hintSeconds is known where the module is given the argument, else unknown:
// its default is the module's own.
func (rd *reader) hintSeconds(m *eval.ModuleInst, name string) facts.Value[time.Duration] {
	v, ok := rd.hinted(m, name)
	if !ok {
		return facts.Unknown[time.Duration](facts.NotResolved, facts.Origin{Kind: facts.File, Pos: pos(m.Call.DeclRange),
			Detail: fmt.Sprintf("module %q does not set it, and its source %q is not on disk", m.Name, m.Source)})
	}
	out := rd.seconds(v, 0)
	if d, known := out.Get(); known {
		return facts.Known(d, facts.Origin{Kind: facts.File, Detail: hintDetail(m), Pos: pos(v.Pos)})
	}
	return out
}

func (rd *reader) hintQueue(m *eval.ModuleInst) {
	id := rd.unique(m.Path)
	q := &facts.Queue{ID: id, Address: id, Pos: pos(m.Call.DeclRange), Calls: rd.calls(m.Parent)}
	at := facts.Origin{Kind: facts.File, Pos: q.Pos, Detail: fmt.Sprintf("the source %q of module %q is not on disk", m.Source, m.Name)}
	unknownQueue(q, facts.NotResolved, at)
	q.VisibilityTimeout = rd.hintSeconds(m, "visibility_timeout_seconds")
	q.Retention = rd.hintSeconds(m, "message_retention_seconds")
	q.Delay = rd.hintSeconds(m, "delay_seconds")
	q.ReceiveWait = rd.hintSeconds(m, "receive_wait_time_seconds")
	if v, ok := rd.hinted(m, "fifo_queue"); ok {
		q.FIFO = rd.boolean(v, false)
	}
	ref := &queueRef{module: m, path: m.Parent.Path, q: q}
	for _, name := range []string{"name", "queue_name"} {
		if v, ok := rd.hinted(m, name); ok && asString(v.V) != "" {
			ref.name = asString(v.V)
			q.Name = rd.root.Show(ref.name)
			break
		}
	}
	rd.queues = append(rd.queues, ref)
	rd.queueByAddress[m.Path] = ref
	rd.queueByName[ref.name] = append(rd.queueByName[ref.name], ref)
	rd.d.Queues = append(rd.d.Queues, q)
}

func (rd *reader) hintFunction(m *eval.ModuleInst) {
	ref := &functionRef{address: rd.show(m.Path), path: m.Parent.Path, timeout: rd.hintSeconds(m, "timeout")}
	at := facts.Origin{Kind: facts.File, Detail: hintDetail(m), Pos: pos(m.Call.DeclRange)}
	ref.reserved = facts.Unknown[*int](facts.NotResolved, at)
	if v, ok := rd.hinted(m, "reserved_concurrent_executions"); ok {
		ref.reserved = rd.reserved(v)
	}
	for _, name := range []string{"function_name", "lambda_name", "name"} {
		if v, ok := rd.hinted(m, name); ok && asString(v.V) != "" {
			ref.name = asString(v.V)
			break
		}
	}
	rd.functions = append(rd.functions, ref)
	rd.functionByAddress[m.Path] = ref
	rd.functionByName[ref.name] = append(rd.functionByName[ref.name], ref)
}
