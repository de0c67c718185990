package tfread

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	tfjson "github.com/hashicorp/terraform-json"

	"vtsize/facts"
	"vtsize/tfread/eval"
)

// planDoc is the part of a plan that is read. Resource changes stay text until
// their type is known: most of a large plan is none of our business.
type planDoc struct {
	FormatVersion   string                          `json:"format_version"`
	Errored         bool                            `json:"errored"`
	Variables       map[string]*tfjson.PlanVariable `json:"variables"`
	ResourceChanges []json.RawMessage               `json:"resource_changes"`
	Config          json.RawMessage                 `json:"configuration"`
}

// planResource is an instance as a plan or a state has it.
type planResource struct {
	address, module, typ, name string
	index                      any
	data                       bool
	values                     map[string]any // what will be
	unknown, sensitive         map[string]any
}

// planJSON reads the output of "terraform show -json PLAN".
func planJSON(ctx context.Context, name string, src []byte, opt Options) (*Result, error) {
	var doc planDoc
	if err := json.Unmarshal(src, &doc); err != nil {
		return nil, fmt.Errorf("not a plan: %w", err)
	}
	if err := (&tfjson.Plan{FormatVersion: doc.FormatVersion}).Validate(); err != nil {
		return nil, err
	}
	p := newPlanReader(ctx, name, opt)
	var resources []*planResource
	for _, raw := range doc.ResourceChanges {
		r, err := changed(raw)
		if err != nil {
			return nil, fmt.Errorf("not a plan: %w", err)
		}
		if r != nil {
			resources = append(resources, r)
		}
	}
	if doc.ResourceChanges == nil {
		var values struct {
			Planned *tfjson.StateValues `json:"planned_values"`
		}
		if err := json.Unmarshal(src, &values); err != nil {
			return nil, fmt.Errorf("not a plan: %w", err)
		}
		if values.Planned != nil {
			resources = stateResources(values.Planned.RootModule)
		}
	}
	if len(doc.Config) > 0 {
		if err := p.index(doc.Config); err != nil {
			return nil, fmt.Errorf("not a plan: configuration: %w", err)
		}
	}
	if doc.Errored {
		p.problems = append(p.problems, Problem{Kind: ValueProblem, Pos: facts.Pos{File: name}, Message: "the plan ended in an error and may be incomplete"})
	}
	p.collect(resources)
	if opt.SourceDir != "" {
		if err := p.fill(ctx, doc.Variables); err != nil {
			return nil, fmt.Errorf("source directory %q: %w", opt.SourceDir, err)
		}
	}
	return p.result(PlanKind), nil
}

// changed reads a resource change, if it is one of a wanted type that leaves
// something behind.
func changed(raw json.RawMessage) (*planResource, error) {
	if !wanted[typeOf(raw)] {
		return nil, nil
	}
	var rc tfjson.ResourceChange
	if err := json.Unmarshal(raw, &rc); err != nil {
		return nil, err
	}
	if rc.DeposedKey != "" {
		return nil, nil // what is left of an instance that was replaced
	}
	if rc.Change == nil || rc.Address == "" {
		return nil, errors.New("a resource change without an address or a change")
	}
	a := rc.Change.Actions
	if a.Delete() || slices.Equal(a, tfjson.Actions{"forget"}) {
		return nil, nil
	}
	r := &planResource{address: rc.Address, module: rc.ModuleAddress, typ: rc.Type, name: rc.Name, index: rc.Index, data: rc.Mode == tfjson.DataResourceMode}
	r.values, _ = rc.Change.After.(map[string]any)
	r.unknown, _ = rc.Change.AfterUnknown.(map[string]any)
	r.sensitive, _ = rc.Change.AfterSensitive.(map[string]any)
	return r, nil
}

// stateJSON reads the output of "terraform show -json" of a state.
func stateJSON(ctx context.Context, name string, src []byte, opt Options) (*Result, error) {
	var state tfjson.State
	if err := json.Unmarshal(src, &state); err != nil {
		return nil, fmt.Errorf("not a state: %w", err)
	}
	p := newPlanReader(ctx, name, opt)
	var resources []*planResource
	if state.Values != nil {
		resources = stateResources(state.Values.RootModule)
	}
	p.collect(resources)
	if opt.SourceDir != "" {
		if err := p.fill(ctx, nil); err != nil {
			return nil, fmt.Errorf("source directory %q: %w", opt.SourceDir, err)
		}
	}
	return p.result(StateKind), nil
}

// stateResources gathers the instances of a state, modules included.
func stateResources(m *tfjson.StateModule) []*planResource {
	if m == nil {
		return nil
	}
	var out []*planResource
	for _, r := range m.Resources {
		if r == nil || !wanted[r.Type] || r.DeposedKey != "" || r.Address == "" {
			continue
		}
		p := &planResource{address: r.Address, module: m.Address, typ: r.Type, name: r.Name, index: r.Index,
			data: r.Mode == tfjson.DataResourceMode, values: r.AttributeValues}
		if len(r.SensitiveValues) > 0 {
			// What is marked in another form than a map marks nothing here.
			_ = json.Unmarshal(r.SensitiveValues, &p.sensitive)
		}
		out = append(out, p)
	}
	for _, c := range m.ChildModules {
		out = append(out, stateResources(c)...)
	}
	return out
}

// planReader makes facts of a plan or state, through the same joins as
// directories.
type planReader struct {
	*reader
	name   string
	config map[string]*configModule   // by module path without keys
	known  bool                       // there is a configuration
	byKey  map[string][]*planResource // by module path and name without keys
	at     map[string]*tfjson.ConfigResource
}

func newPlanReader(ctx context.Context, name string, opt Options) *planReader {
	rd := newReader(ctx, "", newSession(""), opt)
	rd.kind = facts.Plan
	rd.root = eval.NewRoot(ctx, &eval.Module{}, eval.Config{Loader: rd.loader})
	return &planReader{reader: rd, name: name, config: map[string]*configModule{}, byKey: map[string][]*planResource{},
		at: map[string]*tfjson.ConfigResource{}}
}

// configModule is tfjson.ConfigModule with the resources left as text until
// their type is known.
type configModule struct {
	Outputs     map[string]*tfjson.ConfigOutput `json:"outputs"`
	Resources   []json.RawMessage               `json:"resources"`
	ModuleCalls map[string]*struct {
		Expressions       map[string]*tfjson.Expression `json:"expressions"`
		CountExpression   *tfjson.Expression            `json:"count_expression"`
		ForEachExpression *tfjson.Expression            `json:"for_each_expression"`
		Module            *configModule                 `json:"module"`
	} `json:"module_calls"`
}

// index makes the configuration findable by module path.
func (p *planReader) index(raw json.RawMessage) error {
	var c struct {
		Root *configModule `json:"root_module"`
	}
	if err := json.Unmarshal(raw, &c); err != nil {
		return err
	}
	p.known = c.Root != nil
	return p.indexModule("", c.Root, 0)
}

func (p *planReader) indexModule(path string, m *configModule, depth int) error {
	if m == nil || depth > eval.MaxDepth {
		return nil
	}
	p.config[path] = m
	for _, raw := range m.Resources {
		if !wanted[typeOf(raw)] {
			continue
		}
		var r tfjson.ConfigResource
		if err := json.Unmarshal(raw, &r); err != nil {
			return err
		}
		p.at[path+"|"+r.Address] = &r
	}
	m.Resources = nil
	for name, c := range m.ModuleCalls {
		if c == nil {
			continue
		}
		if err := p.indexModule(joinPath(path, "module."+name), c.Module, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func joinPath(path, rest string) string {
	if path == "" {
		return rest
	}
	return path + "." + rest
}

func (p *planReader) collect(resources []*planResource) {
	for _, r := range resources {
		key := r.module + "|" + r.typ + "." + r.name
		if r.data {
			key = r.module + "|data." + r.typ + "." + r.name
		}
		p.byKey[key] = append(p.byKey[key], r)
	}
	for _, r := range resources {
		if !r.data {
			p.sort(p.item(r))
		}
	}
	p.makeFacts()
}
