package ops_test

import (
	"errors"
	"math"
	"path/filepath"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/ops"
	"github.com/gospmd/gospmd/keras/saving"
	"github.com/gospmd/gospmd/keras/variable"
)

// gated is a layer of a user's own, with a weight and an inner layer, computed by package ops.
type gated struct {
	layers.Base
	Inner layers.Layer
	scale *variable.Variable
}

func (l *gated) Build(b *layers.Builder, inputs []layers.Spec) error {
	l.scale = b.Weight("scale", "ones", inputs[0].Shape[1:]...)
	return nil
}

func (l *gated) Compute(c *layers.Context, x *layers.Tensor) *layers.Tensor {
	y := ops.Tanh(x.Apply(l.Inner)).Mul(c.Weight(l.scale))
	if c.Training {
		y = y.Add(x)
	}
	return ops.Mean(y.Add(ops.Arange(y.Shape()[1])), ops.Axis(-1), ops.KeepDims())
}

// onNodes is a layer that computes what gated does, on GoMLX nodes.
type onNodes struct{ gated }

func (l *onNodes) Call(c *layers.Context, in []*graph.Node) []*graph.Node {
	y := graph.Tanh(c.Apply(l.Inner, in[0]))
	y = graph.Mul(y, graph.ExpandLeftToRank(c.Value(l.scale), 2))
	if c.Training {
		y = graph.Add(y, in[0])
	}
	at := graph.Iota(y.Graph(), y.Shape(), 1)
	return []*graph.Node{graph.ReduceAndKeep(graph.Add(y, at), graph.ReduceMean, 1)}
}

// TestCompute trains a layer that computes with Tensors, and one that computes the same with nodes.
// The losses must be the same up to 1e-6, and must fall.
func TestCompute(t *testing.T) {
	var losses [2][]float64
	for i, make := range []func() layers.Layer{
		func() layers.Layer { return &gated{Inner: layers.Dense(3, layers.KernelInitializer("ones"))} },
		func() layers.Layer { return &onNodes{gated{Inner: layers.Dense(3, layers.KernelInitializer("ones"))}} },
	} {
		layers.ClearSession()
		x := keras.Input([]int{3})
		m, err := keras.NewModel(keras.Tensors(x), keras.Tensors(x.Apply(make())))
		require.NoError(t, err)
		require.Len(t, m.TrainableVariables(), 3)
		require.NoError(t, m.Compile(keras.Optimizer("sgd"), keras.Loss("mse"), goEngine(t, "")))
		h, err := m.Fit(t.Context(), [][]float32{{1, 2, 3}, {-1, 0, 1}}, [][]float32{{1}, {2}}, keras.Epochs(3), keras.Verbose(0))
		require.NoError(t, err)
		losses[i] = h.Logs["loss"]
	}
	require.InDeltaSlice(t, losses[1], losses[0], 1e-6)
	require.Less(t, losses[0][2], losses[0][0])
}

// none has no method that computes; leaks uses a tensor of the model; vectors has a bad axis.
type (
	none  struct{ layers.Base }
	leaks struct {
		layers.Base
		of *layers.Tensor
	}
	vectors struct{ layers.Base }
)

func (l *leaks) Compute(x *layers.Tensor) *layers.Tensor { return x.Add(l.of) }

func (l *vectors) Compute(x *layers.Tensor) *layers.Tensor {
	return ops.Sum(x, ops.Axis(7))
}

// These types are no valid layers: methods Compute that take or return other types, and a weight
// that no initializer makes.
type (
	ofNumbers struct{ layers.Base }
	silent    struct{ layers.Base }
	badWeight struct{ vectors }
)

func (l *ofNumbers) Compute(x float64) *layers.Tensor { return nil }

func (l *silent) Compute(x *layers.Tensor) {}

func (l *badWeight) Build(b *layers.Builder, _ []layers.Spec) error {
	b.Weight("w", "onse", 2)
	return nil
}

// places is a layer of a user's own, with two inputs and outputs, that applies layers to arrays.
type places struct {
	layers.Base
	Place layers.Layer
	Twice *keras.Model
}

func (l *places) Compute(x, y *layers.Tensor) (sum, slope *layers.Tensor) {
	at := ops.Arange(x.Shape()[1]).Apply(l.Place)
	return x.Add(y).Add(ops.Reshape(at, 3)).Add(l.Twice.Apply(ops.Ones([]int{1, 1}))), x.Sub(y)
}

// TestComputeOnArrays applies layers and models to arrays within a layer, which has two inputs and
// two outputs, and compares results and variable paths.
func TestComputeOnArrays(t *testing.T) {
	layers.ClearSession()
	x, y := keras.Input(3), keras.Input(3)
	twice, err := keras.NewSequential(layers.Dense(1, layers.KernelInitializer(initializers.Constant(2))))
	require.NoError(t, err)
	l := &places{Place: layers.Embedding(3, 1, layers.EmbeddingsInitializer(initializers.Constant([][]float32{{1}, {2}, {4}}))), Twice: twice}
	out := layers.ApplyAll(l, x, y)
	m, err := keras.NewModel(keras.Tensors(x, y), out)
	require.NoError(t, err)
	var paths []string
	for _, v := range m.Variables() {
		paths = append(paths, v.Path())
	}
	require.Equal(t, []string{"places/embedding/embeddings", "places/sequential/dense/kernel", "places/sequential/dense/bias"}, paths)
	require.NoError(t, m.Compile(keras.Loss("mse", "mse"), goEngine(t, "")))
	got, err := m.Predict(t.Context(), []any{[][]float32{{1, 2, 3}}, [][]float32{{10, 20, 30}}}, keras.Verbose(0))
	require.NoError(t, err)
	require.Equal(t, [][]float32{{14, 26, 39}}, got[0].Value())
	require.Equal(t, [][]float32{{-9, -18, -27}}, got[1].Value())
}

func TestValueErrors(t *testing.T) {
	x := keras.Input([]int{3})
	step := func(c, v *layers.Tensor) (*layers.Tensor, *layers.Tensor) { return c.Add(v), nil }
	plus := func(a, b *layers.Tensor) *layers.Tensor { return a.Add(b) }
	for _, tc := range []struct {
		name string
		got  *layers.Tensor
		want string
	}{
		{"no method", x.Apply(&none{}), "type *ops_test.none has none of the methods Call and Compute: give it one"},
		{"a tensor of the model", x.Apply(&leaks{of: x}), "within the Call of a layer: give it to the layer as an input"},
		{"an argument", x.Apply(&ofNumbers{}), "method Compute of *ops_test.ofNumbers: argument 0 is a float64: want the inputs"},
		{"no result", x.Apply(&silent{}), "method Compute of *ops_test.silent: it returns nothing, want a *layers.Tensor"},
		{"two inputs", layers.Apply(&vectors{}, x, x), "method Compute of *ops_test.vectors: got 2 inputs, want 1"},
		{"an initializer", x.Apply(&badWeight{}), `no initializer is called "onse"`},
		{"an item", x.GetItem("1:x"), `GetItem: item 0: got "1:x", want whole numbers between colons`},
		{"an axis", x.Apply(&vectors{}), "(values_test.go:88): operation Sum: got axis 7 for 2 dimensions"},
		{"an option", ops.Relu(ops.Sum(x, ops.Strides(2))), "Sum: got the option Strides, which it does not take: it takes those for axis, keepdims"},
		{"a layer on an array", ops.Ones([]int{2}).Apply(layers.Dense(1)), "is an array, (2,) Float32"},
		{"a type", ops.Zeros([]int{2}, ops.DType("real")), `got dtype "real"`},
		{"a size", ops.Zeros([]int{-2}), "want sizes that are not negative"},
		{"arrays that do not fit", ops.Ones([]int{2}).Add(ops.Ones([]int{3})), "operation Add of arrays: shapes [2] and [3] do not fit each other"},
		{"a range", ops.Arange(1, 2, 0), "a step that is not 0"},
		{"matrices", ops.Inv(x.GetItem(ops.To(3), ops.To(2))), "want as many of both"},
		{"a carry of another type", first(ops.Scan(step, ops.Cast(ops.Sum(x, ops.Axis(0)), "float64"), ops.Cast(x, "int32"))), ""},
		{"beam search", layers.Operate("CTCDecode", []any{ops.Reshape(x, -1, 1, 3), ops.Cast(x.GetItem(ops.Full(), 0), "int32")}, map[string]any{"strategy": "beam_search"}), "want greedy: beam search is not here"},
		{"segments", ops.SegmentMax(x, ops.Cast(x.GetItem(ops.Full(), 0), "int32"), 0), "want a positive number: the shape of the result depends on it"},
		{"a pattern", ops.Rearrange(x, "b (h w) -> b h w", nil), "want the size of h or of w"},
		{"a scan of an error", ops.AssociativeScan(plus, layers.Failed(errors.New("no tensor"))), "no tensor"},
		{"an axis to scan", ops.AssociativeScan(plus, x, ops.Axis(2)), "AssociativeScan: got axis 2 of the shape (None, 3), want a dimension of known size"},
		{"a negative axis to scan", ops.AssociativeScan(plus, x, ops.Axis(-3), ops.Reverse()), "AssociativeScan: got axis -3"},
		{"the batch to scan", ops.AssociativeScan(plus, x), "AssociativeScan: got axis 0"},
		{"a pattern for an error", ops.Rearrange(layers.Failed(errors.New("no tensor")), "a b -> b a", nil), "no tensor"},
		{"names", ops.Rearrange(x, "b c -> b", nil), "want each name once on both sides"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.want == "" {
				require.NoError(t, tc.got.Err())
				return
			}
			require.ErrorContains(t, tc.got.Err(), tc.want)
		})
	}
	_, err := ops.ConvertToNumpy(x)
	require.ErrorContains(t, err, "has no numbers yet: the model computes them when it runs")
}

func first(a, _ *layers.Tensor) *layers.Tensor { return a }

// TestArrays computes arrays at once, and requires NumPy's numbers and types. Other questions, such
// as Size and Ndim, must have their answers for arrays or tensors of a model.
func TestArrays(t *testing.T) {
	for _, tc := range []struct {
		name string
		got  *layers.Tensor
		want any
	}{
		{"arange", ops.Arange(2, 7, 2), []int32{2, 4, 6}},
		{"chain", ops.Arange(4).Mul(2).Add(.5), []float32{.5, 2.5, 4.5, 6.5}},
		{"eye", ops.Eye(2, 3, 1), [][]float32{{0, 1, 0}, {0, 0, 1}}},
		{"tri", ops.Tri(2, 3, 0, ops.DType("int32")), [][]int32{{1, 0, 0}, {1, 1, 0}}},
		{"type", ops.Ones([]int{2}, ops.DType("float16")).Sub(ops.Filled([]int{2}, .5)), []float32{.5, .5}},
		{"Python's slices", ops.Arange(10).GetItem("1:-1:3"), []int32{1, 4, 7}},
		{"Python's ellipsis", ops.Array([][]int{{1, 2}, {3, 4}}).GetItem("...", 1), []int32{2, 4}},
		{"tensordot", ops.Tensordot(ops.Array([][]int{{1, 2}, {3, 4}}), ops.Array([][]int{{1, 2}, {3, 4}}), 2), int32(30)},
		{"frequencies", first(ops.FFT(ops.Array([]float32{1, 2, 3, 4}), ops.Zeros([]int{4}))), []float32{10, -2, -2, -2}},
		{"inverse", ops.Round(ops.Inv(ops.Array([][]float32{{0, 2}, {4, 0}})), 4), [][]float32{{0, .25}, {.5, 0}}},
		{"numbers", ops.Linspace(0, 1, 3), []float32{0, .5, 1}},
		{"shape", ops.Array(ops.Shape(ops.Zeros([]int{2, 3}))), []int32{2, 3}},
		{"fractions", ops.Array([]float64{.5, 1}), []float32{.5, 1}},
		{"given type", ops.Array([]float64{.5, 1}, ops.DType("int32")), []int32{0, 1}},
		{"vectorize", ops.Vectorize(func(v ...*layers.Tensor) *layers.Tensor { return v[0].Mul(v[1]) })(ops.Arange(3), ops.Array([][]int{{1}, {2}})), [][]int32{{0, 1, 2}, {0, 2, 4}}},
		{"vectorize infinities", ops.Vectorize(func(v ...*layers.Tensor) *layers.Tensor { return v[0] })(ops.Array([]int{1, 2}), ops.Array([][]float64{{math.Inf(1)}, {math.NaN()}})), [][]int32{{1, 2}, {1, 2}}},
		{"scan", first(ops.Scan(func(c, v *layers.Tensor) (*layers.Tensor, *layers.Tensor) { return c.Add(v), c }, ops.Array(float32(1)), ops.Array([]float32{2, 3}))), float32(6)},
	} {
		numbers, err := ops.ConvertToNumpy(ops.ConvertToTensor(tc.got))
		require.NoError(t, err, tc.name)
		require.Equal(t, tc.want, numbers, tc.name)
	}
	require.True(t, ops.IsTensor(ops.Zeros(nil)) && !ops.IsTensor(3))
	require.Equal(t, layers.None, ops.Size(keras.Input([]int{3})))
	require.Equal(t, 2, ops.Ndim(keras.Input([]int{3})))
	require.Equal(t, "int32", ops.DTypeOf(ops.Arange(3)))
}

// TestFunctionsAreNotSaved saves a model with an operation on a Go function, which a file cannot
// hold. The error must name the operation.
func TestFunctionsAreNotSaved(t *testing.T) {
	x := keras.Input([]int{3})
	y := ops.Map(func(v ...*layers.Tensor) *layers.Tensor { return v[0].Mul(2) }, x)
	m, err := keras.NewModel(keras.Tensors(x), keras.Tensors(y))
	require.NoError(t, err)
	require.ErrorContains(t, saving.SaveModel(t.Context(), m, filepath.Join(t.TempDir(), "m.keras")), "is applied to a Go function, which no file can hold")
}

// The product of the factors of each factorization must be the matrix, up to 3e-4, here for two
// matrices of 24x24 numbers. Eigenvectors and singular vectors must be orthogonal, and eigenvalues
// ascend.
func TestLinearAlgebraOfLargerMatrices(t *testing.T) {
	const n = 24
	x := keras.Input([]int{n, n})
	transposed := func(a *layers.Tensor) *layers.Tensor { return ops.Swapaxes(a, -1, -2) }
	both := x.Add(transposed(x))
	values, vectors := ops.Eigh(both)
	u, s, vt := ops.SVD(x, true)
	q, r := ops.Qr(x, "reduced")
	one := ops.Identity(n)
	outs := map[string]*layers.Tensor{
		"eigenvectors":      ops.Matmul(vectors.Mul(ops.ExpandDims(values, -2)), transposed(vectors)).Sub(both),
		"orthogonal":        ops.Matmul(transposed(vectors), vectors).Sub(one),
		"rising":            ops.Minimum(ops.Diff(values, 1), 0),
		"singular vectors":  ops.Matmul(u.Mul(ops.ExpandDims(s, -2)), vt).Sub(x),
		"orthogonal left":   ops.Matmul(transposed(u), u).Sub(one),
		"orthogonal right":  ops.Matmul(vt, transposed(vt)).Sub(one),
		"triangular":        ops.Matmul(q, r).Sub(x),
		"inverse":           ops.Matmul(ops.Inv(x), x).Sub(one),
		"positive definite": ops.Matmul(ops.Cholesky(ops.Matmul(x, transposed(x)).Add(one), false), ops.Cholesky(ops.Matmul(x, transposed(x)).Add(one), true)).Sub(ops.Matmul(x, transposed(x)).Add(one)),
	}
	var names []string
	var ys []*layers.Tensor
	for name, y := range outs {
		names, ys = append(names, name), append(ys, y)
	}
	m, err := keras.NewModel(keras.Tensors(x), ys, keras.OutputNames(names...))
	require.NoError(t, err)
	require.NoError(t, m.Compile(goEngine(t, "")))
	in := make([][][]float32, 2)
	for b := range in {
		in[b] = make([][]float32, n)
		for i := range in[b] {
			in[b][i] = make([]float32, n)
			for k := range in[b][i] {
				in[b][i][k] = float32(math.Sin(float64(7*b+3*i*i+5*k+i*k*k)) + 2*truth(i == k))
			}
		}
	}
	out, err := m.Predict(t.Context(), in, keras.Verbose(0))
	require.NoError(t, err)
	for i, name := range names {
		worst := 0.0
		for _, v := range flat(t, out[i]) {
			worst = max(worst, math.Abs(v))
		}
		require.Less(t, worst, 3e-4, name)
	}
}

func truth(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
