// Package peers starts other people's emulators of AWS for tests.
//
// An emulator is installed once, into the user's cache directory, and started
// on loopback for each test that asks for it. Where it cannot be installed the
// test is skipped and says why; with VTSIZE_PEERS=required it fails instead.
package peers

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// The version of local-aws-sqs; that of kumo stands in kumosrv/go.mod.
const localSQS = "local-aws-sqs@2.0.2"

//go:embed sqs.mjs
var sqsScript []byte

// LocalSQS starts local-aws-sqs and returns its URL. It behaves most like SQS
// and is SQS only; it needs Node.js and npm.
func LocalSQS(t testing.TB) string {
	t.Helper()
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			missing(t, "local-aws-sqs needs %s, which is not installed (https://nodejs.org)", tool)
		}
	}
	dir := install(t, strings.ReplaceAll(localSQS, "@", "-"), func(dir string) error {
		npm := exec.Command("npm", "install", "--no-audit", "--no-fund", "--no-package-lock", localSQS)
		npm.Dir = dir
		return quietly(npm)
	})
	script := filepath.Join(t.TempDir(), "sqs.mjs")
	if err := os.WriteFile(script, sqsScript, 0o600); err != nil {
		t.Fatal(err)
	}
	node := exec.Command("node", script)
	node.Dir = dir
	return start(t, node)
}

// NodeModules installs a package of npm, named with its version, and returns a
// directory that programs which import it are to be put into.
func NodeModules(t testing.TB, pkg string) string {
	t.Helper()
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			missing(t, "%s needs %s, which is not installed (https://nodejs.org)", pkg, tool)
		}
	}
	name := strings.NewReplacer("@", "-", "/", "-").Replace(strings.TrimPrefix(pkg, "@"))
	return install(t, name, func(dir string) error {
		npm := exec.Command("npm", "install", "--no-audit", "--no-fund", "--no-package-lock", pkg)
		npm.Dir = dir
		return quietly(npm)
	})
}

// Python returns an interpreter that can import a module, as boto3: the first
// one of the path, or Debian's own, which its packages are for.
func Python(t testing.TB, module string) string {
	t.Helper()
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		python, err := exec.LookPath(name)
		if err == nil && exec.Command(python, "-c", "import "+module).Run() == nil {
			return python
		}
	}
	missing(t, "no Python 3 has the module %s (Debian: apt install python3-%s)", module, module)
	return ""
}

// JDK returns the Java compiler of the path.
func JDK(t testing.TB) string {
	t.Helper()
	javac, err := exec.LookPath("javac")
	if err != nil {
		missing(t, "no JDK is installed (Debian: apt install default-jdk-headless)")
	}
	return javac
}

// Kumo starts kumo and returns its URL. It has SQS, Lambda and CloudWatch
// alarms, but no metrics; it is built with the Go that runs the tests.
func Kumo(t testing.TB) string {
	t.Helper()
	_, file, _, _ := runtime.Caller(0)
	source := filepath.Join(filepath.Dir(file), "kumosrv")
	sum := sha256.New()
	for _, name := range []string{"go.mod", "go.sum", "main.go"} {
		text, err := os.ReadFile(filepath.Join(source, name))
		if err != nil {
			missing(t, "build kumo: %v", err)
		}
		sum.Write(text)
	}
	dir := install(t, fmt.Sprintf("kumo-%.6x", sum.Sum(nil)), func(dir string) error {
		build := exec.Command("go", "build", "-o", dir, ".")
		build.Dir = source
		build.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "CGO_ENABLED=0")
		return quietly(build)
	})
	return start(t, exec.Command(filepath.Join(dir, "kumosrv")))
}

// install makes a directory once for all tests, in whatever order and however
// many at the same time they come: it is filled under another name and then
// renamed, and the first one stays.
func install(t testing.TB, name string, fill func(dir string) error) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		missing(t, "no cache directory to install %s into: %v", name, err)
	}
	final := filepath.Join(cache, "vtsize-test-peers", name)
	if _, err := os.Stat(final); err == nil {
		return final
	}
	if err := os.MkdirAll(filepath.Dir(final), 0o755); err != nil {
		missing(t, "install %s: %v", name, err)
	}
	dir, err := os.MkdirTemp(filepath.Dir(final), name+"-")
	if err != nil {
		missing(t, "install %s: %v", name, err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // gone already once it is renamed
	if err := fill(dir); err != nil {
		missing(t, "install %s: %v", name, err)
	}
	if err := os.Rename(dir, final); err != nil {
		if _, err := os.Stat(final); err != nil {
			missing(t, "install %s: %v", name, err)
		}
	}
	return final
}

// quietly runs a command and keeps the end of its output for the error.
func quietly(c *exec.Cmd) error {
	output, err := c.CombinedOutput()
	if err == nil {
		return nil
	}
	lines := strings.Split(strings.TrimSpace(string(output)), "\n")
	return fmt.Errorf("%s: %w: %s", filepath.Base(c.Path), err, strings.Join(lines[max(0, len(lines)-3):], " / "))
}

// start runs a server until the test ends. The first line that it prints is
// its URL; it also ends by itself when this process does, as its standard
// input is closed then.
func start(t testing.TB, c *exec.Cmd) string {
	t.Helper()
	if _, err := c.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	stdout, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		missing(t, "start %s: %v", filepath.Base(c.Path), err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill() // it may have ended
		_ = c.Wait()         // a killed process has no other status to tell
	})
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		if url := strings.TrimSpace(lines.Text()); strings.HasPrefix(url, "http://127.0.0.1:") {
			go func() {
				for lines.Scan() { // or the server would block on a full pipe
				}
			}()
			return url
		}
	}
	missing(t, "start %s: it ended before it told its address", filepath.Base(c.Path))
	return ""
}

// missing skips a test for want of a peer, or fails it where peers are
// required.
func missing(t testing.TB, format string, args ...any) {
	t.Helper()
	if os.Getenv("VTSIZE_PEERS") == "required" {
		t.Fatalf(format, args...)
	}
	t.Skipf("skipped: "+format, args...)
}
