// Command build makes the engine of the page: internal/wasm compiled to
// WebAssembly and compressed, and the glue of the same Go. It runs in the
// directory of package simpage, by go generate.
package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"vtsize/simpage/build/engine"
)

func main() {
	if err := build(); err != nil {
		fmt.Fprintln(os.Stderr, "build the page's engine:", err)
		os.Exit(1)
	}
}

func build() error {
	wasm, err := engine.Compile("..")
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := z.Write(wasm); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	glue, err := os.ReadFile(filepath.Join(string(bytes.TrimSpace(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return err
	}
	sum, err := engine.Sources("..")
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{"engine.wasm.gz": packed.Bytes(), "wasm_exec.js": glue, "engine.sum": []byte(runtime.Version() + " " + sum + "\n")} {
		if err := os.WriteFile(name, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
