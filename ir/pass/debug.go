package pass

// This file dumps modules after passes and says which passes are switched off.

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/ir"
)

// Input is the name of the dump of the module before any pass.
const Input = "input"

// Debug helps to find out what passes do. The zero value does nothing.
type Debug struct {
	// Dump is the directory for dumps of the module: one numbered file for the
	// input and one after each pass. The directory is made if there is none; %m
	// in it stands for the module's name.
	Dump string
	// After lists the passes to dump after; empty means all of them. Without a
	// directory the module is printed to Output after these passes.
	After []string
	// Off lists passes that do not run.
	Off []string
	// Output is where modules are printed without a directory; os.Stderr by
	// default.
	Output io.Writer
}

// ParseDebug reads options separated by commas:
//
//	dump=DIR    Debug.Dump
//	after=PASS  one more pass in Debug.After
//	off=PASS    one more pass in Debug.Off
//
// Empty text is the zero Debug.
func ParseDebug(text string) (Debug, error) {
	var d Debug
	if text == "" {
		return d, nil
	}
	for _, option := range strings.Split(text, ",") {
		key, value, _ := strings.Cut(option, "=")
		switch {
		case value == "":
			return Debug{}, fmt.Errorf("debug option %q has no value: want dump=DIR, after=PASS or off=PASS, separated by commas", option)
		case key == "dump":
			d.Dump = value
		case key == "after":
			d.After = append(d.After, value)
		case key == "off":
			d.Off = append(d.Off, value)
		default:
			return Debug{}, fmt.Errorf("unknown debug option %q: want dump=DIR, after=PASS or off=PASS, separated by commas", option)
		}
	}
	return d, nil
}

// IsZero reports whether d asks for nothing.
func (d Debug) IsZero() bool { return d.Dump == "" && len(d.After) == 0 && len(d.Off) == 0 }

// Check returns an error if d names a pass that is not among the given ones,
// which are all that there are.
func (d Debug) Check(names []string) error {
	for _, name := range slices.Concat(d.After, d.Off) {
		if name == Input && !slices.Contains(d.Off, name) || slices.Contains(names, name) {
			continue
		}
		return fmt.Errorf("there is no pass %q%s; the passes are %s", name, suggest.DidYouMean(name, names), strings.Join(names, ", "))
	}
	return nil
}

// dumper writes the dumps of one run of a pipeline.
type dumper struct {
	Debug
	number int // of the next pass that runs
}

// dump writes m as pass name has left it, if it is asked for.
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
