package runtime_test

// This file tests how arrays are sharded, put on devices and read back.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
)

var allDTypes = []dtypes.DType{
	dtypes.Bool, dtypes.Int8, dtypes.Int16, dtypes.Int32, dtypes.Int64,
	dtypes.Uint8, dtypes.Uint16, dtypes.Uint32, dtypes.Uint64,
	dtypes.Float16, dtypes.BFloat16, dtypes.Float32, dtypes.Float64, dtypes.Complex64, dtypes.Complex128,
}

// randomFlat returns a slice of random elements of t. Floats have any bits, so some are NaN.
func randomFlat(t ir.Type, rng *rand.Rand) any {
	flat := dtypes.MakeAnySlice(t.DType, t.Size())
	if t.Size() == 0 {
		return flat
	}
	bytes := dtypes.UnsafeByteSliceFromAny(flat)
	for i := range bytes {
		bytes[i] = byte(rng.Uint32())
		if t.DType == dtypes.Bool {
			bytes[i] &= 1
		}
	}
	return flat
}

// rawBytes returns the memory of a flat slice, not a copy, so that NaNs compare as their bits; nil
// for an empty slice.
func rawBytes(flat any) []byte {
	if reflect.ValueOf(flat).Len() == 0 {
		return nil
	}
	return dtypes.UnsafeByteSliceFromAny(flat)
}

// randomSharding returns a sharding on m of a tensor with that rank, whose dimensions are sharded
// by random axes and sub-axes of m.
func randomSharding(m *mesh.DeviceMesh, rank int, rng *rand.Rand) *layout.Sharding {
	s := layout.Replicated(m, rank)
	if rank == 0 {
		return s
	}
	for _, a := range m.Axes() {
		refs := []mesh.AxisRef{mesh.FullAxis(a.Name)}
		if a.Size == 4 && rng.IntN(2) == 0 {
			refs = []mesh.AxisRef{{Name: a.Name, Sub: true, Pre: 1, Size: 2}, {Name: a.Name, Sub: true, Pre: 2, Size: 2}}
			rng.Shuffle(2, func(i, j int) { refs[i], refs[j] = refs[j], refs[i] })
		}
		for _, ref := range refs {
			if dim := rng.IntN(rank + 1); dim < rank {
				s.Dims[dim].Axes = append(s.Dims[dim].Axes, ref)
			}
		}
	}
	for i, d := range s.Dims { // adjacent sub-axes must be written as one
		for k := len(d.Axes) - 1; k > 0; k-- {
			if a, b := d.Axes[k-1], d.Axes[k]; a.Sub && b.Sub && a.Name == b.Name && a.Pre < b.Pre {
				s.Dims[i].Axes = slices.Replace(s.Dims[i].Axes, k-1, k+1, mesh.FullAxis(a.Name))
			}
		}
	}
	return s
}

// TestPutGet puts random tensors on devices with random shardings. The elements on each device, and
// the tensors that Get and GetShard return, must be those of the originals, to the bit. PutShards
// must fill no region twice.
func TestPutGet(t *testing.T) {
	ctx := context.Background()
	c := runtimetest.Open(t, 8)
	rng := rand.New(rand.NewPCG(3, 5))
	meshes := [][]int{{}, {2}, {8}, {2, 4}, {4, 2}, {2, 2, 2}, {3}, {3, 2}, {1, 4}}
	for n := range 300 {
		shape := meshes[rng.IntN(len(meshes))]
		names := []string{"a", "b", "c"}[:len(shape)]
		size := 1
		for _, d := range shape {
			size *= d
		}
		m, err := mesh.New(shape, names, rng.Perm(8)[:size])
		require.NoError(t, err)
		typ := ir.Tensor(allDTypes[n%len(allDTypes)])
		for range rng.IntN(4) {
			typ.Dims = append(typ.Dims, rng.IntN(11))
		}
		s := randomSharding(m, typ.Rank(), rng)
		flat := randomFlat(typ, rng)
		label := fmt.Sprintf("case %d: %s as %s on %s", n, typ, s, m)

		var a *runtime.Array
		if n%2 == 0 {
			a, err = c.Put(typ, s, flat)
		} else {
			filled := map[string]bool{}
			a, err = c.PutShards(typ, s, func(ranges []layout.Range, dst any) error {
				key := fmt.Sprint(ranges)
				require.False(t, filled[key], "%s: %s filled twice", label, key)
				filled[key] = true
				region(flat, typ, ranges, dst)
				return nil
			})
		}
		require.NoError(t, err, label)
		got, err := a.Get(ctx)
		require.NoError(t, err, label)
		require.Equal(t, rawBytes(flat), rawBytes(got), label)
		for pos, shard := range a.Shards() {
			requireShard(t, label, flat, typ, shard)
			require.Equal(t, m.Devices()[pos], shard.Device, label)
			part, err := a.GetShard(ctx, pos)
			require.NoError(t, err, label)
			want := dtypes.MakeAnySlice(typ.DType, typ.WithDims(lengths(shard.Ranges)).Size())
			region(flat, typ, shard.Ranges, want)
			require.Equal(t, rawBytes(want), rawBytes(part), label)
		}
		_, err = a.GetShard(ctx, m.Size())
		require.ErrorContains(t, err, "has no shard at position", label)
		a.Release()
	}
}

func lengths(ranges []layout.Range) []int {
	out := make([]int, len(ranges))
	for i, r := range ranges {
		out[i] = r.Len()
	}
	return out
}

// region copies the elements of the tensor flat, of type t, that are in the ranges to dst, one by
// one in row-major order.
func region(flat any, t ir.Type, ranges []layout.Range, dst any) {
	from, to := reflect.ValueOf(flat), reflect.ValueOf(dst)
	box := make([]int, len(ranges))
	for i, r := range ranges {
		box[i] = r.Len()
	}
	for k := range to.Len() {
		index, rest, step := 0, k, 1
		for i := len(box) - 1; i >= 0; i-- {
			index += (ranges[i].Start + rest%box[i]) * step
			rest /= box[i]
			step *= t.Dims[i]
		}
		to.Index(k).Set(from.Index(index))
	}
}

// requireShard fails the test unless what the device of shard holds equals the elements of the
// tensor flat, of type typ, in its ranges, with zeros as padding. Messages begin with label.
func requireShard(t *testing.T, label string, flat any, typ ir.Type, shard runtime.Shard) {
	require.Equal(t, shard.Local, shard.Buffer.Type(), label)
	got := dtypes.MakeAnySlice(typ.DType, shard.Local.Size())
	require.NoError(t, shard.Buffer.Read(context.Background(), rawBytes(got)), label)
	local, from := reflect.ValueOf(got), reflect.ValueOf(flat)
	for k := range local.Len() {
		index, rest, step, padding := 0, k, 1, false
		for i := len(typ.Dims) - 1; i >= 0; i-- {
			x := rest % shard.Local.Dims[i]
			rest /= shard.Local.Dims[i]
			padding = padding || x >= shard.Ranges[i].Len()
			index += (shard.Ranges[i].Start + x) * step
			step *= typ.Dims[i]
		}
		want := reflect.Zero(local.Type().Elem())
		if !padding {
			want = from.Index(index)
		}
		require.Equal(t, rawBytes(slice1(want)), rawBytes(slice1(local.Index(k))), "%s: device %d element %d", label, shard.Device, k)
	}
}

func slice1(v reflect.Value) any {
	return reflect.Append(reflect.MakeSlice(reflect.SliceOf(v.Type()), 0, 1), v).Interface()
}

// TestPutCopies changes the slice that it has passed to Put as soon as Put returns. The arrays must
// not change. Tensors are small and large. Shards are contiguous or not, padded or not, and on one
// device or on many.
func TestPutCopies(t *testing.T) {
	c := runtimetest.Open(t, 6)
	for _, dims := range [][]int{{6, 8}, {7, 8}, {600, 801}, {1200, 1001}} {
		for _, axes := range [][]string{nil, {"", ""}, {"x", ""}, {"", "y"}, {"x", "y"}} {
			t.Run(fmt.Sprint(dims, axes), func(t *testing.T) {
				var s *layout.Sharding
				if axes != nil {
					s = split(mesh.MustParse("x=3,y=2"), axes...)
				}
				typ := ir.Tensor(dtypes.Float32, dims...)
				data := make([]float32, typ.Size())
				for i := range data {
					data[i] = float32(i)
				}
				want := slices.Clone(data)
				var arrays []*runtime.Array
				for range 3 { // some transfers begin while another one is in progress
					a, err := c.Put(typ, s, data)
					require.NoError(t, err)
					defer a.Release()
					arrays = append(arrays, a)
				}
				for i := range data {
					data[i] = -1
				}
				for _, a := range arrays {
					got, err := runtime.Values[float32](t.Context(), a)
					require.NoError(t, err)
					require.True(t, slices.Equal(want, got), "what the caller changed after Put is not in the array")
					require.Equal(t, s, a.Sharding())
					if s == nil {
						require.Len(t, a.Shards(), 1)
					}
				}
			})
		}
	}
}

// TestPutStack makes stacks: sharded evenly and unevenly, over one axis and several, replicated,
// and on one device. The bytes on each device must be those of the array that Put makes of the
// stacked tensor.
func TestPutStack(t *testing.T) {
	c := runtimetest.Open(t, 8)
	m := mesh.MustParse("x=2,y=4")
	rng := rand.New(rand.NewPCG(5, 6))
	for _, tc := range []struct {
		typ ir.Type
		s   *layout.Sharding
	}{
		{ir.Tensor(dtypes.Float32, 3, 8, 5), split(m, "", "x", "")},
		{ir.Tensor(dtypes.Float32, 3, 5, 7), split(m, "", "y", "x")},
		{ir.Tensor(dtypes.Int8, 16, 3), split(m, "", "y")},
		{ir.Tensor(dtypes.Bool, 4, 3, 2), split(m, "", "", "")},
		{ir.Tensor(dtypes.Int64, 5), split(m, "")},
		{ir.Tensor(dtypes.Float64, 2, 3), nil},
		{ir.Tensor(dtypes.Float32, 2, 0, 3), split(m, "", "x", "")},
		{ir.Tensor(dtypes.Float32, 0, 4), split(m, "", "x")},
	} {
		all := randomFlat(tc.typ, rng)
		v, size := reflect.ValueOf(all), tc.typ.WithDims(tc.typ.Dims[1:]).Size()
		a, err := c.PutStack(tc.typ, tc.s, func(yield func(any, error) bool) {
			for i := range tc.typ.Dims[0] {
				if !yield(v.Slice(i*size, (i+1)*size).Interface(), nil) {
					return
				}
			}
		})
		require.NoError(t, err)
		want, err := c.Put(tc.typ, tc.s, all)
		require.NoError(t, err)
		require.Equal(t, want.String(), a.String())
		for i, shard := range a.Shards() {
			got, expected := make([]byte, shard.Local.Bytes()), make([]byte, shard.Local.Bytes())
			require.NoError(t, shard.Buffer.Read(t.Context(), got))
			require.NoError(t, want.Shards()[i].Buffer.Read(t.Context(), expected))
			require.Equal(t, expected, got, "%s on device %d", a, shard.Device)
		}
		a.Release()
		want.Release()
	}
}

func TestPutStackErrors(t *testing.T) {
	c := runtimetest.Open(t, 8)
	m := mesh.MustParse("x=2")
	typ := ir.Tensor(dtypes.Float32, 2, 4)
	failed := errors.New("no more data")
	for _, tc := range []struct {
		typ      ir.Type
		s        *layout.Sharding
		elements []any
		end      error
		want     string
	}{
		{typ, nil, []any{make([]float32, 4)}, nil, "got 1 elements of the stack tensor<2x4xf32>, want 2"},
		{typ, nil, []any{make([]float32, 4), make([]float32, 4), nil}, nil, "got more than the 2 elements of the stack tensor<2x4xf32>"},
		{typ, nil, []any{make([]float32, 4), make([]float32, 8)}, nil, "element 1: got 8 elements for tensor<4xf32>, want 4"},
		{typ, nil, []any{make([]float32, 4)}, failed, "element 1: no more data"},
		{typ, split(m, "x", ""), nil, nil, "want a first dimension, which is not sharded"},
		{typ, split(m, ""), nil, nil, "want a first dimension, which is not sharded"},
		{ir.Tensor(dtypes.Float32), nil, nil, nil, "got a stack tensor<f32>"},
	} {
		_, err := c.PutStack(tc.typ, tc.s, func(yield func(any, error) bool) {
			for _, e := range tc.elements {
				if !yield(e, nil) {
					return
				}
			}
			if tc.end != nil {
				yield(nil, tc.end)
			}
		})
		require.ErrorContains(t, err, "runtime: PutStack: ")
		require.ErrorContains(t, err, tc.want)
	}
}

func TestSeveralClients(t *testing.T) {
	for _, n := range []int{8, 3, 16, 1} {
		runtimetest.Need(t, n)
		c := runtimetest.Open(t, n)
		require.Len(t, c.Devices(), n)
		o, err := runtime.Options{}.Complete()
		require.NoError(t, err)
		require.Equal(t, o.Platform, c.Platform())
		s := split(mesh.MustParse(fmt.Sprintf("x=%d", n)), "x")
		want := []int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
		a, err := c.Put(ir.Tensor(dtypes.Int32, 17), s, want)
		require.NoError(t, err)
		got, err := runtime.Values[int32](context.Background(), a)
		require.NoError(t, err)
		require.Equal(t, want, got)
		a.Release()
	}
}

func TestPutErrors(t *testing.T) {
	c := runtimetest.Open(t, 8)
	m := mesh.MustParse("x=2")
	f32 := func(dims ...int) ir.Type { return ir.Tensor(dtypes.Float32, dims...) }
	big := mesh.MustParse("x=16")
	for _, tc := range []struct {
		name string
		typ  ir.Type
		s    *layout.Sharding
		flat any
		want string
	}{
		{"wrong element type", f32(2), nil, []float64{1, 2}, "got []float64 as the elements of tensor<2xf32>, want []float32"},
		{"no slice", f32(), nil, float32(1), "got float32 as the elements of tensor<f32>, want []float32"},
		{"nil", f32(2), nil, nil, "got <nil>"},
		{"too few", f32(2, 2), nil, []float32{1, 2, 3}, "got 3 elements for tensor<2x2xf32>, want 4"},
		{"token", ir.Token, nil, []float32{}, "has no Go type"},
		{"packed", ir.Tensor(dtypes.Int4, 2), nil, []uint8{1}, "tensor<2xi4> has no Go type"},
		{"eight bit float", ir.Tensor(dtypes.F8E5M2, 1), nil, []uint8{1}, "has no Go type"},
		{"negative size", f32(-1), nil, []float32{}, "dimension 0 of tensor<-1xf32> is -1"},
		{"rank", f32(2, 2), split(m, "x"), []float32{1, 2, 3, 4}, "the sharding of tensor<2x2xf32>"},
		{"unknown axis", f32(2), split(m, "y"), []float32{1, 2}, `"y"`},
		{"no mesh", f32(2), &layout.Sharding{Dims: make([]layout.DimSharding, 1)}, []float32{1, 2}, "has no mesh"},
		{"partial sums", f32(2), &layout.Sharding{Mesh: m, Dims: make([]layout.DimSharding, 1), Unreduced: mesh.FullAxes("x")}, []float32{1, 2}, "is unreduced over"},
		{"too many devices", f32(16), split(big, "x"), make([]float32, 16), "names device 8, the client has 8 devices (0 to 7)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := c.Put(tc.typ, tc.s, tc.flat)
			require.ErrorContains(t, err, tc.want)
			require.ErrorContains(t, err, "runtime: Put: ")
		})
	}
	_, err := c.PutShards(f32(4), split(m, "x"), func(r []layout.Range, dst any) error { return fmt.Errorf("no data for %d", r[0].Start) })
	require.ErrorContains(t, err, "runtime: PutShards: filling the shard [0:2] of tensor<4xf32>: no data for 0")
	a, err := c.Put(f32(1), nil, []float32{1})
	require.NoError(t, err)
	_, err = runtime.Values[int32](context.Background(), a)
	require.ErrorContains(t, err, "runtime: Values[int32]: the array is tensor<1xf32>, whose elements are float32")
	require.NoError(t, a.Wait(context.Background()))
	a.Release()
	a.Release()
	_, err = a.Get(context.Background())
	require.ErrorContains(t, err, "runtime: the array tensor<1xf32> was released")
	require.ErrorContains(t, a.Wait(context.Background()), "was released")
	require.True(t, slices.ContainsFunc(a.Shards(), func(s runtime.Shard) bool { return s.Buffer.Read(context.Background(), make([]byte, 4)) != nil }))
}

func TestOpenErrors(t *testing.T) {
	ctx := context.Background()
	for _, tc := range []struct {
		name string
		o    runtime.Options
		want string
	}{
		{"devices", runtime.Options{Devices: -1}, "runtime: Options ask for -1 devices"},
		{"platform", runtime.Options{Platform: "abacus"}, `platform "abacus" is not known`},
		{"missing plugin", runtime.Options{Plugin: "/nowhere/x.so"}, "Options.Plugin names the PJRT plugin /nowhere/x.so"},
		{"not a plugin", runtime.Options{Plugin: "array_test.go"}, "array_test.go"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			runtimetest.Open(t, 1) // skips without an engine
			_, err := runtime.Open(ctx, tc.o)
			require.ErrorContains(t, err, tc.want)
		})
	}
}

// TestVisit requires that the shards that Visit yields hold each element of the array once,
// whatever the sharding, and that Visit refuses a released array.
func TestVisit(t *testing.T) {
	typ := ir.Tensor(dtypes.Uint8, 5, 7)
	want := make([]uint8, typ.Size())
	for i := range want {
		want[i] = uint8(i + 1)
	}
	for _, axes := range [][]string{nil, {"", ""}, {"x", ""}, {"", "y"}, {"x", "y"}, {"y", "x"}} {
		t.Run(fmt.Sprint(axes), func(t *testing.T) {
			var s *layout.Sharding
			if axes != nil {
				s = split(mesh.MustParse("x=3,y=2"), axes...)
			}
			a, err := runtimetest.Open(t, 6).Put(typ, s, want)
			require.NoError(t, err)
			defer a.Release()
			got := make([]uint8, len(want))
			require.NoError(t, a.Visit(t.Context(), func(r []layout.Range, data []byte) error {
				require.Len(t, data, r[0].Len()*r[1].Len())
				for i := range data {
					at := (r[0].Start+i/r[1].Len())*7 + r[1].Start + i%r[1].Len()
					require.Zero(t, got[at], "an element comes twice")
					got[at] = data[i]
				}
				return nil
			}))
			require.Equal(t, want, got)
			a.Release()
			require.ErrorContains(t, a.Visit(t.Context(), nil), "was released")
		})
	}
}
