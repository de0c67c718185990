package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"vtsize/report"
)

// helpWidth is the width of help texts, whatever the terminal: they are read
// in pagers and in documentation too.
const helpWidth = 80

// printHelp writes the help of the program or of a command, with flags in the
// order and under the headings of their declaration. The templates of
// urfave/cli sort them and run far over 80 columns.
func printHelp(w io.Writer, _ string, data any) {
	var b strings.Builder
	switch v := data.(type) {
	case *cli.App:
		fmt.Fprintf(&b, "vtsize: %s\n\n%s\n\n", v.Usage, v.Description)
		b.WriteString("Usage:\n   vtsize COMMAND [flags]\n\nCommands:\n")
		for _, c := range v.Commands {
			if !c.Hidden {
				b.WriteString(report.Columns("   "+c.Name, c.Usage, 16, helpWidth))
			}
		}
		b.WriteString("\nvtsize COMMAND --help tells the flags of a command; vtsize --version the version.\n")
		b.WriteString("Exit status: 0 fine, 1 findings, 2 wrong usage, 3 the job could not be done.\n")
	case *cli.Command:
		fmt.Fprintf(&b, "vtsize %s: %s\n\n", v.Name, v.Usage)
		if v.Description != "" {
			b.WriteString(v.Description + "\n\n")
		}
		fmt.Fprintf(&b, "Usage:\n   %s\n", strings.Join(strings.Fields("vtsize "+v.Name+" [flags] "+v.ArgsUsage), " "))
		helpFlags(&b, v.Flags)
	}
	_, _ = io.WriteString(w, b.String())
}

func helpFlags(b *strings.Builder, flags []cli.Flag) {
	heading := "\x00"
	for _, f := range flags {
		if names := f.Names(); len(names) == 0 || names[0] == "help" {
			continue
		}
		if c, ok := f.(cli.CategorizableFlag); ok && c.GetCategory() != heading {
			heading = c.GetCategory()
			if heading == "" {
				heading = "Flags"
			}
			b.WriteString("\n" + heading + ":\n")
		}
		b.WriteString(helpFlag(f))
	}
}

func helpFlag(f cli.Flag) string {
	doc, ok := f.(cli.DocGenerationFlag)
	if !ok {
		return ""
	}
	usage, placeholder := doc.GetUsage(), ""
	if before, rest, ok := strings.Cut(usage, "`"); ok {
		if name, after, ok := strings.Cut(rest, "`"); ok {
			placeholder, usage = " "+name, before+name+after
		}
	}
	label := "   "
	for i, name := range f.Names() {
		if i > 0 {
			label += ", "
		}
		if len(name) == 1 {
			label += "-" + name
		} else {
			label += "--" + name
		}
	}
	if s, ok := f.(*cli.StringFlag); ok && s.Value != "" {
		usage += " (default: " + s.Value + ")"
	}
	return report.Columns(label+placeholder, usage, 32, helpWidth)
}
