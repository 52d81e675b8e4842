package main

// This file implements gospmd explain.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/explain"
	"github.com/gospmd/gospmd/compile/page"
	"github.com/gospmd/gospmd/compile/suggest"
	"github.com/gospmd/gospmd/ir"
)

// runExplain compiles a module and tells the story of its values.
func runExplain(args []string, in io.Reader, out, diag io.Writer) error {
	fs := newFlags("explain", "Says of each value in which layout it was asked for, as what it runs, and because of what.", diag,
		"step.mlir",
		"-value %7 step.mlir",
		"-path d1/kernel -mesh data=4,model=2 -layout '.*/kernel=-,model' step.mlir",
		"-html step.html step.mlir")
	value := fs.String("value", "", "explain this value only, named as gospmd opt and partition print it, such as %7")
	path := fs.String("path", "", "explain the parameter or result of this name only, such as d1/kernel")
	overrides := fs.Bool("overrides", false, "list the annotations that do not hold in the program that runs")
	keep := fs.Bool("keep-layouts", false, "make layouts binding: values stay as annotations and their propagation ask for, at whatever cost")
	asJSON := fs.Bool("json", false, "print the stories as JSON")
	htmlFile := fs.String("html", "", "write a page for a browser to this file")
	fs.annotations()
	fs.machineFlag()
	debug := fs.debug(diag)
	file, err := fs.parse(args)
	if err != nil {
		return err
	}
	if *value != "" && *path != "" {
		return errors.New("explain: got -value and -path, want one of them")
	}
	m, err := fs.module(file, in)
	if err != nil {
		return err
	}
	nameEntry(m)
	machine, err := fs.machineOf(m)
	if err != nil {
		return err
	}
	e, err := compile.Explain(context.Background(), m, compile.Options{Debug: *debug, KeepLayouts: *keep, Machine: machine})
	if err != nil {
		return err
	}
	if *htmlFile != "" {
		return writePage(e, m, machine, *htmlFile)
	}
	if e.Err != nil {
		fmt.Fprintln(diag, "gospmd explain: what runs is not told:", e.Err)
	}
	if *overrides {
		return printOverrides(out, e, *asJSON)
	}
	values, err := asked(e, *value, *path)
	if err != nil {
		return fmt.Errorf("explain: %w", err)
	}
	if *asJSON {
		return writeJSON(out, values)
	}
	for _, v := range values {
		if _, err := io.WriteString(out, v.String()); err != nil {
			return err
		}
	}
	return nil
}

// nameEntry names the only function of m main: it is the entry.
func nameEntry(m *ir.Module) {
	if m.Main() == nil && len(m.Funcs) == 1 {
		m.Funcs[0].Name = "main"
	}
}

// asked returns the values that the flags ask for: one, or all of them.
func asked(e *explain.Explanation, value, path string) ([]*explain.Value, error) {
	find := e.Value
	name := value
	switch {
	case value == "" && path == "":
		return e.Values, nil
	case path != "":
		find, name = e.Input, path
	}
	v, err := find(name)
	if err != nil {
		return nil, err
	}
	return []*explain.Value{v}, nil
}

// printOverrides lists the annotations that do not hold.
func printOverrides(out io.Writer, e *explain.Explanation, asJSON bool) error {
	list := e.Overrides()
	if asJSON {
		return writeJSON(out, append([]explain.Override{}, list...))
	}
	if len(list) == 0 {
		_, err := fmt.Fprintln(out, "every annotation holds")
		return err
	}
	for _, o := range list {
		if _, err := fmt.Fprintln(out, o); err != nil {
			return err
		}
	}
	return nil
}

// writePage writes the page of a program for a browser.
func writePage(e *explain.Explanation, m *ir.Module, machine *cost.Machine, file string) error {
	p, err := page.New(e, machine)
	if err != nil {
		return err
	}
	s, err := suggest.Find(m, suggest.Options{Options: compile.Options{Machine: machine}})
	if err != nil {
		return err
	}
	p.Suggest(s)
	f, err := os.Create(file)
	if err != nil {
		return fmt.Errorf("explain: -html: %w", err)
	}
	if err := errors.Join(p.Write(f), f.Close()); err != nil {
		return fmt.Errorf("explain: -html: %w", err)
	}
	return nil
}
