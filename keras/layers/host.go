package layers

// This file defines layers that run on the host. They can take texts, which devices cannot hold.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/keras/data"
)

// String is the type of texts: dtype="string" in Keras. An Input may have it,
//
//	x := keras.Input([]int{1}, layers.DType(layers.String))
//
// and so may the tensors between layers of the host. No device holds texts.
const String dtypes.DType = -1

// DTypeName returns Keras' name of a type: its name in lower case, such as float32, or string.
func DTypeName(d dtypes.DType) string {
	if d == String {
		return "string"
	}
	return strings.ToLower(d.String())
}

// HostLayer is a Layer that runs on the host: a lookup, or a model that begins with lookups. In a
// model it is applied to inputs, or to outputs of other host layers. The model runs it when it
// loads a batch, during the step of the batch before. Its outputs are ordinary tensors, which go to
// the devices.
type HostLayer interface {
	Layer
	// HostOnly reports whether the layer cannot run on devices. A layer that can run on both runs
	// on the host if another host layer takes its outputs.
	HostOnly() bool
	// HostSpecs returns the types of the outputs for inputs of these types. An error says
	// what does not fit.
	HostSpecs(inputs []Spec) ([]Spec, error)
	// CallHost computes the outputs for a batch. It may be called from several goroutines.
	CallHost(inputs []*tensors.Tensor) ([]*tensors.Tensor, error)
}

// hostOnly returns l as a HostLayer; ok is false if l is none, or can run on devices too.
func hostOnly(l Layer) (HostLayer, bool) {
	h, ok := l.(HostLayer)
	return h, ok && h.HostOnly()
}

// RunsOnHost reports whether l is a HostLayer that cannot run on devices.
func RunsOnHost(l Layer) bool {
	_, ok := hostOnly(l)
	return ok
}

// onHost is embedded by layers that run on the host only: their inputs may be texts.
type onHost struct{ declared }

// HostOnly returns true: the layer runs on the host only.
func (l *onHost) HostOnly() bool { return true }

// Call panics: the layer cannot run on devices, where another layer calls this one. In a model,
// CallHost runs instead.
func (l *onHost) Call(*Context, []*graph.Node) []*graph.Node {
	panic(fmt.Errorf("it runs on the host, and cannot be called by a layer of the devices: apply it to an Input of the model, and give the layer what it returns"))
}

// checkPlace returns an error if the layer l gets inputs that are not where it runs: texts for a
// layer on devices, or outputs of layers on devices for one on the host.
func checkPlace(l Layer, inputs []*Tensor) error {
	host := RunsOnHost(l)
	for _, in := range inputs {
		switch {
		case host && !in.onHost():
			return fmt.Errorf("layer %s (%s) runs on the host, before the devices, but takes what layer %s computes on them: apply it to an Input, or to what other lookups return",
				l.base().name, TypeName(l), in.producer.Name())
		case !host && in.spec.DType == String:
			return fmt.Errorf("layer %s (%s) takes numbers, got the texts %s: apply a lookup to them before, such as StringLookup, TextVectorization or Hashing",
				l.base().name, TypeName(l), in.producer.Name())
		}
	}
	return nil
}

// onHost reports whether the host can compute t: t is an input of the model, or an output of a
// HostLayer, other than a Composite such as a model, whose inputs the host can compute.
func (t *Tensor) onHost() bool {
	if t.producer.IsInput() {
		return true
	}
	_, ok := t.producer.Layer.(HostLayer)
	_, isPart := t.producer.Layer.(Composite) // its outputs are on the devices
	return ok && !isPart && !slices.ContainsFunc(t.producer.Inputs, func(in *Tensor) bool { return !in.onHost() })
}

// encodedSpec returns the type of the encodings of texts or numbers of type in: for the mode "int"
// int64 in the same shape, and else float32 with depth numbers (encodedDims). It returns an error
// if the mode needs more dimensions.
func encodedSpec(in Spec, mode string, depth int) (Spec, error) {
	if mode == "int" {
		return Spec{Shape: slices.Clone(in.Shape), DType: dtypes.Int64}, nil
	}
	if len(in.Shape) < 2 && mode != "one_hot" {
		return Spec{}, fmt.Errorf("got an input of shape %s for %q, which joins the last dimension: want at least two dimensions, such as those of Input([]int{1})", ShapeText(in.Shape), mode)
	}
	return Spec{Shape: encodedDims(in.Shape, mode, depth), DType: dtypes.Float32}, nil
}

// encodedDims returns the dimensions of encoded values, for values of the sizes dims. For "int"
// they are the same. For "one_hot" each value becomes a vector of depth numbers, and a last
// dimension of 1 is dropped. In other modes each row of the last dimension becomes one such vector.
func encodedDims(dims []int, mode string, depth int) []int {
	n := len(dims)
	switch {
	case mode == "int":
		return slices.Clone(dims)
	case mode == "one_hot" && (n < 2 || dims[n-1] != 1):
	case n > 0:
		dims = dims[:n-1]
	}
	return append(slices.Clone(dims), depth)
}

// byRows calls encode with the rows of x, as a tensor of at most two dimensions whose last one is
// that of x, and returns its result in the shape that the mode gives for x. mode is the output mode
// of a lookup, such as "one_hot"; depth is the number of classes. Errors are those of encode and of
// reshaping.
func byRows(x *tensors.Tensor, mode string, depth int, encode func(rows any) (*tensors.Tensor, error)) (*tensors.Tensor, error) {
	dims, rows := data.Dims(x), x
	var err error
	switch n := len(dims); {
	case n == 0:
		rows, err = data.Reshape(x, 1)
	case n > 2:
		rows, err = data.Reshape(x, -1, dims[n-1])
	}
	if err != nil {
		return nil, err
	}
	out, err := encode(rows)
	if err != nil {
		return nil, err
	}
	return data.Reshape(out, encodedDims(dims, mode, depth)...)
}

// only calls f with the single input of a layer, and returns its result in a list. It returns an
// error unless there is exactly one input.
func only(inputs []*tensors.Tensor, f func(*tensors.Tensor) (*tensors.Tensor, error)) ([]*tensors.Tensor, error) {
	if len(inputs) != 1 {
		return nil, fmt.Errorf("got %d inputs, want one", len(inputs))
	}
	out, err := f(inputs[0])
	return []*tensors.Tensor{out}, err
}

// OnBatch returns a function for Pipeline.Map. It replaces all inputs of a batch, or of a sample,
// by the outputs of the layer, which lose the inputs' names if they are not as many. With names it
// replaces each named input by the layer's output for it. A missing name, and an error of the
// layer, are errors.
//
//	ds = ds.Map(layers.OnBatch(words))
func OnBatch(l HostLayer, names ...string) func(data.Batch) (data.Batch, error) {
	fail := func(b data.Batch, err error) (data.Batch, error) {
		return b, fmt.Errorf("layer %s: %w", cmp.Or(l.Name(), TypeName(l)), err)
	}
	return func(b data.Batch) (data.Batch, error) {
		if err := ConstructionError(l); err != nil {
			return b, err
		}
		if len(names) == 0 {
			out, err := l.CallHost(b.X)
			if err != nil {
				return fail(b, err)
			}
			if b.X = out; len(out) != len(b.Names.X) {
				b.Names.X = nil
			}
			return b, nil
		}
		b.X = slices.Clone(b.X)
		for _, name := range names {
			i := slices.Index(b.Names.X, name)
			if i < 0 {
				return fail(b, fmt.Errorf("there is no input %q: the names are %s", name, suggest.Quote(b.Names.X)))
			}
			out, err := l.CallHost(b.X[i : i+1])
			if err != nil {
				return fail(b, err)
			}
			b.X[i] = out[0]
		}
		return b, nil
	}
}
