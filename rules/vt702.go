package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var _ = register(&Rule{
	ID: "VT702", Name: "transport-idempotency-key", Severity: Error, Scope: PerConsumer,
	Title: "an idempotency key changes with the delivery",
	Why: "A receipt handle, a receive count and a request id are new with each delivery, so a key made of one never matches the first attempt and stops nothing. " +
		"A message id stays the same for redeliveries, but not where the producer sends again or a dead letter is moved back.",
	Fix:     "Make the key from what the step means, as the case and the step, not from what carried it.",
	Sources: []Source{srcReceive, srcRedriveBack, srcVisibility},
	Inputs:  "workload file",
	Run: func(p *Pass) {
		effects := p.Consumer.Work.Effects.Need(p, "effects")
		if p.Incomplete() {
			return
		}
		var missing Pass
		for _, e := range effects {
			key := e.Key.Need(&missing, fmt.Sprintf("idempotency key of %q", e.Name))
			if key == nil {
				continue
			}
			if part := transportPart(*key); part != "" {
				p.Report(Finding{
					Message: fmt.Sprintf("idempotency key %q of %q is made from the %s; make it from what the step means, as the case and the step", *key, e.Name, part),
					Origin:  e.Key.Origin(),
				})
				return
			}
		}
		p.misses = missing.misses
	},
})

// transportParts are the names of what changes with the delivery or the
// sending, without separators.
var transportParts = []struct{ what, names string }{
	{"receipt handle, which is new with each receive", "receipthandle sqsreceipthandle messagereceipthandle"},
	{"message id, which is new when the message is sent again or moved back", "messageid sqsmessageid awsmessageid"},
	{"receive count, which is new with each receive", "receivecount approximatereceivecount"},
	{"request id, which is new with each invocation", "requestid awsrequestid lambdarequestid"},
}

// ownField is a field that the producer put into the message: its name may be
// that of a transport id, and it stays the same all the same.
var ownField = regexp.MustCompile(`\b(body|payload)\.[a-z0-9_-]+`)

// keyParts splits a key into its parts: record.messageId + "/" + step.
var keyParts = regexp.MustCompile(`[^a-z0-9 _-]+`)

// transportPart says which part of a key comes from the transport, or nothing.
// A name is compared as a whole, so that the id of a chat message may be a key.
func transportPart(key string) string {
	parts := keyParts.Split(ownField.ReplaceAllString(strings.ToLower(key), ""), -1)
	for _, part := range parts {
		candidates := append(strings.Split(part, "-"), strings.NewReplacer(" ", "", "_", "", "-", "").Replace(part))
		for _, candidate := range candidates {
			candidate = strings.ReplaceAll(strings.TrimSpace(candidate), "_", "")
			for _, t := range transportParts {
				if slices.Contains(strings.Fields(t.names), candidate) {
					return t.what
				}
			}
		}
	}
	return ""
}
