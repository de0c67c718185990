package peers

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const playwright = "playwright-core@1.65.1"

// Browser runs a script that drives a headless Chromium with playwright-core
// and returns what it prints. The script finds the browser's path in the
// environment as CHROMIUM, and its own arguments from process.argv[2] on. It
// needs Node.js, npm and Chromium.
func Browser(t testing.TB, script string, args ...string) []byte {
	t.Helper()
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			missing(t, "playwright-core needs %s, which is not installed (https://nodejs.org)", tool)
		}
	}
	browser := chromium()
	if browser == "" {
		missing(t, "no Chromium is installed; on Debian: apt-get install chromium")
	}
	dir := install(t, strings.ReplaceAll(playwright, "@", "-"), func(dir string) error {
		npm := exec.Command("npm", "install", "--no-audit", "--no-fund", "--no-package-lock", playwright)
		npm.Dir = dir
		return quietly(npm)
	})
	text, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "script.mjs")
	if err := os.WriteFile(copied, text, 0o600); err != nil {
		t.Fatal(err)
	}
	node := exec.CommandContext(t.Context(), "node", append([]string{copied}, args...)...)
	node.Dir = dir
	node.Env = append(os.Environ(), "CHROMIUM="+browser)
	var stderr strings.Builder
	node.Stderr = &stderr
	out, err := node.Output()
	if err != nil {
		t.Fatalf("node %s: %v: %s", filepath.Base(script), err, stderr.String())
	}
	return out
}

func chromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}
