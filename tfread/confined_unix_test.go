package tfread

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// module calls one or more modules and has a queue.
func module(sources ...string) string {
	var b strings.Builder
	for i, s := range sources {
		fmt.Fprintf(&b, "module \"m%d\" {\n  source = %q\n}\n", i, s)
	}
	return b.String() + "resource \"aws_sqs_queue\" \"q\" {}\n"
}

func TestHostileModules(t *testing.T) {
	tree := func(n int, calls int) map[string]string {
		files := map[string]string{}
		for i := range n {
			var sources []string
			for range calls {
				sources = append(sources, fmt.Sprintf("../d%d", i+1))
			}
			files[fmt.Sprintf("d%d/main.tf", i)] = module(sources...)
		}
		files[fmt.Sprintf("d%d/main.tf", n)] = module()
		return files
	}
	for _, tt := range []struct {
		name  string
		files map[string]string
		root  string
		want  string
	}{
		{"itself", map[string]string{"main.tf": module("./.")}, ".", `module "m0" calls itself`},
		{"each other", map[string]string{"a/main.tf": module("../b"), "b/main.tf": module("../a")}, "a", "calls itself"},
		{"deep", tree(25, 1), "d0", "modules inside each other above 20"},
		{"wide", tree(17, 2), "d0", "module instances above 10000"},
		{"count", map[string]string{"main.tf": "module \"m\" {\n  source = \"./m\"\n  count = 100000\n}\n", "m/main.tf": module()}, ".", "count above 10000"},
		{"counts in counts", map[string]string{"main.tf": "module \"m\" {\n  source = \"./m\"\n  count = 9000\n}\n",
			"m/main.tf": "module \"n\" {\n  source = \"../n\"\n  count = 9000\n}\n", "n/main.tf": queueOf("1")}, ".", "module instances above 10000"},
		{"instances", map[string]string{"main.tf": instances(30)}, ".", "resource instances above 100000"},
		{"missing", map[string]string{"main.tf": module("./nowhere")}, ".", "no such file or directory"},
		{"empty", map[string]string{"main.tf": module("./m"), "m/readme.md": ""}, ".", "no Terraform files"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, src := range tt.files {
				writeFile(t, dir, name, src)
			}
			if said := run(t, filepath.Join(dir, tt.root)); !strings.Contains(said, tt.want) {
				t.Errorf("nothing is said of %q:\n%.400s", tt.want, said)
			}
		})
	}
}

func instances(blocks int) string {
	var b strings.Builder
	for i := range blocks {
		fmt.Fprintf(&b, "resource \"aws_lambda_alias\" \"q%d\" {\n  count = 10000\n  name = \"a\"\n}\n", i)
	}
	return b.String()
}

// TestConfined checks that nothing outside of the directory given is read: not
// by file functions, not through links.
func TestConfined(t *testing.T) {
	outside := t.TempDir()
	writeFile(t, outside, "secret.txt", "55")
	writeFile(t, outside, "module/main.tf", module())
	writeFile(t, outside, "evil.tf", "not terraform: SECRET\n")
	for _, tt := range []struct{ name, expr string }{
		{"absolute", fmt.Sprintf("tonumber(file(%q))", filepath.Join(outside, "secret.txt"))},
		{"dots", `tonumber(file("../outside.txt"))`},
		{"dots inside", `tonumber(file("sub/../../outside.txt"))`},
		{"link", `tonumber(file("link.txt"))`},
		{"link folder", `tonumber(file("folder/secret.txt"))`},
		{"exists", `fileexists("/etc/passwd") ? 1 : 2`},
		{"set", `length(fileset("/etc", "*"))`},
		{"template", `length(templatefile("../outside.txt", {}))`},
		{"hash", `length(filemd5("link.txt"))`},
		{"device", `length(file("/dev/zero"))`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			parent := t.TempDir()
			dir := filepath.Join(parent, "root")
			writeFile(t, parent, "outside.txt", "55")
			writeFile(t, dir, "sub/x", "")
			writeFile(t, dir, "main.tf", queueOf(tt.expr))
			link(t, filepath.Join(outside, "secret.txt"), filepath.Join(dir, "link.txt"))
			link(t, outside, filepath.Join(dir, "folder"))
			if said := run(t, dir); !strings.Contains(said, "outside the directory given") {
				t.Errorf("said %q", said)
			}
		})
	}
	t.Run("links to configuration", func(t *testing.T) {
		dir := t.TempDir()
		writeFile(t, dir, "main.tf", module("./linked"))
		link(t, filepath.Join(outside, "evil.tf"), filepath.Join(dir, "evil.tf"))
		link(t, filepath.Join(outside, "module"), filepath.Join(dir, "linked"))
		said := run(t, dir)
		if strings.Contains(said, "SECRET") || strings.Count(said, "leads out of the directory given") != 2 {
			t.Errorf("said %q", said)
		}
	})
	t.Run("links within", func(t *testing.T) {
		dir := t.TempDir()
		writeFile(t, dir, "shared/vars.txt", `variable "t" { default = 7 }`)
		writeFile(t, dir, "main.tf", queueOf("var.t"))
		link(t, filepath.Join(dir, "shared/vars.txt"), filepath.Join(dir, "vars.tf"))
		if said := run(t, dir); said != "" {
			t.Errorf("said %q", said)
		}
	})
}

func link(t *testing.T, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
}

func TestOddPaths(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.tf"), 0o600); err != nil {
		t.Fatal(err)
	}
	if said := run(t, dir); !strings.Contains(said, "not a regular file") {
		t.Errorf("a pipe: %q", said)
	}
	if _, err := Read(t.Context(), filepath.Join(dir, "pipe.tf"), Options{}); err == nil {
		t.Error("a pipe by name is read")
	}
	if _, err := Read(t.Context(), "/dev/zero", Options{}); err == nil {
		t.Error("a device is read")
	}
	if _, err := Read(t.Context(), filepath.Join(dir, "nowhere"), Options{}); err == nil || err.Error() != "no such file or directory" {
		t.Errorf("a missing path: %v", err)
	}
	if _, err := Read(t.Context(), t.TempDir(), Options{}); !errors.Is(err, ErrNoTerraform) {
		t.Errorf("an empty folder: %v", err)
	}
}
