package jaxsuite

// This file reads the programs, gives them random layouts, and compares results.

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"reflect"
	"unsafe"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

//go:embed testdata/suite.json.gz
var suite []byte

// Program is a program of JAX for one device.
type Program struct {
	Name      string
	Text      string // StableHLO
	Inputs    []Array
	Results   []Array // as JAX computes them
	Tolerance float64 // factor for the usual tolerance of results
}

// Array is a tensor in JSON: NumPy's name of the element type, the dimensions, and the elements as
// bytes.
type Array struct {
	Type string
	Dims []int
	Data []byte
}

// UnmarshalJSON reads [type, sizes, base64]: the fields of a.
func (a *Array) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&a.Type, &a.Dims, &a.Data})
}

// Read returns all programs.
func Read() ([]Program, error) { return ReadFrom(bytes.NewReader(suite)) }

// ReadFrom returns the programs of a file that jax_suite.py has written.
func ReadFrom(file io.Reader) ([]Program, error) {
	r, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("jaxsuite: %w", err)
	}
	var out struct{ Programs []Program }
	err = json.NewDecoder(r).Decode(&out)
	if err == nil {
		_, err = io.Copy(io.Discard, r) // verifies the checksum
	}
	if err != nil {
		return nil, fmt.Errorf("jaxsuite: %w", err)
	}
	return out.Programs, nil
}

// Flat returns the elements as a slice of the Go type of t, which is the array's type in a program.
// It returns an error if t takes another number of bytes than the array has.
func (a Array) Flat(t ir.Type) (any, error) {
	out := reflect.MakeSlice(reflect.SliceOf(t.DType.GoType()), t.Size(), t.Size())
	if size := t.Size() * int(t.DType.GoType().Size()); size != len(a.Data) {
		return nil, fmt.Errorf("jaxsuite: %s takes %d bytes, the array of %s has %d", t, size, a.Type, len(a.Data))
	}
	if len(a.Data) > 0 {
		copy(unsafe.Slice((*byte)(out.UnsafePointer()), len(a.Data)), a.Data)
	}
	return out.Interface(), nil
}

// Module returns the program as a new module. If a mesh is given, the parameters have random
// layouts on it, drawn from rng; the results have none.
func (p *Program) Module(on *mesh.DeviceMesh, rng *rand.Rand) (*ir.Module, error) {
	m, err := ir.Parse(p.Text)
	if err != nil {
		return nil, err
	}
	if on == nil {
		return m, nil
	}
	m.Meshes = []ir.NamedMesh{{Name: "mesh", Mesh: on}}
	for _, v := range m.Main().Params() {
		v.Sharding = randomLayout(on, v.Type.Rank(), rng)
	}
	return m, nil
}

// randomLayout returns a random layout of a tensor with that rank, in which each axis of the mesh
// shards one dimension or none.
func randomLayout(on *mesh.DeviceMesh, rank int, rng *rand.Rand) *layout.Sharding {
	s := layout.Replicated(on, rank)
	for _, a := range on.Axes() {
		if rank > 0 && rng.IntN(4) > 0 {
			d := &s.Dims[rng.IntN(rank)]
			d.Axes = append(d.Axes, mesh.FullAxes(a.Name)...)
		}
	}
	for d := range s.Dims {
		s.Dims[d].Axes = on.MergeRefs(s.Dims[d].Axes)
	}
	return s
}

// usual is the largest difference of two results of a type, relative to the absolute value of the
// wanted one or to 1.
var usual = map[dtypes.DType]float64{
	dtypes.Float64: 1e-12, dtypes.Complex128: 1e-12, dtypes.Float32: 2e-6, dtypes.Complex64: 2e-6, dtypes.Float16: 2e-3, dtypes.BFloat16: 2e-2,
}

// Differ returns an error that says where two results of type t first differ: integers or booleans
// that are not equal, or floats that differ by more than the usual tolerance times p.Tolerance. NaN
// and infinities must be in the same places. It returns nil if they do not differ. Results are flat
// slices.
func (p *Program) Differ(t ir.Type, want, got any) error {
	w, g := reflect.ValueOf(want), reflect.ValueOf(got)
	if w.Type() != g.Type() || w.Len() != g.Len() {
		return fmt.Errorf("%d elements of %s, want %d of %s", g.Len(), g.Type(), w.Len(), w.Type())
	}
	tolerance, inexact := usual[t.DType]
	for i := range w.Len() {
		x, y := w.Index(i), g.Index(i)
		same := x.Interface() == y.Interface()
		if inexact {
			same = near(number(x), number(y), tolerance*p.Tolerance)
		}
		if !same {
			return fmt.Errorf("element %d of %s is %v, want %v", i, t, y, x)
		}
	}
	return nil
}

// number returns v, a float (also of 16 bits) or a complex number, as a complex128.
func number(v reflect.Value) complex128 {
	switch {
	case v.CanComplex():
		return v.Complex()
	case v.CanFloat():
		return complex(v.Float(), 0)
	}
	small := v.Interface().(interface{ Float32() float32 })
	return complex(float64(small.Float32()), 0)
}

func near(x, y complex128, tolerance float64) bool {
	return part(real(x), real(y), cmplx.Abs(x), tolerance) && part(imag(x), imag(y), cmplx.Abs(x), tolerance)
}

func part(x, y, size, tolerance float64) bool {
	switch {
	case math.IsNaN(x) || math.IsNaN(y):
		return math.IsNaN(x) == math.IsNaN(y)
	case math.IsInf(x, 0) || math.IsInf(y, 0) || math.IsInf(size, 0) || math.IsNaN(size):
		return x == y
	}
	return math.Abs(x-y) <= tolerance*max(1, size)
}
