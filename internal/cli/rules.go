package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"vtsize/report"
	"vtsize/rules"
)

func rulesCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:        "rules",
		Usage:       "list the rules",
		ArgsUsage:   " ",
		Description: "Examples:\n   vtsize rules\n   vtsize rules --needs\n   vtsize rules --format json",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "format", Aliases: []string{"f"}, Value: "text", Usage: "`FORMAT`: text, json, markdown"},
			&cli.BoolFlag{Name: "needs", Usage: "show what each rule needs: IAM actions, flags, a workload file"},
		},
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return &usageError{msg: fmt.Sprintf("rules takes no arguments, and got %q", c.Args().First()), hint: "vtsize explain VT101 explains one"}
			}
			switch format := c.String("format"); format {
			case "text":
				return report.RuleTable(env.Stdout, rules.All(), c.Bool("needs"))
			case "json":
				return rulesJSON(env.Stdout)
			case "markdown":
				return report.RuleMarkdown(env.Stdout, rules.All())
			default:
				return usagef("no format %q; formats: text, json, markdown", format)
			}
		},
	}
}

func rulesJSON(w io.Writer) error {
	type rule struct {
		ID       string         `json:"id"`
		Name     string         `json:"name"`
		Title    string         `json:"title"`
		Severity string         `json:"severity"`
		Scope    string         `json:"scope"`
		Why      string         `json:"why"`
		Fix      string         `json:"fix"`
		Sources  []rules.Source `json:"sources"`
		Needs    []string       `json:"needs"`
		Inputs   string         `json:"inputs"`
	}
	out := struct {
		Schema string `json:"schema"`
		Rules  []rule `json:"rules"`
	}{Schema: "vtsize.rules.v1"}
	for _, r := range rules.All() {
		out.Rules = append(out.Rules, rule{r.ID, r.Name, r.Title, r.Severity.String(), r.Scope.String(), r.Why, r.Fix, r.Sources, append([]string{}, r.Needs...), r.Inputs})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

func explainCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:        "explain",
		Usage:       "explain a rule: why, how to fix, sources, examples",
		ArgsUsage:   "RULE",
		Description: "Examples:\n   vtsize explain VT302\n   vtsize explain heartbeat-too-slow",
		BashComplete: func(*cli.Context) {
			for _, r := range rules.All() {
				fmt.Fprintln(env.Stdout, r.ID)
			}
		},
		Action: func(c *cli.Context) error {
			if c.NArg() == 0 {
				return &usageError{msg: "explain needs a rule", hint: "vtsize rules lists them"}
			}
			width, _ := env.Terminal(env.Stdout)
			for i, name := range c.Args().Slice() {
				r := rules.Find(name)
				if r == nil {
					return noRule(name)
				}
				if i > 0 {
					fmt.Fprintln(env.Stdout, strings.Repeat("-", cmp.Or(min(width, 80), 80)))
				}
				if err := report.Explain(env.Stdout, r, width); err != nil {
					return err
				}
			}
			return nil
		},
	}
}
