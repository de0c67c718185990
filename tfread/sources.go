package tfread

import (
	"os"
	"path/filepath"
	"strings"
)

// keptFiles bounds the files whose lines are kept at a time.
const keptFiles = 32

// Sources gives access to the lines that positions name, for messages that show
// them. Files are read again when they are asked for.
type Sources struct {
	base  string
	files map[string][]string
}

func newSources(base string) *Sources { return &Sources{base: base, files: map[string][]string{}} }

// Line returns line n, counted from 1, of a file named by a position.
func (s *Sources) Line(file string, n int) (string, bool) {
	if s == nil || file == "" || n < 1 {
		return "", false
	}
	lines, ok := s.files[file]
	if !ok {
		var src []byte
		path := filepath.FromSlash(file)
		if !filepath.IsAbs(path) {
			path = filepath.Join(s.base, path)
		}
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() <= maxJSON {
			src, _ = os.ReadFile(path) // a file gone meanwhile has no lines to show
		}
		lines = strings.Split(string(src), "\n")
		if len(s.files) >= keptFiles {
			clear(s.files)
		}
		s.files[file] = lines
	}
	if n > len(lines) {
		return "", false
	}
	return strings.TrimSuffix(lines[n-1], "\r"), true
}
