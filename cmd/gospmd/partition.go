package main

// This file implements gospmd partition.

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/ir/pass"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding"
)

// runPartition compiles the module of a file for its mesh and prints what each
// device runs, or what that costs.
func runPartition(args []string, in io.Reader, out, diag io.Writer) error {
	fs := newFlags("partition", "Splits a module for its mesh and prints what each device runs.", diag,
		"step.mlir",
		"-report -mesh data=4,model=2 -layout '.*/kernel=-,model' step.mlir",
		"-suggest step.mlir")
	showReport := fs.Bool("report", false, "print what a run costs each device instead of the module")
	suggest := fs.Bool("suggest", false, "print for each collective the layout that would remove it, and what that costs, instead of the module")
	asJSON := fs.Bool("json", false, "print the report, or with -suggest the suggestions, as JSON")
	meshText := fs.String("mesh", "", "the mesh, such as data=2,model=4, instead of the file's")
	debug := pass.Debug{Output: diag}
	fs.Func("debug", "dump=DIR,after=PASS,off=PASS: write the module after each pass, or print it after some; switch passes off", func(s string) (err error) {
		debug, err = pass.ParseDebug(s)
		debug.Output = diag
		return err
	})
	var layouts []string
	fs.Func("layout", "a layout for inputs and outputs, 'pattern=axes', such as 'd1/kernel=-,model' (- splits nothing); may be repeated", func(s string) error {
		layouts = append(layouts, s)
		return nil
	})
	file, err := fs.parse(args)
	if err != nil {
		return err
	}
	m, err := readModule(file, in)
	if err != nil {
		return err
	}
	if *meshText != "" {
		dm, err := mesh.Parse(*meshText)
		if err != nil {
			return fmt.Errorf("partition: -mesh: %w", err)
		}
		if err := sharding.Remesh(m, dm); err != nil {
			return fmt.Errorf("partition: -mesh %s: %w", *meshText, err)
		}
	}
	if err := annotate(m, layouts); err != nil {
		return fmt.Errorf("partition: -layout: %w", err)
	}
	m.LocateByText()
	o := compile.Options{Partitioner: compile.SPMD, Debug: debug}
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
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(x)
}
