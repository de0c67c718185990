package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
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

// A fault is told once, though several writes fail with it.
func TestDeliverFails(t *testing.T) {
	full := errors.New("no space left on device")
	o := output{env: Env{Stdout: failing{full}}}
	err := o.deliver(whole(strings.Repeat("x", 10_000)))
	if err == nil || err.Error() != "write to standard output: "+full.Error() {
		t.Errorf("the error is %q", err)
	}
}

// failing is a writer that fails.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// A run that does not come to its end leaves no half-written file.
func TestRemoveUnfinished(t *testing.T) {
	dir := t.TempDir()
	began, end := make(chan bool), make(chan bool)
	ended := make(chan error)
	go func() {
		ended <- writeFile(filepath.Join(dir, "report.json"), func(io.Writer) error {
			began <- true
			<-end
			return nil
		})
	}()
	<-began
	RemoveUnfinished()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v are left behind, %v", left, err)
	}
	close(end)
	if err := <-ended; err == nil {
		t.Error("there is no error")
	}
	if err := writeFile(filepath.Join(dir, "report.json"), whole("text")); err != nil {
		t.Error(err)
	}
	RemoveUnfinished()
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("there are %v, %v", left, err)
	}
}
