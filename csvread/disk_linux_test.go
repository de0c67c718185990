package csvread

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// tinyDisk is where TestFullDisk mounts a disk, in a process of its own.
const tinyDisk = "VTSIZE_TEST_DISK"

// Samples of a pipe go to a temporary file. A disk that is full ends the read
// with an error that says where and why, and nothing is left there.
func TestFullDisk(t *testing.T) {
	if dir := os.Getenv(tinyDisk); dir != "" {
		fillDisk(t, dir)
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestFullDisk$", "-test.v")
	cmd.Env = append(os.Environ(), tinyDisk+"="+t.TempDir())
	// Namespaces of its own let any user mount, and nobody else sees it.
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.CombinedOutput()
	if strings.Contains(string(out), "--- PASS: TestFullDisk") {
		return
	}
	if os.Getenv("VTSIZE_PEERS") != "required" && (err != nil && len(out) == 0 || strings.Contains(string(out), "cannot mount")) {
		t.Skipf("no disk of its own can be mounted here: %v\n%s", err, out)
	}
	t.Errorf("%v\n%s", err, out)
}

func fillDisk(t *testing.T, dir string) {
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Fatalf("cannot mount: %v", err)
	}
	const rows = 400_000 // of twelve bytes
	text := "duration_ms\n" + strings.Repeat("83.035\n", rows)
	_, err := Read(t.Context(), Options{Files: []string{"-"}, Stdin: strings.NewReader(text), TempDir: dir, tuning: tuning{spillKept: 1 << 10}})
	if want := fmt.Sprintf("keep samples of a pipe for a second look in %q", dir); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "no space left on device") {
		t.Errorf("the error is %v; want %q, and why", err, want)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("%v are left behind", left)
	}
	var disk syscall.Statfs_t
	if err := syscall.Statfs(dir, &disk); err != nil || disk.Bfree != disk.Blocks {
		t.Errorf("%d of %d blocks are free, %v", disk.Bfree, disk.Blocks, err)
	}
}
