package tfread

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// queueSeconds is the visibility timeout of the only queue, or -1.
func queueSeconds(t *testing.T, res *Result) int {
	t.Helper()
	if len(res.Deployment.Queues) != 1 {
		t.Fatalf("%d queues, want one", len(res.Deployment.Queues))
	}
	d, ok := res.Deployment.Queues[0].VisibilityTimeout.Get()
	if !ok {
		return -1
	}
	return int(d / time.Second)
}

func TestEnvironment(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "main.tf", "variable \"t\" {\n  type = map(number)\n}\n"+queueOf("var.t[terraform.workspace]"))
	for _, tt := range []struct {
		opt  Options
		want int
	}{
		{Options{Env: []string{"TF_VAR_t={ default = 5, prod = 7 }"}}, 5},
		{Options{Env: []string{"TF_VAR_t={ default = 5, prod = 7 }", "TF_WORKSPACE=prod"}}, 7},
		{Options{Env: []string{"TF_VAR_t={ default = 5, prod = 7 }", "TF_WORKSPACE=prod"}, Workspace: "default"}, 5},
		{Options{Inputs: []Input{{Name: "t", Value: `{"default": 9}`}}, Env: []string{"TF_VAR_t={}"}}, 9},
		{Options{}, -1},
	} {
		res, err := Read(t.Context(), dir, tt.opt)
		if err != nil {
			t.Fatal(err)
		}
		if got := queueSeconds(t, res); got != tt.want {
			t.Errorf("%+v: %d, want %d", tt.opt, got, tt.want)
		}
	}
	t.Setenv("TF_VAR_t", "{ default = 1 }") // not read: only Options.Env is
	res, err := Read(t.Context(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := queueSeconds(t, res); got != -1 {
		t.Errorf("the process's own environment is read: %d", got)
	}
}

func TestVarFiles(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	writeFile(t, dir, "main.tf", "variable \"t\" { type = number }\n"+queueOf("var.t"))
	writeFile(t, other, "prod.tfvars", "t = 50\nnobody_declares_this = 1\n")
	writeFile(t, other, "bad.tfvars", "t = \n")
	read := func(in ...Input) (*Result, error) { return Read(t.Context(), dir, Options{Inputs: in}) }
	prod := Input{File: filepath.Join(other, "prod.tfvars")}
	res, err := read(prod)
	if err != nil || queueSeconds(t, res) != 50 || len(res.Problems) != 0 {
		t.Errorf("a file: %v", err)
	}
	if res, err = read(prod, Input{Name: "t", Value: "60"}); err != nil || queueSeconds(t, res) != 60 {
		t.Errorf("a later --var: %v", err)
	}
	if res, err = read(Input{Name: "t", Value: "60"}, prod); err != nil || queueSeconds(t, res) != 50 {
		t.Errorf("a later file: %v", err)
	}
	if _, err := read(Input{File: filepath.Join(other, "none.tfvars")}); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a missing file: %v", err)
	}
	res, err = read(Input{File: filepath.Join(other, "bad.tfvars")})
	if err != nil || len(res.Problems) != 1 || !res.Problems[0].Fatal() {
		t.Errorf("a broken file: %v, %v", err, res)
	}
	if res, err = read(Input{Name: "t", Value: "soon"}); err != nil || queueSeconds(t, res) != -1 {
		t.Errorf("a value that does not fit: %v", err)
	}
}

func TestSingleFile(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "queue.tf", queueOf("local.elsewhere"))
	writeFile(t, dir, "other.tf", "locals {\n  elsewhere = 5\n}\n")
	res, err := Read(t.Context(), filepath.Join(dir, "queue.tf"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if res.Kind != FileKind || queueSeconds(t, res) != -1 || len(res.Problems) != 0 {
		t.Errorf("got %v %v", res.Kind, res.Problems)
	}
	if line, ok := res.Sources.Line("queue.tf", 2); !ok || !strings.Contains(line, "local.elsewhere") {
		t.Errorf("line %q", line)
	}
	if _, ok := res.Sources.Line("queue.tf", 99); ok {
		t.Error("a line that is not there")
	}
}

func TestRoots(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "envs/prod/main.tf", "module \"q\" {\n  source = \"../../modules/q\"\n}\n")
	writeFile(t, dir, "envs/dev/main.tf.json", `{"module":{"q":{"source":"../../modules/q"}}}`)
	writeFile(t, dir, "modules/q/main.tf", "# vtsize:ignore VT104 for all\n"+queueOf("5"))
	writeFile(t, dir, "modules/unused/main.tf", queueOf("5"))
	writeFile(t, dir, "envs/prod/.terraform/modules/x/main.tf", queueOf("5"))
	writeFile(t, dir, "lone/main.tf", "resource \"aws_s3_object\" \"o\" {\n  source = \"./modules\"\n}\n")
	writeFile(t, dir, "docs/readme.md", "")
	writeFile(t, dir, "ring/a/main.tf", "module \"b\" {\n  source = \"../b\"\n}\n")
	writeFile(t, dir, "ring/b/main.tf", "module \"a\" {\n  source = \"../a\"\n}\n")
	got, err := Roots(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"envs/dev", "envs/prod", "lone", "modules/unused", "ring/a"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	seen := 0
	err = Each(t.Context(), dir, Options{}, func(root string, res *Result, err error) error {
		if err != nil {
			return err
		}
		for _, q := range res.Deployment.Queues {
			if strings.HasPrefix(root, "envs/") && q.Pos.File != "modules/q/main.tf" {
				t.Errorf("%s: %v", root, q.Pos)
			}
			if strings.HasPrefix(root, "envs/") && len(res.Deployment.Ignores) != 1 {
				t.Errorf("%s: the suppression in a shared module is lost", root)
			}
			seen++
		}
		return nil
	})
	if err != nil || seen != 3 {
		t.Errorf("%d queues, %v", seen, err)
	}
	if _, err := Roots(filepath.Join(dir, "docs")); !errors.Is(err, ErrNoTerraform) {
		t.Errorf("no roots: %v", err)
	}
}

func TestCancelled(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "main.tf", queueOf("length([for a in range(10) : a])"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	res, err := Read(ctx, dir, Options{})
	if err != nil {
		return
	}
	if len(res.Problems) == 0 {
		t.Error("a cancelled evaluation says nothing")
	}
}

func TestParseInput(t *testing.T) {
	in, err := ParseInput("a=b=c")
	if err != nil || in != (Input{Name: "a", Value: "b=c"}) {
		t.Errorf("got %+v, %v", in, err)
	}
	for _, bad := range []string{"", "a", "=b"} {
		if _, err := ParseInput(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestUnreadable(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Log("root reads everything: nothing to see")
		return
	}
	dir := t.TempDir()
	writeFile(t, dir, "main.tf", "")
	if err := os.Chmod(filepath.Join(dir, "main.tf"), 0); err != nil {
		t.Fatal(err)
	}
	if said := run(t, dir); !strings.Contains(said, "permission denied") {
		t.Errorf("said %q", said)
	}
}
