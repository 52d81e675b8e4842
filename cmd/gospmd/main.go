package main

// This file lists the commands, runs one of them, and implements gospmd opt.

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/cmd/gospmd/internal/shardypasses"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/plainlog"
	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime/aot"
	"github.com/gospmd/gospmd/runtime/inspect"
)

// command is one subcommand.
type command struct {
	name, usage string
	run         func(args []string, in io.Reader, out, diag io.Writer) error
}

// commands returns all commands, each with its name, a line for the usage and the function that
// runs it, in the order in which the usage lists them.
func commands() []command {
	return []command{
		{"opt", "run sharding passes on a module and print it", runOpt},
		{"explain", "say where the shardings of a module come from, as text or as a page", runExplain},
		{"lint", "warn about layouts that are mistakes", runLint},
		{"partition", "partition a module for its mesh; print what each device runs, or its cost", runPartition},
		{"fit", "say on which meshes of accelerators a module fits, what it sends there and how long a run takes", runFit},
		{"aot", "compile a module for accelerators that are not there, and print their compiler's figures", runAOT},
		{"diff", "compare what two layouts or meshes of a module cost", runDiff},
		{"doctor", "say what there is to run and compile programs with, and install what is missing", runDoctor},
		{"launch", "start a program as several processes on this machine", runLaunch},
		{"coordinator", "hold what the processes of a job tell each other, where a cluster starts them", runCoordinator},
		{"version", "say which gospmd this is, and which plugins it installs", runVersion},
		{"help", "print a page of the documentation", runHelp},
		{"completion", "print a script that makes a shell complete gospmd", runCompletion},
	}
}

// gcPercent is the GOGC of the process, unless the environment sets it. A command runs for seconds,
// and more memory saves the time of collecting it.
const gcPercent = 400

func main() {
	slog.SetDefault(plainlog.New(os.Stderr))
	serve()
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if err := run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return
		}
		fmt.Fprintln(os.Stderr, "gospmd:", err)
		os.Exit(exitCode(err))
	}
}

// serve makes this executable usable as the child processes of aot, fit and doctor.
func serve() {
	aot.Serve()
	inspect.Serve()
}

// The exit codes of errors. 2 is the Go runtime's code for panics, which are our faults.
const (
	exitError      = 1
	exitOverBudget = 3 // the program is over the flag -budget
)

// exitCode returns the exit code of the process for err: 3 if the program is over its budget, that
// of a job that launch ran, or else 1.
func exitCode(err error) int {
	var over *report.OverBudgetError
	if errors.As(err, &over) {
		return exitOverBudget
	}
	var failed *failedJob
	if errors.As(err, &failed) {
		return failed.code
	}
	return exitError
}

// run is main, with the command and its arguments, the streams, and an error in place of the exit
// code. Without a known command it prints the usage to diag, and returns an error, flag.ErrHelp for
// -h.
func run(args []string, in io.Reader, out, diag io.Writer) error {
	var names []string
	for _, c := range commands() {
		if len(args) > 0 && c.name == args[0] {
			return c.run(args[1:], in, out, diag)
		}
		names = append(names, c.name)
	}
	printUsage(diag)
	if len(args) == 0 {
		return errors.New("no command given: want one of the above")
	}
	if slices.Contains([]string{"-h", "-help", "--help"}, args[0]) {
		return flag.ErrHelp
	}
	return fmt.Errorf("unknown command %q%s: want one of the above", args[0], suggest.DidYouMean(args[0], names))
}

// runOpt is the command opt: it runs a list of passes on the module of a file, or of in, and prints
// the result to out.
func runOpt(args []string, in io.Reader, out, diag io.Writer) error {
	fs := newFlags("opt", "Runs sharding passes on a module and prints it. The passes are Shardy's, without sdy-;\noptions stand in braces after a pass. The passes:\n  "+strings.Join(shardypasses.Names(), "\n  ")+"\n", diag,
		"-passes=propagation-pipeline step.mlir",
		"-passes='add-data-flow-edges,basic-propagate{conservative-propagation=true},sink-data-flow-edges' < step.mlir")
	list := fs.String("passes", "", "the passes to run, in order: NAME,NAME{OPTION=VALUE OPTION=VALUE},…")
	asJSON := fs.Bool("json", false, "print an object with the passes and the module's text, as JSON")
	debug := fs.debug(diag)
	file, err := fs.parse(args)
	if err != nil {
		return err
	}
	passes, err := shardypasses.Parse(*list)
	if err != nil {
		return fmt.Errorf("opt: %w: gospmd opt -h lists all", err)
	}
	m, err := parseModule(file, in)
	if err != nil {
		return err
	}
	if err := shardypasses.Run(m, passes, *debug); err != nil {
		return err
	}
	if *asJSON {
		return writeJSON(out, map[string]any{"passes": *list, "module": string(m.Text(ir.PrintOptions{Names: true}))})
	}
	_, err = out.Write(m.Text(ir.PrintOptions{Names: true}))
	return err
}
