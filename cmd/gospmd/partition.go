package main

// This file implements gospmd partition.

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// runPartition compiles the module of a file for its mesh and prints what each
// device runs, or what that costs.
func runPartition(args []string, in io.Reader, out, diag io.Writer) error {
	fs := flag.NewFlagSet("gospmd partition", flag.ContinueOnError)
	fs.SetOutput(diag)
	report := fs.Bool("report", false, "print what a run costs each device instead of the module")
	asJSON := fs.Bool("json", false, "print the report as JSON")
	meshText := fs.String("mesh", "", "the mesh, such as data=2,model=4, instead of the file's")
	var layouts []string
	fs.Func("layout", "a layout for inputs and outputs, 'pattern=axes', such as 'd1/kernel=-,model' (- splits nothing); may be repeated", func(s string) error {
		layouts = append(layouts, s)
		return nil
	})
	// The file may stand before the flags and after them.
	var files []string
	for rest := args; ; {
		if err := fs.Parse(rest); err != nil {
			return err
		}
		if fs.NArg() == 0 {
			break
		}
		files = append(files, fs.Arg(0))
		rest = fs.Args()[1:]
	}
	if len(files) > 1 {
		return fmt.Errorf("partition: got %d files %q, want one, or none for standard input", len(files), files)
	}
	m, err := readModule(files, in)
	if err != nil {
		return err
	}
	if *meshText != "" {
		dm, err := mesh.Parse(*meshText)
		if err != nil {
			return fmt.Errorf("partition: -mesh: %w", err)
		}
		if err := ontoMesh(m, dm); err != nil {
			return fmt.Errorf("partition: -mesh %s: %w", *meshText, err)
		}
	}
	if err := pinPorts(m, layouts); err != nil {
		return fmt.Errorf("partition: -layout: %w", err)
	}
	p, err := compile.Compile(m, compile.Options{Partitioner: compile.SPMD})
	if err != nil {
		return err
	}
	for _, n := range p.Notices {
		fmt.Fprintln(diag, "notice:", n)
	}
	switch {
	case *asJSON:
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		return e.Encode(p.Report())
	case *report:
		_, err = io.WriteString(out, p.Report().String())
	default:
		_, err = io.WriteString(out, p.Module.String())
	}
	return err
}

// readModule parses the file, or standard input where none is named.
func readModule(files []string, in io.Reader) (*ir.Module, error) {
	if len(files) == 1 {
		return ir.ParseFile(files[0])
	}
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("cannot read standard input: %w", err)
	}
	if strings.TrimSpace(string(text)) == "" {
		return nil, errors.New("standard input is empty: name a file, or pipe a module into it")
	}
	return ir.Parse(string(text))
}
