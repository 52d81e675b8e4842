package data

// This file defines Batch, Dataset and Position, makes host tensors of Go
// values, and reads the numbers in tensors.

import (
	"context"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/bfloat16"
	"github.com/gomlx/compute/dtypes/float16"
	"github.com/gomlx/gomlx/core/tensors"
)

// Batch is one global batch: a tensor for each input X and each output's labels Y of a model;
// dimension 0 is the batch. Y is empty for predictions. SampleWeight has the weights of the
// samples: one tensor for all outputs, or one for each output. By default it is empty.
//
// In a pipeline, before its Batch stage, it is one sample: the same tensors without the batch
// dimension.
type Batch struct {
	X, Y, SampleWeight []*tensors.Tensor
	Names              Names
}

// Names has the names of the inputs or outputs of the model that the tensors of a batch are for.
// Empty lists stand for tensors that are identified by position.
type Names struct{ X, Y, SampleWeight []string }

func (n Names) equal(m Names) bool {
	return slices.Equal(n.X, m.X) && slices.Equal(n.Y, m.Y) && slices.Equal(n.SampleWeight, m.SampleWeight)
}

// Tensors returns all tensors of the batch: X, Y, SampleWeight.
func (b Batch) Tensors() []*tensors.Tensor {
	return slices.Concat(b.X, b.Y, b.SampleWeight)
}

// Size returns the number of samples: the first dimension of the first input, 0 if there is none.
func (b Batch) Size() int {
	if len(b.X) == 0 || len(Dims(b.X[0])) == 0 {
		return 0
	}
	return b.X[0].Shape().Dimensions[0]
}

// These values of Cardinality are no numbers of batches: Unknown is that of a dataset that does not
// know its size, Infinite that of one that never ends.
const (
	Unknown  = -1
	Infinite = -2
)

// Dataset yields the batches of an epoch, any number of times. A Dataset that can continue at any
// batch also implements Positioned.
type Dataset interface {
	// Batches yields the batches of one epoch in order. After an error it
	// yields nothing more.
	Batches(ctx context.Context) iter.Seq2[Batch, error]
	// Cardinality returns the number of batches of an epoch, or Unknown or
	// Infinite.
	Cardinality() int
}

// Position is the position of an iteration over a dataset. It is plain data that
// can be stored.
type Position struct {
	Seed  uint64 `json:"seed"`  // for the stages without their own seed
	Epoch int    `json:"epoch"` // number of the epoch, from 0
	Batch int    `json:"batch"` // number of batches of the epoch that were yielded
}

// Positioned is a Dataset whose position can be read and set.
//
// Each call of Batches is an epoch. While the loop over it runs, and after a
// break, the position counts the batches that the loop has received, including
// the current one, but not those that were read ahead; at the end of the loop it
// is the start of the next epoch.
//
// After Seek, the next call of Batches yields the rest of the epoch. There is no
// rest if the position is after the last batch.
type Positioned interface {
	Dataset
	Position() Position
	Seek(Position) error
}

// Tensor returns v as a host tensor: a *tensors.Tensor itself, or a copy of a slice of slices of
// numbers or of texts (FromTexts) of any depth. Floats of other types become float32, Keras'
// default float type, also those in a *tensors.Tensor; integers and booleans keep their type. The
// model casts them if it needs another type. nil, slices of unequal lengths and values of other
// types are errors.
func Tensor(v any) (*tensors.Tensor, error) {
	t, ok := v.(*tensors.Tensor)
	if !ok {
		texts, ok, err := textsOf(v)
		if ok {
			return texts, err
		}
		if t, err = tensors.FromAnyValue(v); err != nil {
			return nil, fmt.Errorf("cannot make a tensor of a %T: want numbers or texts in slices of slices of equal lengths, or a *tensors.Tensor: %w", v, err)
		}
	}
	if t == nil {
		return nil, fmt.Errorf("got a nil tensor, want data")
	}
	switch t.DType() {
	case dtypes.Float64:
		return toFloat32(t, func(x float64) float32 { return float32(x) })
	case dtypes.Float16:
		return toFloat32(t, float16.Float16.Float32)
	case dtypes.BFloat16:
		return toFloat32(t, bfloat16.BFloat16.Float32)
	}
	return t, nil
}

func toFloat32[T float64 | float16.Float16 | bfloat16.BFloat16](t *tensors.Tensor, convert func(T) float32) (*tensors.Tensor, error) {
	flat := make([]float32, t.Shape().Size())
	err := tensors.ConstFlatData(t, func(from []T) {
		for i, x := range from {
			flat[i] = convert(x)
		}
	})
	if err != nil {
		return nil, err
	}
	return tensors.FromFlatDataAndDimensions(flat, t.Shape().Dimensions...), nil
}

// Named converts a map with names as keys, and values of any type, to the values and the names, in
// the order of the names. ok is false if v is not such a map.
func Named(v any) (names []string, values []any, ok bool) {
	r := reflect.ValueOf(v)
	if r.Kind() != reflect.Map || r.Type().Key().Kind() != reflect.String {
		return nil, nil, false
	}
	keys := r.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	for _, key := range keys {
		names = append(names, key.String())
		values = append(values, r.MapIndex(key).Interface())
	}
	return names, values, true
}

// NamedTensors converts a map with names as keys to host tensors. It returns the names in
// alphabetical order, and the tensors in the same order. It returns nil, and no error, if v is not
// such a map.
func NamedTensors(v any) (names []string, ts []*tensors.Tensor, err error) {
	names, values, ok := Named(v)
	if !ok {
		return nil, nil, nil
	}
	ts = make([]*tensors.Tensor, len(names))
	for i, name := range names {
		if ts[i], err = Tensor(values[i]); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return append([]string{}, names...), ts, nil
}

// Tensors returns v as host tensors, one for each input or output of a model: a []any or
// []*tensors.Tensor holds several, anything else is one. nil gives none. What Tensor refuses is an
// error.
func Tensors(v any) ([]*tensors.Tensor, error) {
	var values []any
	switch v := v.(type) {
	case nil:
		return nil, nil
	case []any:
		values = v
	case []*tensors.Tensor:
		for _, t := range v {
			values = append(values, t)
		}
	default:
		values = []any{v}
	}
	out := make([]*tensors.Tensor, len(values))
	for i, p := range values {
		t, err := Tensor(p)
		if err != nil {
			return nil, err
		}
		out[i] = t
	}
	return out, nil
}

// Numbers calls visit with the index and the value of each element, row-major, until it returns
// false. A boolean is 0 or 1. Texts, and types that have no number, are errors.
func Numbers(t *tensors.Tensor, visit func(i int, v float64) bool) error {
	if IsText(t) {
		return fmt.Errorf("got texts, want numbers: layers.StringLookup numbers texts")
	}
	known := true
	err := t.ConstFlatData(func(flat any) {
		switch flat := flat.(type) {
		case []float32:
			each(flat, visit)
		case []float64:
			each(flat, visit)
		case []int8:
			each(flat, visit)
		case []int16:
			each(flat, visit)
		case []int32:
			each(flat, visit)
		case []int64:
			each(flat, visit)
		case []uint8:
			each(flat, visit)
		case []uint16:
			each(flat, visit)
		case []uint32:
			each(flat, visit)
		case []uint64:
			each(flat, visit)
		case []float16.Float16:
			eachAs(flat, visit, func(x float16.Float16) float64 { return float64(x.Float32()) })
		case []bfloat16.BFloat16:
			eachAs(flat, visit, func(x bfloat16.BFloat16) float64 { return float64(x.Float32()) })
		case []bool:
			eachAs(flat, visit, func(x bool) float64 {
				if x {
					return 1
				}
				return 0
			})
		default:
			known = false
		}
	})
	if err == nil && !known {
		err = fmt.Errorf("got numbers of type %s, want real ones of whole bytes", t.DType())
	}
	return err
}

func each[T float32 | float64 | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](flat []T, visit func(int, float64) bool) {
	eachAs(flat, visit, func(x T) float64 { return float64(x) })
}

func eachAs[T any](flat []T, visit func(int, float64) bool, number func(T) float64) {
	for i, x := range flat {
		if !visit(i, number(x)) {
			return
		}
	}
}

// Floats returns a copy of a tensor's numbers, row by row, as float32. Booleans and texts are
// errors.
func Floats(t *tensors.Tensor) ([]float32, error) {
	if t.DType() == dtypes.Bool {
		return nil, fmt.Errorf("got numbers of type %s, want floats or integers", t.DType())
	}
	out := make([]float32, t.Size())
	err := Numbers(t, func(i int, v float64) bool {
		out[i] = float32(v)
		return true
	})
	return out, err
}
