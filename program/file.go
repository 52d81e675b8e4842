package program

// This file writes Programs into files and reads them again. A file is a zip archive: the module
// and the shardings as text, and all else as JSON. Each member has a checksum. Reading returns an
// error for a file that is damaged, cut off or of another kind, and takes memory in proportion to
// the size of the file.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/gospmd/gospmd/internal/atomicfile"
	"github.com/gospmd/gospmd/internal/budget"
	"github.com/gospmd/gospmd/internal/build"
	"github.com/gospmd/gospmd/internal/zipfile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// The names of the members of a file.
const (
	headMember      = "program.json"
	moduleMember    = "module.mlir"
	shardingsMember = "shardings.mlir" // those of the inputs and outputs, then those of the origins
)

// fileFormat is the version of the format. It changes whenever the meaning of a member changes.
const fileFormat = 1

// Reading a file takes at most readFloor bytes of memory, plus readPerByte bytes for each byte of
// the file: ops take more memory than their text.
const (
	readFloor   = 64 << 20
	readPerByte = 200
)

// head holds the parts of a Program that are neither the module nor a sharding.
type head struct {
	Format         int             `json:"format"`
	Build          string          `json:"build"` // the build of gospmd that wrote the file
	Name           string          `json:"name"`
	Form           string          `json:"form"`
	Target         string          `json:"target,omitempty"`
	Machine        string          `json:"machine,omitempty"` // files of earlier builds lack it
	Mesh           meshHead        `json:"mesh"`
	Inputs         []signatureHead `json:"inputs"`
	Outputs        []signatureHead `json:"outputs"`
	Diagnostics    []Diagnostic    `json:"diagnostics,omitempty"`
	Overrides      []Override      `json:"overrides,omitempty"`
	Fitting        *Fitting        `json:"fitting,omitempty"`
	OneDeviceFlops int             `json:"one_device_flops"`
	Remembered     *ir.Remembered  `json:"remembered"`
}

type meshHead struct {
	Axes    []string `json:"axes"`
	Shape   []int    `json:"shape"`
	Devices []int    `json:"devices"`
	Maximal bool     `json:"maximal,omitempty"` // the mesh is one certain device, as mesh.Maximal makes it
}

// signatureHead is an input or an output. Its types and its sharding are in shardingsMember.
type signatureHead struct {
	Name  string  `json:"name"`
	Alias *int    `json:"alias,omitempty"` // of inputs only; nil stands for -1
	Role  ir.Role `json:"role,omitempty"`  // of inputs only
}

// Save writes p into the file at path, which it replaces, for Open to read. If the file cannot be
// written, it returns an error, and leaves no incomplete file.
func (p *Program) Save(path string) error {
	if err := atomicfile.Write(path, func(f *os.File) error { return p.Write(f) }); err != nil {
		return fmt.Errorf("saving program %q: %w", p.Name, err)
	}
	return nil
}

// Write writes p to to as the file that Read reads: head, module and shardings. Errors are those of
// to.
func (p *Program) Write(to io.Writer) error {
	h := head{
		Format: fileFormat, Build: build.Version(), Name: p.Name, Form: p.Form.String(), Target: p.Target, Machine: p.Machine, Diagnostics: p.Diagnostics, Overrides: p.Overrides,
		Mesh:           meshHead{p.Mesh.AxisNames(), p.Mesh.Shape(), p.Mesh.Devices(), p.Mesh.IsMaximal()},
		OneDeviceFlops: p.OneDeviceFlops, Fitting: p.Fitting, Remembered: ir.Remember(p.Module),
	}
	var shardings []ir.TypedSharding
	add := func(t TensorInfo) {
		shardings = append(shardings, ir.TypedSharding{Type: t.Type, Sharding: t.Sharding}, ir.TypedSharding{Type: t.Local})
	}
	for _, in := range p.Inputs {
		add(in.TensorInfo)
		x := signatureHead{Name: in.Name, Role: in.Role}
		if in.Donated() {
			x.Alias = &in.Alias
		}
		h.Inputs = append(h.Inputs, x)
	}
	for _, out := range p.Outputs {
		add(out.TensorInfo)
		h.Outputs = append(h.Outputs, signatureHead{Name: out.Name})
	}
	for _, s := range h.Remembered.Shardings {
		shardings = append(shardings, ir.TypedSharding{Type: ir.TypeOfRank(len(s.Dims)), Sharding: s})
	}
	text, err := json.Marshal(h)
	if err != nil {
		return fmt.Errorf("BUG: a program that is no JSON: %w", err)
	}
	return zipfile.Write(to, zipfile.Data{Name: headMember, Bytes: text},
		zipfile.Data{Name: moduleMember, Bytes: p.Module.Text(ir.PrintOptions{Locations: true})},
		zipfile.Data{Name: shardingsMember, Bytes: ir.ShardingsText(shardings)})
}

// Open reads the program in the file at path that Save wrote. A missing, foreign or damaged file is
// an error.
func Open(path string) (*Program, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	p, err := Read(f, info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// Read reads what Write wrote; size is its length in bytes. A file that is foreign, damaged or of
// another version of the format is an error, and so is one whose content would take too much memory
// for its size.
func Read(r io.ReaderAt, size int64) (*Program, error) {
	b := budget.WithLimit(size, readFloor+readPerByte*min(size, 1<<50))
	z, err := zipfile.Open(r, size, b)
	if err != nil {
		return nil, fmt.Errorf("it is no program, or a damaged one: want a file that gospmd partition -o or Program.Save wrote: %w", err)
	}
	p, err := readMembers(z, b)
	if err != nil {
		return nil, fmt.Errorf("it is no program, or a damaged one: %w", err)
	}
	return p, nil
}

// jsonCost is the memory that the JSON values of the head take.
var jsonCost = budget.Cost{Object: 200, List: 48, Value: 24}

func readMembers(z *zipfile.Archive, b *budget.Budget) (*Program, error) {
	text := map[string][]byte{}
	for _, name := range []string{headMember, moduleMember, shardingsMember} {
		m, err := z.Member(name)
		if err != nil {
			return nil, err
		}
		if text[name], err = m.Bytes(); err != nil {
			return nil, err
		}
	}
	if err := b.JSON(text[headMember], jsonCost, headMember); err != nil {
		return nil, err
	}
	var format struct {
		Format int    `json:"format"`
		Build  string `json:"build"`
	}
	if err := json.Unmarshal(text[headMember], &format); err != nil {
		return nil, err
	}
	if format.Format != fileFormat {
		return nil, fmt.Errorf("it has the format %d, of build %q, and this build reads %d: write it again with this build", format.Format, format.Build, fileFormat)
	}
	var h head
	if err := json.Unmarshal(text[headMember], &h); err != nil {
		return nil, err
	}
	if err := b.Take(opBytes*int64(len(text[moduleMember])+len(text[shardingsMember])), "the module"); err != nil {
		return nil, err
	}
	return h.program(string(text[moduleMember]), string(text[shardingsMember]))
}

// opBytes is the memory, in bytes, that one byte of a module's text takes after parsing.
const opBytes = 40

// program makes a Program of the head and the texts of the module and of the shardings. Texts that
// cannot be parsed, do not verify, or do not suit the head are errors.
func (h *head) program(module, shardings string) (*Program, error) {
	p := &Program{Name: h.Name, Target: h.Target, Machine: h.Machine, Diagnostics: h.Diagnostics, Overrides: h.Overrides, OneDeviceFlops: h.OneDeviceFlops, Fitting: h.Fitting}
	switch h.Form {
	case Annotated.String():
		p.Form = Annotated
	case PerDevice.String():
		p.Form = PerDevice
	default:
		return nil, fmt.Errorf("its form is %q, want %q or %q", h.Form, Annotated, PerDevice)
	}
	var err error
	if p.Mesh, err = h.Mesh.mesh(); err != nil {
		return nil, err
	}
	if p.Module, err = ir.Parse(module); err != nil {
		return nil, fmt.Errorf("%s: %w", moduleMember, err)
	}
	if err := ir.Verify(p.Module); err != nil {
		return nil, fmt.Errorf("%s: %w", moduleMember, err)
	}
	main := p.Module.Main()
	if main == nil {
		return nil, fmt.Errorf("%s has no function main", moduleMember)
	}
	list, err := ir.ParseShardings(shardings, p.Mesh)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", shardingsMember, err)
	}
	types := 2 * (len(h.Inputs) + len(h.Outputs))
	switch {
	case len(list) < types:
		return nil, fmt.Errorf("%s has %d types, want two for each of %d inputs and %d outputs", shardingsMember, len(list), len(h.Inputs), len(h.Outputs))
	case len(h.Inputs) != len(main.Params()) || len(h.Outputs) != len(main.Results):
		return nil, fmt.Errorf("it has %d inputs and %d outputs, its module %d and %d", len(h.Inputs), len(h.Outputs), len(main.Params()), len(main.Results))
	case h.Remembered == nil:
		return nil, errors.New("it lacks what its module remembers")
	}
	if err := p.setSignature(h, list[:types]); err != nil {
		return nil, err
	}
	for _, t := range list[types:] {
		h.Remembered.Shardings = append(h.Remembered.Shardings, t.Sharding)
	}
	return p, h.Remembered.Restore(p.Module)
}

// mesh makes the mesh that m describes: without axes, that of one device, unless it is maximal. An
// invalid one is an error.
func (m meshHead) mesh() (*mesh.DeviceMesh, error) {
	if len(m.Shape) == 0 && !m.Maximal {
		return mesh.New(nil, nil, nil) // the mesh of one device, not of a certain one
	}
	return mesh.New(m.Shape, m.Axes, m.Devices)
}

// setSignature sets the inputs and outputs of p. It takes their types and shardings from list, the
// global and the local type of each input, then of each output. It returns an error if one has no
// sharding on p's mesh, a type that does not suit the module or its sharding, an unknown memory, or
// an alias that is no output.
func (p *Program) setSignature(h *head, list []ir.TypedSharding) error {
	tensor := func(name string, module ir.Type, attrs ir.Attrs) (TensorInfo, error) {
		t := TensorInfo{Name: name, Type: list[0].Type, Sharding: list[0].Sharding, Local: list[1].Type}
		list = list[2:]
		var known bool
		if t.Memory, known = ir.MemoryKindIn(attrs); !known {
			return t, fmt.Errorf("%q is in a memory that is not known: %v", name, attrs.Get(ir.MemoryKindAttr))
		}
		want := t.Local
		if p.Form == Annotated {
			want = t.Type
		}
		switch {
		case t.Sharding == nil || !t.Sharding.Mesh.Equal(p.Mesh):
			return t, fmt.Errorf("%q has no sharding on the mesh %s", name, p.Mesh)
		case !module.Equal(want):
			return t, fmt.Errorf("%q is %s, and %s in the module", name, want, module)
		case !t.Local.Equal(t.Type.WithDims(t.Sharding.LocalShape(t.Type.Dims))):
			return t, fmt.Errorf("%q is %s, which sharded as %s is not %s", name, t.Type, t.Sharding, t.Local)
		}
		return t, nil
	}
	main := p.Module.Main()
	for i, in := range h.Inputs {
		t, err := tensor(in.Name, main.Params()[i].Type, main.ArgAttrs[i])
		if err != nil {
			return fmt.Errorf("input %d: %w", i, err)
		}
		x := Input{TensorInfo: t, Alias: -1, Role: in.Role}
		if in.Alias != nil {
			if x.Alias = *in.Alias; x.Alias < 0 || x.Alias >= len(h.Outputs) {
				return fmt.Errorf("input %d is donated to output %d of %d", i, x.Alias, len(h.Outputs))
			}
		}
		p.Inputs = append(p.Inputs, x)
	}
	for i, out := range h.Outputs {
		t, err := tensor(out.Name, main.Results[i].Type, main.Results[i].Attrs)
		if err != nil {
			return fmt.Errorf("output %d: %w", i, err)
		}
		p.Outputs = append(p.Outputs, Output{t})
	}
	return nil
}
