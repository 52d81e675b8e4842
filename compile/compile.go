package compile

// This file runs the pass list.

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// Compile turns a module with annotated layouts into a Program. The module is
// not changed.
//
// The module's entry is the function main, of global shapes, as package trace
// records it or JAX exports it. Pins are layouts of parameters, of results
// and of sharding_constraint ops; a parameter with the attribute
// tf.aliasing_output = i donates its buffers to result i. What is not pinned
// follows from what is.
//
// Errors name the input, output or layer they are about. An error that says
// BUG is a fault of this package; it holds the module as it was.
func Compile(m *ir.Module, o Options) (*program.Program, error) { return compileBy(passes, m, o) }

// compileBy is Compile with a list of passes.
func compileBy(passes []pass, m *ir.Module, o Options) (*program.Program, error) {
	tails, err := o.tail()
	if err != nil {
		return nil, err
	}
	if err := o.checkBudget(); err != nil {
		return nil, err
	}
	if m.Main() == nil {
		return nil, fmt.Errorf("compile: module %q has no function main: name the entry function main", m.Name)
	}
	if err := ir.Verify(m); err != nil {
		return nil, fmt.Errorf("compile: the module is not valid: %w", err)
	}
	u := &unit{m: m.Clone(), o: o}
	if err := u.dump(0, "input"); err != nil {
		return nil, err
	}
	number := 0
	for _, p := range passes {
		if p.tail&tails == 0 {
			continue
		}
		if err := u.run(p); err != nil {
			return nil, err
		}
		number++
		if err := u.dump(number, p.name); err != nil {
			return nil, err
		}
	}
	p := &program.Program{
		Name: u.m.Name, Form: o.Partitioner.form(), Mesh: u.mesh, Module: u.m,
		Inputs: u.inputs, Outputs: u.outputs, Diagnostics: u.diagnostics, OneDeviceFlops: u.oneDeviceFlops,
	}
	if p.Form == program.PerDevice {
		p.Emit = expand
	}
	if !o.Budget.IsZero() {
		if err := o.Budget.Check(report.New(p)); err != nil {
			return nil, fmt.Errorf("compile: %w", err)
		}
	}
	return p, nil
}

// tail returns the set with the partitioner that o asks for.
func (o Options) tail() (tail, error) {
	if o.Partitioner >= 0 {
		if t := tail(1) << o.Partitioner; t&all != 0 {
			return t, nil
		}
	}
	return 0, fmt.Errorf("compile: Options.Partitioner is %d: want compile.XLA or compile.SPMD", o.Partitioner)
}

// run runs one pass and verifies what it leaves. A panic, or an invalid
// module, is our fault.
func (u *unit) run(p pass) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = u.bug(p, fmt.Sprintf("panicked: %v\n%s", r, debug.Stack()))
		}
	}()
	if err := p.run(u); err != nil {
		return fmt.Errorf("compile: %w", err)
	}
	if err := ir.Verify(u.m); err != nil {
		return u.bug(p, fmt.Sprintf("left an invalid module: %v", err))
	}
	return nil
}

// bug returns the error for a fault of our own.
func (u *unit) bug(p pass, what string) error {
	return fmt.Errorf("compile: BUG: pass %s %s\nthe module:\n%s", p.name, what, textOf(u.m))
}

// textOf returns the text of m, however broken it is.
func textOf(m *ir.Module) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprintf("(cannot be printed: %v)", r)
		}
	}()
	return m.String()
}

// dump writes the module to Options.DumpDir.
func (u *unit) dump(number int, name string) error {
	if u.o.DumpDir == "" {
		return nil
	}
	var text bytes.Buffer
	file := filepath.Join(u.o.DumpDir, fmt.Sprintf("%02d_%s.mlir", number, name))
	err := errors.Join(
		ir.Print(&text, u.m, ir.PrintOptions{Locations: true}),
		os.MkdirAll(u.o.DumpDir, 0o777),
		os.WriteFile(file, text.Bytes(), 0o666))
	if err != nil {
		return fmt.Errorf("compile: cannot write the dump of pass %s: %w (Options.DumpDir is %q)", name, err, u.o.DumpDir)
	}
	return nil
}
