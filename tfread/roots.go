package tfread

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"vtsize/tfread/eval"
)

// Roots finds the root modules at and below a directory: folders with Terraform
// files that no other folder below it calls as a module. A folder that is only
// called is judged through its callers; of folders that only call each other,
// the first is taken. The paths are relative to dir.
func Roots(dir string) ([]string, error) {
	abs, err := resolve(dir)
	if err != nil {
		return nil, err
	}
	found, calls, limit := []string{}, map[string][]string{}, fence(abs)
	err = filepath.WalkDir(abs, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() {
			return nil
		}
		if path != abs && skipped(d.Name()) {
			return fs.SkipDir
		}
		names, err := configNames(path)
		if err != nil {
			return err
		}
		if len(names) > 0 {
			found = append(found, path)
			calls[path] = callsFrom(path, names, limit)
		}
		return nil
	})
	if err != nil {
		return nil, short(err)
	}
	var out []string
	for _, path := range rootsOf(found, calls) {
		rel, err := filepath.Rel(abs, path)
		if err != nil {
			return nil, err
		}
		out = append(out, filepath.ToSlash(rel))
	}
	if len(out) == 0 {
		return nil, ErrNoTerraform
	}
	slices.Sort(out)
	return out, nil
}

// rootsOf are the folders that no other calls, and one of each group that only
// calls itself: every folder is reached from one of them.
func rootsOf(found []string, calls map[string][]string) []string {
	called, reached := map[string]bool{}, map[string]bool{}
	for _, targets := range calls {
		for _, t := range targets {
			called[t] = true
		}
	}
	var out []string
	take := func(path string) {
		out = append(out, path)
		for next := []string{path}; len(next) > 0; {
			p := next[len(next)-1]
			next = next[:len(next)-1]
			if !reached[p] {
				reached[p] = true
				next = append(next, calls[p]...)
			}
		}
	}
	for _, path := range found {
		if !called[path] {
			take(path)
		}
	}
	for _, path := range found {
		if !reached[path] {
			take(path)
		}
	}
	return out
}

// skipped are folders that hold copies of modules, or no sources at all.
func skipped(name string) bool {
	return name == ".terraform" || name == ".git" || name == "node_modules" || name == ".terragrunt-cache"
}

func configNames(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		if !e.IsDir() && !strings.HasPrefix(e.Name(), ".") && eval.IsConfigName(e.Name()) {
			out = append(out, e.Name())
		}
	}
	return out, nil
}

// localSource is what a call of a local module has in it. Only files that have
// one are parsed to find calls.
var localSource = regexp.MustCompile(`source"?\s*[=:]\s*"\.`)

// callsFrom lists the folders that the files of a folder call. Files that cannot
// be read are left to the reading of their root.
func callsFrom(dir string, names []string, limit string) []string {
	var out []string
	for _, name := range names {
		src, err := eval.ReadFile(filepath.Join(dir, name), limit)
		if err != nil || !localSource.Match(src) {
			continue
		}
		for _, c := range eval.LoadSource(src, name).Calls {
			if strings.HasPrefix(c.Source, "./") || strings.HasPrefix(c.Source, "../") {
				if target := filepath.Join(dir, filepath.FromSlash(c.Source)); target != dir {
					out = append(out, target)
				}
			}
		}
	}
	return out
}

// Each reads every root module at and below a directory, one after the other,
// and hands each result on before it reads the next: nothing is kept of a root
// but the modules that it shares with others. Positions are relative to dir. A
// root that cannot be read is handed on with its error.
func Each(ctx context.Context, dir string, opt Options, f func(root string, res *Result, err error) error) error {
	roots, err := Roots(dir)
	if err != nil {
		return err
	}
	base, err := resolve(dir)
	if err != nil {
		return err
	}
	opt.Base = base
	s := newSession(base)
	for _, root := range roots {
		if err := ctx.Err(); err != nil {
			return err
		}
		rd, err := readRoot(ctx, filepath.Join(base, filepath.FromSlash(root)), nil, opt, s)
		var res *Result
		if err == nil {
			res = rd.result(DirectoryKind)
		} else {
			err = fmt.Errorf("%s: %w", root, err)
		}
		if err := f(root, res, err); err != nil {
			return err
		}
	}
	return nil
}
