package tfread

import (
	"github.com/zclconf/go-cty/cty"

	"vtsize/tfread/eval"
)

// provider describes the AWS resources that facts are made of: what the
// provider takes where nothing is set, and the shape of what AWS assigns.
// https://github.com/hashicorp/terraform-provider-aws/tree/main/website/docs/r (read 2026-11-30)
type provider struct {
	resources, data map[string]*eval.Schema
}

// Schema implements [eval.Provider].
func (p *provider) Schema(typ string, data bool) *eval.Schema {
	if data {
		return p.data[typ]
	}
	return p.resources[typ]
}

func attr(ty cty.Type) eval.Attr { return eval.Attr{Type: ty} }

func number(n int64) eval.Attr { return eval.Attr{Type: cty.Number, Default: cty.NumberIntVal(n)} }

func computed(f func(*eval.Instance) cty.Value) eval.Attr {
	return eval.Attr{Type: cty.String, Compute: f}
}

// assigned is an identifier that AWS makes up.
func assigned(name string) eval.Attr {
	return computed(func(i *eval.Instance) cty.Value { return i.StandIn(name, eval.Segment) })
}

// text is an attribute as a string, or a stand-in for it.
func text(i *eval.Instance, name string) string {
	v := i.Get(name).V
	if v != cty.NilVal && v.Type() == cty.String && v.IsKnown() && !v.IsNull() {
		return v.AsString()
	}
	return i.StandIn(name, eval.Segment).AsString()
}

// part is a part of the identifiers that AWS makes up, besides the name.
func part(i *eval.Instance, name string) string { return i.Part(name, "arn", eval.Segment).AsString() }

// arn has stand-ins in the places of partition, region and account, which lead
// back to the resource whatever its name is.
func arn(i *eval.Instance, service, rest string) cty.Value {
	return cty.StringVal("arn:" + part(i, "partition") + ":" + service + ":" + part(i, "region") + ":" + part(i, "account") + ":" + rest)
}

func queueARN(i *eval.Instance) cty.Value { return arn(i, "sqs", text(i, "name")) }

func queueURL(i *eval.Instance) cty.Value {
	return cty.StringVal("https://sqs." + part(i, "region") + ".amazonaws.com/" + part(i, "account") + "/" + text(i, "name"))
}

// queueName is made up by the provider from the prefix, if there is one.
func queueName(i *eval.Instance) cty.Value {
	name := i.StandIn("name", eval.Segment).AsString()
	if v := i.Get("name_prefix").V; v != cty.NilVal && v.Type() == cty.String && v.IsKnown() && !v.IsNull() {
		name = v.AsString() + name
	}
	if v := i.Get("fifo_queue").V; v != cty.NilVal && v.Type() == cty.Bool && v.IsKnown() && v.True() {
		name += ".fifo"
	}
	return cty.StringVal(name)
}

func functionARN(i *eval.Instance) cty.Value {
	return arn(i, "lambda", "function:"+text(i, "function_name"))
}

func qualifiedARN(i *eval.Instance) cty.Value {
	return cty.StringVal(functionARN(i).AsString() + ":" + text(i, "version"))
}

func invokeARN(arnOf func(*eval.Instance) cty.Value) func(*eval.Instance) cty.Value {
	return func(i *eval.Instance) cty.Value {
		return cty.StringVal("arn:" + part(i, "partition") + ":apigateway:" + part(i, "region") + ":lambda:path/2015-03-31/functions/" +
			arnOf(i).AsString() + "/invocations")
	}
}

// aliasARN is the function's ARN with the alias's name behind it. The alias's
// own stand-ins lead to the alias, and from there to the function.
func aliasARN(i *eval.Instance) cty.Value {
	return arn(i, "lambda", "function:"+functionNameOf(text(i, "function_name"))+":"+text(i, "name"))
}

func sameAs(name string) eval.Attr {
	return computed(func(i *eval.Instance) cty.Value { return cty.StringVal(text(i, name)) })
}

var awsProvider = &provider{
	resources: map[string]*eval.Schema{
		"aws_sqs_queue": {Attrs: map[string]eval.Attr{
			"name": computed(queueName), "name_prefix": attr(cty.String), "arn": computed(queueARN), "url": computed(queueURL), "id": computed(queueURL),
			"visibility_timeout_seconds": number(30), "message_retention_seconds": number(345600), "delay_seconds": number(0),
			"receive_wait_time_seconds": number(0), "max_message_size": attr(cty.Number),
			"fifo_queue":     {Type: cty.Bool, Default: cty.False},
			"redrive_policy": attr(cty.String), "redrive_allow_policy": attr(cty.String), "policy": attr(cty.String),
		}},
		"aws_lambda_function": {Attrs: map[string]eval.Attr{
			"function_name": assigned("function_name"), "arn": computed(functionARN), "id": sameAs("function_name"), "qualified_arn": computed(qualifiedARN),
			"version": assigned("version"), "invoke_arn": computed(invokeARN(functionARN)), "qualified_invoke_arn": computed(invokeARN(qualifiedARN)),
			"timeout": number(3), "memory_size": number(128), "reserved_concurrent_executions": number(-1), "role": attr(cty.String),
		}, Blocks: map[string]bool{"environment": true, "vpc_config": true, "dead_letter_config": true, "tracing_config": true}},
		"aws_lambda_alias": {Attrs: map[string]eval.Attr{
			"name": assigned("name"), "function_name": assigned("function_name"), "function_version": attr(cty.String),
			"arn": computed(aliasARN), "id": computed(aliasARN), "invoke_arn": computed(invokeARN(aliasARN)),
		}},
		"aws_lambda_event_source_mapping": {Attrs: map[string]eval.Attr{
			"event_source_arn": attr(cty.String), "function_name": attr(cty.String), "batch_size": attr(cty.Number),
			"maximum_batching_window_in_seconds": attr(cty.Number), "enabled": {Type: cty.Bool, Default: cty.True},
			"function_response_types": attr(cty.Set(cty.String)), "starting_position": attr(cty.String), "topics": attr(cty.Set(cty.String)),
			"queues": attr(cty.Set(cty.String)), "uuid": assigned("uuid"), "id": assigned("uuid"),
		}, Blocks: map[string]bool{"scaling_config": true, "filter_criteria": true, "provisioned_poller_config": true}},
		"aws_pipes_pipe": {Attrs: map[string]eval.Attr{
			"name": assigned("name"), "source": attr(cty.String), "target": attr(cty.String), "desired_state": attr(cty.String),
			"enrichment": attr(cty.String),
		}, Blocks: map[string]bool{"source_parameters": true, "target_parameters": true}},
		"aws_cloudwatch_metric_alarm": {Attrs: map[string]eval.Attr{
			"alarm_name": attr(cty.String), "namespace": attr(cty.String), "metric_name": attr(cty.String),
			"dimensions": attr(cty.Map(cty.String)),
		}, Blocks: map[string]bool{"metric_query": true}},
		"aws_sqs_queue_redrive_policy":       {Attrs: map[string]eval.Attr{"queue_url": attr(cty.String), "redrive_policy": attr(cty.String)}},
		"aws_sqs_queue_redrive_allow_policy": {Attrs: map[string]eval.Attr{"queue_url": attr(cty.String), "redrive_allow_policy": attr(cty.String)}},
	},
	data: map[string]*eval.Schema{
		"aws_sqs_queue": {Attrs: map[string]eval.Attr{
			"name": assigned("name"), "arn": computed(queueARN), "url": computed(queueURL), "id": computed(queueURL),
		}},
		"aws_lambda_function": {Attrs: map[string]eval.Attr{
			"function_name": assigned("function_name"), "arn": computed(functionARN), "id": sameAs("function_name"), "qualified_arn": computed(qualifiedARN),
			"version": assigned("version"), "invoke_arn": computed(invokeARN(functionARN)), "timeout": attr(cty.Number), "memory_size": attr(cty.Number),
			"reserved_concurrent_executions": attr(cty.Number),
		}},
		"aws_lambda_alias": {Attrs: map[string]eval.Attr{
			"name": assigned("name"), "function_name": assigned("function_name"), "arn": computed(aliasARN), "invoke_arn": computed(invokeARN(aliasARN)),
		}},
		"aws_region":          {Attrs: map[string]eval.Attr{"name": assigned("name"), "id": assigned("name"), "region": assigned("name")}},
		"aws_caller_identity": {Attrs: map[string]eval.Attr{"account_id": assigned("account_id"), "id": assigned("account_id")}},
		"aws_partition":       {Attrs: map[string]eval.Attr{"partition": assigned("partition"), "id": assigned("partition")}},
	},
}
