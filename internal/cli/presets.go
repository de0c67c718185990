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
		Usage:       "list what client libraries and consumer frameworks do by default",
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
		Schema     string      `json:"schema"`
		Presets    []preset    `json:"presets"`
		Frameworks []framework `json:"frameworks"`
	}{Schema: "vtsize.presets.v1"}
	for _, f := range sizing.Frameworks {
		out.Frameworks = append(out.Frameworks, frameworkJSON(f))
	}
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

// framework is a consumer framework in JSON. Null: none, or not known.
type framework struct {
	Name           string   `json:"name"`
	Title          string   `json:"title"`
	Version        string   `json:"version"`
	Read           string   `json:"read"`
	ReceiveTimeout *float64 `json:"receive_timeout_seconds"`
	ReceiveNote    string   `json:"receive_note"`
	Renewal        string   `json:"renewal"`
	RenewalRule    string   `json:"renewal_rule"`
	Batch          *int     `json:"batch"`
	Concurrency    *int     `json:"concurrency"`
	Prefetch       *int     `json:"prefetch"`
	PrefetchFactor *int     `json:"prefetch_for_each_that_runs"`
	Handling       *string  `json:"handling"`
	StepLimit      *float64 `json:"step_limit_seconds"`
	OnLoss         *string  `json:"on_failed_renewal"`
	ReleasesAtOnce bool     `json:"releases_at_once"`
	DeletesFirst   bool     `json:"deletes_before_work"`
	Note           string   `json:"note"`
	Source         string   `json:"source"`
	Files          string   `json:"files"`
	Sure           string   `json:"known_from"`
}

func frameworkJSON(f sizing.Framework) framework {
	return framework{
		Name: f.Name, Title: f.Title, Version: f.Version, Read: f.Read,
		ReceiveTimeout: not0(f.ReceiveTimeout.Seconds()), ReceiveNote: f.ReceiveNote,
		Renewal: string(f.Renewal.Kind), RenewalRule: f.Renewal.Text,
		Batch: not0(f.Batch), Concurrency: not0(f.Concurrency), Prefetch: not0(f.Prefetch), PrefetchFactor: not0(f.PerSlot),
		Handling: not0(f.Handling), StepLimit: not0(f.StepLimit.Seconds()), OnLoss: not0(string(f.OnLoss)),
		ReleasesAtOnce: f.ReleasesAtOnce, DeletesFirst: f.DeletesFirst, Note: f.Note, Source: f.Source, Files: f.Files, Sure: f.Sure,
	}
}

// not0 is null for what is 0 or empty.
func not0[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}
