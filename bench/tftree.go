//go:build ignore

// Tftree makes the input of the Terraform benchmarks:
//
//	go run bench/tftree.go -roots 1000 DIR     root modules, four resources each
//	go run bench/tftree.go -plan 50 FILE       a plan JSON of about so many MB
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
)

const rootModule = `variable "env" { default = "prod" }

locals {
  timeout = %[2]d
}

resource "aws_sqs_queue" "jobs" {
  name                       = "${var.env}-jobs-%[1]d"
  visibility_timeout_seconds = local.timeout * 6
  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.dead.arn
    maxReceiveCount     = 5
  })
}

resource "aws_sqs_queue" "dead" {
  name                      = "${var.env}-dead-%[1]d"
  message_retention_seconds = 1209600
}

resource "aws_lambda_function" "worker" {
  function_name = "${var.env}-worker-%[1]d"
  timeout       = local.timeout
}

resource "aws_lambda_event_source_mapping" "jobs" {
  event_source_arn        = aws_sqs_queue.jobs.arn
  function_name           = aws_lambda_function.worker.arn
  function_response_types = ["ReportBatchItemFailures"]
}
`

func main() {
	roots := flag.Int("roots", 0, "number of root modules")
	plan := flag.Int("plan", 0, "megabytes of plan")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("usage: tftree -roots N DIR, or tftree -plan MB FILE")
	}
	var err error
	if *plan > 0 {
		err = writePlan(flag.Arg(0), *plan<<20)
	} else {
		err = writeRoots(flag.Arg(0), *roots)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func writeRoots(dir string, n int) error {
	for i := range n {
		d := filepath.Join(dir, fmt.Sprintf("team%02d", i%50), fmt.Sprintf("service%05d", i))
		if err := os.MkdirAll(d, 0o755); err != nil {
			return err
		}
		src := fmt.Sprintf(rootModule, i, 10+i%90)
		if err := os.WriteFile(filepath.Join(d, "main.tf"), []byte(src), 0o644); err != nil {
			return err
		}
	}
	return nil
}

type object = map[string]any

// writePlan writes resource changes with their configuration until the file is
// large enough: of five resources one is a queue, one a function, one a mapping.
func writePlan(path string, size int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	var changes, config []object
	total := 0
	add := func(i int, typ string, after, unknown, exprs object) error {
		name := fmt.Sprintf("r%d", i)
		changes = append(changes, object{"address": typ + "." + name, "mode": "managed", "type": typ, "name": name,
			"provider_name": "aws", "change": object{"actions": []string{"create"}, "before": nil, "after": after, "after_unknown": unknown,
				"before_sensitive": false, "after_sensitive": object{}}})
		config = append(config, object{"address": typ + "." + name, "mode": "managed", "type": typ, "name": name, "expressions": exprs, "schema_version": 0})
		a, err := json.Marshal(changes[len(changes)-1])
		if err != nil {
			return err
		}
		b, err := json.Marshal(config[len(config)-1])
		total += len(a) + len(b)
		return err
	}
	constant := func(v any) object { return object{"constant_value": v} }
	refs := func(r ...string) object { return object{"references": r} }
	for i := 0; total < size && err == nil; i++ {
		q, fn := fmt.Sprintf("aws_sqs_queue.r%d", i), fmt.Sprintf("aws_lambda_function.r%d", i)
		steps := []func() error{
			func() error {
				return add(i, "aws_sqs_queue", object{"name": fmt.Sprint("q", i), "visibility_timeout_seconds": 60, "message_retention_seconds": 345600},
					object{"arn": true, "id": true, "url": true}, object{"name": constant(fmt.Sprint("q", i)), "visibility_timeout_seconds": constant(60)})
			},
			func() error {
				return add(i, "aws_lambda_function", object{"function_name": fmt.Sprint("f", i), "timeout": 10}, object{"arn": true}, object{"timeout": constant(10)})
			},
			func() error {
				return add(i, "aws_lambda_event_source_mapping", object{"batch_size": 10, "enabled": true}, object{"event_source_arn": true, "function_name": true},
					object{"event_source_arn": refs(q+".arn", q), "function_name": refs(fn+".arn", fn)})
			},
		}
		for _, s := range steps {
			if err == nil {
				err = s()
			}
		}
		for k := range 2 {
			if err == nil {
				err = add(2*i+k, "aws_iam_policy", object{"name": fmt.Sprint("p", i), "policy": `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"*"}]}`, "tags": object{"a": "b"}},
					object{"arn": true}, object{"policy": refs(q + ".arn")})
			}
		}
	}
	if err == nil {
		err = json.NewEncoder(w).Encode(object{"format_version": "1.2", "terraform_version": "1.12.6", "planned_values": object{"root_module": object{}},
			"resource_changes": changes, "configuration": object{"root_module": object{"resources": config}}})
	}
	if err == nil {
		err = w.Flush()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}
