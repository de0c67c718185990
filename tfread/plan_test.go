package tfread

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vtsize/facts"
)

// flat lists what is known of a deployment, by name, and what is joined.
func flat(d *facts.Deployment) (known map[string]string, all map[string]bool) {
	known, all = map[string]string{}, map[string]bool{}
	for _, q := range d.Queues {
		put(known, all, q.ID+".visibility", q.VisibilityTimeout)
		put(known, all, q.ID+".retention", q.Retention)
		put(known, all, q.ID+".delay", q.Delay)
		put(known, all, q.ID+".wait", q.ReceiveWait)
		put(known, all, q.ID+".fifo", q.FIFO)
		put(known, all, q.ID+".redrive", facts.Map(q.Redrive, func(r *facts.Redrive) bool { return r != nil }))
		if r, ok := q.Redrive.Get(); ok && r != nil {
			put(known, all, q.ID+".redrive.target", r.Target)
			put(known, all, q.ID+".redrive.max", r.MaxReceiveCount)
		}
		put(known, all, q.ID+".allow", facts.Map(q.RedriveAllow, func(r *facts.RedriveAllow) string { return fmt.Sprintf("%+v", r) }))
		cs, _ := q.Consumers.Get()
		for _, c := range cs {
			id := q.ID + " <- " + c.ID
			put(known, all, id+".function", facts.Known(c.Function, facts.Origin{}))
			put(known, all, id+".timeout", c.FunctionTimeout)
			put(known, all, id+".batch", c.BatchSize)
			put(known, all, id+".window", c.BatchingWindow)
			put(known, all, id+".partial", c.ReportBatchItemFailures)
			put(known, all, id+".max", facts.Map(c.MaximumConcurrency, intOf))
			put(known, all, id+".pollers", facts.Map(c.ProvisionedPollers, intOf))
			put(known, all, id+".reserved", facts.Map(c.ReservedConcurrency, intOf))
			put(known, all, id+".enabled", c.Enabled)
		}
	}
	return known, all
}

func intOf(p *int) string {
	if p == nil {
		return "none"
	}
	return fmt.Sprint(*p)
}

func put[T any](known map[string]string, all map[string]bool, name string, v facts.Value[T]) {
	all[name] = true
	if x, ok := v.Get(); ok {
		known[name] = fmt.Sprint(x)
	}
}

// TestPlanAgreesWithDirectory reads genuine plans and the configurations they
// were made from: they may know different things, and never say different ones.
// With the source directory a plan knows all that the directory does.
func TestPlanAgreesWithDirectory(t *testing.T) {
	plans, err := filepath.Glob("testdata/conformance/*/plan.json")
	if err != nil {
		t.Fatal(err)
	}
	if len(plans) < 8 {
		t.Fatalf("%d plans, want at least 8", len(plans))
	}
	for _, path := range plans {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			rd := caseReader(t, dir)
			want, _ := flat(rd.d)
			plan, err := Read(t.Context(), path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			got, _ := flat(plan.Deployment)
			for name, v := range got {
				if _, ok := want[name]; !ok && strings.HasSuffix(name, ".function") {
					t.Errorf("the plan has the join %s, the directory has not", name)
				}
				if w, ok := want[name]; ok && w != v {
					t.Errorf("%s: the plan says %s, the directory %s", name, v, w)
				}
			}
			both, err := Read(t.Context(), path, Options{SourceDir: dir})
			if err != nil {
				t.Fatal(err)
			}
			filled, _ := flat(both.Deployment)
			for name, w := range want {
				if v, ok := filled[name]; !ok || v != w {
					t.Errorf("%s: with sources %q, the directory %q", name, v, w)
				}
			}
			for _, q := range both.Deployment.Queues {
				if !q.External && q.Pos.Line == 0 {
					t.Errorf("%s has no line", q.ID)
				}
			}
		})
	}
}

func TestPlanKinds(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"binary", "PK\x03\x04rest", ErrBinaryPlan.Error()},
		{"empty", "", "the file is empty"},
		{"text", "hello", "no Terraform here"},
		{"other", `{"a":1}`, "neither a plan nor a state"},
		{"raw state", `{"version":4,"terraform_version":"1.5.0","serial":3,"resources":[]}`, "raw state file"},
		{"cut off", `{"format_version":"1.2","planned_values":`, "ends too early"},
		{"deep", `{"planned_values":` + nest(2000), "nesting above 500"},
		{"version", `{"format_version":"9.0","planned_values":{},"resource_changes":[]}`, "unsupported plan format version"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "p.json")
			if err := os.WriteFile(path, []byte(tt.src), 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := Read(t.Context(), path, Options{})
			if err == nil || !contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// TestPlanDynamicBlock: what stands in a dynamic block is no default, though
// the plan's configuration does not have it.
func TestPlanDynamicBlock(t *testing.T) {
	src := `{"format_version":"1.2","planned_values":{"root_module":{}},"resource_changes":[
 {"address":"aws_lambda_event_source_mapping.m","mode":"managed","type":"aws_lambda_event_source_mapping","name":"m",
  "change":{"actions":["create"],"after":{"event_source_arn":"arn:aws:sqs:eu-west-1:123456789012:q","function_name":"f","scaling_config":[{"maximum_concurrency":2}]},
   "after_unknown":{},"after_sensitive":{}}}],
 "configuration":{"root_module":{"resources":[{"address":"aws_lambda_event_source_mapping.m","mode":"managed","type":"aws_lambda_event_source_mapping","name":"m",
  "expressions":{"event_source_arn":{"constant_value":"x"},"function_name":{"constant_value":"f"}}}]}}}`
	res, err := Bytes(t.Context(), "plan.json", []byte(src), Options{})
	if err != nil {
		t.Fatal(err)
	}
	cs, _ := res.Deployment.Queues[0].Consumers.Get()
	if kind := cs[0].MaximumConcurrency.Origin().Kind; kind != facts.Plan {
		t.Errorf("maximum concurrency is of kind %v, want %v", kind, facts.Plan)
	}
}
