package main

// This file reads the arguments of a command: flags and a file, in any order. It also reads the
// module of that file, and applies the mesh and the layouts of the flags.

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/memory"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/internal/texttable"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/sharding"
)

// flags are the flags of a command.
type flags struct {
	*flag.FlagSet
	help         func()           // prints the help for -h
	arguments    string           // how the usage writes the files
	files        string           // the help's text about the files
	mesh         string           // value of -mesh, if the command has it
	layouts      []string         // values of -layout
	machine      string           // value of -machine
	memory       int              // value of -memory, in bytes, or 0
	microBatches int              // of -micro-batches; 0: not given
	sharded      bool             // of -sharded-update
	fully        bool             // of -fully-sharded
	offload      bool             // of -offload-optimizer
	policies     *memory.Policies // of -memory-policy; nil: not given
}

// newFlags returns the flags of the command with that name. Its help, which -h prints to diag,
// begins with about and ends with the examples, arguments that follow the command's name.
func newFlags(name, about string, diag io.Writer, examples ...string) *flags {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard) // the package flag prints no errors: they are returned
	fs.Usage = func() {}
	f := &flags{FlagSet: fs, arguments: "[FILE.mlir]", files: "Files are StableHLO text; without a file, or for -, it is standard input.\n"}
	f.help = func() {
		fmt.Fprintf(diag, "usage: gospmd %s [flags] %s\n\n%s\n%s\nflags:\n", name, f.arguments, about, f.files)
		fs.SetOutput(diag)
		fs.PrintDefaults()
		fmt.Fprintf(diag, "\nexamples:\n")
		for _, e := range examples {
			fmt.Fprintf(diag, "  gospmd %s %s\n", name, e)
		}
	}
	return f
}

// debug defines the flag -debug, which shows what passes do, and returns what it will hold. output
// gets the modules that after=PASS prints.
func (f *flags) debug(output io.Writer) *pass.Debug {
	d := &pass.Debug{Output: output}
	f.Func("debug", "dump the module after passes, switch passes off, or verify the module after each pass: dump=DIR, after=PASS (may be repeated), off=PASS (may be repeated), verify=each, separated by commas", func(text string) (err error) {
		*d, err = pass.ParseDebug(text)
		d.Output = output
		return err
	})
	return d
}

// annotations defines the flags -mesh and -layout. module applies them.
func (f *flags) annotations() {
	f.StringVar(&f.mesh, "mesh", "", "the mesh, such as data=2,model=4, instead of the file's")
	f.layoutFlag()
}

// layoutFlag defines the flag -layout, whose values are appended to f.layouts.
func (f *flags) layoutFlag() {
	f.Func("layout", "the sharding of the inputs and outputs whose names match, 'pattern=axes', such as 'd1/kernel=-,model' (- leaves a dimension unsharded), and of layers' outputs to which the module gives one, such as 'd1/output=data,-'; what belongs to a weight goes along: its new value, and the optimizer's slots that are sharded as it is; may be repeated, and the last that matches goes first", func(s string) error {
		f.layouts = append(f.layouts, s)
		return nil
	})
}

// sideB adds the flags -b-mesh and -b-layout, for program B, to f, and returns where their values
// go.
func (f *flags) sideB() *flags {
	b := &flags{}
	f.StringVar(&b.mesh, "b-mesh", "", "the mesh of B, instead of -mesh or its file's")
	f.Func("b-layout", "a further layout of B, as -layout; may be repeated", func(s string) error {
		b.layouts = append(b.layouts, s)
		return nil
	})
	return b
}

// differs reports whether one of B's flags, which sideB has returned, was given.
func (b *flags) differs() bool { return b.mesh != "" || len(b.layouts) > 0 }

// with returns a copy of these flags with B's mesh, if b has one, and B's layouts after the others.
func (f *flags) with(b *flags) *flags {
	out := *f
	out.mesh, out.layouts = cmp.Or(b.mesh, f.mesh), slices.Concat(f.layouts, b.layouts)
	return &out
}

// budget defines the flag -budget, and returns what it will hold.
func (f *flags) budget() *report.Budget {
	b := &report.Budget{}
	f.Func("budget", fmt.Sprintf("what a device may spend on a run: bytes=SIZE sent, memory=SIZE, forbid=KIND of collective, separated by commas, such as bytes=10MB,memory=16GB,forbid=all_to_all; exit with %d if it spends more", exitOverBudget), func(text string) (err error) {
		*b, err = report.ParseBudget(text)
		return err
	})
	return b
}

// memoryFlags are the flags that say how a program fits into memory.
var memoryFlags = []string{"memory", "micro-batches", "memory-policy", "sharded-update", "fully-sharded", "offload-optimizer"}

// memoryFlag defines memoryFlags; memoryOptions returns their values. f.memory is in bytes.
func (f *flags) memoryFlag() {
	f.BoolVar(&f.sharded, "sharded-update", false, "shard the update of the weights and the state of the optimizer over the axes that shard the data (ZeRO-1)")
	f.BoolVar(&f.fully, "fully-sharded", false, "shard the weights too, over the axes that shard the data, in every step that reads them (FSDP, ZeRO-3)")
	f.BoolVar(&f.offload, "offload-optimizer", false, "keep the state of the optimizer in the memory of the host, and copy it to the device for its update; GPUs and TPUs only")
	f.IntVar(&f.microBatches, "micro-batches", 0, "compute the batch in `N` parts, one after the other, which takes less memory; 0: one part or, with -memory, what fits at the least time")
	f.Func("memory", fmt.Sprintf("the memory of a device, a `size` such as 12GB: where the predicted peak is over it, values are computed again in place of keeping them, the batch is computed in parts, weights and the state of the optimizer are sharded, and that state is moved to the host; exit with %d if the program does not fit", exitOverBudget), func(text string) (err error) {
		f.memory, err = texttable.ParseBytes(text)
		return err
	})
	f.Func("memory-policy", "what is done with the values of the layers that match, `pattern=action`, such as 'blocks_.*/attention=recompute', until the backward pass reads them: recompute, save, offload to the host (GPUs and TPUs only), or compress to bfloat16, which changes gradients; may be repeated", func(text string) error {
		at := strings.LastIndexByte(text, '=')
		if at < 0 {
			return errors.New("want pattern=action")
		}
		if f.policies == nil {
			f.policies = memory.NewPolicies()
		}
		return f.policies.Set(text[:at], program.Action(text[at+1:]))
	})
}

// memoryOptions returns o with the values of memoryFlags.
func (f *flags) memoryOptions(o compile.Options) compile.Options {
	o.MemoryLimit, o.MicroBatches, o.MemoryPolicies = f.memory, f.microBatches, f.policies
	o.ShardedUpdate, o.FullySharded, o.OffloadOptimizer = f.sharded, f.fully, f.offload
	return o
}

// parse parses args. The file may be before or after flags. It returns the file's name, "" for
// standard input. Several files are an error.
func (f *flags) parse(args []string) (file string, err error) {
	files, err := f.parseFiles(args)
	if err != nil {
		return "", err
	}
	switch len(files) {
	case 0:
		return "", nil
	case 1:
		return files[0], nil
	}
	return "", fmt.Errorf("%s: got %d files %q, want one, or none for standard input", f.Name(), len(files), files)
}

// parseFiles parses the flags in args, which may stand before, between and after files, and returns
// the files. "-", standard input, becomes "".
func (f *flags) parseFiles(args []string) (files []string, err error) {
	for rest := args; ; {
		if err := f.Parse(rest); err != nil {
			return nil, f.explain(err)
		}
		if f.NArg() == 0 {
			return files, nil
		}
		file := f.Arg(0)
		if file == "-" {
			file = ""
		}
		files = append(files, file)
		rest = f.Args()[1:]
	}
}

// explain prints the help text if err is flag.ErrHelp, and returns err. Other errors it returns
// with the command's name in front and a hint at -h behind, and for an unknown flag with the flag
// that may be meant.
func (f *flags) explain(err error) error {
	if errors.Is(err, flag.ErrHelp) {
		f.help()
		return err
	}
	var didYouMean string
	if _, name, ok := strings.Cut(err.Error(), "not defined: -"); ok {
		var known []string
		f.VisitAll(func(x *flag.Flag) { known = append(known, x.Name) })
		didYouMean = suggest.DidYouMean(name, known)
	}
	return fmt.Errorf("%s: %w%s: gospmd %s -h lists the flags", f.Name(), err, didYouMean, f.Name())
}

// module reads and verifies the module to be sharded, and returns it with the mesh and the layouts
// of the flags. Ops have locations in its text.
func (f *flags) module(file string, in io.Reader) (*ir.Module, error) {
	m, err := parseModule(file, in)
	if err != nil {
		return nil, err
	}
	return m, f.prepare(m)
}

// prepare verifies m, moves it to the mesh of -mesh, applies the layout rules of -layout, and gives
// its ops their locations in the text. A module that is not valid, a mesh that does not fit it, and
// a wrong rule are errors; m may be changed then.
func (f *flags) prepare(m *ir.Module) error {
	if err := ir.Verify(m); err != nil {
		return err
	}
	if f.mesh != "" {
		dm, err := mesh.Parse(f.mesh)
		if err != nil {
			return fmt.Errorf("%s: -mesh: %w", f.Name(), err)
		}
		if err := sharding.Remesh(m, dm); err != nil {
			return fmt.Errorf("%s: -mesh %s: %w", f.Name(), f.mesh, err)
		}
	}
	if err := annotate(m, f.layouts); err != nil {
		return fmt.Errorf("%s: -layout: %w", f.Name(), err)
	}
	m.LocateByText()
	return nil
}

// parseModule parses the file, or standard input if no file is named. Text that is no module is an
// error with file, line and column; so is empty standard input. A program file is an error that says
// which commands take it.
func parseModule(file string, in io.Reader) (*ir.Module, error) {
	const program = "%s is a program that gospmd partition -o wrote, want a module: gospmd partition, fit, aot, diff and explain take program files, by name"
	if isProgram(file) {
		return nil, fmt.Errorf(program, file)
	}
	if file != "" {
		return ir.ParseFile(file)
	}
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("cannot read standard input: %w", err)
	}
	if bytes.HasPrefix(text, []byte(archiveMark)) {
		return nil, fmt.Errorf(program, "standard input")
	}
	if strings.TrimSpace(string(text)) == "" {
		return nil, errors.New("standard input is empty: name a file, or pipe a module into it")
	}
	return ir.Parse(string(text))
}

// annotate shards the inputs and outputs of main, and the outputs of its layers that have a sharding,
// by rules such as "kernel=x,y", a pattern of names and the axes of each dimension. If several rules match a name, the last one is used. m must have
// a mesh. Without one, rules are an error.
func annotate(m *ir.Module, rules []string) error {
	if len(rules) == 0 {
		return nil
	}
	if len(m.Meshes) == 0 {
		return errors.New("the file lists no mesh: give one with -mesh")
	}
	layouts := layout.NewLayoutMap(m.Meshes[0].Mesh)
	if err := layouts.OverrideBy(rules...); err != nil {
		return err
	}
	return sharding.Annotate(m, layouts)
}
