package cost

// This file reads and writes machine files: figures of devices that were measured, or that are not
// published.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/atomicfile"
	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// MachineFile describes equal devices and their links, for any mesh. The file is a JSON object with
// the names in the tags. Sizes are in bytes, times in seconds.
type MachineFile struct {
	Name string `json:"name"`
	// Platform is the platform of the devices, one of hardware.Platforms; "" if it is not known.
	Platform string `json:"platform,omitempty"`
	// Flops is the peak of matrix products, in FLOPs per second, by element type: "f32", "bf16".
	Flops map[string]float64 `json:"flops"`
	// ExactFlops is the peak of f32 at precision HIGHEST, if it differs.
	ExactFlops      float64 `json:"exact_flops,omitempty"`
	Memory          int     `json:"memory,omitempty"`
	MemoryBandwidth float64 `json:"memory_bandwidth,omitempty"`
	// Overlap says that a device can compute while it sends.
	Overlap bool `json:"overlap,omitempty"`
	// Links are the one or two links between devices, from the nearest to the farthest.
	Links []FileLink `json:"links"`
	// Axes are the links along mesh axes that differ from Links, by the name of the axis.
	Axes map[string]FileLink `json:"axes,omitempty"`
	// Notes says where the figures come from.
	Notes string `json:"notes,omitempty"`
}

// FileLink is a link of a MachineFile. Latency is in seconds, and Bandwidth in bytes per second, as
// in Link.
type FileLink struct {
	Kind      string  `json:"kind,omitempty"`
	Latency   float64 `json:"latency"`
	Bandwidth float64 `json:"bandwidth"`
	// Reach is the number of devices that the link joins; 0: all. The last link must join all.
	Reach int `json:"reach,omitempty"`
}

// ReadMachineFile reads a file. A file that is missing, is no JSON, or has unknown fields or wrong
// figures is an error that names it.
func ReadMachineFile(path string) (*MachineFile, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("machine file: %w", err)
	}
	f, err := ParseMachineFile(text)
	if err != nil {
		return nil, fmt.Errorf("machine file %s: %w", path, err)
	}
	return f, nil
}

// ParseMachineFile reads the JSON text of a machine file. Unknown fields and wrong figures are
// errors that name them.
func ParseMachineFile(text []byte) (*MachineFile, error) {
	f := &MachineFile{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(f); err != nil {
		return nil, fileError(err, text)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("something follows the object: want one object")
	}
	return f, f.check()
}

// fileError returns err, an error of reading the JSON text, with the line, the field, or the names
// of the known fields.
func fileError(err error, text []byte) error {
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("line %d: %w", 1+bytes.Count(text[:min(int(syntax.Offset), len(text))], []byte("\n")), err)
	case errors.As(err, &typ):
		return fmt.Errorf("%q is a JSON %s: want a %s", typ.Field, typ.Value, typ.Type)
	case strings.Contains(err.Error(), "unknown field"):
		_, name, _ := strings.Cut(err.Error(), "unknown field ")
		name = strings.Trim(name, `"`)
		var known []string
		for _, t := range []reflect.Type{reflect.TypeFor[MachineFile](), reflect.TypeFor[FileLink]()} {
			for i := range t.NumField() {
				field, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
				known = append(known, field)
			}
		}
		return fmt.Errorf("the field %q is not known%s", name, suggest.DidYouMean(name, known))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the object is not complete")
	}
	return err
}

// check returns an error that names all fields of f that are missing or wrong; nil if there are
// none.
func (f *MachineFile) check() error {
	positive := func(name string, x float64) error {
		if x > 0 {
			return nil
		}
		return fmt.Errorf("%q is %g: want a positive number", name, x)
	}
	var errs []error
	if f.Name == "" {
		errs = append(errs, errors.New(`"name" is missing: want what reports call the machine`))
	}
	if known := hardware.Platforms(); f.Platform != "" && !slices.Contains(known, f.Platform) {
		errs = append(errs, fmt.Errorf(`"platform" is %q%s: want one of %s`, f.Platform, suggest.DidYouMean(f.Platform, known), strings.Join(known, ", ")))
	}
	if len(f.Flops) == 0 {
		errs = append(errs, errors.New(`"flops" is missing: want the peak of one element type at least, such as {"f32": 1e12}`))
	}
	for _, name := range sortedKeys(f.Flops) {
		if _, ok := ir.DTypeFromText(name); !ok {
			errs = append(errs, fmt.Errorf(`"flops" has %q: want element types such as f32, bf16, f16, f64, i8`, name))
		}
		errs = append(errs, positive("flops."+name, f.Flops[name]))
	}
	for _, x := range []struct {
		name  string
		value float64
	}{{"exact_flops", f.ExactFlops}, {"memory", float64(f.Memory)}, {"memory_bandwidth", f.MemoryBandwidth}} {
		if x.value != 0 {
			errs = append(errs, positive(x.name, x.value))
		}
	}
	link := func(name string, l FileLink) {
		errs = append(errs, positive(name+".bandwidth", l.Bandwidth))
		if l.Latency != 0 {
			errs = append(errs, positive(name+".latency", l.Latency))
		}
	}
	if len(f.Links) < 1 || len(f.Links) > 2 {
		errs = append(errs, fmt.Errorf(`"links" has %d: want one, or two of which the first has a "reach"`, len(f.Links)))
	}
	for i, l := range f.Links {
		name := fmt.Sprintf("links[%d]", i)
		link(name, l)
		if l.Reach < 0 || l.Reach == 0 && i < len(f.Links)-1 || l.Reach > 0 && i > 0 {
			errs = append(errs, fmt.Errorf("%q is %d: want how many devices the first of two links joins, and none for the last", name+".reach", l.Reach))
		}
	}
	for _, name := range sortedKeys(f.Axes) {
		link("axes."+name, f.Axes[name])
	}
	return errors.Join(errs...)
}

// For returns the machine of the file with the devices of dm, placed in the order of their ids: as
// many to a node as the file's first link reaches. Links that the file names for axes replace
// computed ones. An axis that dm does not have is an error. The figures of f must be right, as
// ReadMachineFile makes sure of.
func (f *MachineFile) For(dm *mesh.DeviceMesh) (*Machine, error) {
	chip := &hardware.Chip{Name: f.Name, Platform: f.Platform, Flops: map[dtypes.DType]float64{}, Exact: f.ExactFlops, Memory: f.Memory, MemoryBandwidth: f.MemoryBandwidth}
	for _, name := range sortedKeys(f.Flops) {
		t, _ := ir.DTypeFromText(name)
		chip.Flops[t] = f.Flops[name]
	}
	for _, l := range f.Links {
		chip.Links = append(chip.Links, hardware.Link{Kind: l.Kind, Bandwidth: l.Bandwidth, Latency: l.Latency, Reach: l.Reach})
	}
	n := 1
	for _, id := range dm.Devices() {
		n = max(n, id+1)
	}
	t := hardware.Target{Chip: chip, Shape: []int{n}}
	if reach := f.Links[0].Reach; reach > 0 && n > reach {
		t.Shape = []int{(n + reach - 1) / reach, reach}
	}
	m, err := MachineFor(t, dm)
	if err != nil {
		return nil, err
	}
	m.Name, m.Overlap = f.Name, f.Overlap
	for _, name := range sortedKeys(f.Axes) {
		l := f.Axes[name]
		m.Axes[name] = Link{Kind: l.Kind, Latency: l.Latency, Bandwidth: l.Bandwidth}
		m.grid = nil // it does not know these axes
	}
	return m, m.Validate(dm)
}

// Write writes the file. Wrong figures are an error. If it fails, it leaves no incomplete file.
func (f *MachineFile) Write(path string) error {
	if err := f.check(); err != nil {
		return fmt.Errorf("machine file %s: %w", path, err)
	}
	return atomicfile.Write(path, func(out *os.File) error {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		return e.Encode(f)
	})
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// MachineNamed returns the machine for dm that text names: a target such as v5e:2x4, cpu for virtual
// devices of a CPU (Host), or a machine file. It takes text for a file if that file exists, or if
// text ends in .json or has a path separator. An unknown name, a bad file, and a mesh that does not
// fit are errors.
func MachineNamed(text string, dm *mesh.DeviceMesh) (*Machine, error) {
	_, statErr := os.Stat(text)
	if statErr == nil || strings.HasSuffix(text, ".json") || strings.ContainsRune(text, os.PathSeparator) {
		f, err := ReadMachineFile(text)
		if err != nil {
			return nil, err
		}
		return f.For(dm)
	}
	if text == host.Platform {
		return Host(), nil
	}
	t, err := hardware.ParseTarget(text)
	if err != nil {
		return nil, fmt.Errorf("%w; or cpu for virtual devices; or the name of a machine file", err)
	}
	return MachineFor(t, dm)
}
