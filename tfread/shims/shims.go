// Package shims stands in for well-known registry modules that are not on disk.
//
// Each is a few lines of Terraform with the module's documented inputs and
// their defaults, the resources that facts are made of, and the outputs that
// refer to them; one for each major version.
package shims

import (
	"embed"
	"strconv"
	"strings"
	"sync"

	"vtsize/tfread/eval"
)

//go:embed *.tf
var files embed.FS

// shim is a module with the major versions that a file stands for.
type shim struct {
	source   string
	versions map[int]string // file by major version
	latest   string         // where no version is given
}

// All lists the modules known, with their major versions.
var all = []shim{
	{"terraform-aws-modules/sqs/aws", map[int]string{2: "sqs_v2.tf", 3: "sqs_v3.tf", 4: "sqs_v4.tf", 5: "sqs_v4.tf"}, "sqs_v4.tf"},
	{"terraform-aws-modules/lambda/aws", map[int]string{1: "lambda_v1.tf", 2: "lambda_v1.tf", 3: "lambda_v1.tf", 4: "lambda_v1.tf",
		5: "lambda_v1.tf", 6: "lambda_v1.tf", 7: "lambda_v1.tf", 8: "lambda_v1.tf"}, "lambda_v1.tf"},
	{"terraform-aws-modules/lambda/aws//modules/alias", map[int]string{1: "alias_v1.tf", 2: "alias_v1.tf", 3: "alias_v1.tf", 4: "alias_v1.tf",
		5: "alias_v1.tf", 6: "alias_v1.tf", 7: "alias_v1.tf", 8: "alias_v1.tf"}, "alias_v1.tf"},
}

var (
	mu     sync.Mutex
	parsed = map[string]*eval.Module{}
)

// Find returns the stand-in for a module, or nil.
func Find(source, version string) *eval.Module {
	source = normal(source)
	for _, s := range all {
		if s.source != source {
			continue
		}
		name := s.latest
		if major, ok := major(version); ok {
			if name, ok = s.versions[major]; !ok {
				return nil // a version that nobody has looked at
			}
		}
		return load(name)
	}
	return nil
}

func load(name string) *eval.Module {
	mu.Lock()
	defer mu.Unlock()
	if m := parsed[name]; m != nil {
		return m
	}
	src, err := files.ReadFile(name)
	if err != nil {
		return nil
	}
	m := eval.LoadSource(src, "builtin/"+name)
	parsed[name] = m
	return m
}

// normal takes what names the same module: with a registry's host in front, or
// the address of its repository.
func normal(source string) string {
	const repo = "github.com/terraform-aws-modules/terraform-aws-"
	if i := strings.Index(source, repo); i >= 0 {
		rest, _, _ := strings.Cut(source[i+len(repo):], "?")
		name, sub, _ := strings.Cut(rest, "//")
		source = "terraform-aws-modules/" + strings.TrimSuffix(name, ".git") + "/aws"
		if sub != "" {
			source += "//" + sub
		}
		return source
	}
	if host, rest, ok := strings.Cut(source, "/"); ok && strings.Contains(host, ".") && strings.Count(rest, "/") >= 2 {
		return rest
	}
	return source
}

// major is the first number of a version constraint, as "~> 4.0".
func major(version string) (int, bool) {
	i := strings.IndexAny(version, "0123456789")
	if i < 0 {
		return 0, false
	}
	j := i
	for j < len(version) && version[j] >= '0' && version[j] <= '9' {
		j++
	}
	n, err := strconv.Atoi(version[i:j])
	if err != nil || strings.HasPrefix(strings.TrimSpace(version), ">") || strings.HasPrefix(strings.TrimSpace(version), "<") {
		return 0, false // a lower bound says nothing of what is installed
	}
	return n, true
}
