package cli

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"vtsize/awsfetch"
)

func policyCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:        "policy",
		Usage:       "print the smallest IAM policy that audit needs",
		ArgsUsage:   " ",
		Description: "Example:\n   vtsize policy > vtsize-policy.json\n   vtsize policy --why",
		Flags:       []cli.Flag{&cli.BoolFlag{Name: "why", Usage: "list what each action is for"}},
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return usagef("policy takes no arguments, and got %q", c.Args().First())
			}
			if c.Bool("why") {
				for _, a := range awsfetch.Actions() {
					fmt.Fprintf(env.Stdout, "%-34s %s\n", a.Name, a.Why)
				}
				return nil
			}
			_, err := env.Stdout.Write(awsfetch.Policy())
			return err
		},
	}
}
