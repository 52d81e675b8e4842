package keras_test

// This file tests FitsOn.

import (
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/memory"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/fit"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/ir/pass"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/mesh"
)

// twoLayers returns a model of two Dense layers, d1 and d2, with 64 inputs and 8 outputs, compiled
// with mse, adam and the option logger. Its mesh is data=2,model=4, without devices unless a test
// has opened some; the kernels are sharded over the axis model. opts are options of its
// distribution.
func twoLayers(t *testing.T, logger keras.CompileOption, opts ...distribution.Option) *keras.Model {
	return twoLayersWith(t, []keras.CompileOption{logger}, opts...)
}

// twoLayersWith is twoLayers with further options of Compile.
func twoLayersWith(t *testing.T, compiled []keras.CompileOption, opts ...distribution.Option) *keras.Model {
	layouts := distribution.NewLayoutMap(mesh.MustParse("data=2,model=4"))
	require.NoError(t, layouts.Set("d1/kernel", distribution.None, "model"))
	require.NoError(t, layouts.Set("d2/kernel", "model", distribution.None))
	d, err := distribution.NewModelParallel(layouts, "data", opts...)
	require.NoError(t, err)
	var m *keras.Model
	layers.ClearSession()
	require.NoError(t, distribution.Scope(d, func() error {
		x := keras.Input([]int{64}, layers.Name("x"))
		y := x.Apply(layers.Dense(256, layers.Name("d1"), layers.Activation("relu"))).Apply(layers.Dense(8, layers.Name("d2")))
		if m, err = keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y}); err != nil {
			return err
		}
		return m.Compile(append(compiled, keras.Loss("mse"), keras.Optimizer("adam"))...)
	}))
	return m
}

// zerosBatch returns a batch of 32 samples of zeros for twoLayers: inputs of 64 numbers, labels of
// 8.
func zerosBatch() data.Batch {
	zeros := func(dims ...int) *tensors.Tensor { return tensors.FromShape(shapes.Make(dtypes.Float32, dims...)) }
	return data.Batch{X: []*tensors.Tensor{zeros(32, 64)}, Y: []*tensors.Tensor{zeros(32, 8)}}
}

// The model made for 8 devices fits on each mesh of two hosts of 8 GPUs. Its weights and Adam's
// slots take 3 · 4 · (64·256+256 + 256·8+8) bytes, where they are replicated. A given mesh without
// an axis of the layouts has a row with an error. A batch without labels, and options without a
// target, are errors.
func TestFitsOn(t *testing.T) {
	m, batch := twoLayers(t, quiet), zerosBatch()
	target, err := hardware.ParseTarget("h100:2x8")
	require.NoError(t, err)
	table, err := m.FitsOn(t.Context(), batch, fit.Options{Target: target})
	require.NoError(t, err)
	require.Len(t, table.Rows, 5, "16x1, 8x2, 4x4, 2x8, 1x16")
	for _, r := range table.Rows {
		require.True(t, r.Fits, r.Error)
		if r.Mesh == "data=16,model=1" {
			all := 4 * (64*256 + 256 + 256*8 + 8)
			require.Equal(t, all, r.Memory.Parameters)
			require.InDelta(t, 2*all, r.Memory.Optimizer, 64)
		}
	}
	require.NotNil(t, table.Best())

	table, err = m.FitsOn(t.Context(), batch, fit.Options{Target: target, Meshes: []*mesh.DeviceMesh{mesh.MustParse("data=4,model=4"), mesh.MustParse("data=4,rows=4")}})
	require.NoError(t, err)
	require.Equal(t, "data=4,model=4", table.Best().Mesh)
	require.Contains(t, table.Rows[1].Error, `"model"`, "a mesh without an axis of the layouts")

	_, err = m.FitsOn(t.Context(), data.Batch{X: batch.X}, fit.Options{Target: target})
	require.ErrorContains(t, err, "the batch has no labels")
	_, err = m.FitsOn(t.Context(), batch, fit.Options{})
	require.ErrorContains(t, err, "fits on: fit: Options.Target is not set")
}

// FitsOn predicts the program of the model's own options: for each field of compile.Options, it
// returns the table that fit.Search returns for the same module and field. What Search and the
// caller set is listed. A field that o.Compile sets replaces the model's.
func TestFitsOnOptions(t *testing.T) {
	policies := memory.NewPolicies()
	require.NoError(t, policies.Set("d1", memory.Recompute))
	changes := map[string]compile.Options{
		"Partitioner":      {Partitioner: compile.XLA},
		"ShardedUpdate":    {ShardedUpdate: true},
		"FullySharded":     {FullySharded: true},
		"OffloadOptimizer": {OffloadOptimizer: true},
		"ReduceDType":      {ReduceDType: dtypes.BFloat16},
		"KeepLayouts":      {KeepLayouts: true},
		"Budget":           {Budget: report.Budget{Memory: 1000}},
		"MemoryLimit":      {MemoryLimit: 85_000},
		"KeepPlacement":    {KeepPlacement: true, MemoryLimit: 85_000, MicroBatches: 1},
		"MicroBatches":     {MicroBatches: 4},
		"MemoryPolicies":   {MemoryPolicies: policies},
		"Debug":            {Debug: pass.Debug{Off: []string{"cse"}}},
	}
	target, err := hardware.ParseTarget("h100:8")
	require.NoError(t, err)
	on := fit.Options{Target: target, Meshes: []*mesh.DeviceMesh{mesh.MustParse("data=2,model=4")}}
	fits := func(model, caller compile.Options) *fit.Table {
		on.Compile = caller
		table, err := twoLayersWith(t, []keras.CompileOption{keras.Compiler(model), quiet}).FitsOn(t.Context(), zerosBatch(), on)
		require.NoError(t, err)
		return table
	}
	plain := fits(compile.Options{}, compile.Options{})
	options := reflect.TypeFor[compile.Options]()
	for i := range options.NumField() {
		name := options.Field(i).Name
		o, ok := changes[name]
		if !ok {
			require.Contains(t, []string{"Machine", "Platform", "Cache"}, name, "say here what FitsOn does with it")
			continue
		}
		m := twoLayers(t, quiet)
		step, err := m.Lower(zerosBatch())
		require.NoError(t, err)
		search := on
		search.Compile = o
		want, err := fit.Search(t.Context(), fit.OnMesh(step, nil), search)
		require.NoError(t, err)
		require.Equal(t, want, fits(o, compile.Options{}), name)
		require.Equal(t, want, fits(compile.Options{}, o), name)
		if !slices.Contains([]string{"KeepLayouts", "KeepPlacement", "OffloadOptimizer", "Debug"}, name) {
			require.NotEqual(t, plain, want, "%s has no effect here", name)
		}
	}
	require.Equal(t, fits(compile.Options{MicroBatches: 2}, compile.Options{}), fits(compile.Options{MicroBatches: 4}, compile.Options{MicroBatches: 2}))
}

// MicroBatches, Memory and MemoryPolicies lower the peak that FitsOn predicts. A step that has run
// changes nothing.
func TestFitsOnMemory(t *testing.T) {
	target, err := hardware.ParseTarget("h100:8")
	require.NoError(t, err)
	row := func(opts ...keras.CompileOption) *fit.Row {
		d, err := distribution.NewDataParallel(distribution.Mesh(mesh.MustParse("data=8")))
		require.NoError(t, err)
		var table *fit.Table
		layers.ClearSession()
		require.NoError(t, distribution.Scope(d, func() error {
			x := keras.Input([]int{64})
			y := x
			for range 6 {
				y = y.Apply(layers.Dense(64, layers.Activation("gelu")))
			}
			m := model(t, x, y)
			require.NoError(t, m.Compile(append(opts, keras.Loss("mse"), keras.Optimizer("adam"), goEngine(t), quiet)...))
			in := tensors.FromShape(shapes.Make(dtypes.Float32, 1024, 64))
			fits := func() *fit.Table {
				table, err := m.FitsOn(t.Context(), data.Batch{X: []*tensors.Tensor{in}, Y: []*tensors.Tensor{in}}, fit.Options{Target: target})
				require.NoError(t, err)
				return table
			}
			table = fits()
			_, err := m.Fit(t.Context(), in, in, keras.BatchSize(1024), keras.Verbose(0))
			require.NoError(t, err)
			require.Equal(t, table, fits())
			return nil
		}))
		require.Empty(t, table.Rows[0].Error)
		return table.Rows[0]
	}
	policies := memory.NewPolicies()
	require.NoError(t, policies.Set("dense.*", memory.Compress))
	plain := row()
	limit := plain.Memory.Peak * 9 / 10
	require.Less(t, row(keras.MicroBatches(4)).Memory.Peak, plain.Memory.Peak)
	require.LessOrEqual(t, row(keras.Memory(fmt.Sprint(limit))).Memory.Peak, limit)
	require.Less(t, row(keras.MemoryPolicies(policies)).Memory.Peak, plain.Memory.Peak)
}

// With OffloadOptimizer, GPUs keep the two slots of the large kernel in the memory of the host. On
// CPUs nothing changes, and a warning says so.
func TestOffloadOptimizer(t *testing.T) {
	target, err := hardware.ParseTarget("h100:8")
	require.NoError(t, err)
	on := fit.Options{Target: target, Meshes: []*mesh.DeviceMesh{mesh.MustParse("data=8,model=1")}}
	plain, err := twoLayers(t, quiet).FitsOn(t.Context(), zerosBatch(), on)
	require.NoError(t, err)
	offloaded, err := twoLayers(t, quiet, distribution.OffloadOptimizer()).FitsOn(t.Context(), zerosBatch(), on)
	require.NoError(t, err)
	const slots = 2 * 4 * 64 * 256
	require.Equal(t, plain.Rows[0].Memory.Optimizer-slots, offloaded.Rows[0].Memory.Optimizer)
	require.Equal(t, slots, offloaded.Rows[0].Memory.Host)

	useDevices(t, 8)
	var warnings strings.Builder
	for _, opts := range [][]distribution.Option{nil, {distribution.OffloadOptimizer()}} {
		m := twoLayers(t, keras.Logger(slog.New(slog.NewTextHandler(&warnings, nil))), opts...)
		batch := zerosBatch()
		_, err := m.Fit(t.Context(), batch.X[0], batch.Y[0], keras.Verbose(0))
		require.NoError(t, err)
	}
	require.Equal(t, 1, strings.Count(warnings.String(), "OffloadOptimizer: it has no effect for the target cpu"), "%s", &warnings)
}
