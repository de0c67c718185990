package tfread

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zclconf/go-cty/cty"

	"vtsize/facts"
	"vtsize/tfread/eval"
)

type timeout = time.Duration

// functionRef is a function with what it can be found by.
type functionRef struct {
	inst     *item  // nil for hints
	address  string // as printed
	path     string
	name     string // with stand-ins
	timeout  facts.Value[time.Duration]
	reserved facts.Value[*int]
	mappings []facts.Mapping
	users    []*facts.Consumer
}

func (rd *reader) addFunction(i *item) {
	ref := &functionRef{inst: i, address: rd.show(i.address), path: i.path, name: rd.own(i, "function_name")}
	ref.timeout = rd.seconds(i.get("timeout"), 3)
	ref.reserved = rd.reserved(i.get("reserved_concurrent_executions"))
	rd.functions = append(rd.functions, ref)
	rd.functionByAddress[i.address] = ref
	rd.functionByName[ref.name] = append(rd.functionByName[ref.name], ref)
}

// reserved reads reserved concurrency, of which -1 means none.
func (rd *reader) reserved(v eval.Value) facts.Value[*int] {
	n := rd.optional(v)
	if p, ok := n.Get(); ok && p != nil && *p < 0 {
		return facts.Known[*int](nil, n.Origin())
	}
	return n
}

// makeConsumers joins mappings and pipes with queues and functions.
func (rd *reader) makeConsumers() {
	byQueue := map[*facts.Queue][]*facts.Consumer{}
	external := map[string]*functionRef{}
	for _, m := range rd.mappings {
		q, v, ok := rd.source(m, "event_source_arn")
		if !ok {
			continue
		}
		c, fn := rd.mapping(m, external)
		if q == nil {
			rd.unjoined(m, v, c.Function)
			continue
		}
		byQueue[q] = append(byQueue[q], c)
		fn.users = append(fn.users, c)
		fn.mappings = append(fn.mappings, facts.Mapping{ID: c.ID, Enabled: c.Enabled, MaximumConcurrency: c.MaximumConcurrency, ProvisionedPollers: c.ProvisionedPollers})
	}
	for _, p := range rd.pipes {
		q, v, ok := rd.source(p, "source")
		if !ok {
			continue
		}
		c := rd.pipe(p, external)
		if q == nil {
			rd.unjoined(p, v, c.Function)
			continue
		}
		byQueue[q] = append(byQueue[q], c)
	}
	for _, fn := range append(slices.Clone(rd.functions), sorted(external)...) {
		for _, c := range fn.users {
			c.Mappings = facts.Known(fn.mappings, facts.Origin{Kind: rd.kind, Pos: c.Pos})
		}
	}
	for _, q := range rd.d.Queues {
		q.Consumers = facts.Known(byQueue[q], facts.Origin{Kind: rd.kind, Pos: q.Pos})
	}
}

func sorted(m map[string]*functionRef) []*functionRef {
	var out []*functionRef
	for _, f := range m {
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b *functionRef) int { return cmp.Compare(a.address, b.address) })
	return out
}

// source finds the queue that a mapping or pipe reads. It reports false for
// what reads something else: a stream, a broker.
func (rd *reader) source(i *item, name string) (*facts.Queue, eval.Value, bool) {
	v := i.get(name)
	s, absent, known := rd.stringOf(v)
	if absent {
		return nil, v, false
	}
	other := i.typ == "aws_lambda_event_source_mapping" && slices.ContainsFunc(otherSources, func(name string) bool {
		x := i.get(name)
		return x.V != cty.NilVal && x.V.IsKnown() && !x.V.IsNull() && !rd.unsure(x)
	})
	if !known {
		return nil, v, !other
	}
	if p := strings.Split(s, ":"); len(p) >= 6 && p[0] == "arn" && p[2] != "sqs" && len(rd.root.Tokens(p[2])) == 0 {
		return nil, v, false
	}
	if ref := rd.findQueue(s, i.path); ref != nil {
		return ref.q, v, true
	}
	if other {
		return nil, v, false
	}
	for _, t := range rd.root.Tokens(s) {
		if typ := resourceType(t.Address); typ != "" && typ != "aws_sqs_queue" && !strings.Contains(s, ":sqs:") && len(rd.root.Tokens(s)) == 1 && !neutral[typ] {
			return nil, v, false // a stream, a table, a broker
		}
	}
	if q := rd.externalQueue(s, v, i.path); q != nil {
		return q, v, true
	}
	return nil, v, true
}

// unsure reports text that is not known.
func (rd *reader) unsure(v eval.Value) bool {
	s := asString(v.V)
	return eval.TokenPattern.FindString(s) == s && s != ""
}

// otherSources are the arguments that only mappings from streams and brokers have.
var otherSources = []string{"starting_position", "topics", "queues"}

// neutral are resources that may hold a queue's ARN as well as anything else.
var neutral = map[string]bool{"aws_ssm_parameter": true, "aws_cloudformation_stack": true, "aws_cloudformation_export": true,
	"aws_secretsmanager_secret_version": true, "aws_sns_topic_subscription": true, "aws_resourcegroupstaggingapi_resources": true, "aws_arn": true}

func (rd *reader) unjoined(i *item, v eval.Value, function string) {
	rd.d.Unjoined = append(rd.d.Unjoined, facts.Unjoined{Address: rd.show(i.address), Function: function, Pos: pos(v.Pos),
		Reason: "its source cannot be traced to a queue: " + clean(rd.root.WhyValue(v).Text)})
}

// mapping makes a consumer of an event source mapping.
func (rd *reader) mapping(i *item, external map[string]*functionRef) (*facts.Consumer, *functionRef) {
	id := rd.unique(i.address)
	c := &facts.Consumer{ID: id, Address: id, Kind: facts.Lambda, Pos: i.pos, Calls: i.calls}
	c.BatchSize = rd.integer(i.get("batch_size"), 10)
	c.BatchingWindow = rd.seconds(i.get("maximum_batching_window_in_seconds"), 0)
	c.Enabled = rd.boolean(i.get("enabled"), true)
	c.ReportBatchItemFailures = rd.partial(i.get("function_response_types"))
	c.MaximumConcurrency = rd.blockNumber(i, "scaling_config", "maximum_concurrency")
	c.ProvisionedPollers = rd.pollers(i)
	fn := rd.function(i.get("function_name"), i.path, external, 0)
	c.Function, c.FunctionTimeout, c.ReservedConcurrency = fn.address, fn.timeout, fn.reserved
	return c, fn
}

// partial tells whether ReportBatchItemFailures is among the response types.
func (rd *reader) partial(v eval.Value) facts.Value[bool] {
	switch {
	case isNull(v.V) && !v.Diags.HasErrors():
		v.Set = false
		return facts.Known(false, rd.origin(v))
	case v.Secret || v.Diags.HasErrors() || !v.V.IsKnown() || !v.V.CanIterateElements():
		return unknown[bool](rd, v)
	}
	for it := v.V.ElementIterator(); it.Next(); {
		_, e := it.Element()
		if asString(e) == "ReportBatchItemFailures" {
			return facts.Known(true, rd.origin(v))
		}
		if !e.IsKnown() || len(rd.root.Tokens(asString(e))) > 0 {
			return unknown[bool](rd, v)
		}
	}
	return facts.Known(false, rd.origin(v))
}

// blockNumber reads a number in a nested block that may be absent.
func (rd *reader) blockNumber(i *item, block, name string) facts.Value[*int] {
	blocks, known := i.blocks(block)
	at := facts.Origin{Kind: rd.kind, Pos: i.pos}
	switch {
	case !known:
		at.Detail = "how many " + block + " blocks there are is not known"
		return facts.Unknown[*int](facts.NotResolved, at)
	case len(blocks) == 0:
		at.Kind, at.Detail = facts.Default, "AWS default"
		return facts.Known[*int](nil, at)
	}
	return rd.optional(blocks[0].get(name))
}

// pollers reads provisioned mode. Its default of 200 pollers at most is from
// https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventsourcemapping.html (read 2026-11-30).
func (rd *reader) pollers(i *item) facts.Value[*int] {
	blocks, known := i.blocks("provisioned_poller_config")
	v := rd.blockNumber(i, "provisioned_poller_config", "maximum_pollers")
	if p, ok := v.Get(); ok && p == nil && known && len(blocks) > 0 {
		most := 200
		return facts.Known(&most, facts.Origin{Kind: facts.Default, Detail: "AWS default", Pos: blocks[0].pos})
	}
	return v
}

// pipe makes a consumer of an EventBridge pipe.
func (rd *reader) pipe(i *item, external map[string]*functionRef) *facts.Consumer {
	id := rd.unique(i.address)
	c := &facts.Consumer{ID: id, Address: id, Kind: facts.Pipe, Pos: i.pos, Calls: i.calls}
	at := facts.Origin{Kind: facts.Default, Detail: "AWS default", Pos: c.Pos}
	c.BatchSize, c.BatchingWindow = facts.Known(10, at), facts.Known(time.Duration(0), at)
	if outer, known := i.blocks("source_parameters"); len(outer) > 0 {
		if inner, _ := outer[0].blocks("sqs_queue_parameters"); len(inner) > 0 {
			c.BatchSize = rd.integer(inner[0].get("batch_size"), 10)
			c.BatchingWindow = rd.seconds(inner[0].get("maximum_batching_window_in_seconds"), 0)
		}
	} else if !known {
		c.BatchSize = facts.Unknown[int](facts.NotResolved, at)
		c.BatchingWindow = facts.Unknown[time.Duration](facts.NotResolved, at)
	}
	c.Enabled = facts.Known(asString(i.get("desired_state").V) != "STOPPED", at)
	target := i.get("target")
	s, _, known := rd.stringOf(target)
	if known && (rd.findFunction(s, i.path, 0) != nil || strings.Contains(s, ":lambda:")) {
		fn := rd.function(target, i.path, external, 0)
		c.Function, c.FunctionTimeout, c.ReservedConcurrency = fn.address, fn.timeout, fn.reserved
		return c
	}
	c.FunctionTimeout = facts.Unknown[time.Duration](facts.NotCollected, facts.Origin{Kind: rd.kind, Detail: "the target is not a function", Pos: pos(target.Pos)})
	return c
}

// function finds the function that a reference means, or makes one that is
// defined elsewhere.
func (rd *reader) function(v eval.Value, path string, external map[string]*functionRef, depth int) *functionRef {
	s, absent, known := rd.stringOf(v)
	if known && !absent {
		if ref := rd.findFunction(s, path, depth); ref != nil {
			return ref
		}
	}
	at := facts.Origin{Kind: rd.kind, Detail: "the function is defined elsewhere", Pos: pos(v.Pos)}
	cause := facts.NotCollected
	label := rd.root.Show(s)
	if n := len(rd.functionByName[functionNameOf(s)]); n > 1 {
		cause, at.Detail = facts.NotResolved, fmt.Sprintf("%d functions have this name", n)
	}
	for _, t := range rd.links(s) {
		if strings.Contains(t.Address, "data.aws_lambda_") {
			label = rd.show(t.Address)
			break
		}
		if rd.missing[t.Address] != nil {
			label, cause = rd.show(t.Address), facts.NotResolved
			at.Detail = "the function is defined in module " + label + ", which is not on disk"
		}
	}
	if !known || absent || label == "" || len(rd.root.Tokens(s)) > 0 && eval.TokenPattern.FindString(s) == s && cause == facts.NotCollected && !strings.HasPrefix(label, "data.") {
		why := rd.root.WhyValue(v)
		cause, at.Detail = causes[why.Cause], clean("the function cannot be traced: "+why.Text)
	}
	key := label
	if label == "" {
		key = fmt.Sprintf("%s %s", pos(v.Pos), v.Detail) // each unknown one is its own
	}
	if ref := external[key]; ref != nil {
		return ref
	}
	ref := &functionRef{address: label, timeout: facts.Unknown[time.Duration](cause, at), reserved: facts.Unknown[*int](cause, at)}
	external[key] = ref
	return ref
}

// findFunction finds the function that a name or an ARN with stand-ins means,
// through an alias or a version too.
func (rd *reader) findFunction(s, path string, depth int) *functionRef {
	if depth > 5 {
		return nil
	}
	for _, t := range rd.links(s) {
		if ref := rd.functionByAddress[t.Address]; ref != nil && t.Address != "" {
			return ref
		}
		if a := rd.aliasByAddress[t.Address]; a != nil && t.Address != "" {
			fs, _, known := rd.stringOf(a.get("function_name"))
			if ref := rd.findFunction(fs, a.path, depth+1); known && ref != nil {
				return ref
			}
		}
	}
	name := functionNameOf(s)
	if name == "" {
		return nil
	}
	ref, _ := nearest(rd.functionByName[name], path, func(f *functionRef) string { return f.path })
	return ref
}

// functionNameOf takes the name out of what Lambda takes for a function: a
// name, a name with qualifier, a partial or a full ARN.
func functionNameOf(s string) string {
	p := strings.Split(s, ":")
	for i, x := range p {
		if x == "function" && i+1 < len(p) {
			return p[i+1]
		}
	}
	return p[0]
}
