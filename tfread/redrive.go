package tfread

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"vtsize/facts"
	"vtsize/tfread/eval"
)

// makeRedrives reads redrive policies, once all queues are there to be found.
func (rd *reader) makeRedrives() {
	for _, ref := range slices.Clone(rd.queues) {
		if ref.inst == nil {
			continue
		}
		i := ref.inst
		ref.q.Redrive = rd.redrive(i.get("redrive_policy"), i.path)
		ref.q.RedriveAllow = rd.redriveAllow(i.get("redrive_allow_policy"), i.path)
		if blocks, _ := i.blocks("redrive_policy"); len(blocks) > 0 {
			rd.problems = append(rd.problems, Problem{Kind: ValueProblem, Pos: blocks[0].pos,
				Message: "redrive_policy is an argument, not a block: redrive_policy = jsonencode({ … })"})
			ref.q.Redrive = facts.Unknown[*facts.Redrive](facts.Unreadable, facts.Origin{Kind: rd.kind, Detail: "redrive_policy is written as a block", Pos: blocks[0].pos})
		}
	}
	for _, p := range rd.policies {
		if ref := rd.ownQueue(p, "aws_sqs_queue_redrive_policy"); ref != nil {
			ref.q.Redrive = rd.redrive(p.get("redrive_policy"), p.path)
		}
	}
	for _, p := range rd.allows {
		if ref := rd.ownQueue(p, "aws_sqs_queue_redrive_allow_policy"); ref != nil {
			ref.q.RedriveAllow = rd.redriveAllow(p.get("redrive_allow_policy"), p.path)
		}
	}
}

// ownQueue finds the queue that a separate policy resource is for.
func (rd *reader) ownQueue(p *item, typ string) *queueRef {
	v := p.get("queue_url")
	s, _, known := rd.stringOf(v)
	if known {
		if ref := rd.findQueue(s, p.path); ref != nil {
			return ref
		}
		if q := rd.externalQueue(s, v, p.path); q != nil {
			return &queueRef{q: q}
		}
	}
	rd.d.Unjoined = append(rd.d.Unjoined, facts.Unjoined{Address: rd.show(p.address), Pos: pos(v.Pos),
		Reason: "its queue_url cannot be traced to a queue: " + clean(rd.root.WhyValue(v).Text)})
	return nil
}

// policyText reads a policy: JSON text, or null.
func (rd *reader) policyText(v eval.Value) (fields map[string]json.RawMessage, absent bool, cause facts.Cause, why string) {
	if v.Secret {
		return nil, false, facts.Sensitive, "it is marked as sensitive"
	}
	s, absent, known := rd.stringOf(v)
	if absent || known && strings.TrimSpace(s) == "" {
		return nil, true, 0, ""
	}
	if !known || len(rd.root.Tokens(s)) > 0 && eval.TokenPattern.FindString(s) == s {
		r := rd.root.WhyValue(v)
		return nil, false, causes[r.Cause], r.Text
	}
	if err := json.Unmarshal([]byte(eval.QuoteBare(s)), &fields); err != nil {
		return nil, false, facts.Unreadable, "the policy is not valid JSON: " + rd.root.Show(err.Error())
	}
	return fields, false, 0, ""
}

func (rd *reader) redrive(v eval.Value, path string) facts.Value[*facts.Redrive] {
	fields, absent, cause, why := rd.policyText(v)
	if absent {
		v.Set = false
		return facts.Known[*facts.Redrive](nil, rd.origin(v))
	}
	at := facts.Origin{Kind: rd.kind, Detail: clean(why), Pos: pos(v.Pos)}
	if why != "" {
		return facts.Unknown[*facts.Redrive](cause, at)
	}
	r := &facts.Redrive{MaxReceiveCount: rd.receiveCount(fields["maxReceiveCount"], v), Target: rd.target(fields["deadLetterTargetArn"], v, path)}
	return facts.Known(r, rd.origin(v))
}

// rawString is a JSON string or number as text.
func rawString(raw json.RawMessage) (string, bool) {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s, true
	}
	var n json.Number
	if json.Unmarshal(raw, &n) == nil {
		return n.String(), true
	}
	return "", false
}

func (rd *reader) receiveCount(raw json.RawMessage, v eval.Value) facts.Value[int] {
	s, ok := rawString(raw)
	if !ok {
		return unreadable[int](rd, v, "the redrive policy has no maxReceiveCount")
	}
	if ts := rd.root.Tokens(s); len(ts) > 0 {
		return rd.tokenUnknown(ts[0], v)
	}
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil {
		return unreadable[int](rd, v, "maxReceiveCount %q is not a whole number", s)
	}
	return facts.Known(n, rd.origin(v))
}

func (rd *reader) tokenUnknown(t eval.Token, v eval.Value) facts.Value[int] {
	why := rd.root.TokenReason(t)
	return facts.Unknown[int](causes[why.Cause], facts.Origin{Kind: rd.kind, Detail: clean(why.Text), Pos: pos(v.Pos)})
}

func (rd *reader) target(raw json.RawMessage, v eval.Value, path string) facts.Value[string] {
	s, ok := rawString(raw)
	if !ok || s == "" {
		return unreadable[string](rd, v, "the redrive policy has no deadLetterTargetArn")
	}
	if ref := rd.findQueue(s, path); ref != nil {
		return facts.Known(ref.q.ID, rd.origin(v))
	}
	if q := rd.externalQueue(s, v, path); q != nil {
		return facts.Known(q.ID, rd.origin(v))
	}
	why := rd.root.WhyValue(v)
	return facts.Unknown[string](causes[why.Cause], facts.Origin{Kind: rd.kind, Detail: clean("the dead-letter queue cannot be traced: " + why.Text), Pos: pos(v.Pos)})
}

func (rd *reader) redriveAllow(v eval.Value, path string) facts.Value[*facts.RedriveAllow] {
	fields, absent, cause, why := rd.policyText(v)
	if absent {
		v.Set = false
		return facts.Known[*facts.RedriveAllow](nil, rd.origin(v))
	}
	if why != "" {
		return facts.Unknown[*facts.RedriveAllow](cause, facts.Origin{Kind: rd.kind, Detail: clean(why), Pos: pos(v.Pos)})
	}
	out := &facts.RedriveAllow{}
	out.Permission, _ = rawString(fields["redrivePermission"])
	out.Permission = rd.root.Show(out.Permission)
	var arns []string
	if json.Unmarshal(fields["sourceQueueArns"], &arns) == nil {
		for _, s := range arns {
			if ref := rd.findQueue(s, path); ref != nil && ref.q != nil {
				out.Sources = append(out.Sources, ref.q.ID)
			} else {
				out.Sources = append(out.Sources, rd.root.Show(s))
			}
		}
	}
	return facts.Known(out, rd.origin(v))
}
