package steps

// This file writes the data that a program in another language needs to train the same model:
// settings, first weights and batches.

import (
	"archive/zip"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/keras/distribution"
)

// Batches is the number of batches in the data of Export. Steps use them in turn.
const Batches = 4

// settings is the content of model.json.
type settings struct {
	Name       string    `json:"name"`
	Batch      int       `json:"batch"`
	Input      []int     `json:"input"` // shape of an example
	InputDType string    `json:"input_dtype"`
	Optimizer  Optimizer `json:"optimizer"`
	Loss       string    `json:"loss"`
	Rules      []Rule    `json:"rules"`
	Sizes      any       `json:"sizes,omitempty"`
}

// Export writes these files into a directory: model.json; weights.npz, with the weights by Keras'
// paths; and data.npz, with x and y of Batches batches.
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
	weights, err := m.Weights(ctx)
	if err != nil {
		return err
	}
	if err := writeArrays(filepath.Join(dir, "weights.npz"), weights); err != nil {
		return err
	}
	return writeArrays(filepath.Join(dir, "data.npz"), []Weight{{"x", x}, {"y", y}})
}

// Weight is the first value of a variable, with the variable's path in Keras.
type Weight struct {
	Path  string // Keras' path
	Value *tensors.Tensor
}

// Weights returns the first values of the variables, except the states of seed generators.
func (m Model) Weights(ctx context.Context) (list []Weight, err error) {
	err = distribution.Scope(nil, func() error {
		km, err := m.Build(compile.Options{})
		if err != nil {
			return err
		}
		for _, v := range km.Variables() {
			if v.IsSeedState() {
				continue
			}
			flat, err := v.Value(ctx)
			if err != nil {
				return err
			}
			value, err := tensorOf(v.DType(), v.Shape(), dtypes.UnsafeByteSliceFromAny(flat))
			if err != nil {
				return err
			}
			list = append(list, Weight{v.Path(), value})
		}
		return nil
	})
	return list, err
}

// numpyTypes has NumPy's names of the element types that Export writes: little-endian.
var numpyTypes = map[dtypes.DType]string{dtypes.Float32: "<f4", dtypes.Int32: "<i4"}

// magic is the beginning of an .npy file of version 1.0.
const magic = "\x93NUMPY\x01\x00"

// writeArrays writes the weights of list to an .npz file at path: a zip file of .npy files, of
// version 1.0 of the format (https://numpy.org/neps/nep-0001-npy-format.html).
func writeArrays(path string, list []Weight) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	archive := zip.NewWriter(f)
	for _, a := range list {
		w, err := archive.CreateHeader(&zip.FileHeader{Name: a.Path + ".npy", Method: zip.Store})
		if err != nil {
			return err
		}
		if err := writeArray(w, a.Value); err != nil {
			return fmt.Errorf("%s: %s: %w", path, a.Path, err)
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return f.Close()
}

func writeArray(w io.Writer, t *tensors.Tensor) error {
	dtype, ok := numpyTypes[t.DType()]
	if !ok {
		return fmt.Errorf("it has the type %s: want one of Float32 and Int32", t.DType())
	}
	var shape strings.Builder
	for _, n := range t.Shape().Dimensions {
		fmt.Fprintf(&shape, "%d,", n)
	}
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", dtype, shape.String())
	head += strings.Repeat(" ", 63-(len(magic)+2+len(head))%64) + "\n"
	begin := binary.LittleEndian.AppendUint16([]byte(magic), uint16(len(head)))
	elements, err := bytesOf(t) // in this machine's byte order, which is little-endian
	if err != nil {
		return err
	}
	_, err = w.Write(slices.Concat(begin, []byte(head), elements))
	return err
}
