// Miniaws is a plan-only stand-in for the AWS provider: the schemas of the few
// resources that vtsize reads, and nothing behind them. It lets a real Terraform
// engine plan configurations with SQS queues where no provider can be had.
//
// The schemas follow the provider's documentation:
// https://github.com/hashicorp/terraform-provider-aws/tree/main/website/docs/r (read 2026-11-30)
package main

import (
	"context"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	pschema "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Address is where configurations find the provider.
const address = "example.com/hashicorp/aws"

func main() {
	opts := providerserver.ServeOpts{Address: address}
	if err := providerserver.Serve(context.Background(), func() provider.Provider { return aws{} }, opts); err != nil {
		log.Fatal(err)
	}
}

type aws struct{}

func (aws) Metadata(_ context.Context, _ provider.MetadataRequest, r *provider.MetadataResponse) {
	r.TypeName = "aws"
}

func (aws) Schema(_ context.Context, _ provider.SchemaRequest, r *provider.SchemaResponse) {
	r.Schema = pschema.Schema{Attributes: map[string]pschema.Attribute{"region": pschema.StringAttribute{Optional: true}}}
}

func (aws) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {}

func (aws) DataSources(context.Context) []func() datasource.DataSource { return nil }

func (aws) Resources(context.Context) []func() resource.Resource {
	var out []func() resource.Resource
	for name, s := range schemas {
		out = append(out, func() resource.Resource { return planned{name, s} })
	}
	return out
}

// planned is a resource that can be planned and never applied.
type planned struct {
	name   string
	schema schema.Schema
}

func (p planned) Metadata(_ context.Context, _ resource.MetadataRequest, r *resource.MetadataResponse) {
	r.TypeName = "aws_" + p.name
}

func (p planned) Schema(_ context.Context, _ resource.SchemaRequest, r *resource.SchemaResponse) {
	r.Schema = p.schema
}

func (planned) Create(context.Context, resource.CreateRequest, *resource.CreateResponse) {}
func (planned) Read(context.Context, resource.ReadRequest, *resource.ReadResponse)       {}
func (planned) Update(context.Context, resource.UpdateRequest, *resource.UpdateResponse) {}
func (planned) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

type attrs = map[string]schema.Attribute

var (
	required  = schema.StringAttribute{Required: true}
	optional  = schema.StringAttribute{Optional: true}
	either    = schema.StringAttribute{Optional: true, Computed: true}
	computed  = schema.StringAttribute{Computed: true}
	number    = schema.Int64Attribute{Optional: true}
	flag      = schema.BoolAttribute{Optional: true}
	stringSet = schema.SetAttribute{Optional: true, ElementType: types.StringType}
	stringMap = schema.MapAttribute{Optional: true, ElementType: types.StringType}
)

func numberOr(n int64) schema.Attribute {
	return schema.Int64Attribute{Optional: true, Computed: true, Default: int64default.StaticInt64(n)}
}

func flagOr(b bool) schema.Attribute {
	return schema.BoolAttribute{Optional: true, Computed: true, Default: booldefault.StaticBool(b)}
}

func block(a attrs, nested map[string]schema.Block) schema.Block {
	return schema.ListNestedBlock{NestedObject: schema.NestedBlockObject{Attributes: a, Blocks: nested}}
}

var schemas = map[string]schema.Schema{
	"sqs_queue": {Attributes: attrs{"name": either, "name_prefix": either, "id": computed, "arn": computed, "url": computed,
		"visibility_timeout_seconds": numberOr(30), "message_retention_seconds": numberOr(345600), "delay_seconds": numberOr(0),
		"receive_wait_time_seconds": numberOr(0), "max_message_size": number, "fifo_queue": flagOr(false), "content_based_deduplication": flagOr(false),
		"redrive_policy": either, "redrive_allow_policy": either, "policy": either, "kms_master_key_id": optional, "sqs_managed_sse_enabled": flag, "tags": stringMap}},
	"sqs_queue_policy":               {Attributes: attrs{"id": computed, "queue_url": required, "policy": required}},
	"sqs_queue_redrive_policy":       {Attributes: attrs{"id": computed, "queue_url": required, "redrive_policy": required}},
	"sqs_queue_redrive_allow_policy": {Attributes: attrs{"id": computed, "queue_url": required, "redrive_allow_policy": required}},
	"lambda_function": {Attributes: attrs{"function_name": required, "id": computed, "arn": computed, "qualified_arn": computed, "invoke_arn": computed,
		"version": computed, "role": optional, "runtime": optional, "handler": optional, "filename": optional, "image_uri": optional, "package_type": optional,
		"publish": flag, "timeout": numberOr(3), "memory_size": numberOr(128), "reserved_concurrent_executions": numberOr(-1), "tags": stringMap},
		Blocks: map[string]schema.Block{"environment": block(attrs{"variables": stringMap}, nil)}},
	"lambda_alias": {Attributes: attrs{"name": required, "function_name": required, "function_version": required, "id": computed, "arn": computed, "invoke_arn": computed}},
	"lambda_event_source_mapping": {Attributes: attrs{"id": computed, "uuid": computed, "arn": computed, "event_source_arn": optional, "function_name": required,
		"batch_size": number, "maximum_batching_window_in_seconds": number, "enabled": flagOr(true), "function_response_types": stringSet,
		"starting_position": optional, "topics": stringSet, "queues": stringSet, "tags": stringMap},
		Blocks: map[string]schema.Block{
			"scaling_config":            block(attrs{"maximum_concurrency": number}, nil),
			"provisioned_poller_config": block(attrs{"maximum_pollers": number, "minimum_pollers": number}, nil),
			"filter_criteria":           block(nil, map[string]schema.Block{"filter": block(attrs{"pattern": optional}, nil)}),
		}},
	"pipes_pipe": {Attributes: attrs{"id": computed, "arn": computed, "name": either, "role_arn": optional, "source": required, "target": required, "desired_state": optional},
		Blocks: map[string]schema.Block{"source_parameters": block(nil, map[string]schema.Block{
			"sqs_queue_parameters": block(attrs{"batch_size": number, "maximum_batching_window_in_seconds": number}, nil)})}},
	"cloudwatch_metric_alarm": {Attributes: attrs{"id": computed, "arn": computed, "alarm_name": required, "namespace": optional, "metric_name": optional,
		"comparison_operator": optional, "evaluation_periods": number, "period": number, "statistic": optional, "threshold": number, "dimensions": stringMap},
		Blocks: map[string]schema.Block{"metric_query": block(attrs{"id": required, "expression": optional, "return_data": flag}, map[string]schema.Block{
			"metric": block(attrs{"metric_name": required, "namespace": optional, "period": number, "stat": optional, "dimensions": stringMap}, nil)})}},
	"kinesis_stream": {Attributes: attrs{"id": computed, "arn": computed, "name": required, "shard_count": number}},
	"iam_role":       {Attributes: attrs{"id": computed, "arn": computed, "name": either, "assume_role_policy": optional}},
}
