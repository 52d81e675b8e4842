package main

// This file implements gospmd lint, which prints warnings about layouts in a module that are
// probably mistakes, and fails if there are any.

import (
	"fmt"
	"io"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/suggest"
)

// runLint is the command lint: it prints to out the warnings about layouts, in the module of the
// file that args name, or of in, that are probably mistakes. It returns an error if there are any.
func runLint(args []string, in io.Reader, out, diag io.Writer) error {
	fs := newFlags("lint", "Warns about layouts that are mistakes and that cost, and says what mends them: layouts in conflict with what is\naround them, replicated weights that an axis could shard, slots unlike their weight, axes that shard nothing.\nIt fails if there are any. Partition -suggest begins with the same changes.", diag,
		"step.mlir",
		"-mesh data=4,model=2 -layout '.*/kernel=-,model' step.mlir")
	asJSON := fs.Bool("json", false, "print the warnings as JSON")
	fs.annotations()
	fs.machineFlag()
	file, err := fs.parse(args)
	if err != nil {
		return err
	}
	m, err := fs.module(file, in)
	if err != nil {
		return err
	}
	machine, err := fs.machineOf(m)
	if err != nil {
		return err
	}
	w, err := suggest.Lint(m, suggest.Options{Options: compile.Options{Partitioner: compile.SPMD, Machine: machine}})
	if err != nil {
		return err
	}
	if err := printParts(out, machine, []part{{"warnings", w}}, *asJSON); err != nil {
		return err
	}
	wrong := 0
	for _, x := range w.Mends {
		wrong += len(x.Rules)
	}
	if wrong > 0 {
		return fmt.Errorf("lint: %d layouts are mistakes", wrong)
	}
	return nil
}
