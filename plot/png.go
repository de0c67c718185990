package plot

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// sharpness is how many pixels of a PNG make one of the scene, for screens
// with many of them.
const sharpness = 2

// PNG draws a histogram as a picture on a light ground.
func PNG(w io.Writer, h Histogram) error {
	s := h.draw()
	img := image.NewRGBA(image.Rect(0, 0, pictureWidth*sharpness, pictureHeight*sharpness))
	for _, r := range s.rects {
		fill(img, r)
	}
	for _, t := range s.texts {
		write(img, t)
	}
	if err := png.Encode(w, img); err != nil {
		return fmt.Errorf("write PNG: %w", err)
	}
	return nil
}

// fill draws a rectangle, on whole pixels so that edges stay sharp.
func fill(img *image.RGBA, r rect) {
	at := func(f float64) int { return int(math.Round(f * sharpness)) }
	x, y := at(r.x), at(r.y)
	area := image.Rect(x, y, x+max(at(r.w), 1), y+max(at(r.h), 1))
	draw.Draw(img, area, image.NewUniform(rgb(colours[r.role].light)), image.Point{}, draw.Src)
}

// write draws a text.
func write(img *image.RGBA, t text) {
	face := faceOf(t.size*sharpness, t.bold)
	d := font.Drawer{Dst: img, Src: image.NewUniform(rgb(colours[t.role].light)), Face: face}
	x := fixed.Int26_6(t.x * sharpness * 64)
	switch t.anchor {
	case middle:
		x -= d.MeasureString(t.text) / 2
	case end:
		x -= d.MeasureString(t.text)
	}
	d.Dot = fixed.Point26_6{X: x, Y: fixed.Int26_6(t.y * sharpness * 64)}
	d.DrawString(t.text)
}

// rgb reads a colour like "#4c7fb0".
func rgb(s string) color.RGBA {
	var c color.RGBA
	fmt.Sscanf(s, "#%02x%02x%02x", &c.R, &c.G, &c.B)
	c.A = 255
	return c
}

// fonts are parsed once; they are part of the program.
var (
	regular = sync.OnceValue(func() *opentype.Font { return mustParse(goregular.TTF) })
	bold    = sync.OnceValue(func() *opentype.Font { return mustParse(gobold.TTF) })
)

func mustParse(ttf []byte) *opentype.Font {
	f, err := opentype.Parse(ttf)
	if err != nil {
		panic(err)
	}
	return f
}

// faceOf gives a font in a size of pixels. A face must not be shared.
func faceOf(size float64, heavy bool) font.Face {
	f := regular()
	if heavy {
		f = bold()
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		panic(err) // only for options that are none
	}
	return face
}

// textWidth measures a text, in pixels of the scene.
func textWidth(s string, size float64, bold bool) float64 {
	return float64(font.MeasureString(faceOf(size, bold), s)) / 64
}
