// Kerasapi writes the table keras/API.md, which says which public names of Keras gospmd has:
//
//	go run ./benchmarks/kerasapi -o keras/API.md
//
// Keras' names are in names.json, which benchmarks/peers/api_names.py reads from Keras. gospmd has
// a name if the package of the same name exports it, as a function or as a type. It has a loss or a
// metric that is a function in Keras if Get knows it by that name. Names that are different in
// gospmd are in a table of this command, and must be exported too.
//
//	file         what it holds
//	main.go      the command
//	reasons.go   why names are missing
//	beside.go    names of other modules of Keras, and what is not wanted
//	names.go     the names of Keras and gospmd, and those that differ
//	names.json   Keras' names
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/gospmd/gospmd/benchmarks/steps"
)

func main() { steps.Main("kerasapi", run) }

func run(_ context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("kerasapi", flag.ContinueOnError)
	file := flags.String("o", "", "write the table into this file, instead of to standard output")
	root := flags.String("C", ".", "the directory of the module")
	if err := flags.Parse(args); err != nil {
		return err
	}
	text, err := table(*root)
	if err != nil || *file == "" {
		fmt.Fprint(out, text)
		return err
	}
	return os.WriteFile(*file, []byte(text), 0o644)
}

// table returns the document in Markdown: a summary, and for each module of Keras the names that
// gospmd has and lacks. root is the repository, in whose sources the Go names are searched.
func table(root string) (string, error) {
	modules, version, err := kerasNames()
	if err != nil {
		return "", err
	}
	var rows, lists strings.Builder
	here, all := 0, 0
	for _, m := range modules {
		exported, err := exportedNames(root, m.Module)
		if err != nil {
			return "", err
		}
		var there, missing []string
		for _, n := range m.Names {
			if text := n.goName(m.Module, exported); text != "" {
				there = append(there, text)
			} else {
				missing = append(missing, n.Name)
			}
		}
		if m.Module == "ops" {
			row(&rows, "all of these", here, all)
		}
		here, all = here+len(there), all+len(m.Names)
		row(&rows, "keras."+m.Module, len(there), len(m.Names))
		fmt.Fprintf(&lists, "\n## keras.%s\n\nHere: %s\n", m.Module, strings.Join(there, ", "))
		lists.WriteString(listMissing(m.Module, missing))
	}
	row(&rows, "with operations", here, all)
	others, err := besideTable(root)
	if err != nil {
		return "", err
	}
	lists.WriteString(others)
	return fmt.Sprintf(`# Names of Keras %s that are here

Written by `+"`go run ./benchmarks/kerasapi -o keras/API.md`"+`; a test keeps it up to date. Aliases of one thing, such as Convolution2D for
Conv2D, count once. Where a name is another one here, that stands in brackets. What is not here has its reason, or is not here yet.

| module | here | of | share |
| --- | --- | --- | --- |
%s%s`, version, rows.String(), lists.String()), nil
}

func row(w io.Writer, module string, here, all int) {
	fmt.Fprintf(w, "| %s | %d | %d | %.0f %% |\n", module, here, all, 100*float64(here)/float64(all))
}
