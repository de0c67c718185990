package csvread

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
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
	child := func(own *syscall.SysProcAttr) ([]byte, error) {
		cmd := exec.Command(os.Args[0], "-test.run=^TestFullDisk$", "-test.v")
		cmd.Env = append(os.Environ(), tinyDisk+"="+t.TempDir())
		cmd.SysProcAttr = own
		return cmd.CombinedOutput()
	}
	// Namespaces of its own let any user mount, and nobody else sees it.
	out, err := child(&syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	})
	if err != nil && len(out) == 0 {
		t.Logf("no namespace: %v", err)
		out, err = child(nil)
	}
	if !strings.Contains(string(out), "--- PASS: TestFullDisk") {
		t.Errorf("%v\n%s", err, out)
	}
}

// fillDisk reads more than a disk holds, or a file may have where no disk can be
// mounted.
func fillDisk(t *testing.T, dir string) {
	const room = 1 << 20
	why := "no space left on device"
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", room)); err != nil {
		t.Logf("no disk: %v", err)
		why = "file too large"
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: room, Max: room}); err != nil {
			t.Fatal(err)
		}
	}
	const rows = 400_000 // of twelve bytes
	text := "duration_ms\n" + strings.Repeat("83.035\n", rows)
	_, err := Read(t.Context(), Options{Files: []string{"-"}, Stdin: strings.NewReader(text), TempDir: dir, tuning: tuning{spillKept: 1 << 10}})
	if want := fmt.Sprintf("keep samples of a pipe for a second look in %q", dir); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), why) {
		t.Errorf("the error is %v; want %q and %q", err, want, why)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) > 0 {
		t.Errorf("%v are left behind, %v", left, err)
	}
	if why != "no space left on device" {
		return
	}
	var disk syscall.Statfs_t
	if err := syscall.Statfs(dir, &disk); err != nil || disk.Bfree != disk.Blocks {
		t.Errorf("%d of %d blocks are free, %v", disk.Bfree, disk.Blocks, err)
	}
}
