package awsfetch_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vtsize/awsfetch"
)

// Every call that is made is in the policy, and the policy has nothing else.
func TestPolicyIsWhatIsCalled(t *testing.T) {
	s := oneQueue(t)
	s.Functions[0].Qualified = map[string]int{"prod": 60}
	s.Mappings[0].Function = s.Functions[0].ARN("prod")
	fetch(t, awsfetch.Options{Queues: []string{"orders"}, Prefix: "other"})
	called := map[string]bool{}
	for _, c := range s.Calls() {
		called[c.Action] = true
	}
	allowed := map[string]bool{}
	var policy struct {
		Version   string
		Statement []struct {
			Effect   string
			Action   []string
			Resource string
		}
	}
	if err := json.Unmarshal(awsfetch.Policy(), &policy); err != nil {
		t.Fatal(err)
	}
	for _, statement := range policy.Statement {
		if statement.Effect != "Allow" || len(statement.Action) == 0 {
			t.Errorf("statement %+v", statement)
		}
		for _, action := range statement.Action {
			if allowed[action] {
				t.Errorf("%s is allowed twice", action)
			}
			allowed[action] = true
		}
	}
	if diff := cmp.Diff(called, allowed); diff != "" {
		t.Errorf("(-called +allowed):\n%s", diff)
	}
	listed := map[string]bool{}
	for _, a := range awsfetch.Actions() {
		listed[a.Name] = a.Why != "" && a.Resource != ""
	}
	if diff := cmp.Diff(called, listed); diff != "" {
		t.Errorf("(-called +listed with a reason):\n%s", diff)
	}
	if len(awsfetch.Policy()) > 6144 {
		t.Errorf("the policy has %d bytes, and IAM takes 6,144 characters", len(awsfetch.Policy()))
	}
}

func TestPolicyReadsOnly(t *testing.T) {
	for _, a := range awsfetch.Actions() {
		_, verb, _ := strings.Cut(a.Name, ":")
		if !slices.ContainsFunc([]string{"Get", "List", "Describe"}, func(p string) bool { return strings.HasPrefix(verb, p) }) {
			t.Errorf("%s may change something", a.Name)
		}
	}
}
