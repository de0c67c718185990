package lease

import (
	"embed"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/template"
	"time"
)

//go:embed code/*.tmpl
var sources embed.FS

// Languages are those that code is written in, with the name of the file.
var Languages = []struct{ Name, File string }{
	{"go", "heartbeat.go"},
	{"java", "Heartbeat.java"},
	{"node", "heartbeat.mjs"},
	{"python", "heartbeat.py"},
}

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"secs":  func(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) },
	"ms":    func(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) },
	"godur": goDuration,
}).ParseFS(sources, "code/*.tmpl"))

// goDuration is a duration as an expression in Go.
func goDuration(d time.Duration) string {
	if d%time.Second == 0 {
		return fmt.Sprintf("%d * time.Second", d/time.Second)
	}
	return fmt.Sprintf("%d * time.Millisecond", d.Milliseconds())
}

// WriteCode writes a heartbeat with the numbers of a policy, in one of the
// languages.
func WriteCode(w io.Writer, language string, p *Policy) error {
	for _, l := range Languages {
		if l.Name == language {
			safe := *p
			safe.Queue = comment(p.Queue)
			return templates.ExecuteTemplate(w, l.File+".tmpl", safe)
		}
	}
	return fmt.Errorf("no language %q", language)
}

// comment keeps a name from ending the comment that it stands in: names of
// queues have letters, digits, hyphens and underscores, and patterns * and ?.
func comment(name string) string {
	return strings.Map(func(r rune) rune {
		if r < 128 && (r == '-' || r == '_' || r == '.' || r == '*' || r == '?' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z') {
			return r
		}
		return '_'
	}, strings.ReplaceAll(name, "*/", "_"))
}
