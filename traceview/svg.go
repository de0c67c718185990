package traceview

import (
	"io"

	"vtsize/trace"
)

type SVG struct{ w io.Writer }

func NewSVG(w io.Writer) *SVG                 { return &SVG{w} }
func (s *SVG) Message(m *trace.Message) error { return nil }
func (s *SVG) End(a *Answer) error            { return nil }
