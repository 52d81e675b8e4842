// Command gospmd works on StableHLO programs from the command line.
//
//	gospmd opt -passes=LIST < in.mlir    run sharding passes, print the module
//	gospmd explain FILE.mlir             say where layouts come from; -value %7, -path NAME, -html FILE
//	gospmd partition FILE.mlir           print what each device runs; -report: what it costs; -suggest: what would cost less
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/gospmd/gospmd/internal/suggest"
)

// command is one subcommand.
type command struct {
	name, usage string
	run         func(args []string, in io.Reader, out, diag io.Writer) error
}

// commands in the order in which the usage lists them.
var commands = []command{
	{"opt", "run sharding passes on a module and print it", runOpt},
	{"explain", "say where the layouts of a module come from, as text or as a page", runExplain},
	{"partition", "split a module for its mesh; print what each device runs, or costs", runPartition},
}

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return
		}
		fmt.Fprintln(os.Stderr, "gospmd:", err)
		os.Exit(1)
	}
}

// run is main without the process around it.
func run(args []string, in io.Reader, out, diag io.Writer) error {
	if len(args) > 0 {
		for _, c := range commands {
			if c.name == args[0] {
				return c.run(args[1:], in, out, diag)
			}
		}
	}
	fmt.Fprintln(diag, "usage: gospmd COMMAND [flags] [FILE.mlir]")
	var names []string
	for _, c := range commands {
		fmt.Fprintf(diag, "  %-10s %s\n", c.name, c.usage)
		names = append(names, c.name)
	}
	fmt.Fprintln(diag, "gospmd COMMAND -h says more of one")
	if len(args) == 0 {
		return errors.New("no command given: want one of the above")
	}
	if slices.Contains([]string{"-h", "-help", "--help", "help"}, args[0]) {
		return flag.ErrHelp
	}
	return fmt.Errorf("unknown command %q%s: want one of the above", args[0], suggest.DidYouMean(args[0], names))
}
