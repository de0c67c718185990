// Package engine compiles the engine of the page and tells what it is made of.
package engine

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// packages are all of ours that the engine is made of.
var packages = []string{"internal/wasm", "simulate", "simview", "sizing"}

// Compile builds the engine. The same sources and the same Go give the same
// bytes, wherever they are.
func Compile(root string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "vtsize-engine-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "engine.wasm")
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -buildid=", "-o", out, "./internal/wasm")
	build.Dir = root
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=", "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build ./internal/wasm: %w: %s", err, text)
	}
	return os.ReadFile(out)
}

// Sources is a checksum of the sources of the engine.
func Sources(root string) (string, error) {
	sum := sha256.New()
	for _, p := range packages {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(p), "*.go"))
		if err != nil {
			return "", err
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			content, err := os.ReadFile(file)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(sum, "%s/%s %d\n", p, filepath.Base(file), len(content))
			sum.Write(content)
		}
	}
	return fmt.Sprintf("%x", sum.Sum(nil)), nil
}
