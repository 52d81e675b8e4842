package saving

// This file saves and loads weights, and converts between the element types of
// variables and files.

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/bfloat16"
	"github.com/gomlx/compute/dtypes/float16"

	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/internal/atomicfile"
	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/internal/half"
	"github.com/gospmd/gospmd/internal/hdf5"
	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/layout"
)

const (
	weightsSuffix     = ".weights.h5"
	safetensorsSuffix = ".safetensors"
)

// SaveWeights writes the weights of the model, and the optimizer's variables once it has been
// trained, into a file whose name ends in .weights.h5: keras.Model.save_weights. Into a file whose
// name ends in .safetensors it writes the weights of the model only, by the paths of the variables.
// Other names, and a model that is not built, are errors. After a failure the file is unchanged. In
// a job of several processes all must call it, and process 0 writes the file.
func SaveWeights(ctx context.Context, m *keras.Model, name string) error {
	return saveWeights(ctx, m, name, nil)
}

// SaveWeightsAsync is SaveWeights behind its caller: it returns when the variables are copied to
// the host's memory. Wait and Close of behind tell the error of the last save, and so does the next
// save by behind, which saves nothing then. In a job of several processes it is SaveWeights.
func SaveWeightsAsync(ctx context.Context, m *keras.Model, name string, behind *checkpoint.Async) error {
	return saveWeights(ctx, m, name, behind)
}

func saveWeights(ctx context.Context, m *keras.Model, name string, behind *checkpoint.Async) error {
	if err := made.Context(ctx); err != nil {
		return fmt.Errorf("saving: %w", err)
	}
	what := fmt.Sprintf("weights of model %s to %s", m.Name(), name)
	if strings.HasSuffix(name, safetensorsSuffix) {
		return together(ctx, m, what, behind, false, func(g *gathering) error { return g.writeSafetensors(name) })
	}
	if !strings.HasSuffix(name, weightsSuffix) {
		return fmt.Errorf("saving: got the file name %s, want one that ends in %s or %s", name, weightsSuffix, safetensorsSuffix)
	}
	return together(ctx, m, what, behind, true, func(g *gathering) error {
		return write(name, func(f *os.File) error { return writeWeights(f, g) })
	})
}

// write calls content to write a new file, which replaces the file name in one step. Before, it
// removes what killed processes left beside it. After an error the file is unchanged.
func write(name string, content func(f *os.File) error) error {
	if err := removeLeft(name); err != nil {
		return err
	}
	return atomicfile.Write(name, content)
}

// removeLeft removes temporary files that killed processes left in the directory of the file name.
// A directory that does not exist is no error.
func removeLeft(name string) error {
	err := atomicfile.RemoveLeft(filepath.Dir(name), func(name string) bool {
		return strings.HasSuffix(name, weightsSuffix) || strings.HasSuffix(name, archiveSuffix) || strings.HasSuffix(name, safetensorsSuffix)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

var errNotBuilt = errors.New("the model is not built, so it has no weights yet: call Build, or train it")

func writeWeights(f *os.File, gather *gathering) error {
	w := hdf5.NewWriter(f)
	for _, p := range gather.groups {
		if err := writeGroup(w, p, gather); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
	}
	return w.Close()
}

// varsPath returns the path of the HDF5 group of the group's variables, such as layers/dense/vars.
func (p group) varsPath() string { return strings.TrimPrefix(p.path+"/vars", "/") }

func writeGroup(w *hdf5.Writer, p group, gather *gathering) error {
	g, err := w.Root().Group(p.varsPath())
	if err != nil {
		return err
	}
	if err := g.SetAttr("name", p.name); err != nil {
		return err
	}
	if p.idf != nil {
		d, err := g.Dataset(idfName, hdf5.Float32, []int{len(p.idf)})
		if err != nil {
			return err
		}
		data := make([]byte, 0, 4*len(p.idf))
		for _, x := range p.idf {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
		}
		if err := d.Slab([]int{0}, []int{len(p.idf)}, data); err != nil {
			return err
		}
	}
	var change *product
	if p.adapted != nil {
		if change, err = gather.adaptation(p.adapted); err != nil {
			return err
		}
	}
	for i, v := range p.variables {
		t, ok := fileTypes[v.DType()]
		if !ok {
			return fmt.Errorf("variable %s: elements of type %s cannot be written into Keras' files", v.Path(), v.DType())
		}
		d, err := g.Dataset(strconv.Itoa(i), t, v.Shape())
		if err != nil {
			return err
		}
		if t.Kind == hdf5.Opaque {
			if err := d.SetAttr(dtypeAttr, bfloat16Name); err != nil {
				return err
			}
		}
		err = gather.visit(v, func(ranges []layout.Range, data []byte) error {
			start, count := starts(ranges)
			if change != nil && v == p.adapted.Kernel {
				data = change.addTo(t, ranges, data)
			}
			return d.Slab(start, count, data)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// LoadWeights reads the weights of the model, which must be built, from a .weights.h5 or .keras
// file, or from an .h5 file of the older format: keras.Model.load_weights. Like Keras, it finds
// layers by class and order (in the older format by order), not by name. In a .safetensors file it
// finds variables by their paths (keras.RestoreVariables). If the model is compiled and the file
// has the optimizer's variables, it reads these too. A file that does not match the model is an
// error, and changes nothing.
func LoadWeights(ctx context.Context, m *keras.Model, name string) error {
	if err := made.Context(ctx); err != nil {
		return fmt.Errorf("saving: %w", err)
	}
	if err := loadWeights(ctx, m, name); err != nil {
		return fmt.Errorf("saving: weights of model %s from %s: %w", m.Name(), name, brief.Error(err))
	}
	return nil
}

func loadWeights(ctx context.Context, m *keras.Model, name string) error {
	if strings.HasSuffix(name, safetensorsSuffix) {
		return loadSafetensors(ctx, m, name)
	}
	if strings.HasSuffix(name, archiveSuffix) {
		a, err := openArchive(name)
		if err != nil {
			return err
		}
		defer a.Close()
		return readWeights(ctx, m, a.weights, true)
	}
	f, err := hdf5.Open(name)
	if errors.Is(err, hdf5.ErrNotHDF5) {
		return fmt.Errorf("%w: want a file that Model.save_weights or SaveWeights wrote", err)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	return readWeights(ctx, m, f, true)
}

// readWeights sets the weights of m to those in file f, of either format, and the state of the
// optimizer if optimizer is true. It returns an error if m is not built.
func readWeights(ctx context.Context, m *keras.Model, f *hdf5.File, optimizer bool) error {
	if len(m.Nodes()) == 0 {
		return errNotBuilt
	}
	g, err := legacyGroup(f)
	if err != nil {
		return err
	}
	if g != nil {
		pairs, err := matchLegacy(m, g)
		if err != nil {
			return err
		}
		return restore(ctx, m, f, pairs)
	}
	if !f.Root().Has("vars") && !f.Root().Has("layers") {
		return fmt.Errorf("the file holds %s, want the groups layers and vars of Keras 3, or the attribute layer_names of older files", brief.Quote(f.Root().Names()))
	}
	all, err := modelGroups(m)
	if err != nil {
		return err
	}
	var pairs []pair
	var errs []error
	for _, p := range all {
		ps, err := match(f, p)
		if err != nil {
			errs = append(errs, err)
		}
		pairs = append(pairs, ps...)
	}
	extra, err := unused(f, all)
	if err != nil {
		errs = append(errs, err)
	}
	errs = append(errs, extra...)
	if optimizer {
		ps, err := matchOptimizer(m, f)
		if err != nil {
			errs = append(errs, err)
		}
		pairs = append(pairs, ps...)
	}
	if err := brief.Join(errs...); err != nil {
		return err
	}
	return restore(ctx, m, f, pairs)
}

// restore sets the variables of pairs to the values in the file f that these name. It refuses a
// file with datasets of large shapes that store nothing, or share their storage.
func restore(ctx context.Context, m *keras.Model, f *hdf5.File, pairs []pair) error {
	sum := int64(0)
	for _, p := range pairs {
		sum += int64(p.v.Type().Bytes())
		if err := f.Budget().Check(sum, fmt.Sprintf("the first %d bytes of the variables", sum)); err != nil {
			return err
		}
	}
	client, err := m.Client(ctx)
	if err != nil {
		return err
	}
	for _, p := range pairs {
		if err := p.v.Restore(client, p.s); err != nil {
			return err
		}
	}
	return nil
}

// fileTypes has the HDF5 type of each element type that can be saved. bfloat16 is written as two
// opaque bytes, with an attribute.
var fileTypes = map[dtypes.DType]hdf5.Type{
	dtypes.Bool:     hdf5.Boolean,
	dtypes.Int8:     hdf5.Int8,
	dtypes.Int16:    hdf5.Int16,
	dtypes.Int32:    hdf5.Int32,
	dtypes.Int64:    hdf5.Int64,
	dtypes.Uint8:    hdf5.Uint8,
	dtypes.Uint16:   hdf5.Uint16,
	dtypes.Uint32:   hdf5.Uint32,
	dtypes.Uint64:   hdf5.Uint64,
	dtypes.Float16:  hdf5.Float16,
	dtypes.BFloat16: {Kind: hdf5.Opaque, Size: 2},
	dtypes.Float32:  hdf5.Float32,
	dtypes.Float64:  hdf5.Float64,
}

// dtypeText returns Keras' name of an element type, such as float32.
func dtypeText(d dtypes.DType) string { return layers.DTypeName(d) }

// These mark a dataset whose elements are bfloat16: the name of its attribute, and the attribute's
// value.
const (
	dtypeAttr    = "dtype"
	bfloat16Name = "bfloat16"
)

// source is a dataset of a file, with the value of a variable: a variable.Filler.
type source struct {
	d *hdf5.Dataset
}

// Fill reads the elements of the dataset that ranges select into dst. Numbers of another type are
// converted, as Keras does; an integer that does not fit is an error.
func (s source) Fill(dst any, dtype dtypes.DType, _ []int, ranges []layout.Range) error {
	start, count := starts(ranges)
	n := 1
	for _, c := range count {
		n *= c
	}
	if n == 0 {
		return nil
	}
	out := dtypes.UnsafeByteSliceFromAny(dst)
	if s.d.Type() == fileTypes[dtype] {
		return s.d.Slab(start, count, out)
	}
	data := make([]byte, n*s.d.Type().Size)
	if err := s.d.Slab(start, count, data); err != nil {
		return err
	}
	return convert(out, fileTypes[dtype], s.d.Type(), data)
}

// check returns an error if the dataset cannot be the value of a variable of the given type and
// shape: another shape, or a type that cannot be converted.
func (s source) check(dtype dtypes.DType, shape []int) error {
	t := s.d.Type()
	if !slices.Equal(s.d.Shape(), shape) {
		return fmt.Errorf("the file has the shape %v, want %v", s.d.Shape(), shape)
	}
	want, ok := fileTypes[dtype]
	if !ok {
		return fmt.Errorf("elements of type %s cannot be written into Keras' files", dtype)
	}
	isFloat := t.Kind == hdf5.Float
	if t.Kind == hdf5.Opaque {
		name, _ := s.d.Attr(dtypeAttr)
		isFloat = t == fileTypes[dtypes.BFloat16] && name == any(bfloat16Name)
	}
	if t == want && t.Kind != hdf5.Opaque || isFloat && dtype.IsFloat() || isInteger(t) && isInteger(want) {
		return nil
	}
	return fmt.Errorf("the file has elements of type %s, want %s", t, dtype)
}

func isInteger(t hdf5.Type) bool { return t.Kind == hdf5.Int || t.Kind == hdf5.Uint }

// convert converts the elements of src, of type from, to the type to in dst: floats to floats and
// integers to integers. An integer that does not fit into the new type is an error.
func convert(dst []byte, to, from hdf5.Type, src []byte) error {
	for i := 0; len(src) > 0; i++ {
		in, out := src[:from.Size], dst[:to.Size]
		src, dst = src[from.Size:], dst[to.Size:]
		if !isInteger(to) {
			putFloat(out, to, getFloat(in, from))
			continue
		}
		v := getInt(in, from.Kind)
		putBits(out, uint64(v))
		if getInt(out, to.Kind) != v || v < 0 && from.Kind != to.Kind {
			return fmt.Errorf("element %d, the %s %d, does not fit into %s", i, from, v, to)
		}
	}
	return nil
}

func getBits(b []byte) (v uint64) {
	for i := range b {
		v |= uint64(b[i]) << (8 * i)
	}
	return v
}

func putBits(b []byte, v uint64) {
	for i := range b {
		b[i] = byte(v >> (8 * i))
	}
}

func getInt(b []byte, kind hdf5.Kind) int64 {
	v := getBits(b)
	if shift := 64 - 8*len(b); kind == hdf5.Int {
		return int64(v<<shift) >> shift
	}
	return int64(v)
}

func getFloat(b []byte, t hdf5.Type) float64 {
	switch v := getBits(b); {
	case t.Kind == hdf5.Opaque:
		return float64(bfloat16.FromBits(uint16(v)).Float32())
	case t.Size == 2:
		return float64(float16.FromBits(uint16(v)).Float32())
	case t.Size == 4:
		return float64(math.Float32frombits(uint32(v)))
	default:
		return math.Float64frombits(v)
	}
}

func putFloat(b []byte, t hdf5.Type, x float64) {
	switch {
	case t.Kind == hdf5.Opaque:
		putBits(b, uint64(bfloat16.FromFloat32(float32(x)).Bits()))
	case t.Size == 2:
		putBits(b, uint64(half.FromFloat32(float32(x)).Bits()))
	case t.Size == 4:
		putBits(b, uint64(math.Float32bits(float32(x))))
	default:
		putBits(b, math.Float64bits(x))
	}
}
