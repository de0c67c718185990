package funcs

import (
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// text makes a function of strings.
func text(n int, ret cty.Type, f func(a []string) (cty.Value, error)) function.Function {
	spec := &function.Spec{
		Type: function.StaticReturnType(ret),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			a := make([]string, len(args))
			for i, v := range args {
				a[i] = v.AsString()
			}
			return f(a)
		},
	}
	for i := range n {
		spec.Params = append(spec.Params, function.Parameter{Name: fmt.Sprintf("str%d", i+1), Type: cty.String})
	}
	return function.New(spec)
}

func str(s string) (cty.Value, error) { return cty.StringVal(s), nil }

func yes(b bool) (cty.Value, error) { return cty.BoolVal(b), nil }

var (
	startsWithFunc   = text(2, cty.Bool, func(a []string) (cty.Value, error) { return yes(strings.HasPrefix(a[0], a[1])) })
	endsWithFunc     = text(2, cty.Bool, func(a []string) (cty.Value, error) { return yes(strings.HasSuffix(a[0], a[1])) })
	strContainsFunc  = text(2, cty.Bool, func(a []string) (cty.Value, error) { return yes(strings.Contains(a[0], a[1])) })
	urlEncodeFunc    = text(1, cty.String, func(a []string) (cty.Value, error) { return str(url.QueryEscape(a[0])) })
	baseNameFunc     = text(1, cty.String, func(a []string) (cty.Value, error) { return str(filepath.ToSlash(filepath.Base(a[0]))) })
	dirNameFunc      = text(1, cty.String, func(a []string) (cty.Value, error) { return str(filepath.ToSlash(filepath.Dir(a[0]))) })
	base64EncodeFunc = text(1, cty.String, func(a []string) (cty.Value, error) { return str(base64.StdEncoding.EncodeToString([]byte(a[0]))) })
	urlDecodeFunc    = text(1, cty.String, func(a []string) (cty.Value, error) {
		s, err := url.QueryUnescape(a[0])
		if err != nil {
			return cty.NilVal, err
		}
		return str(s)
	})
	base64DecodeFunc = text(1, cty.String, func(a []string) (cty.Value, error) {
		b, err := base64.StdEncoding.DecodeString(a[0])
		if err != nil {
			return cty.NilVal, errors.New("not base64")
		}
		if !utf8.Valid(b) {
			return cty.NilVal, errors.New("the decoded bytes are not text in UTF-8")
		}
		return str(string(b))
	})
	md5Func          = digest(md5.New, hex.EncodeToString)
	sha1Func         = digest(sha1.New, hex.EncodeToString)
	sha256Func       = digest(sha256.New, hex.EncodeToString)
	sha512Func       = digest(sha512.New, hex.EncodeToString)
	base64SHA256Func = digest(sha256.New, base64.StdEncoding.EncodeToString)
	base64SHA512Func = digest(sha512.New, base64.StdEncoding.EncodeToString)
)

func digest(h func() hash.Hash, enc func([]byte) string) function.Function {
	return text(1, cty.String, func(a []string) (cty.Value, error) { return str(sum(h, enc, []byte(a[0]))) })
}

func sum(h func() hash.Hash, enc func([]byte) string, b []byte) string {
	d := h()
	d.Write(b)
	return enc(d.Sum(nil))
}

// OfFile is what a function of the file system makes of a file's contents.
func OfFile(name string, src []byte) (cty.Value, error) {
	switch name {
	case "file":
		if !utf8.Valid(src) {
			return cty.NilVal, errors.New("not text in UTF-8")
		}
		return str(string(src))
	case "filebase64":
		return str(base64.StdEncoding.EncodeToString(src))
	case "filemd5":
		return str(sum(md5.New, hex.EncodeToString, src))
	case "filesha1":
		return str(sum(sha1.New, hex.EncodeToString, src))
	case "filesha256":
		return str(sum(sha256.New, hex.EncodeToString, src))
	case "filesha512":
		return str(sum(sha512.New, hex.EncodeToString, src))
	case "filebase64sha256":
		return str(sum(sha256.New, base64.StdEncoding.EncodeToString, src))
	case "filebase64sha512":
		return str(sum(sha512.New, base64.StdEncoding.EncodeToString, src))
	}
	return cty.NilVal, fmt.Errorf("no function %q", name)
}

// maxGunzip bounds what a few bytes may unpack to.
const maxGunzip = 4 << 20

var base64GzipFunc = text(1, cty.String, func(a []string) (cty.Value, error) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, a[0]); err != nil {
		return cty.NilVal, err
	}
	if err := w.Close(); err != nil {
		return cty.NilVal, err
	}
	return str(base64.StdEncoding.EncodeToString(b.Bytes()))
})

var base64GunzipFunc = text(1, cty.String, func(a []string) (cty.Value, error) {
	b, err := base64.StdEncoding.DecodeString(a[0])
	if err != nil {
		return cty.NilVal, errors.New("not base64")
	}
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return cty.NilVal, err
	}
	out, err := io.ReadAll(io.LimitReader(r, maxGunzip+1))
	if err != nil {
		return cty.NilVal, err
	}
	if len(out) > maxGunzip {
		return cty.NilVal, fmt.Errorf("unpacks to more than %d bytes", maxGunzip)
	}
	return str(string(out))
})

var textEncodeFunc = text(2, cty.String, func(a []string) (cty.Value, error) {
	enc := encodingNamed(a[1])
	if enc == nil {
		return cty.UnknownVal(cty.String), nil
	}
	s, err := enc.NewEncoder().String(a[0])
	if err != nil {
		return cty.NilVal, err
	}
	return str(base64.StdEncoding.EncodeToString([]byte(s)))
})

var textDecodeFunc = text(2, cty.String, func(a []string) (cty.Value, error) {
	enc := encodingNamed(a[1])
	if enc == nil {
		return cty.UnknownVal(cty.String), nil
	}
	b, err := base64.StdEncoding.DecodeString(a[0])
	if err != nil {
		return cty.NilVal, errors.New("not base64")
	}
	s, err := enc.NewDecoder().String(string(b))
	if err != nil {
		return cty.NilVal, err
	}
	return str(s)
})

// replaceFunc takes /…/ as a regular expression.
var replaceFunc = text(3, cty.String, func(a []string) (cty.Value, error) {
	if p := a[1]; len(p) > 1 && p[0] == '/' && p[len(p)-1] == '/' {
		re, err := regexp.Compile(p[1 : len(p)-1])
		if err != nil {
			return cty.NilVal, err
		}
		return str(re.ReplaceAllString(a[0], a[2]))
	}
	return str(strings.ReplaceAll(a[0], a[1], a[2]))
})

var timeCmpFunc = text(2, cty.Number, func(a []string) (cty.Value, error) {
	x, err := time.Parse(time.RFC3339, a[0])
	if err != nil {
		return cty.NilVal, err
	}
	y, err := time.Parse(time.RFC3339, a[1])
	if err != nil {
		return cty.NilVal, err
	}
	return cty.NumberIntVal(int64(x.Compare(y))), nil
})

// uuidSpaces are the name spaces that RFC 9562 fixes.
var uuidSpaces = map[string]string{
	"dns": "6ba7b8109dad11d180b400c04fd430c8", "url": "6ba7b8119dad11d180b400c04fd430c8",
	"oid": "6ba7b8129dad11d180b400c04fd430c8", "x500": "6ba7b8149dad11d180b400c04fd430c8",
}

var uuidV5Func = text(2, cty.String, func(a []string) (cty.Value, error) {
	space, ok := uuidSpaces[a[0]]
	if !ok {
		space = strings.ReplaceAll(a[0], "-", "")
	}
	ns, err := hex.DecodeString(space)
	if err != nil || len(ns) != 16 {
		return cty.NilVal, fmt.Errorf("%q is not a name space", a[0])
	}
	h := sha1.Sum(append(ns, a[1]...))
	u := h[:16]
	u[6] = u[6]&0x0f | 0x50
	u[8] = u[8]&0x3f | 0x80
	return str(fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:]))
})

// MatchPath matches a slash path against a pattern of fileset: *, ?, […], {a,b}
// and ** for any number of folders.
func MatchPath(pattern, name string) (bool, error) {
	for _, p := range braces(pattern, 0) {
		if ok, err := matchParts(strings.Split(p, "/"), strings.Split(name, "/")); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

func matchParts(p, n []string) (bool, error) {
	for len(p) > 0 {
		if p[0] == "**" {
			for i := 0; i <= len(n); i++ {
				if ok, err := matchParts(p[1:], n[i:]); ok || err != nil {
					return ok, err
				}
			}
			return false, nil
		}
		if len(n) == 0 {
			return false, nil
		}
		if ok, err := path.Match(p[0], n[0]); !ok || err != nil {
			return false, err
		}
		p, n = p[1:], n[1:]
	}
	return len(n) == 0, nil
}

// braces writes out {a,b}; a pattern with very many is taken as it stands.
func braces(p string, depth int) []string {
	open := strings.IndexByte(p, '{')
	if open < 0 || depth > 6 {
		return []string{p}
	}
	end := strings.IndexByte(p[open:], '}')
	if end < 0 {
		return []string{p}
	}
	var out []string
	for alt := range strings.SplitSeq(p[open+1:open+end], ",") {
		out = append(out, braces(p[:open]+alt+p[open+end+1:], depth+1)...)
	}
	return out
}
