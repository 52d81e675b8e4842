package gomlxbackend

// This file reads the configuration.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// config holds the settings in the text after "gospmd:".
type config struct {
	shape       string
	explicit    int // number of devices that GoMLX sees; 0: it sees the mesh as one device
	axes        []string
	layouts     string
	batch       []string // nil means the first axis
	platform    string
	engine      string
	partitioner compile.Partitioner

	mesh  *mesh.DeviceMesh  // nil for one device
	rules *layout.LayoutMap // nil without a file
}

// single is the value of mesh that means one device. none is the value of batch that means not
// sharded. auto is the value of layouts that means that the compiler chooses them.
const (
	single = "single"
	none   = "none"
	auto   = "auto"
)

// keys lists the keys of the configuration, each with the function that sets it.
var keys = []struct {
	name string
	set  func(c *config, value string) error
}{
	{"mesh", func(c *config, value string) error { c.shape = value; return nil }},
	{"devices", func(c *config, value string) (err error) {
		if c.explicit, err = strconv.Atoi(value); err != nil || c.explicit < 1 {
			return fmt.Errorf("got %q, want the number of devices that GoMLX sees, such as 8", value)
		}
		return nil
	}},
	{"axes", func(c *config, value string) error { c.axes = strings.Split(value, ","); return nil }},
	{"layouts", func(c *config, value string) error { c.layouts = value; return nil }},
	{"batch", func(c *config, value string) error { c.batch = strings.Split(value, ","); return nil }},
	{"platform", func(c *config, value string) error { c.platform = value; return nil }},
	{"engine", func(c *config, value string) error { c.engine = value; return nil }},
	{"partitioner", func(c *config, value string) error {
		partitioners := map[string]compile.Partitioner{"spmd": compile.SPMD, "xla": compile.XLA}
		p, ok := partitioners[value]
		if !ok {
			return fmt.Errorf("got %q, want spmd or xla", value)
		}
		c.partitioner = p
		return nil
	}},
}

func keyNames() []string {
	var names []string
	for _, k := range keys {
		names = append(names, k.name)
	}
	return names
}

// parse reads a configuration, key=value entries with commas or semicolons between. A part without
// = is added to the value before it, so that values may contain commas. Unknown keys, keys that
// occur twice, wrong values, and settings that contradict each other are errors.
func parse(text string) (*config, error) {
	c := &config{shape: single}
	given := map[string]string{}
	last := ""
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == ';' }) {
		part = strings.TrimSpace(part)
		name, value, ok := strings.Cut(part, "=")
		if !ok {
			if last == "" {
				return nil, fmt.Errorf("configuration %q: got %q, want key=value; the keys are %s", text, part, strings.Join(keyNames(), ", "))
			}
			given[last] += "," + part
			continue
		}
		if !slices.Contains(keyNames(), name) {
			return nil, fmt.Errorf("configuration %q: the key %q is not known%s: the keys are %s",
				text, name, suggest.DidYouMean(name, keyNames()), strings.Join(keyNames(), ", "))
		}
		if _, ok := given[name]; ok {
			return nil, fmt.Errorf("configuration %q: the key %q is given twice: give it once", text, name)
		}
		given[name], last = value, name
	}
	for _, k := range keys {
		value, ok := given[k.name]
		if !ok {
			continue
		}
		if err := k.set(c, value); err != nil {
			return nil, fmt.Errorf("configuration %q: %s: %w", text, k.name, err)
		}
	}
	if err := c.complete(); err != nil {
		return nil, fmt.Errorf("configuration %q: %w", text, err)
	}
	return c, nil
}

// complete makes the mesh of the configuration, unless it is a single device, and reads the file of
// layouts. It returns an error for settings that contradict each other, and for a file that cannot
// be read.
func (c *config) complete() (err error) {
	if c.explicit > 0 && (c.shape != single || c.axes != nil || c.batch != nil || c.layouts != "") {
		return errors.New("with devices, programs say themselves how they are distributed: leave out mesh, axes, batch and layouts, or devices")
	}
	if c.shape == single {
		if c.axes != nil || c.batch != nil {
			return errors.New("axes and batch are those of a mesh: give mesh, such as mesh=2x4")
		}
	} else if err := c.makeMesh(); err != nil {
		return err
	}
	switch {
	case c.layouts == "" || c.layouts == auto:
		return nil
	case c.mesh == nil:
		return c.checkFile() // the same file may be used with several meshes
	}
	c.rules, err = readRules(c.layouts, c.mesh)
	return err
}

func (c *config) makeMesh() (err error) {
	axes := c.axes
	if axes == nil {
		axes = [][]string{{"data"}, {"data", "model"}}[min(strings.Count(c.shape, "x"), 1)]
	}
	shape, err := mesh.ParseShape(c.shape, len(axes))
	if err != nil {
		return fmt.Errorf("%w; axes=data,fsdp,model names them", err)
	}
	if c.mesh, err = mesh.New(shape, axes, nil); err != nil {
		return err
	}
	switch {
	case c.batch == nil:
		c.batch = axes[:1]
	case slices.Equal(c.batch, []string{none}):
		c.batch = nil
	}
	for _, a := range c.batch {
		if !slices.Contains(axes, a) {
			return fmt.Errorf("batch: the mesh has no axis %q%s: want one of %s, or none", a, suggest.DidYouMean(a, axes), strings.Join(axes, ", "))
		}
	}
	return nil
}

func (c *config) checkFile() error {
	_, err := os.Stat(c.layouts)
	return layoutsFault(c.layouts, err)
}

// readRules returns the layout map of a file with one rule a line, on the mesh dm. Empty lines and
// those that begin with # are left out. The error of a rule names its line.
func readRules(file string, dm *mesh.DeviceMesh) (*layout.LayoutMap, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, layoutsFault(file, err)
	}
	m := layout.NewLayoutMap(dm)
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		r, err := layout.ParseRule(line)
		if err == nil {
			err = m.Set(r.Key, r.Axes...)
		}
		if err != nil {
			return nil, fmt.Errorf("layouts: %s:%d: %w", file, number, err)
		}
	}
	return m, nil
}

func layoutsFault(file string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("layouts: there is no file %q: name a file of rules, or auto", file)
	case err != nil:
		return fmt.Errorf("layouts: %w", err)
	}
	return nil
}
