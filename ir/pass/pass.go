package pass

// This file runs pipelines, checks the order of passes, and implements the debug options: dumping
// modules and switching passes off.

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/ir"
)

// Pass is one step of a pipeline. It works on a context of type C: a module, or a struct with the
// module and other data that passes share.
type Pass[C any] struct {
	Name string
	Why  string // why the pass exists, and why it runs at this place; may be empty
	// Required says that later passes do not work without this one. Debug cannot switch it off.
	Required bool
	// Run changes the module. If it returns an error, the user's program or options are wrong.
	Run func(C) error
}

// Pipeline is a list of passes in the order in which they run.
type Pipeline[C any] struct {
	Passes []Pass[C]
	// Module returns the module in the context.
	Module func(C) *ir.Module
	// Verify checks the module after passes; nil stands for ir.Verify.
	Verify func(*ir.Module) error
	// Stopped is called before each pass. If it returns an error, the run ends with it. nil: the
	// run cannot be stopped.
	Stopped func() error
	Debug   Debug
}

// Run runs the passes on c, without those in Debug.Off; a Required one there is an error. It
// verifies the module after the last pass and, if Debug.VerifyEach is set, after each. It stops at
// the first error, which is an *Error.
func (p Pipeline[C]) Run(c C) error {
	if p.Verify == nil {
		p.Verify = ir.Verify
	}
	d := dumper{Debug: p.Debug}
	last := -1
	for i, s := range p.Passes {
		if !slices.Contains(p.Debug.Off, s.Name) {
			last = i
		}
	}
	if err := d.dump(p.Module(c), Input); err != nil {
		return &Error{Pass: Input, Err: err}
	}
	each := p.Debug.VerifyEach
	for i, s := range p.Passes {
		if slices.Contains(p.Debug.Off, s.Name) {
			if s.Required {
				return &Error{Pass: s.Name, Err: fmt.Errorf("pass %s cannot be switched off: later passes need what it does", s.Name)}
			}
			continue
		}
		if p.Stopped != nil {
			if err := p.Stopped(); err != nil {
				return &Error{Pass: s.Name, Err: fmt.Errorf("stopped before pass %s: %w", s.Name, err)}
			}
		}
		if err := p.runOne(s, c, each, i == last); err != nil {
			return err
		}
		if err := d.dump(p.Module(c), s.Name); err != nil {
			return &Error{Pass: s.Name, Err: err}
		}
	}
	return nil
}

// runOne runs the pass s on c. It verifies the module afterwards if each or last is true. An error,
// a panic and an invalid module are an *Error.
func (p Pipeline[C]) runOne(s Pass[C], c C, each, last bool) (err error) {
	bug := func(format string, args ...any) error {
		what := fmt.Sprintf(format, args...)
		return &Error{Pass: s.Name, Bug: true, Err: fmt.Errorf("BUG: pass %s %s\nthe module:\n%s", s.Name, what, textOf(p.Module(c)))}
	}
	defer func() {
		if r := recover(); r != nil {
			err = bug("panicked: %v\n%s", r, debug.Stack())
		}
	}()
	if err := s.Run(c); err != nil {
		return &Error{Pass: s.Name, Err: err}
	}
	if !each && !last {
		return nil
	}
	switch err := p.Verify(p.Module(c)); {
	case err == nil:
		return nil
	case each:
		return bug("left an invalid module: %v", err)
	default:
		return bug("or one before it left an invalid module (debug option verify=each finds which): %v", err)
	}
}

// textOf returns the text of m. If m is too invalid to be printed, it returns a text that says why.
func textOf(m *ir.Module) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprintf("(cannot be printed: %v)", r)
		}
	}()
	return m.String()
}

// Error is the error of one pass of a pipeline.
type Error struct {
	Pass string // name of the pass; Input if the error came before the first pass
	Bug  bool   // the pass is wrong; else the module or an option is
	Err  error
}

// Error returns the text of Err. If the error is a bug, the text names the pass and has the module.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// Before says that pass First must run before pass Then, and why.
type Before struct{ First, Then, Why string }

// CheckOrder checks names, the names of passes in the order in which they run. It returns an error
// for each of rules that the order breaks, for each of rules with a pass that is not in names, and
// for each name that occurs twice, all joined; nil if there is none.
func CheckOrder(names []string, rules []Before) error {
	var errs []error
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			errs = append(errs, fmt.Errorf("there are two passes %q", name))
		}
	}
	for _, r := range rules {
		first, then := slices.Index(names, r.First), slices.Index(names, r.Then)
		switch {
		case first < 0:
			errs = append(errs, fmt.Errorf("there is no pass %q", r.First))
		case then < 0:
			errs = append(errs, fmt.Errorf("there is no pass %q", r.Then))
		case first > then:
			errs = append(errs, fmt.Errorf("pass %s must run before %s: %s", r.First, r.Then, r.Why))
		}
	}
	return errors.Join(errs...)
}

// Input is the name of the dump of the module before any pass.
const Input = "input"

// Debug holds the options to find out what passes do. The zero value does nothing.
type Debug struct {
	// Dump is the directory for dumps of the module: one numbered file for the input, and one after
	// each pass. The directory is created if it is absent. %m in its name stands for the module's
	// name.
	Dump string
	// After lists the passes that the module is dumped after; empty means all passes. If Dump is
	// empty, the module is printed to Output after these passes.
	After []string
	// Off lists the passes that do not run.
	Off []string
	// VerifyEach verifies the module after each pass, not only after the last one. So the error
	// names the pass that made the module invalid.
	VerifyEach bool
	// Output is where modules are printed if Dump is empty; os.Stderr by default.
	Output io.Writer
}

// wantDebug lists the options, for error messages.
const wantDebug = "want dump=DIR, after=PASS, off=PASS or verify=each, separated by commas"

// ParseDebug reads options separated by commas:
//
//	dump=DIR     Debug.Dump
//	after=PASS   one more pass in Debug.After
//	off=PASS     one more pass in Debug.Off
//	verify=each  Debug.VerifyEach
//
// An empty text gives the zero Debug. Another option, and one without a value, are errors. It does
// not check the names of passes: Debug.Check does.
func ParseDebug(text string) (Debug, error) {
	var d Debug
	if text == "" {
		return d, nil
	}
	for _, option := range strings.Split(text, ",") {
		key, value, _ := strings.Cut(option, "=")
		switch {
		case value == "":
			return Debug{}, fmt.Errorf("debug option %q has no value: %s", option, wantDebug)
		case key == "dump":
			d.Dump = value
		case key == "after":
			d.After = append(d.After, value)
		case key == "off":
			d.Off = append(d.Off, value)
		case option == "verify=each":
			d.VerifyEach = true
		default:
			return Debug{}, fmt.Errorf("unknown debug option %q: %s", option, wantDebug)
		}
	}
	return d, nil
}

// IsZero reports whether no option of d is set; Output does not count.
func (d Debug) IsZero() bool {
	return d.Dump == "" && len(d.After) == 0 && len(d.Off) == 0 && !d.VerifyEach
}

// Check returns an error that names the first pass of d.After or d.Off that is not in names, the
// list of all passes. Input is allowed in After, but not in Off.
func (d Debug) Check(names []string) error {
	for _, name := range slices.Concat(d.After, d.Off) {
		if name == Input && !slices.Contains(d.Off, name) || slices.Contains(names, name) {
			continue
		}
		return fmt.Errorf("there is no pass %q%s; the passes are %s", name, suggest.DidYouMean(name, names), strings.Join(names, ", "))
	}
	return nil
}

// dumper dumps the module during one run of a pipeline.
type dumper struct {
	Debug
	number int // number of the pass that runs next
}

// dump writes m, as it is after the pass with the given name, if Debug says so: to a file in the
// directory Dump, or to Output, standard error by default. It counts the passes.
func (d *dumper) dump(m *ir.Module, name string) error {
	number := d.number
	d.number++
	if d.Dump == "" && len(d.After) == 0 || len(d.After) > 0 && !slices.Contains(d.After, name) {
		return nil
	}
	var text bytes.Buffer
	if err := ir.Print(&text, m, ir.PrintOptions{Locations: true}); err != nil {
		return fmt.Errorf("cannot print the module after pass %s: %w", name, err)
	}
	if d.Dump == "" {
		out := d.Output
		if out == nil {
			out = os.Stderr
		}
		if _, err := fmt.Fprintf(out, "// module %s after pass %s\n%s", m.Name, name, text.Bytes()); err != nil {
			return fmt.Errorf("cannot write the dump of pass %s: %w", name, err)
		}
		return nil
	}
	dir := strings.ReplaceAll(d.Dump, "%m", cmp.Or(m.Name, "module"))
	file := filepath.Join(dir, fmt.Sprintf("%02d_%s.mlir", number, name))
	err := errors.Join(os.MkdirAll(dir, 0o777), os.WriteFile(file, text.Bytes(), 0o666))
	if err != nil {
		return fmt.Errorf("cannot write the dump of pass %s: %w (the directory of dumps is %q)", name, err, d.Dump)
	}
	return nil
}
