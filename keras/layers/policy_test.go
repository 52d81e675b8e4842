package layers_test

// This file tests dtype policies; keras/saving compares a mixed model with
// Keras.

import (
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
)

// trainPolicy trains a model of Dense, relu, LayerNormalization and Dense, made under the current
// dtype policy, for two epochs, with the options more for Compile. It returns the model and the
// losses of the epochs.
func trainPolicy(t *testing.T, client *runtime.Client, more ...keras.CompileOption) (m *keras.Model, losses []float64) {
	t.Helper()
	layers.ClearSession()
	random.SetRandomSeed(4)
	x := layers.Input([]int{6})
	y := x.Apply(layers.Dense(8, layers.Activation("relu"))).Apply(layers.LayerNormalization())
	m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y.Apply(layers.Dense(3))})
	require.NoError(t, err)
	options := []keras.CompileOption{keras.Client(client), keras.Optimizer("adam"), keras.Loss("mse"), keras.Metrics("mae")}
	require.NoError(t, m.Compile(append(options, more...)...))
	in, out := make([][]float32, 8), make([][]float32, 8)
	for i := range in {
		for k := range 6 {
			in[i] = append(in[i], float32((i*5+k*3)%7)/7)
		}
		out[i] = in[i][:3]
	}
	h, err := m.Fit(t.Context(), in, out, keras.Epochs(2), keras.Shuffle(false), keras.Verbose(0))
	require.NoError(t, err)
	return m, h.Logs["loss"]
}

// TestPolicies trains with each policy. Variables and predictions must have its types. The losses
// of mixed policies must be near those of float32, within the tolerance in the table, and those of
// a mesh near those of one device. Gradients must be summed in the type in which they are computed:
// products in float32.
func TestPolicies(t *testing.T) {
	var want, inFloat32 []float64
	for _, tc := range []struct {
		policy            string
		variable, compute dtypes.DType
		tolerance         float64
	}{
		{"float32", dtypes.Float32, dtypes.Float32, 0},
		{"mixed_bfloat16", dtypes.Float32, dtypes.BFloat16, 0.02},
		{"bfloat16", dtypes.BFloat16, dtypes.BFloat16, 0.03},
		{"mixed_float16", dtypes.Float32, dtypes.Float16, 0.002},
		{"float16", dtypes.Float16, dtypes.Float16, 0.005},
	} {
		t.Run(tc.policy, func(t *testing.T) {
			require.NoError(t, layers.SetDTypePolicy(tc.policy))
			defer func() { require.NoError(t, layers.SetDTypePolicy("float32")) }()
			client := runtimetest.OpenSample(t, 4, tc.policy == "mixed_bfloat16")
			m, losses := trainPolicy(t, client)
			if inFloat32 == nil {
				inFloat32 = losses
			}
			want = inFloat32
			if tc.variable != dtypes.Float32 { // random weights of another type are others
				want = losses
			}
			require.Equal(t, tc.policy == "mixed_float16", m.Optimizer().ScalesLoss())
			require.InDeltaSlice(t, want, losses, tc.tolerance)
			for _, v := range m.Variables() {
				require.Equal(t, tc.variable, v.DType(), v.Path())
			}
			require.Equal(t, tc.compute, m.Outputs()[0].DType())
			require.Equal(t, dtypes.Float32, m.Inputs()[0].DType())
			// on so small a model the search would compute all on each device
			d, err := distribution.NewModelParallel(distribution.NewLayoutMap(mesh.MustParse("data=4")), "data", distribution.KeepLayouts())
			require.NoError(t, err)
			require.NoError(t, distribution.Scope(d, func() error {
				m, losses = trainPolicy(t, client)
				return nil
			}))
			require.InDeltaSlice(t, want, losses, tc.tolerance+1e-5)
			summed := summedTypes(m)
			require.Contains(t, summed, ir.Tensor(dtypes.Float32, 6, 8), "of the kernel, a product")
			require.Contains(t, summed, ir.Tensor(tc.compute, 8), "of the bias")
		})
	}
}

// summedTypes returns the types of the values that the all-reduces of m's first program sum, in
// order.
func summedTypes(m *keras.Model) (list []ir.Type) {
	m.Programs()[0].Module.Main().Walk(func(op *ir.Op) {
		if op.Kind == ir.OpSPMDAllReduce {
			for _, v := range op.Operands {
				list = append(list, v.Type)
			}
		}
	})
	return list
}

// TestReduceDType requires that the gradients of models with the policies mixed_bfloat16,
// mixed_float16 and float32 are summed in the type that the user says: those of kernels, biases and
// normalizations, and not the sums of the loss and the metric. The losses on 4 devices must be
// those of one up to 0.005.
func TestReduceDType(t *testing.T) {
	for _, policy := range []string{"mixed_bfloat16", "mixed_float16", "float32"} {
		for _, reduce := range []dtypes.DType{dtypes.Float32, dtypes.BFloat16} {
			t.Run(policy+" in "+reduce.String(), func(t *testing.T) {
				require.NoError(t, layers.SetDTypePolicy(policy))
				defer func() { require.NoError(t, layers.SetDTypePolicy("float32")) }()
				client := runtimetest.OpenSample(t, 4, policy == "mixed_bfloat16")
				_, want := trainPolicy(t, client)
				d, err := distribution.NewModelParallel(distribution.NewLayoutMap(mesh.MustParse("data=4")), "data", distribution.KeepLayouts())
				require.NoError(t, err)
				require.NoError(t, distribution.Scope(d, func() error {
					m, got := trainPolicy(t, client, keras.Compiler(compile.Options{ReduceDType: reduce}))
					require.InDeltaSlice(t, want, got, 0.005)
					scalars := 0
					for _, typ := range summedTypes(m) {
						switch {
						case typ.Rank() == 0:
							scalars++
							require.Equal(t, dtypes.Float32, typ.DType, "a sum of the loss or the metric")
						case typ.DType.IsFloat():
							require.Equal(t, reduce, typ.DType, "%s", typ)
						}
					}
					require.Positive(t, scalars)
					return nil
				}))
			})
		}
	}
}

// TestMasterWeights splits the kernels of a mixed model over the axis of the data. The 4 devices
// must hold parts of the float32 kernels and of their slots, and gather the kernels in bfloat16.
// Gradients of kernels must be scattered in the type that the user says, and the losses must be
// those of one device up to 0.005.
func TestMasterWeights(t *testing.T) {
	require.NoError(t, layers.SetDTypePolicy("mixed_bfloat16"))
	defer func() { require.NoError(t, layers.SetDTypePolicy("float32")) }()
	client := runtimetest.Open(t, 4)
	_, want := trainPolicy(t, client)
	layouts := distribution.NewLayoutMap(mesh.MustParse("data=4"))
	require.NoError(t, layouts.Set("dense/kernel", "", "data"))
	require.NoError(t, layouts.Set("dense_1/kernel", "data", ""))
	d, err := distribution.NewModelParallel(layouts, "data", distribution.KeepLayouts())
	require.NoError(t, err)
	require.NoError(t, distribution.Scope(d, func() error {
		m, got := trainPolicy(t, client, keras.Compiler(compile.Options{ReduceDType: dtypes.BFloat16}))
		require.InDeltaSlice(t, want, got, 0.005)
		p := m.Programs()[0]
		for i, in := range p.Inputs {
			if strings.HasSuffix(in.Name, "kernel") || strings.Contains(in.Name, "kernel_") {
				local := p.Module.Main().Params()[i].Type
				require.Equal(t, in.Type.Size(), 4*local.Size(), in.Name)
				require.Equal(t, dtypes.Float32, local.DType, in.Name)
			}
		}
		var gathered, scattered []ir.Type
		p.Module.Main().Walk(func(op *ir.Op) {
			switch op.Kind {
			case ir.OpSPMDAllGather:
				gathered = append(gathered, op.Operands[0].Type)
			case ir.OpSPMDReduceScatter:
				scattered = append(scattered, op.Operands[0].Type)
			}
		})
		require.Subset(t, gathered, []ir.Type{ir.Tensor(dtypes.BFloat16, 6, 2), ir.Tensor(dtypes.BFloat16, 2, 3)})
		require.ElementsMatch(t, []ir.Type{ir.Tensor(dtypes.BFloat16, 6, 8), ir.Tensor(dtypes.BFloat16, 8, 3)}, scattered)
		return nil
	}))
}

// A layer with a policy of its own must compute in it, and others in the global one. An unknown
// policy must be an error.
func TestPolicyOfLayer(t *testing.T) {
	x := layers.Input([]int{3})
	half := x.Apply(layers.Dense(2, layers.DTypePolicy("mixed_bfloat16")))
	require.Equal(t, dtypes.BFloat16, half.DType())
	require.Equal(t, dtypes.Float32, half.Apply(layers.NewActivation("softmax", layers.DTypePolicy("float32"))).DType())
	require.Equal(t, dtypes.Float32, half.Apply(layers.Flatten()).DType(), "its policy is the global one")
	want := `unknown dtype policy "mixed_bfloat" (did you mean "mixed_bfloat16"?): want one of float32, `
	require.ErrorContains(t, layers.SetDTypePolicy("mixed_bfloat"), want)
	require.ErrorContains(t, x.Apply(layers.Dense(1, layers.DTypePolicy("mixed_bfloat"))).Err(), want)
	require.Equal(t, "float32", layers.GlobalDTypePolicy())
}
