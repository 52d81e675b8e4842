package main

// This file implements gospmd completion, which writes scripts for shells.

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/gospmd/gospmd/docs"
	"github.com/gospmd/gospmd/internal/suggest"
)

// shells has the function that writes the script of each shell, in the order of the help.
var shells = []struct {
	name  string
	write func(out io.Writer, all []completed)
}{{"bash", writeBash}, {"zsh", writeZsh}, {"fish", writeFish}}

// completed holds the words that a shell completes after a command.
type completed struct {
	name, usage string
	flags       []completedFlag
	words       []string // its arguments, if they are not files
}

// completedFlag is a flag with its first line of help.
type completedFlag struct{ name, usage string }

// runCompletion is the command completion: it prints the script for the shell that args name to
// out. Another number of shells than one, and an unknown one, are errors.
func runCompletion(args []string, _ io.Reader, out, diag io.Writer) error {
	var names []string
	for _, s := range shells {
		names = append(names, s.name)
	}
	fs := newFlags("completion", "Prints a script that makes a shell complete commands, flags and topics of gospmd.", diag,
		"bash > ~/.local/share/bash-completion/completions/gospmd", "zsh > \"${fpath[1]}/_gospmd\"", "fish > ~/.config/fish/completions/gospmd.fish")
	fs.arguments, fs.files = "SHELL", "SHELL is one of "+strings.Join(names, ", ")+".\n"
	words, err := fs.parseFiles(args)
	if err != nil {
		return err
	}
	if len(words) != 1 {
		return fmt.Errorf("completion: got %d shells %q, want one of %s", len(words), words, strings.Join(names, ", "))
	}
	for _, s := range shells {
		if s.name == words[0] {
			s.write(out, completions(names))
			return nil
		}
	}
	return fmt.Errorf("completion: there is no script for the shell %q%s: want one of %s", words[0], suggest.DidYouMean(words[0], names), strings.Join(names, ", "))
}

// completions returns, for each command, its flags and the words that can follow it. shells are the
// words of the command completion.
func completions(shells []string) []completed {
	var all []completed
	var topics []string
	for _, c := range commands() {
		all = append(all, completed{name: c.name, usage: c.usage, flags: flagsOf(c)})
		topics = append(topics, c.name)
	}
	for _, topic := range docs.Topics() {
		topics = append(topics, topic.Name)
	}
	for i := range all {
		switch all[i].name {
		case "help":
			all[i].words = topics
		case "completion":
			all[i].words = shells
		}
	}
	return all
}

// describedFlag matches a flag and its description in the help of a command.
var describedFlag = regexp.MustCompile(`(?m)^  -(\S+).*\n\s+(.*)$`)

// flagsOf returns the flags of a command. A command defines them when it runs, so flagsOf reads its
// help.
func flagsOf(c command) (flags []completedFlag) {
	var help strings.Builder
	c.run([]string{"-h"}, nil, io.Discard, &help) //nolint:errcheck // the error is flag.ErrHelp
	for _, m := range describedFlag.FindAllStringSubmatch(help.String(), -1) {
		flags = append(flags, completedFlag{m[1], m[2]})
	}
	return flags
}

// list returns the words of a command, separated by blanks: its flags, with a dash in front, and
// then its arguments.
func (c completed) list() string {
	var words []string
	for _, f := range c.flags {
		words = append(words, "-"+f.name)
	}
	return strings.Join(append(words, c.words...), " ")
}

func writeBash(out io.Writer, all []completed) {
	var names []string
	for _, c := range all {
		names = append(names, c.name)
	}
	fmt.Fprintf(out, `# Completion of gospmd for bash, by gospmd completion bash.
_gospmd() {
  local words
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="%s"
  else
    case "${COMP_WORDS[1]}" in
`, strings.Join(names, " "))
	for _, c := range all {
		fmt.Fprintf(out, "    %s) words=\"%s\" ;;\n", c.name, c.list())
	}
	fmt.Fprint(out, `    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _gospmd gospmd
`)
}

func writeZsh(out io.Writer, all []completed) {
	fmt.Fprint(out, `#compdef gospmd
# Completion of gospmd for zsh, by gospmd completion zsh.
_gospmd() {
  local -a words_of described
  if (( CURRENT == 2 )); then
    described=(
`)
	for _, c := range all {
		fmt.Fprintf(out, "      %s\n", quote(c.name+":"+strings.ReplaceAll(c.usage, ":", `\:`), `'\''`))
	}
	fmt.Fprint(out, `    )
    _describe command described
    return
  fi
  case $words[2] in
`)
	for _, c := range all {
		fmt.Fprintf(out, "  %s) words_of=(%s) ;;\n", c.name, c.list())
	}
	fmt.Fprint(out, `  esac
  compadd -a -- words_of
  [[ $words[CURRENT] == -* || $words[2] == (help|completion) ]] || _files
}
if [ "$funcstack[1]" = _gospmd ]; then
  _gospmd "$@"
else
  compdef _gospmd gospmd
fi
`)
}

func writeFish(out io.Writer, all []completed) {
	fmt.Fprintln(out, "# Completion of gospmd for fish, by gospmd completion fish.")
	for _, c := range all {
		fmt.Fprintf(out, "complete -c gospmd -f -n __fish_use_subcommand -a %s -d %s\n", c.name, quote(c.usage, `\'`))
		seen := "-n '__fish_seen_subcommand_from " + c.name + "'"
		for _, f := range c.flags {
			fmt.Fprintf(out, "complete -c gospmd %s -o %s -d %s\n", seen, f.name, quote(f.usage, `\'`))
		}
		if c.words != nil {
			fmt.Fprintf(out, "complete -c gospmd -f %s -a %s\n", seen, quote(strings.Join(c.words, " "), `\'`))
		}
	}
}

// quote returns text in single quotes, with those inside replaced by escaped.
func quote(text, escaped string) string {
	return "'" + strings.ReplaceAll(text, "'", escaped) + "'"
}
