package main

// This file implements gospmd partition.

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/report"
)

// runPartition compiles the module of a file for its mesh and prints what each
// device runs, or what that costs.
func runPartition(args []string, in io.Reader, out, diag io.Writer) error {
	fs := newFlags("partition", "Partitions a module for its mesh and prints what each device runs.", diag,
		"step.mlir",
		"-report -mesh data=4,model=2 -layout '.*/kernel=-,model' step.mlir",
		"-suggest step.mlir")
	showReport := fs.Bool("report", false, "print the cost of a run on each device instead of the module")
	suggest := fs.Bool("suggest", false, "print for each collective the layout that would remove it, and what that costs, instead of the module")
	keep := fs.Bool("keep-layouts", false, "make layouts binding: values stay as annotations and their propagation ask for, at whatever cost")
	layoutCost := fs.Bool("layout-cost", false, "print what -keep-layouts costs, and which annotations do not hold without it, instead of the module")
	asJSON := fs.Bool("json", false, "print the report, or with -suggest the suggestions, as JSON")
	fs.annotations()
	debug := fs.debug(diag)
	file, err := fs.parse(args)
	if err != nil {
		return err
	}
	m, err := fs.module(file, in)
	if err != nil {
		return err
	}
	o := compile.Options{Partitioner: compile.SPMD, Debug: *debug, KeepLayouts: *keep}
	if *layoutCost {
		c, err := compile.CostOfLayouts(m, o)
		if err != nil {
			return err
		}
		return printed(out, c, *asJSON)
	}
	if *suggest {
		s, err := compile.Suggest(m, o)
		if err != nil {
			return err
		}
		return printed(out, s, *asJSON)
	}
	p, err := compile.Compile(m, o)
	if err != nil {
		return err
	}
	for _, d := range p.Diagnostics {
		fmt.Fprintln(diag, "warning:", d)
	}
	if *showReport || *asJSON {
		return printed(out, report.New(p), *asJSON)
	}
	_, err = io.WriteString(out, p.Module.String())
	return err
}

// printed writes x as JSON or as text.
func printed(out io.Writer, x fmt.Stringer, asJSON bool) error {
	if !asJSON {
		_, err := io.WriteString(out, x.String())
		return err
	}
	return writeJSON(out, x)
}

// writeJSON writes x as indented JSON.
func writeJSON(out io.Writer, x any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(x)
}
