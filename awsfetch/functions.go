package awsfetch

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/lambda/types"
)

// listAllFrom is the number of queues from which on one list of all mappings
// is cheaper than one filtered list for each queue and each function.
const listAllFrom = 6

// mappingFilter is one question to ListEventSourceMappings.
type mappingFilter struct{ source, function string }

// readConsumers reads the mappings of the queues and the functions they name.
func (r *reader) readConsumers(ctx context.Context, queues []*Queue) {
	list := func(f mappingFilter) Read[[]Mapping] { return r.listMappings(ctx, f) }
	if len(queues) >= listAllFrom {
		all := r.listMappings(ctx, mappingFilter{})
		list = func(f mappingFilter) Read[[]Mapping] { return narrow(all, f) }
	}
	each(queues, func(q *Queue) { q.Mappings = list(mappingFilter{source: q.ARN}) })

	functions := map[string]*Function{}
	for _, q := range queues {
		if q.Mappings.Value == nil {
			continue
		}
		for _, m := range *q.Mappings.Value {
			functions[m.Function] = &Function{ARN: m.Function}
		}
	}
	for _, arn := range slices.Sorted(maps.Keys(functions)) {
		r.functions = append(r.functions, functions[arn])
		if name, ok := parseFunction(arn); ok {
			r.isHome(name.account) // mappings and functions are always of the caller's account
		}
	}
	each(r.functions, func(f *Function) { r.readFunction(ctx, f, list) })
}

// readFunction reads the version or alias that the mapping names: $LATEST may
// have another timeout. Reserved concurrency is the function's as a whole.
func (r *reader) readFunction(ctx context.Context, f *Function, list func(mappingFilter) Read[[]Mapping]) {
	name, ok := parseFunction(f.ARN)
	if !ok {
		f.Configuration.Failure = broken(actionListEventSourceMappings)
		f.Concurrency.Failure = broken(actionListEventSourceMappings)
		f.Mappings.Failure = broken(actionListEventSourceMappings)
		return
	}
	var wg sync.WaitGroup
	wg.Go(func() { f.Configuration = r.configuration(ctx, name) })
	wg.Go(func() { f.Concurrency = r.concurrency(ctx, name) })
	wg.Go(func() {
		f.Mappings = list(mappingFilter{function: name.name})
		if name.qualifier != "" && f.Mappings.Value != nil {
			// Whether the plain name finds the mappings of versions and
			// aliases, AWS does not say.
			f.Mappings = union(f.Mappings, list(mappingFilter{function: name.qualified()}))
		}
	})
	wg.Wait()
}

func (r *reader) configuration(ctx context.Context, f function) Read[Configuration] {
	in := &lambda.GetFunctionConfigurationInput{FunctionName: &f.name}
	if f.qualifier != "" {
		in.Qualifier = &f.qualifier
	}
	out, failure, ok := ask(ctx, r.calls, actionGetFunctionConfiguration, func(ctx context.Context) (*lambda.GetFunctionConfigurationOutput, error) {
		return r.region.lambda.GetFunctionConfiguration(ctx, in)
	})
	if !ok {
		return Read[Configuration]{Failure: failure}
	}
	return answered(Configuration{TimeoutSeconds: integer(out.Timeout)})
}

func (r *reader) concurrency(ctx context.Context, f function) Read[Concurrency] {
	out, failure, ok := ask(ctx, r.calls, actionGetFunctionConcurrency, func(ctx context.Context) (*lambda.GetFunctionConcurrencyOutput, error) {
		return r.region.lambda.GetFunctionConcurrency(ctx, &lambda.GetFunctionConcurrencyInput{FunctionName: &f.name})
	})
	if !ok {
		return Read[Concurrency]{Failure: failure}
	}
	return answered(Concurrency{Reserved: integer(out.ReservedConcurrentExecutions)})
}

func (r *reader) listMappings(ctx context.Context, filter mappingFilter) Read[[]Mapping] {
	in := lambda.ListEventSourceMappingsInput{MaxItems: aws.Int32(100)}
	if filter.source != "" {
		in.EventSourceArn = &filter.source
	}
	if filter.function != "" {
		in.FunctionName = &filter.function
	}
	found := pages(ctx, r.calls, actionListEventSourceMappings, func(ctx context.Context, token *string) ([]Mapping, *string, error) {
		in := in
		in.Marker = token
		out, err := r.region.lambda.ListEventSourceMappings(ctx, &in)
		if err != nil {
			return nil, nil, err
		}
		var page []Mapping
		for _, m := range out.EventSourceMappings {
			page = append(page, newMapping(m))
		}
		return page, out.NextMarker, nil
	})
	return narrow(found, filter)
}

func newMapping(m types.EventSourceMappingConfiguration) Mapping {
	mapping := Mapping{
		UUID:          aws.ToString(m.UUID),
		EventSource:   aws.ToString(m.EventSourceArn),
		Function:      aws.ToString(m.FunctionArn),
		State:         aws.ToString(m.State),
		BatchSize:     integer(m.BatchSize),
		WindowSeconds: integer(m.MaximumBatchingWindowInSeconds),
	}
	if m.ScalingConfig != nil {
		mapping.MaximumConcurrency = integer(m.ScalingConfig.MaximumConcurrency)
	}
	if p := m.ProvisionedPollerConfig; p != nil {
		mapping.Pollers = &Pollers{Minimum: integer(p.MinimumPollers), Maximum: integer(p.MaximumPollers)}
	}
	for _, t := range m.FunctionResponseTypes {
		mapping.ResponseTypes = append(mapping.ResponseTypes, string(t))
	}
	return mapping
}

// narrow keeps the mappings that a filter asks for. A function without a
// qualifier stands for all its versions and aliases.
func narrow(all Read[[]Mapping], filter mappingFilter) Read[[]Mapping] {
	if all.Value == nil {
		return all
	}
	kept := []Mapping{}
	for _, m := range *all.Value {
		f, _ := parseFunction(m.Function)
		if (filter.source == "" || m.EventSource == filter.source) &&
			(filter.function == "" || f.name == filter.function || f.qualified() == filter.function) {
			kept = append(kept, m)
		}
	}
	return answered(kept)
}

func union(a, b Read[[]Mapping]) Read[[]Mapping] {
	if a.Value == nil {
		return a
	}
	if b.Value == nil {
		return b
	}
	all := slices.Clone(*a.Value)
	for _, m := range *b.Value {
		if !slices.ContainsFunc(all, func(have Mapping) bool { return have.UUID == m.UUID }) {
			all = append(all, m)
		}
	}
	return answered(all)
}

func integer(p *int32) *int {
	if p == nil {
		return nil
	}
	n := int(*p)
	return &n
}
