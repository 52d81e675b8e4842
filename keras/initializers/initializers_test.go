package initializers_test

// This file compares initializers with Keras' numbers
// (benchmarks/peers/initializers_reference.py), and parts of tensors with full ones.

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/tracetest"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

var _ variable.Filler = initializers.Initializer(nil)

type config struct {
	Seed               *int
	Mean, Stddev       *float64
	Minval, Maxval     *float64
	Scale, Gain        *float64
	Value              float64
	Mode, Distribution *string
	InputAxes          []int `json:"input_axes"`
	OutputAxes         []int `json:"output_axes"`
}

type referenceCase struct {
	Name   string
	Config config
	Shape  []int
	DType  string
	Hex    string
	SHA256 string
}

type reference struct {
	Unseeded []string `json:"unseeded_2024"`
	Cases    []referenceCase
}

func readReference(t *testing.T) reference {
	t.Helper()
	r := tracetest.ReadJSON[reference](t, "testdata/reference.json")
	require.NotEmpty(t, r.Cases)
	return r
}

var constructors = map[string]func(...initializers.Option) initializers.Initializer{
	"GlorotUniform":   initializers.GlorotUniform,
	"GlorotNormal":    initializers.GlorotNormal,
	"HeUniform":       initializers.HeUniform,
	"HeNormal":        initializers.HeNormal,
	"LecunUniform":    initializers.LecunUniform,
	"LecunNormal":     initializers.LecunNormal,
	"VarianceScaling": initializers.VarianceScaling,
	"RandomUniform":   initializers.RandomUniform,
	"RandomNormal":    initializers.RandomNormal,
	"TruncatedNormal": initializers.TruncatedNormal,
	"Identity":        initializers.Identity,
	"Orthogonal":      initializers.Orthogonal,
}

// make returns the initializer that the case of the reference file describes: its class with its
// options.
func (c referenceCase) make(t *testing.T) initializers.Initializer {
	switch c.Name {
	case "Zeros":
		return initializers.Zeros()
	case "Ones":
		return initializers.Ones()
	case "Constant":
		return initializers.Constant(c.Config.Value)
	}
	var opts []initializers.Option
	add := func(given bool, o func() initializers.Option) {
		if given {
			opts = append(opts, o())
		}
	}
	g := c.Config
	add(g.Seed != nil, func() initializers.Option { return initializers.Seed(*g.Seed) })
	add(g.Mean != nil, func() initializers.Option { return initializers.Mean(*g.Mean) })
	add(g.Stddev != nil, func() initializers.Option { return initializers.Stddev(*g.Stddev) })
	add(g.Minval != nil, func() initializers.Option { return initializers.Range(*g.Minval, *g.Maxval) })
	add(g.Scale != nil, func() initializers.Option { return initializers.Scale(*g.Scale) })
	add(g.Gain != nil, func() initializers.Option { return initializers.Gain(*g.Gain) })
	add(g.Mode != nil, func() initializers.Option { return initializers.Mode(*g.Mode) })
	add(g.Distribution != nil, func() initializers.Option { return initializers.Distribution(*g.Distribution) })
	add(g.InputAxes != nil, func() initializers.Option { return initializers.FanAxes(g.InputAxes, g.OutputAxes) })
	require.Contains(t, constructors, c.Name)
	return constructors[c.Name](opts...)
}

func fill(t *testing.T, init initializers.Initializer, dtype dtypes.DType, shape ...int) any {
	t.Helper()
	n := 1
	for _, d := range shape {
		n *= d
	}
	dst := dtypes.MakeAnySlice(dtype, n)
	require.NoError(t, init.Fill(dst, dtype, shape, fullRanges(shape)))
	return dst
}

func fullRanges(shape []int) []layout.Range {
	all := make([]layout.Range, len(shape))
	for i, d := range shape {
		all[i] = layout.Range{Start: 0, Limit: d}
	}
	return all
}

// parseHex returns the elements that text holds, as a slice of dtype's Go type. As in the reference
// file, text has them in hexadecimal, each with its highest byte first.
func parseHex(t *testing.T, dtype dtypes.DType, text string) any {
	b, err := hex.DecodeString(text)
	require.NoError(t, err)
	width := dtype.Bits() / 8
	for part := range slices.Chunk(b, width) {
		slices.Reverse(part) // to little-endian
	}
	out := dtypes.MakeAnySlice(dtype, len(b)/width)
	_, err = binary.Decode(b, binary.LittleEndian, out)
	require.NoError(t, err)
	return out
}

// All initializers give Keras' numbers bit for bit; only Orthogonal's may differ, by 2e-6.
func TestEqualsKeras(t *testing.T) {
	for _, c := range readReference(t).Cases {
		t.Run(fmt.Sprintf("%s %s%v %s", c.Name, c.DType, c.Shape, c.Hex[:min(8, len(c.Hex))]), func(t *testing.T) {
			dtype, ok := dtypes.MapOfNames[c.DType]
			require.True(t, ok)
			init := c.make(t)
			got, want := fill(t, init, dtype, c.Shape...), parseHex(t, dtype, c.Hex)
			require.Equal(t, c.Name, init.Name())
			if c.Name == "Orthogonal" {
				require.InDeltaSlice(t, want, got, 2e-6)
				return
			}
			require.Equal(t, want, reflect.ValueOf(got).Slice(0, reflect.ValueOf(want).Len()).Interface())
			if c.SHA256 != "" {
				var b bytes.Buffer
				require.NoError(t, binary.Write(&b, binary.LittleEndian, got))
				sum := sha256.Sum256(b.Bytes())
				require.Equal(t, c.SHA256, hex.EncodeToString(sum[:]))
			}
		})
	}
}

// Without a seed, initializers draw theirs when they are made, as Keras' do: after SetRandomSeed
// the numbers must be Keras', the same in each Fill, and the config has no seed.
func TestUnseededEqualsKeras(t *testing.T) {
	want := readReference(t).Unseeded
	random.SetRandomSeed(2024)
	first := initializers.GlorotUniform()
	second, err := initializers.Get("random_normal")
	require.NoError(t, err)
	require.Equal(t, parseHex(t, dtypes.Float32, want[0]), fill(t, first, dtypes.Float32, 2, 2))
	require.Equal(t, parseHex(t, dtypes.Float32, want[1]), fill(t, second, dtypes.Float32, 3))
	require.Equal(t, parseHex(t, dtypes.Float32, want[2]), fill(t, first, dtypes.Float32, 2, 2))
	require.Nil(t, first.Config()["seed"])
}

// All initializers, by name with their defaults, give a shard, also an uneven one, the numbers that
// the full tensor has there. The mesh has 8 devices, and shards both dimensions.
func TestShardsEqualWhole(t *testing.T) {
	m := mesh.MustParse("data=4,model=2")
	s := layout.Replicated(m, 2)
	s.Dims[0].Axes, s.Dims[1].Axes = mesh.FullAxes("model"), mesh.FullAxes("data")
	shape := []int{9, 11}
	for _, name := range initializers.Names() {
		t.Run(name, func(t *testing.T) {
			init, err := initializers.Get(name)
			require.NoError(t, err)
			all := fill(t, init, dtypes.Float32, shape...).([]float32)
			for pos := range m.Size() {
				r := s.ShardRanges(shape, pos)
				got := make([]float32, r[0].Len()*r[1].Len())
				require.NoError(t, init.Fill(got, dtypes.Float32, shape, r))
				for i := range got {
					row, column := r[0].Start+i/r[1].Len(), r[1].Start+i%r[1].Len()
					require.Equal(t, all[row*shape[1]+column], got[i])
				}
			}
		})
	}
}

// TestOrthogonal requires that the columns of a tall matrix and the rows of a wide one are
// orthonormal.
func TestOrthogonal(t *testing.T) {
	for _, shape := range [][]int{{30, 7}, {7, 30}, {5, 5}, {3, 4, 6}} {
		columns := shape[len(shape)-1]
		q := fill(t, initializers.Orthogonal(initializers.Seed(1)), dtypes.Float64, shape...).([]float64)
		rows := len(q) / columns
		// number of vectors, step from one to the next, step from one element to the next
		n, step, inner := columns, 1, columns
		length := rows
		if rows < columns {
			n, step, inner, length = rows, columns, 1, columns
		}
		for a := range n {
			for b := range n {
				dot := 0.0
				for i := range length {
					dot += q[a*step+i*inner] * q[b*step+i*inner]
				}
				want := 0.0
				if a == b {
					want = 1
				}
				require.InDelta(t, want, dot, 1e-12, "shape %v, vectors %d and %d", shape, a, b)
			}
		}
	}
}

func TestOtherDTypes(t *testing.T) {
	require.Equal(t, []int32{3, 3, 3}, fill(t, initializers.Constant(3), dtypes.Int32, 3))
	require.Equal(t, []bool{true, true}, fill(t, initializers.Ones(), dtypes.Bool, 2))
	require.Equal(t, []uint8{0, 0}, fill(t, initializers.Zeros(), dtypes.Uint8, 2))
	require.Equal(t, []float64{0.1}, fill(t, initializers.Constant(0.1), dtypes.Float64))
	require.Equal(t, []float32{}, fill(t, initializers.GlorotUniform(), dtypes.Float32, 0, 3))
}

// TestErrors requires the errors of Fill, and that a clone of the initializer returns the same.
func TestErrors(t *testing.T) {
	err := func(init initializers.Initializer, dtype dtypes.DType, n int, shape ...int) error {
		dst, ranges := dtypes.MakeAnySlice(dtype, n), fullRanges(shape)
		err := init.Fill(dst, dtype, shape, ranges)
		require.Equal(t, err, initializers.Clone(init).Fill(dst, dtype, shape, ranges))
		return err
	}
	f32 := dtypes.Float32
	for _, tc := range []struct {
		name, want string
		err        error
	}{
		{"scale", "VarianceScaling: got scale -1: want a positive number", err(initializers.VarianceScaling(initializers.Scale(-1)), f32, 1, 1)},
		{"mode", `got mode "fan"`, err(initializers.VarianceScaling(initializers.Mode("fan")), f32, 1, 1)},
		{"distribution", `got distribution "cauchy"`, err(initializers.VarianceScaling(initializers.Distribution("cauchy")), f32, 1, 1)},
		{"option", "GlorotUniform takes no option Gain: it takes Seed, FanAxes", err(initializers.GlorotUniform(initializers.Gain(2)), f32, 1, 1)},
		{"seed", "got seed -1", err(initializers.GlorotUniform(initializers.Seed(-1)), f32, 1, 1)},
		{"axes", "has no dimension 3", err(initializers.GlorotUniform(initializers.FanAxes([]int{3}, []int{0})), f32, 2, 1, 2)},
		{"interval", "RandomUniform: random: FillUniform: the interval", err(initializers.RandomUniform(initializers.Range(1, 0)), f32, 1, 1)},
		{"identity", "Identity: got shape [2]: want two dimensions", err(initializers.Identity(), f32, 2, 2)},
		{"orthogonal", "Orthogonal: got shape [2]: want two or more", err(initializers.Orthogonal(), f32, 2, 2)},
		{"orthogonal integers", "want a floating-point dtype", err(initializers.Orthogonal(), dtypes.Int32, 4, 2, 2)},
		{"random integers", "cannot fill a []int32", err(initializers.HeNormal(), dtypes.Int32, 4, 2, 2)},
		{"length", "got a destination of 3 elements: want 4", err(initializers.Zeros(), f32, 3, 2, 2)},
		{"type", "got a destination of type []float64 for dtype Float32", initializers.Zeros().Fill(make([]float64, 1), f32, []int{1}, fullRanges([]int{1}))},
		{"ranges", "got 1 ranges for shape [2 2]", initializers.Zeros().Fill(make([]float32, 4), f32, []int{2, 2}, fullRanges([]int{4}))},
		{"beyond", "range [0, 4) is not within [0, 3)", initializers.Zeros().Fill(make([]float32, 4), f32, []int{3}, fullRanges([]int{4}))},
	} {
		t.Run(tc.name, func(t *testing.T) { require.ErrorContains(t, tc.err, tc.want) })
	}
}

func TestGet(t *testing.T) {
	for alias, want := range map[string]string{
		"glorot_uniform": "GlorotUniform", "GlorotUniform": "GlorotUniform", "zeros": "Zeros", "zero": "Zeros",
		"one": "Ones", "normal": "RandomNormal", "uniform": "RandomUniform", "IdentityInitializer": "Identity",
	} {
		init, err := initializers.Get(alias)
		require.NoError(t, err)
		require.Equal(t, want, init.Name())
	}
	given := initializers.Ones()
	same, err := initializers.Get(given)
	require.NoError(t, err)
	require.Same(t, given, same)
	_, err = initializers.Get("glorot_unifrom")
	require.ErrorContains(t, err, `no initializer is called "glorot_unifrom": want an Initializer, an array or a name of initializers.Names; did you mean "glorot_uniform"`)
	_, err = initializers.Get(3)
	require.ErrorContains(t, err, "got a int: want a name")
	require.True(t, slices.IsSorted(initializers.Names()))
}

func TestConfig(t *testing.T) {
	require.Equal(t, map[string]any{"seed": 3, "mean": 0.0, "stddev": 0.05}, initializers.RandomNormal(initializers.Seed(3)).Config())
	require.Equal(t, map[string]any{"seed": 1, "input_axes": nil, "output_axes": nil, "scale": 1.0, "mode": "fan_in", "distribution": "truncated_normal"},
		initializers.VarianceScaling(initializers.Seed(1), initializers.Distribution("Normal")).Config())
	require.Equal(t, map[string]any{"value": 2.0}, initializers.Constant(2).Config())
	require.Equal(t, map[string]any{"gain": 1.0}, initializers.Identity().Config())
}

func TestFans(t *testing.T) {
	for _, tc := range []struct{ shape, want []int }{
		{nil, []int{1, 1}}, {[]int{4}, []int{4, 4}}, {[]int{4, 5}, []int{4, 5}}, {[]int{3, 3, 4, 5}, []int{36, 45}},
	} {
		in, out, err := initializers.Fans(tc.shape, nil, nil)
		require.NoError(t, err)
		require.Equal(t, tc.want, []int{in, out}, "shape %v", tc.shape)
	}
}

func BenchmarkGlorotUniform(b *testing.B) {
	shape := []int{1024, 1024}
	dst := make([]float32, 1<<20)
	init := initializers.GlorotUniform(initializers.Seed(1))
	for b.Loop() {
		if err := init.Fill(dst, dtypes.Float32, shape, fullRanges(shape)); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(4 << 20)
}

// TestArrays fills variables with arrays: Constant broadcasts, as Keras does, and Get wants the
// variable's shape. Ragged, empty and other arrays must be errors.
func TestArrays(t *testing.T) {
	matrix := [][]float32{{1, 2, 3}, {4, 5, 6}}
	flat := []float32{1, 2, 3, 4, 5, 6}
	for name, array := range map[string]any{
		"slices":   matrix,
		"a tensor": tensors.FromFlatDataAndDimensions(flat, 2, 3),
		"JSON":     []any{[]any{1.0, 2.0, 3.0}, []any{4.0, 5.0, 6.0}},
	} {
		t.Run(name, func(t *testing.T) {
			exact, err := initializers.Get(array)
			require.NoError(t, err)
			require.Equal(t, flat, fill(t, exact, dtypes.Float32, 2, 3))
			require.Equal(t, append(slices.Clone(flat), flat...), fill(t, initializers.Constant(array), dtypes.Float32, 2, 2, 3))

			part := make([]float32, 2) // the second column
			require.NoError(t, exact.Fill(part, dtypes.Float32, []int{2, 3}, []layout.Range{{Limit: 2}, {Start: 1, Limit: 2}}))
			require.Equal(t, []float32{2, 5}, part)
			require.ErrorContains(t, exact.Fill(make([]float32, 12), dtypes.Float32, []int{2, 2, 3}, []layout.Range{{Limit: 2}, {Limit: 2}, {Limit: 3}}),
				"initializers: Constant: got an array of shape [2 3] for a variable of shape [2 2 3]: want the same shape")
		})
	}
	require.Equal(t, []int32{7, 7, 9, 9}, fill(t, initializers.Constant([][]int{{7}, {9}}), dtypes.Int32, 2, 2))
	for name, tc := range map[string]struct {
		array any
		want  string
	}{
		"ragged":   {[][]float32{{1}, {2, 3}}, "the array has lists of different lengths"},
		"empty":    {[][]float32{{}}, "it has no elements"},
		"texts":    {[]string{"a"}, "the array has an element of type string, want numbers"},
		"no array": {struct{}{}, "got a struct {}: want a name such as"},
	} {
		_, err := initializers.Get(tc.array)
		require.ErrorContains(t, err, tc.want, name)
	}
}
