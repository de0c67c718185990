package cli

import (
	"io"

	"github.com/urfave/cli/v2"
)

// The shells ask the program itself for what can come next, by the flag that
// urfave/cli answers. A lone "--" would end the flags, that one included.
const (
	bashCompletion = `# vtsize completion for bash; load it with: source <(vtsize completion bash)
_vtsize() {
  local cur=${COMP_WORDS[COMP_CWORD]}
  local words=("${COMP_WORDS[@]:0:COMP_CWORD}")
  if [[ $cur == -- ]]; then words+=(-); elif [[ $cur == -* ]]; then words+=("$cur"); fi
  COMPREPLY=($(compgen -W "$("${words[@]}" --generate-bash-completion 2>/dev/null)" -- "$cur"))
}
complete -o default -F _vtsize vtsize
`
	zshCompletion = `#compdef vtsize
# vtsize completion for zsh; load it with: source <(vtsize completion zsh)
_vtsize() {
  local -a words_so_far candidates
  words_so_far=("${words[@]:0:$((CURRENT-1))}")
  if [[ ${words[CURRENT]} == -- ]]; then words_so_far+=(-); elif [[ ${words[CURRENT]} == -* ]]; then words_so_far+=("${words[CURRENT]}"); fi
  candidates=("${(@f)$("${words_so_far[@]}" --generate-bash-completion 2>/dev/null)}")
  _describe 'vtsize' candidates || _files
}
compdef _vtsize vtsize
`
)

func completionCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:         "completion",
		Usage:        "print the completion script of a shell: bash, zsh, fish",
		ArgsUsage:    "SHELL",
		Description:  "Examples:\n   source <(vtsize completion bash)\n   vtsize completion fish > ~/.config/fish/completions/vtsize.fish",
		BashComplete: func(*cli.Context) { _, _ = io.WriteString(env.Stdout, "bash\nzsh\nfish\n") },
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return &usageError{msg: "completion needs one shell", hint: "bash, zsh or fish"}
			}
			script := map[string]string{"bash": bashCompletion, "zsh": zshCompletion}[c.Args().First()]
			if c.Args().First() == "fish" {
				var err error
				if script, err = c.App.ToFishCompletion(); err != nil {
					return err
				}
			}
			if script == "" {
				return &usageError{msg: "no completion for shell \"" + c.Args().First() + "\"", hint: "bash, zsh or fish"}
			}
			_, err := io.WriteString(env.Stdout, script)
			return err
		},
	}
}
