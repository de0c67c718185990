package eval

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"vtsize/tfread/funcs"
)

// fileFuncs are the functions that touch the file system.
var fileFuncs = map[string]bool{
	"file": true, "fileexists": true, "fileset": true, "filebase64": true, "filemd5": true, "filesha1": true,
	"filesha256": true, "filesha512": true, "filebase64sha256": true, "filebase64sha512": true,
	"abspath": true, "pathexpand": true,
}

// errOutside refuses a file that is not part of what was given to read.
var errOutside = errors.New("lies outside the directory given; it is not read")

// fileFunc evaluates a function of the file system.
func (r *Root) fileFunc(name string, args []cty.Value, x *hclsyntax.FunctionCallExpr) (cty.Value, hcl.Diagnostics) {
	if len(args) == 0 {
		return cty.DynamicVal, errorAt(ValueProblem, x.Range(), name+" needs a path", "")
	}
	path, ok := r.pathArg(args[0])
	if !ok {
		return cty.UnknownVal(cty.String), nil
	}
	switch name {
	case "abspath":
		return cty.StringVal(filepath.ToSlash(r.absolute(path))), nil
	case "pathexpand":
		if strings.HasPrefix(path, "~") {
			// The home of whoever applies it.
			return r.standIn("home:"+path, Token{Kind: Opaque, Expr: "pathexpand(…)", Cause: AfterApply, Pos: x.NameRange, NotEmpty: true}), nil
		}
		return cty.StringVal(path), nil
	case "fileexists":
		_, _, err := r.locate(path)
		if errors.Is(err, fs.ErrNotExist) {
			return cty.False, nil
		}
		if err != nil {
			return cty.DynamicVal, fileError(err, path, x.Range())
		}
		return cty.True, nil
	case "fileset":
		if len(args) != 2 {
			return cty.DynamicVal, errorAt(ValueProblem, x.Range(), "fileset needs a directory and a pattern", "")
		}
		pattern, ok := r.pathArg(args[1])
		if !ok {
			return cty.UnknownVal(cty.Set(cty.String)), nil
		}
		return r.fileset(path, pattern, x.Range())
	}
	src, _, err := r.readConfined(path)
	if err != nil {
		return cty.DynamicVal, fileError(err, path, x.Range())
	}
	v, err := funcs.OfFile(name, src)
	if err != nil {
		return cty.DynamicVal, fileError(err, path, x.Range())
	}
	return v, nil
}

func (r *Root) absolute(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.fileBase(), filepath.FromSlash(path))
	}
	return filepath.Clean(path)
}

// locate finds a file and makes sure that it lies, links resolved, below the
// directory given or below that of a module.
func (r *Root) locate(path string) (string, fs.FileInfo, error) {
	abs := r.absolute(path)
	if !r.allowed(abs) {
		return "", nil, errOutside
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return "", nil, reason(err)
	}
	if !r.allowed(real) {
		return "", nil, errOutside
	}
	info, err := os.Stat(real)
	if err != nil {
		return "", nil, reason(err)
	}
	return real, info, nil
}

func (r *Root) allowed(path string) bool {
	if slices.ContainsFunc(r.cfg.Allowed, func(dir string) bool { return Below(path, dir) }) {
		return true
	}
	for dir := range r.dirs {
		if Below(path, dir) {
			return true
		}
	}
	return Below(path, r.main.cfg.Dir)
}

func (r *Root) readConfined(path string) ([]byte, string, error) {
	real, info, err := r.locate(path)
	if err != nil {
		return nil, "", err
	}
	if !info.Mode().IsRegular() {
		return nil, "", errors.New("is not a regular file")
	}
	if info.Size() > MaxFile {
		return nil, "", &LimitError{What: "file size", Limit: MaxFile, Unit: "bytes"}
	}
	src, err := os.ReadFile(real)
	if err != nil {
		return nil, "", reason(err)
	}
	return src, r.cfg.Loader.Display(real), nil
}

// fileset lists the files below dir that match a pattern.
func (r *Root) fileset(dir, pattern string, rng hcl.Range) (cty.Value, hcl.Diagnostics) {
	real, info, err := r.locate(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return cty.SetValEmpty(cty.String), nil
	}
	if err != nil {
		return cty.DynamicVal, fileError(err, dir, rng)
	}
	if !info.IsDir() {
		return cty.SetValEmpty(cty.String), nil
	}
	var out []cty.Value
	var over hcl.Diagnostics
	err = filepath.WalkDir(real, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if over = r.step(1, rng); over.HasErrors() {
			return fs.SkipAll
		}
		if !d.Type().IsRegular() {
			return nil
		}
		rel, err := filepath.Rel(real, p)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if ok, err := funcs.MatchPath(pattern, rel); err != nil {
			return err
		} else if ok {
			out = append(out, cty.StringVal(rel))
		}
		return nil
	})
	if over.HasErrors() {
		return cty.DynamicVal, over
	}
	if err != nil {
		return cty.DynamicVal, fileError(reason(err), dir, rng)
	}
	if len(out) == 0 {
		return cty.SetValEmpty(cty.String), nil
	}
	return cty.SetVal(out), nil
}
