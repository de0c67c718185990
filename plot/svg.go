package plot

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// colours of the roles, by day and by night.
var colours = map[role]struct{ name, light, dark string }{
	ground:      {"g", "#ffffff", "#14181d"},
	ink:         {"i", "#1b2430", "#eef2f6"},
	muted:       {"m", "#5d6978", "#9aa7b5"},
	faint:       {"f", "#e6eaee", "#262d35"},
	barRole:     {"b", "#4c7fb0", "#6ea3d6"},
	late:        {"l", "#cf4a3c", "#f07b6c"},
	neutral:     {"n", "#465263", "#b6c1cd"},
	present:     {"p", "#b93326", "#ff8d7e"},
	recommended: {"r", "#1b7f4f", "#5fd39b"},
}

// SVG draws a histogram as a picture that follows the reader's choice of a
// light or a dark ground.
func SVG(w io.Writer, h Histogram) error {
	s := h.draw()
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" aria-labelledby=\"t d\" font-family=\"system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif\">\n",
		pictureWidth, pictureHeight, pictureWidth, pictureHeight)
	fmt.Fprintf(out, "<title id=\"t\">%s</title>\n<desc id=\"d\">%s</desc>\n<style>\n", escape(s.title), escape(s.description))
	for r := ground; r <= recommended; r++ {
		fmt.Fprintf(out, ".%s{fill:%s}", colours[r].name, colours[r].light)
	}
	fmt.Fprint(out, "\n@media (prefers-color-scheme: dark){")
	for r := ground; r <= recommended; r++ {
		fmt.Fprintf(out, ".%s{fill:%s}", colours[r].name, colours[r].dark)
	}
	fmt.Fprint(out, "}\n</style>\n")
	for _, r := range s.rects {
		fmt.Fprintf(out, "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>\n", colours[r.role].name, short(r.x), short(r.y), short(r.w), short(r.h))
	}
	for _, t := range s.texts {
		weight := ""
		if t.bold {
			weight = " font-weight=\"600\""
		}
		fmt.Fprintf(out, "<text class=\"%s\" x=\"%s\" y=\"%s\" font-size=\"%s\" text-anchor=\"%s\"%s>%s</text>\n",
			colours[t.role].name, short(t.x), short(t.y), short(t.size), [...]string{"start", "middle", "end"}[t.anchor], weight, escape(t.text))
	}
	fmt.Fprint(out, "</svg>\n")
	return out.Flush()
}

// short writes a coordinate to a hundredth of a pixel.
func short(f float64) string {
	s := strconv.FormatFloat(f, 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// escape makes text safe in XML; characters that XML does not allow become a
// question mark.
func escape(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\t' && r != '\n' || r == 0xFFFE || r == 0xFFFF {
			return '?'
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\"", "&quot;").Replace(s)
}
