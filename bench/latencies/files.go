package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// kind is a kind of file to measure with.
type kind struct {
	name    string
	classes int
	column  string
	bar     float64 // how many times as fast as DuckDB it has to be; 0: it is not asked
	stdin   bool    // through a pipe
	copies  int     // of the usual file, through a pipe
	pack    string  // the usual file, compressed: "gz" or "zst"
	header  string
	row     func(b []byte, r *rand.Rand, s sample) []byte
}

// sample is what a row is made of.
type sample struct {
	i     int
	at    float64 // seconds since 1970
	class string
	ms    float64
}

func number(b []byte, f float64, decimals int) []byte {
	return strconv.AppendFloat(b, f, 'f', decimals, 64)
}

// usual writes timestamp,class,duration.
func usual(b []byte, s sample, decimals int) []byte {
	b = append(number(b, s.at, 3), ',')
	b = append(append(b, s.class...), ',')
	return append(number(b, s.ms, decimals), '\n')
}

const usualHeader = "timestamp,class,duration_ms\n"

var kinds = []kind{
	{name: "usual", classes: 5, column: "duration_ms", bar: 4, header: usualHeader,
		row: func(b []byte, _ *rand.Rand, s sample) []byte { return usual(b, s, 3) }},
	{name: "wide", classes: 5, column: "duration_ms", bar: 2.5,
		header: "timestamp,class,a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,duration_ms\n",
		row: func(b []byte, _ *rand.Rand, s sample) []byte {
			b = append(append(append(number(b, s.at, 3), ','), s.class...), ',')
			for c := range 17 {
				b = append(strconv.AppendInt(b, int64(s.i*(c+3)%99991), 10), ',')
			}
			return append(number(b, s.ms, 3), '\n')
		}},
	{name: "quoted", classes: 5, column: "duration_ms", bar: 2.5, header: "\"timestamp\",\"class\",\"note\",\"duration_ms\"\n",
		row: func(b []byte, _ *rand.Rand, s sample) []byte {
			note := "fine"
			if s.i%50 == 0 {
				note = "two\nlines"
			}
			b = append(append(append(number(append(b, '"'), s.at, 3), `","`...), s.class...), `","`...)
			return append(number(append(append(b, note...), `","`...), s.ms, 3), "\"\n"...)
		}},
	{name: "nanoseconds", classes: 5, column: "duration_ns", bar: 2.5, header: "timestamp,class,duration_ns\n",
		row: func(b []byte, r *rand.Rand, s sample) []byte {
			s.ms = math.Floor(s.ms*1e6 + r.Float64()*1000)
			return usual(b, s, 0)
		}},
	{name: "17 digits", classes: 5, column: "duration_ms", bar: 2.5, header: usualHeader,
		row: func(b []byte, _ *rand.Rand, s sample) []byte {
			b = append(append(append(number(b, s.at, 3), ','), s.class...), ',')
			return append(strconv.AppendFloat(b, s.ms, 'g', 17, 64), '\n')
		}},
	{name: "no trailing zeros", classes: 5, column: "duration_ms", bar: 2.5, header: usualHeader,
		row: func(b []byte, _ *rand.Rand, s sample) []byte {
			s.ms = math.Round(s.ms*1000) / 1000
			return usual(b, s, -1)
		}},
	{name: "sorted", classes: 5, column: "duration_ms", bar: 2.5, header: usualHeader,
		row: func(b []byte, _ *rand.Rand, s sample) []byte {
			s.ms = float64(s.i) / 1000
			return usual(b, s, 3)
		}},
	{name: "64 classes", classes: 64, column: "duration_ms", bar: 2.5, header: usualHeader,
		row: func(b []byte, _ *rand.Rand, s sample) []byte { return usual(b, s, 3) }},
	{name: "200 classes", classes: 200, column: "duration_ms", bar: 2.5, header: usualHeader,
		row: func(b []byte, _ *rand.Rand, s sample) []byte { return usual(b, s, 3) }},
	{name: "1000 classes", classes: 1000, column: "duration_ms", bar: 2, header: usualHeader,
		row: func(b []byte, _ *rand.Rand, s sample) []byte { return usual(b, s, 3) }},
	{name: "standard input", column: "duration_ms", bar: 2, stdin: true},
	{name: "standard input, ten times over", column: "duration_ms", copies: 10},
	{name: "gzip", column: "duration_ms", pack: "gz"},
	{name: "zstd", column: "duration_ms", pack: "zst"},
	{name: "decimal commas", classes: 5, column: "duration_ms", header: "timestamp;class;duration_ms\n",
		row: func(b []byte, _ *rand.Rand, s sample) []byte {
			from := len(b)
			b = usual(b, s, 3)
			for i, c := range b[from:] {
				switch c {
				case ',':
					b[from+i] = ';'
				case '.':
					b[from+i] = ','
				}
			}
			return b
		}},
	{name: "units in the cells", classes: 5, column: "duration", header: "timestamp,class,duration\n",
		row: func(b []byte, _ *rand.Rand, s sample) []byte {
			b = append(append(append(number(b, s.at, 3), ','), s.class...), ',')
			if s.ms >= 1000 {
				return append(number(b, s.ms/1000, 2), " s\n"...)
			}
			return append(number(b, s.ms, 1), " ms\n"...)
		}},
	{name: "two rows of five are bad", classes: 5, column: "duration_ms", header: usualHeader,
		row: func(b []byte, _ *rand.Rand, s sample) []byte {
			switch s.i % 5 {
			case 1:
				return append(append(append(number(b, s.at, 3), ','), s.class...), ",n/a\n"...)
			case 3:
				return append(number(b, s.at, 3), "\"; half a row\n"...)
			}
			return usual(b, s, 3)
		}},
}

// path names the file of a kind among those of a folder.
func (k *kind) path(dir string, rows int) string {
	name := k.name
	if k.row == nil {
		name = kinds[0].name
	}
	path := filepath.Join(dir, fmt.Sprintf("%s-%d.csv", strings.ReplaceAll(name, " ", "-"), rows))
	if k.pack != "" {
		path += "." + k.pack
	}
	return path
}

// make makes the file of a kind, unless it is there. It gives the size of the
// text that is read.
func (k *kind) make(dir string, rows int) (path string, size int64, err error) {
	path = k.path(dir, rows)
	text := path
	if k.row == nil {
		if text, _, err = kinds[0].make(dir, rows); err != nil {
			return "", 0, err
		}
	}
	if _, err := os.Stat(path); err != nil {
		if k.pack != "" {
			err = pack(path, text)
		} else {
			err = k.write(path, rows)
		}
		if err != nil {
			return "", 0, err
		}
	}
	info, err := os.Stat(text)
	if err != nil {
		return "", 0, err
	}
	return path, info.Size() * int64(max(k.copies, 1)), nil
}

// pack compresses a file.
func pack(path, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	var w io.WriteCloser = gzip.NewWriter(f)
	if filepath.Ext(path) == ".zst" {
		if w, err = zstd.NewWriter(f); err != nil {
			return err
		}
	}
	_, err = io.Copy(w, in)
	return errors.Join(err, w.Close(), f.Close())
}

// write makes a file of a kind: log-normal times with a heavy tail, each class
// with its own, from a fixed seed.
func (k *kind) write(path string, rows int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	w.WriteString(k.header)
	names := make([]string, k.classes)
	for c := range names {
		names[c] = fmt.Sprintf("class-%d", c)
	}
	r := rand.New(rand.NewPCG(20, 26))
	s := sample{at: 1_790_000_000}
	var b []byte
	for s.i = range rows {
		c := int(float64(k.classes) * math.Pow(r.Float64(), 2))
		s.at += r.ExpFloat64() * 0.02
		s.class = names[c]
		s.ms = math.Exp(3 + float64(c%5) + (0.4+0.15*float64(c%5))*r.NormFloat64())
		if r.Float64() < 0.002 {
			s.ms *= 10 + 20*r.Float64()
		}
		b = k.row(b[:0], r, s)
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}
