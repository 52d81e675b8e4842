package sharding_test

// This file tests what a module from a file is given.

import (
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
		want        []string // of inputs and output
		remeshErr   string
		annotateErr string
	}{
		{name: "annotated", mesh: "data=2,model=4", rules: map[string][]string{".*/kernel": {"", "model"}, "result0": {"data", ""}},
			want: []string{`[{"data"}, {}]`, `[{}, {"model"}]`, `[{"data"}, {}]`}},
		{name: "an axis that the file names", mesh: "batch=8", remeshErr: `input "arg0" has a layout that the mesh does not fit`},
		{name: "dead rule", mesh: "data=2,model=4", rules: map[string][]string{"d1/kernal": {"", "model"}}, annotateErr: "d1/kernel"},
		{name: "rank", mesh: "data=2,model=4", rules: map[string][]string{"d1/kernel": {"model"}}, annotateErr: `rule "d1/kernel" for "d1/kernel"`},
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
				layouts.Set(key, axes...) // Annotate returns what is wrong
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
