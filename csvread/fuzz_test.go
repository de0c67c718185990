package csvread

import (
	"bytes"
	"context"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// FuzzRead reads anything: it must end, not panic, and show bad rows at lines
// that the file has. It must say the same whatever the chunks, in strips or row
// by row.
func FuzzRead(f *testing.F) {
	seeds, err := filepath.Glob("testdata/*")
	if err != nil || len(seeds) == 0 {
		f.Fatal("there are no seeds")
	}
	for _, s := range seeds {
		text, err := os.ReadFile(s)
		if err != nil {
			continue // the corpus of this fuzz test is a directory
		}
		f.Add(text, "", "", uint16(1000))
		f.Add(text, "ms", "class", uint16(7))
	}
	f.Fuzz(func(t *testing.T, text []byte, unit, class string, chunk uint16) {
		if len(text) > 1<<16 {
			return
		}
		opt := Options{Files: []string{"-"}, Stdin: bytes.NewReader(text), Unit: unit, ClassColumn: class, Workers: 2}
		whole, err := Read(context.Background(), opt)
		opt.Stdin = bytes.NewReader(text)
		opt.tuning = tuning{chunk: int(chunk) + 1, budget: 1, spillKept: 1, noStrips: true}
		opt.TempDir = t.TempDir()
		cut, cutErr := Read(context.Background(), opt)
		if (err == nil) != (cutErr == nil) {
			t.Fatalf("in one chunk: %v; in chunks of %d: %v", err, chunk, cutErr)
		}
		if err != nil || whole.Whole == nil {
			return
		}
		lines := bytes.Count(text, []byte{'\n'}) + 1
		for _, b := range whole.First {
			if b.Line < 1 || b.Line > lines+1 {
				t.Errorf("%v is beyond line %d", b, lines)
			}
		}
		if !slices.Equal(whole.First, cut.First) {
			t.Errorf("bad rows are %v, and %v in chunks of %d", whole.First, cut.First, chunk)
		}
		p50, _ := whole.Whole.At(50)
		cut50, _ := cut.Whole.At(50)
		if whole.Whole.N != cut.Whole.N || p50 != cut50 || whole.Whole.Mean != cut.Whole.Mean || whole.Bad != cut.Bad {
			t.Errorf("in one chunk: n %d, p50 %v, mean %v, bad %d; in chunks of %d: %d, %v, %v, %d",
				whole.Whole.N, p50, whole.Whole.Mean, whole.Bad, chunk, cut.Whole.N, cut50, cut.Whole.Mean, cut.Bad)
		}
	})
}

// FuzzNumber compares numbers with their fractions.
func FuzzNumber(f *testing.F) {
	for _, s := range []string{"83.035", "0", ".5", "5.", "12345678.9", "123456789012345", "1e3", "2.5E-7", "1,234.5", "9223372036854775807", "0.000000000000000000000000001", "00000000000000000012", "88.360479063077833", "1234567890.12345678", "12345678901234567.5", "0.123456789012345678", ".1234567890123456789"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsAny(text, "_/xXpPoObB") || len(text) > 60 {
			return // what only a fraction of math/big may contain
		}
		for _, name := range []string{"ns", "us", "ms", "s", "m", "h"} {
			r := reader{scale: newScale(units[name])}
			ns, why := r.read([]byte(text))
			buf := append(append(make([]byte, padding), text...), make([]byte, padding)...)
			if fast, ok := r.plain(buf, padding, padding+len(text)); ok && (why != "" || fast != ns) {
				t.Errorf("%q in %s: read at once %d, with care %d, %s", text, name, fast, ns, why)
			}
			if fast, ok := r.long(buf, padding, padding+len(text)); ok && (why != "" || fast != ns) {
				t.Errorf("%q in %s: read in three words %d, with care %d, %s", text, name, fast, ns, why)
			}
			for _, space := range []string{"", " "} {
				cell := text + space + name
				buf := append(append(make([]byte, padding), cell...), make([]byte, padding)...)
				slow, why := (&reader{}).read([]byte(cell))
				if fast, ok := withUnit(buf, padding, padding+len(cell)); ok && (why != "" || fast != slow) {
					t.Errorf("%q: read at once %d, with care %d, %s", cell, fast, slow, why)
				}
			}
			bare := strings.TrimSpace(text)
			rat, ok := new(big.Rat).SetString(bare)
			if !ok || strings.Contains(text, ",") {
				continue
			}
			unit := int64(units[name].mult * pow10[units[name].exp])
			if rat.Sign() < 0 {
				if why != whyNegative && why != whyTooLong {
					t.Errorf("%q: %d, %q", text, ns, why)
				}
				continue
			}
			rat.Mul(rat, new(big.Rat).SetInt64(unit))
			q, m := new(big.Int).QuoRem(rat.Num(), rat.Denom(), new(big.Int))
			if m.Sign() > 0 {
				q.Add(q, big.NewInt(1))
			}
			if !q.IsUint64() || q.Uint64() >= longest {
				if why != whyTooLong && q.Cmp(big.NewInt(longest)) > 0 {
					t.Errorf("%q in %s: %d, %q; want it to be too long", text, name, ns, why)
				}
			} else if why != "" || q.Uint64() != ns {
				t.Errorf("%q in %s: %d, %q; want %v", text, name, ns, why, q)
			}
		}
	})
}

// FuzzTime compares dates with the standard library's.
func FuzzTime(f *testing.F) {
	for _, s := range []string{"2026-11-30T18:42:49Z", "2026-11-30T18:42:49.123+05:30", "2026-02-29T00:00:00Z", "1790000000", "1790000000.5", "1790000000123", "2026/11/30 18:42"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		unix, _, ok := parseTime([]byte(text))
		want, err := time.Parse(time.RFC3339Nano, text)
		// Beyond forty characters nothing is taken for a time.
		if err == nil && len(text) > 10 && len(text) <= 40 && text[4] == '-' && want.Year() > 0 {
			if _, offset := want.Zone(); offset%60 == 0 && (!ok || unix != want.Unix()) {
				t.Errorf("%q is %d, %v; want %d", text, unix, ok, want.Unix())
			}
		}
	})
}
