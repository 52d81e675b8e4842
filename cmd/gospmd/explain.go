package main

// This file implements gospmd explain.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/explain"
	"github.com/gospmd/gospmd/compile/page"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/compile/suggest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// runExplain is the command explain: it compiles the module of a file or of in, and prints the
// history of its values to out: of all, or of the values that the flags name. With -overrides it
// prints the annotations that do not hold, and with -html it writes a page instead. The file may be
// a program, which has no history of values. -value together with -path, and a second mesh or layout
// without -html, are errors.
func runExplain(args []string, in io.Reader, out, diag io.Writer) error {
	fs := newFlags("explain", "Says of each value in which layout it was asked for, as what it runs, and because of what.", diag,
		"step.mlir",
		"-value %7 step.mlir",
		"-path d1/kernel -mesh data=4,model=2 -layout '.*/kernel=-,model' step.mlir",
		"-html step.html -machine v5e:2x4 step.mlir",
		"-html both.html -mesh data=2,model=4 -b-mesh data=8,model=1 step.mlir",
		"-html step.html step.gospmd      # what gospmd partition -o wrote")
	value := fs.String("value", "", "explain this value only, named as gospmd opt and partition print it, such as %7")
	path := fs.String("path", "", "explain the parameter or result of this name only, such as d1/kernel")
	overrides := fs.Bool("overrides", false, "list the annotations that do not hold in the program that runs")
	keep := fs.Bool("keep-layouts", false, "make layouts binding: values stay as annotations and their propagation ask for, at whatever cost")
	asJSON := fs.Bool("json", false, "print the stories as JSON")
	htmlFile := fs.String("html", "", "write a page for a browser to this file")
	fs.annotations()
	fs.machineFlag()
	fs.memoryFlag()
	b := fs.sideB()
	debug := fs.debug(diag)
	file, err := fs.parse(args)
	if err != nil {
		return err
	}
	if *value != "" && *path != "" {
		return errors.New("explain: got -value and -path, want one of them")
	}
	if b.differs() && *htmlFile == "" {
		return errors.New("explain: got -b-mesh or -b-layout without -html: the page shows two programs side by side; for text, gospmd diff compares them")
	}
	if isProgram(file) {
		return fs.explainProgram(file, *htmlFile, *overrides, *asJSON, out)
	}
	m, err := parseModule(file, in)
	if err != nil {
		return err
	}
	options := fs.memoryOptions(compile.Options{Debug: *debug, KeepLayouts: *keep})
	if *htmlFile != "" {
		return fs.writePage(b, m, options, *htmlFile)
	}
	e, machine, err := fs.explanation(m, options)
	if err != nil {
		return err
	}
	if e.Err != nil {
		fmt.Fprintln(diag, "gospmd explain: what runs is not told:", e.Err)
	}
	if *overrides {
		return printOverrides(out, e.Overrides(), *asJSON)
	}
	values, err := selectValues(e, *value, *path)
	if err != nil {
		return fmt.Errorf("explain: %w", err)
	}
	if *asJSON {
		return writeJSON(out, append([]*explain.Value{}, values...)) // [] if there are none
	}
	if machine != nil {
		if _, err := fmt.Fprintf(out, "decided for %s\n", machine.Name); err != nil {
			return err
		}
	}
	for _, v := range values {
		if _, err := io.WriteString(out, v.String()); err != nil {
			return err
		}
	}
	return nil
}

// explainProgram prints what the file of a program says of layouts: those of the inputs and outputs,
// and the annotations that do not hold; with overrides only these. With htmlFile it writes a page
// instead. -value and -path are errors, because the history of values needs the module.
func (f *flags) explainProgram(file, htmlFile string, overrides, asJSON bool, out io.Writer) error {
	for _, name := range []string{"value", "path"} {
		if f.Lookup(name).Value.String() != "" {
			return fmt.Errorf("explain: -%s: %s is a partitioned program, which does not hold the layouts that were asked for and what followed from them: name the module that it was made of", name, file)
		}
	}
	p, err := f.openProgram(file, "mesh", "layout", "b-mesh", "b-layout", "keep-layouts", "debug")
	if err != nil {
		return err
	}
	machine, err := f.machineOfProgram(p, file)
	switch {
	case err != nil:
		return err
	case htmlFile != "":
		pg, err := page.New(explain.OfProgram(p), machine)
		if err != nil {
			return err
		}
		return savePage(pg, htmlFile)
	case overrides:
		return printOverrides(out, p.Overrides, asJSON)
	case asJSON:
		return writeJSON(out, layoutsOf(p))
	}
	if _, err := fmt.Fprintf(out, "%sdecided for %s\n", p, cmp.Or(p.Machine, "a machine that the file does not name")); err != nil {
		return err
	}
	return printOverrides(out, p.Overrides, false)
}

// programLayouts is the JSON form of the layouts in a program file.
type programLayouts struct {
	Program   string             `json:"program"`
	Mesh      string             `json:"mesh"`
	Target    string             `json:"target"`
	Machine   string             `json:"machine"`
	Inputs    []tensorLayout     `json:"inputs"`
	Outputs   []tensorLayout     `json:"outputs"`
	Overrides []program.Override `json:"overrides"`
}

// tensorLayout is an input or an output, with its global shape and the shape on a device.
type tensorLayout struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Runs  string `json:"runs_as"`
	Local string `json:"per_device"`
}

func layoutsOf(p *program.Program) programLayouts {
	l := programLayouts{
		Program: p.Name, Mesh: p.Mesh.String(), Target: p.Target, Machine: p.Machine,
		Inputs: []tensorLayout{}, Outputs: []tensorLayout{}, Overrides: append([]program.Override{}, p.Overrides...),
	}
	tensor := func(t program.TensorInfo) tensorLayout {
		return tensorLayout{t.Name, t.Type.Short(), t.Sharding.String(), t.Local.Short()}
	}
	for _, in := range p.Inputs {
		l.Inputs = append(l.Inputs, tensor(in.TensorInfo))
	}
	for _, o := range p.Outputs {
		l.Outputs = append(l.Outputs, tensor(o.TensorInfo))
	}
	return l
}

// explanation compiles m with the mesh and the layouts of the flags, and returns the explanation
// and the machine of the flags, nil for the default one, which predicts times. It changes m: it
// sets the mesh and the layouts, and names the only function main.
func (f *flags) explanation(m *ir.Module, o compile.Options) (*explain.Explanation, *cost.Machine, error) {
	if err := f.prepare(m); err != nil {
		return nil, nil, err
	}
	nameEntry(m)
	var err error
	if o.Machine, err = f.machineOf(m); err != nil {
		return nil, nil, err
	}
	e, err := compile.Explain(context.Background(), m, o)
	return e, o.Machine, err
}

// nameEntry renames the function of m to main if it is the only one.
func nameEntry(m *ir.Module) {
	if m.Main() == nil && len(m.Funcs) == 1 {
		m.Funcs[0].Name = "main"
	}
}

// selectValues returns the values of e that the flags ask for: the one with the name value, the
// input with the given path, or all if both are empty. An unknown name or path is an error.
func selectValues(e *explain.Explanation, value, path string) ([]*explain.Value, error) {
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

// printOverrides prints list, the annotations that do not hold, to out: a line for each, or all of
// them as JSON. For an empty list it prints that every annotation holds, or an empty JSON list. It
// returns an error if it cannot write.
func printOverrides[T fmt.Stringer](out io.Writer, list []T, asJSON bool) error {
	if asJSON {
		return writeJSON(out, append([]T{}, list...))
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

// writePage writes the HTML page of the program m, compiled with o, to the file with the given
// name. If b has a mesh or layouts, the page compares m with B: m with these in addition.
func (f *flags) writePage(b *flags, m *ir.Module, o compile.Options, name string) error {
	second := m.Clone()
	pa, ea, machineA, err := f.page(m, o)
	if err != nil {
		return err
	}
	var out interface{ Write(io.Writer) error } = pa
	if b.differs() {
		pb, eb, machineB, err := f.with(b).page(second, o)
		if err != nil {
			return fmt.Errorf("%w (of B)", err)
		}
		out = page.NewPair(pa, pb, report.CompareOn(ea.Program(), machineA, eb.Program(), machineB))
	}
	return savePage(out, name)
}

// savePage writes a page, or two side by side, to the file with the given name.
func savePage(p interface{ Write(io.Writer) error }, name string) error {
	file, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("explain: -html: %w", err)
	}
	if err := errors.Join(p.Write(file), file.Close()); err != nil {
		return fmt.Errorf("explain: -html: %w", err)
	}
	return nil
}

// page makes the HTML page of m, with suggestions for layouts. It also returns the explanation that
// the page shows, and the machine of its predictions.
func (f *flags) page(m *ir.Module, o compile.Options) (*page.Page, *explain.Explanation, *cost.Machine, error) {
	e, machine, err := f.explanation(m, o)
	if err != nil {
		return nil, nil, nil, err
	}
	p, err := page.New(e, machine)
	if err != nil {
		return nil, nil, nil, err
	}
	o.Machine, o.MemoryLimit, o.MicroBatches = machine, 0, 0 // layouts are compared as they are
	s, err := suggest.Find(m, suggest.Options{Options: o})
	if err != nil {
		return nil, nil, nil, err
	}
	p.Suggest(s)
	return p, e, machine, nil
}
