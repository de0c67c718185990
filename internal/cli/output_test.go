package cli

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// A file behind a link is replaced, and the link stays one.
func TestWriteFileBehindLink(t *testing.T) {
	dir := t.TempDir()
	file, link, dangling := filepath.Join(dir, "file"), filepath.Join(dir, "link"), filepath.Join(dir, "dangling")
	if err := errors.Join(os.WriteFile(file, []byte("a longer text"), 0o600), os.Symlink("file", link), os.Symlink("new", dangling)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, target string }{{link, file}, {dangling, filepath.Join(dir, "new")}} {
		if err := writeFile(c.name, whole("text")); err != nil {
			t.Fatal(err)
		}
		info, err := os.Lstat(c.name)
		if err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v, %v", c.name, info.Mode(), err)
		}
		if text, err := os.ReadFile(c.target); err != nil || string(text) != "text" {
			t.Errorf("%s has %q, %v", c.target, text, err)
		}
	}
}
