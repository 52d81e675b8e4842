package sharding_test

// This file tests Remesh and Annotate.

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding"
)

const fromFile = `sdy.mesh @old = <["data"=2]>
func.func @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@old, [{"data"}, {}]>}, %k: tensor<4x8xf32> loc("d1/kernel")) -> tensor<8x8xf32> {
  %0 = stablehlo.dot_general %arg0, %k, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
`

func TestRemeshAndAnnotate(t *testing.T) {
	for _, tc := range []struct {
		name, mesh  string
		rules       map[string][]string
		want        []string // shardings of the input and of the output
		remeshErr   string
		annotateErr string
	}{
		{name: "annotated", mesh: "data=2,model=4", rules: map[string][]string{".*/kernel": {"", "model"}, "result0": {"data", ""}},
			want: []string{`[{"data"}, {}]`, `[{}, {"model"}]`, `[{"data"}, {}]`}},
		{name: "an axis that the file names", mesh: "batch=8", remeshErr: `input "arg0" has a layout that the mesh does not fit`},
		{name: "dead rule", mesh: "data=2,model=4", rules: map[string][]string{"d1/kernal": {"", "model"}}, annotateErr: "d1/kernel"},
		{name: "fewer dimensions", mesh: "data=2,model=4", rules: map[string][]string{"d1/kernel": {"model"}},
			want: []string{`[{"data"}, {}]`, `[{"model"}, {}]`, `[?]`}},
		{name: "rank", mesh: "data=2,model=4", rules: map[string][]string{"d1/kernel": {"model", "", ""}}, annotateErr: `rule "d1/kernel" for "d1/kernel"`},
		{name: "refused by Set", mesh: "data=2,model=4", rules: map[string][]string{"d1/kernel": {"", "modle"}}, annotateErr: `"modle"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, err := ir.Parse(fromFile)
			require.NoError(t, err)
			dm := mesh.MustParse(tc.mesh)
			err = sharding.Remesh(m, dm)
			if tc.remeshErr != "" {
				require.ErrorContains(t, err, tc.remeshErr)
				return
			}
			require.NoError(t, err)
			layouts := layout.NewLayoutMap(dm)
			for key, axes := range tc.rules {
				layouts.Set(key, axes...) // Annotate returns the error
			}
			err = sharding.Annotate(m, layouts)
			if tc.annotateErr != "" {
				require.ErrorContains(t, err, tc.annotateErr)
				return
			}
			require.NoError(t, err)
			require.NoError(t, ir.Verify(m))
			f := m.Main()
			got := []string{f.Params()[0].Sharding.String(), f.Params()[1].Sharding.String(), f.Results[0].Sharding.String()}
			require.Equal(t, tc.want, got)
		})
	}
}

const constrainedLayers = `sdy.mesh @mesh = <["data"=2, "model"=4]>
func.func @main(%x: tensor<8x4xf32> loc("x"), %s: tensor<8xf32> loc("s")) -> tensor<8x4xf32> {
  %0 = sdy.sharding_constraint %x <@mesh, [{"data"}, {}]> : tensor<8x4xf32> loc("d1")
  %1 = sdy.sharding_constraint %s <@mesh, [{"data"}]> : tensor<8xf32> loc("d1")
  %2 = stablehlo.tanh %0 : tensor<8x4xf32> loc("d2")
  %3 = sdy.sharding_constraint %2 <@mesh, [{"data"}, {}]> : tensor<8x4xf32> loc("grad(d1)")
  %4 = sdy.sharding_constraint %3 <@mesh, [{"data"}, {}]> : tensor<8x4xf32> loc("jit(step)/d1/sharding_constraint")
  %5 = sdy.sharding_constraint %4 <@mesh, [{"data"}, {}]> : tensor<8x4xf32> loc("encoder/d1")
  return %5 : tensor<8x4xf32>
}`

// A rule for a layer's output replaces the constraints on it and on its gradient, of each by its
// rank. It gives no other value a constraint.
func TestAnnotateLayerOutputs(t *testing.T) {
	var names []string
	for _, o := range sharding.LayerOutputs(ir.MustParse(constrainedLayers).Main()) {
		names = append(names, fmt.Sprint(o.Name, " ", len(o.Constraints)))
	}
	require.Equal(t, []string{"d1/output 3", "encoder/d1/output 1"}, names)
	for rule, want := range map[string][]string{
		"d1/output":    {`[{"model"}, {}]`, `[{"model"}]`, `[{"model"}, {}]`, `[{"data"}, {}]`, `[{"data"}, {}]`},
		".*d1/output":  {`[{"model"}, {}]`, `[{"model"}]`, `[{"model"}, {}]`, `[{"data"}, {}]`, `[{"model"}, {}]`},
		"encoder/.*":   {`[{"data"}, {}]`, `[{"data"}]`, `[{"data"}, {}]`, `[{"data"}, {}]`, `[{"model"}, {}]`},
		"(x|.*output)": {`[{"model"}, {}]`, `[{"model"}]`, `[{"model"}, {}]`, `[{"data"}, {}]`, `[{"model"}, {}]`},
	} {
		m := ir.MustParse(constrainedLayers)
		layouts := layout.NewLayoutMap(m.Meshes[0].Mesh)
		require.NoError(t, layouts.Set(rule, "model"))
		require.NoError(t, sharding.Annotate(m, layouts))
		require.NoError(t, ir.Verify(m))
		var got []string
		m.Main().Walk(func(op *ir.Op) {
			if op.Kind == ir.OpShardingConstraint {
				got = append(got, op.ShardingConstraint().Sharding().String())
			}
		})
		require.Equal(t, want, got, rule)
	}
	m := ir.MustParse(constrainedLayers)
	layouts := layout.NewLayoutMap(m.Meshes[0].Mesh)
	require.NoError(t, layouts.Set("d1/output", "model", ""))
	require.ErrorContains(t, sharding.Annotate(m, layouts), `rule "d1/output" for "d1/output"`)
	layouts = layout.NewLayoutMap(m.Meshes[0].Mesh)
	require.NoError(t, layouts.Set("d2/output", "model"))
	require.ErrorContains(t, sharding.Annotate(m, layouts), "d1/output", "d2 has no constraint")
}

// If many values do not fit a mesh for the same reasons, the error of Remesh has one line for each
// reason, which counts the values.
func TestRemeshTellsACauseOnce(t *testing.T) {
	var text strings.Builder
	text.WriteString("sdy.mesh @mesh = <[\"data\"=2, \"model\"=4]>\nfunc.func @main(")
	for i := range 100 {
		fmt.Fprintf(&text, "%%w%d: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{%s}, {}]>}, ", i, []string{`"data"`, `"model"`}[i%2])
	}
	text.WriteString("%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }")
	m, err := ir.Parse(text.String())
	require.NoError(t, err)
	err = sharding.Remesh(m, mesh.MustParse("x=2"))
	require.Len(t, strings.Split(err.Error(), "\n"), 2)
	require.ErrorContains(t, err, `unknown axis "data"`)
	require.ErrorContains(t, err, `unknown axis "model"`)
	require.ErrorContains(t, err, "(and 49 more like this)")
}

const trained = `sdy.mesh @mesh = <["data"=2, "model"=4]>
func.func @main(%x: tensor<8x4xf32> loc("x"), %w: tensor<4x8xf32> {tf.aliasing_output = 0 : i32} loc("w"), %m: tensor<4x8xf32> {tf.aliasing_output = 1 : i32} loc("m"))
    -> (tensor<4x8xf32> {jax.result_info = "w2"}, tensor<4x8xf32> {jax.result_info = "m2"}, tensor<8x8xf32>) {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %g = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %m2 = stablehlo.add %m, %g : tensor<4x8xf32>
  %w2 = stablehlo.subtract %w, %m2 : tensor<4x8xf32>
  return %w2, %m2, %y : tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x8xf32>
}`

// The slots of a weight, and the results that take over buffers, get the sharding of the weight
// unless they have a rule or a sharding of their own.
func TestAnnotateCarriesAlong(t *testing.T) {
	const rows, columns = `[{"model"}, {}]`, `[{}, {"model"}]`
	for _, tc := range []struct {
		name  string
		slot  []string // axes of the slot's own sharding; nil: it has none
		rules [][]string
		want  [4]string // shardings of w, m, w2, m2; "" is none
	}{
		{"the slot has none, as the weight", nil, [][]string{{"w", "model", ""}}, [4]string{rows, rows, rows, rows}},
		{"the slot has one of its own", []string{"", "model"}, [][]string{{"w", "model", ""}}, [4]string{rows, columns, rows, ""}},
		{"the slot has a rule", nil, [][]string{{"w", "model", ""}, {"m", "", "model"}}, [4]string{rows, columns, rows, columns}},
		{"the result has a rule", nil, [][]string{{"w", "model", ""}, {"m2", "", "model"}}, [4]string{rows, rows, rows, columns}},
		{"a later rule goes first", nil, [][]string{{".*", "model", ""}, {"w|m", "", "model"}}, [4]string{columns, columns, rows, rows}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := ir.MustParse(trained)
			f := m.Main()
			dm := m.Meshes[0].Mesh
			if tc.slot != nil {
				l, err := layout.NewTensorLayout(tc.slot, dm)
				require.NoError(t, err)
				f.Params()[2].Sharding, err = l.Sharding(2)
				require.NoError(t, err)
			}
			layouts := layout.NewLayoutMap(dm)
			for _, r := range tc.rules {
				require.NoError(t, layouts.Override(r[0], r[1:]...))
			}
			require.NoError(t, sharding.Annotate(m, layouts))
			var got [4]string
			for i, s := range []*layout.Sharding{f.Params()[1].Sharding, f.Params()[2].Sharding, f.Results[0].Sharding, f.Results[1].Sharding} {
				if s != nil {
					got[i] = s.String()
				}
			}
			require.Equal(t, tc.want, got)
		})
	}
}
