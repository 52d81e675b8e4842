package steps

// This file writes what a program in another language needs to train the same model:
// its settings, first weights and data.

import (
	"archive/zip"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/keras/distribution"
)

// Batches is the number of batches in the data of Export, which steps take in turn.
const Batches = 4

// settings is model.json.
type settings struct {
	Name       string    `json:"name"`
	Batch      int       `json:"batch"`
	Input      []int     `json:"input"` // of an example
	InputDType string    `json:"input_dtype"`
	Optimizer  Optimizer `json:"optimizer"`
	Loss       string    `json:"loss"`
	Rules      []Rule    `json:"rules"`
	Sizes      any       `json:"sizes,omitempty"`
}

// Export writes, into a directory, model.json; weights.npz with the weights by Keras'
// paths; and data.npz with x and y of Batches batches.
func (m Model) Export(ctx context.Context, dir string) error {
	x, y, err := m.Data(Batches)
	if err != nil {
		return err
	}
	s := settings{
		Name: m.Name, Batch: m.Batch, Optimizer: m.Optimizer, Loss: m.Loss, Rules: m.Rules, Sizes: m.sizes,
		Input: x.Shape().Dimensions[1:], InputDType: x.DType().String(),
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "model.json"), text, 0o666); err != nil {
		return err
	}
	weights, err := m.weights(ctx)
	if err != nil {
		return err
	}
	if err := writeArrays(filepath.Join(dir, "weights.npz"), weights); err != nil {
		return err
	}
	xs, err := ofTensor("x", x)
	if err != nil {
		return err
	}
	ys, err := ofTensor("y", y)
	if err != nil {
		return err
	}
	return writeArrays(filepath.Join(dir, "data.npz"), []array{xs, ys})
}

// weights returns the first values of the variables, but for the states of seed
// generators.
func (m Model) weights(ctx context.Context) (list []array, err error) {
	err = distribution.Scope(nil, func() error {
		km, err := m.Build(compile.Options{})
		if err != nil {
			return err
		}
		for _, v := range km.Variables() {
			if strings.HasSuffix(v.Path(), "seed_generator_state") {
				continue
			}
			flat, err := v.Value(ctx)
			if err != nil {
				return err
			}
			list = append(list, array{v.Path(), v.DType(), v.Shape(), dtypes.UnsafeByteSliceFromAny(flat)})
		}
		return nil
	})
	return list, err
}

// array is a member of an archive.
type array struct {
	name  string
	dtype dtypes.DType
	shape []int
	data  []byte // little-endian, row-major
}

func ofTensor(name string, t *tensors.Tensor) (a array, err error) {
	a = array{name: name, dtype: t.DType(), shape: t.Shape().Dimensions}
	err = t.ConstFlatData(func(flat any) { a.data = dtypes.UnsafeByteSliceFromAny(flat) })
	return a, err
}

// numpyTypes are NumPy's names.
var numpyTypes = map[dtypes.DType]string{dtypes.Float32: "<f4", dtypes.Int32: "<i4"}

// magic begins a file of version 1.0.
const magic = "\x93NUMPY\x01\x00"

// writeArrays writes an .npz file: a zip file of .npy files, of version 1.0 of the format
// (https://numpy.org/neps/nep-0001-npy-format.html).
func writeArrays(path string, list []array) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	archive := zip.NewWriter(f)
	for _, a := range list {
		dtype, ok := numpyTypes[a.dtype]
		if !ok {
			return fmt.Errorf("%s: %s has the type %s: want one of Float32 and Int32", path, a.name, a.dtype)
		}
		w, err := archive.CreateHeader(&zip.FileHeader{Name: a.name + ".npy", Method: zip.Store})
		if err != nil {
			return err
		}
		var shape strings.Builder
		for _, n := range a.shape {
			fmt.Fprintf(&shape, "%d,", n)
		}
		head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", dtype, shape.String())
		head += strings.Repeat(" ", 63-(len(magic)+2+len(head))%64) + "\n"
		begin := binary.LittleEndian.AppendUint16([]byte(magic), uint16(len(head)))
		if _, err := w.Write(slices.Concat(begin, []byte(head), a.data)); err != nil {
			return err
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return f.Close()
}
