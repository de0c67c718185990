package eval

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// ErrNoConfiguration says that a directory has no Terraform files.
var ErrNoConfiguration = errors.New("no Terraform files")

// Loader reads and parses module directories, and remembers the modules that
// are called.
type Loader struct {
	base  string // display names are relative to it
	fence string // links may lead anywhere below it
	cache map[string]*Module

	// Seen, if set, is shown every file in the native syntax that parses.
	Seen func(display string, src []byte, body *hclsyntax.Body)

	manifestRoot string
	manifest     map[string]string // by the key of the call: orders.queue
}

// cacheSize bounds the modules remembered between roots.
const cacheSize = 512

// NewLoader makes a loader. Positions are given relative to base, which is an
// absolute path; no link is followed out of fence.
func NewLoader(base, fence string) *Loader {
	return &Loader{base: base, fence: fence, cache: map[string]*Module{}}
}

// Display is the name of a file as positions show it.
func (l *Loader) Display(path string) string {
	if rel, err := filepath.Rel(l.base, path); err == nil {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(path)
}

// Called loads a module that is called by another one.
func (l *Loader) Called(dir string) (*Module, error) {
	if m, ok := l.cache[dir]; ok {
		return m, nil
	}
	m, err := l.Load(dir)
	if err == nil {
		if len(l.cache) >= cacheSize {
			clear(l.cache)
		}
		l.cache[dir] = m
	}
	return m, err
}

// Load reads the configuration in dir. Files that do not parse are problems of
// the module; an error means that there is no configuration at all.
func (l *Loader) Load(dir string) (*Module, error) {
	names, err := configFiles(dir)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, ErrNoConfiguration
	}
	return l.load(dir, names), nil
}

// LoadFiles reads only the named files of dir. What they refer to and do not
// have may stand in the others.
func (l *Loader) LoadFiles(dir string, names ...string) *Module {
	m := l.load(dir, names)
	m.Partial = true
	return m
}

func (l *Loader) load(dir string, names []string) *Module {
	d := newDecoder(dir)
	if _, err := os.Lstat(filepath.Join(dir, "terragrunt.hcl")); err == nil {
		d.m.Terragrunt = true
	}
	for _, name := range names {
		path := filepath.Join(dir, name)
		display := l.Display(path)
		d.m.Files = append(d.m.Files, display)
		src, err := ReadFile(path, l.fence)
		if err != nil {
			d.fail(Problem{Kind: readKind(err), Pos: hcl.Range{Filename: display}, Summary: err.Error()})
			continue
		}
		if body := d.file(src, display, isOverride(name)); body != nil && l.Seen != nil && !strings.HasSuffix(name, ".json") {
			l.Seen(display, src, body)
		}
	}
	return d.m
}

// LoadSource decodes one file that is not on disk, as an embedded module.
func LoadSource(src []byte, display string) *Module {
	d := newDecoder("")
	d.m.Files = []string{display}
	d.file(src, display, false)
	return d.m
}

func readKind(err error) ProblemKind {
	var limit *LimitError
	if errors.As(err, &limit) {
		return LimitProblem
	}
	return ParseProblem
}

// configFiles lists the configuration of a directory in Terraform's order:
// overrides last, x.tofu instead of x.tf.
func configFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if n := e.Name(); !e.IsDir() && isConfig(n) {
			names = append(names, n)
		}
	}
	names = slices.DeleteFunc(names, func(n string) bool {
		for _, ext := range []string{".tf", ".tf.json"} {
			if stem, ok := strings.CutSuffix(n, ext); ok {
				_, shadowed := slices.BinarySearch(names, stem+strings.Replace(ext, ".tf", ".tofu", 1))
				return shadowed
			}
		}
		return false
	})
	slices.SortStableFunc(names, func(a, b string) int {
		if oa, ob := isOverride(a), isOverride(b); oa != ob {
			if oa {
				return 1
			}
			return -1
		}
		return strings.Compare(a, b)
	})
	return names, nil
}

// isConfig leaves out hidden files and those that editors leave, as Terraform does.
func isConfig(name string) bool {
	if strings.HasPrefix(name, ".") || strings.HasSuffix(name, "~") ||
		strings.HasPrefix(name, "#") && strings.HasSuffix(name, "#") {
		return false
	}
	return IsConfigName(name)
}

// IsConfigName reports whether a file of this name is Terraform configuration.
func IsConfigName(name string) bool {
	for _, ext := range []string{".tf", ".tofu", ".tf.json", ".tofu.json"} {
		if strings.HasSuffix(name, ext) {
			return true
		}
	}
	return false
}

func isOverride(name string) bool {
	stem := name
	for _, ext := range []string{".json", ".tf", ".tofu"} {
		stem = strings.TrimSuffix(stem, ext)
	}
	return stem == "override" || strings.HasSuffix(stem, "_override")
}

// ReadFile reads a regular file of bounded size. It follows a link only to a
// place below fence.
func ReadFile(path, fence string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, reason(err)
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		target, err := filepath.EvalSymlinks(path)
		if err != nil {
			return nil, reason(err)
		}
		if !Below(target, fence) {
			return nil, errors.New("is a link that leads out of the directory given; it is not read")
		}
		if info, err = os.Stat(target); err != nil {
			return nil, reason(err)
		}
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("is not a regular file")
	}
	if info.Size() > MaxFile {
		return nil, &LimitError{What: "file size", Limit: MaxFile, Unit: "bytes"}
	}
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, reason(err)
	}
	if len(src) > MaxFile {
		return nil, &LimitError{What: "file size", Limit: MaxFile, Unit: "bytes"}
	}
	return src, nil
}

// reason takes the path out of an error: the position names it.
func reason(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// Below reports whether path is dir or lies below it; both are absolute.
func Below(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// parse turns a file into a body, after a look at how deeply it nests: the
// parser recurses, and an overflowing stack ends the program.
func parse(src []byte, display string) (*hclsyntax.Body, []Problem) {
	if forged(src) {
		return nil, []Problem{{Kind: ParseProblem, Pos: hcl.Range{Filename: display},
			Summary: "the file contains text that vtsize uses for unknown values"}}
	}
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	if strings.HasSuffix(display, ".json") {
		return parseJSON(src, display)
	}
	if rng, err := checkNesting(src, display, false); err != nil {
		return nil, []Problem{{Kind: LimitProblem, Pos: rng, Summary: err.Error()}}
	}
	f, diags := hclsyntax.ParseConfig(src, display, hcl.Pos{Line: 1, Column: 1})
	if diags.HasErrors() {
		var ps []Problem
		for _, d := range diags {
			if d.Severity == hcl.DiagError {
				ps = append(ps, fromDiag(ParseProblem, d))
			}
		}
		return nil, ps[:min(len(ps), 20)]
	}
	body, ok := f.Body.(*hclsyntax.Body)
	if !ok {
		return nil, []Problem{{Kind: ParseProblem, Pos: hcl.Range{Filename: display}, Summary: fmt.Sprintf("unexpected body %T", f.Body)}}
	}
	return body, nil
}
