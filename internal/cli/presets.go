package cli

import (
	"encoding/json"
	"io"

	"github.com/urfave/cli/v2"

	"vtsize/report"
	"vtsize/sizing"
)

func presetsCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:        "presets",
		Usage:       "list what client libraries do by default: retries, waits, timeouts",
		ArgsUsage:   " ",
		Description: "Examples:\n   vtsize presets\n   vtsize presets --format json\n   vtsize calc --p99 45s --sdk openai-python",
		Flags:       []cli.Flag{&cli.StringFlag{Name: "format", Aliases: []string{"f"}, Value: "text", Usage: "`FORMAT`: text, json"}},
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return usagef("presets takes no arguments, and got %q", c.Args().First())
			}
			switch format := c.String("format"); format {
			case "text":
				return report.PresetTable(env.Stdout)
			case "json":
				return presetsJSON(env.Stdout)
			default:
				return usagef("no format %q; formats: text, json", format)
			}
		},
	}
}

func presetsJSON(w io.Writer) error {
	type preset struct {
		Name           string    `json:"name"`
		Title          string    `json:"title"`
		Version        string    `json:"version"`
		Read           string    `json:"read"`
		Attempts       int       `json:"attempts"`
		Waits          []float64 `json:"waits_seconds"`
		RequestTimeout any       `json:"request_timeout_seconds"`
		RetryAfter     string    `json:"retry_after"`
		Ceiling        any       `json:"ceiling_seconds"`
		Note           string    `json:"note"`
		Source         string    `json:"source"`
		Files          string    `json:"files"`
	}
	out := struct {
		Schema  string   `json:"schema"`
		Presets []preset `json:"presets"`
	}{Schema: "vtsize.presets.v1"}
	for _, p := range sizing.Presets {
		jp := preset{Name: p.Name, Title: p.Title, Version: p.Version, Read: p.Read, Attempts: p.Attempts, Waits: []float64{},
			RetryAfter: report.RetryAfterText(p.RetryAfter), Note: p.Note, Source: p.Source, Files: p.Files}
		for _, d := range p.Waits {
			jp.Waits = append(jp.Waits, d.Seconds())
		}
		switch t := p.RequestTimeout; {
		case t.Unknown != "":
			jp.RequestTimeout = map[string]string{"unknown": t.Unknown}
		case !t.None:
			jp.RequestTimeout = t.Bound.Seconds()
		}
		if ceiling, ok := p.Ceiling(); ok && ceiling.IsBounded() {
			jp.Ceiling = ceiling.Bound.Seconds()
		}
		out.Presets = append(out.Presets, jp)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}
