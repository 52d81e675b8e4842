package main

// This file implements gospmd explain.

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/explain"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding"
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
	asJSON := fs.Bool("json", false, "print the stories as JSON")
	htmlFile := fs.String("html", "", "write a page for a browser to this file")
	fs.annotations()
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
	if *htmlFile != "" {
		return writePage(m, *htmlFile, diag)
	}
	e, err := compile.Explain(m, compile.Options{Debug: *debug})
	if err != nil {
		return err
	}
	if e.Err != nil {
		fmt.Fprintln(diag, "gospmd explain: what runs is not told:", e.Err)
	}
	if *overrides {
		return printOverrides(out, e)
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
func printOverrides(out io.Writer, e *explain.Explanation) error {
	list := e.Overrides()
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

// writePage writes the page of m for a browser.
func writePage(m *ir.Module, file string, diag io.Writer) error {
	moves := movesOf(m, diag)
	result, err := sharding.Propagate(m, sharding.Options{})
	if err != nil {
		return err
	}
	var page strings.Builder
	if err := result.WritePage(&page, m.Main(), moves); err != nil {
		return err
	}
	if err := os.WriteFile(file, []byte(page.String()), 0o644); err != nil {
		return fmt.Errorf("explain: -html: %w", err)
	}
	return nil
}

// movesOf returns the collectives of the partitioned program. What can not be
// partitioned can still be explained: the reason goes to diag.
func movesOf(m *ir.Module, diag io.Writer) []sharding.Move {
	p, err := compile.Compile(m, compile.Options{Partitioner: compile.SPMD})
	if err != nil {
		fmt.Fprintln(diag, "gospmd explain: no data movement is shown:", err)
		return nil
	}
	var moves []sharding.Move
	for _, c := range report.New(p).Collectives {
		moves = append(moves, sharding.Move{
			Text: fmt.Sprintf("%s over %s, %d bytes", c.Kind, strings.Join(c.Axes, ", "), c.Total()),
			Why:  c.Why,
			Op:   c.Op, Layer: c.Layer, Where: c.Where,
		})
	}
	return moves
}
