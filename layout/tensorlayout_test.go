package layout_test

// This file tests the layouts that users write.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

var dataModel = mesh.MustParse("data=2,model=4")

func TestTensorLayout(t *testing.T) {
	for _, tc := range []struct {
		name string
		axes []string
		m    *mesh.DeviceMesh
		rank int
		text string // of the layout
		want string // the sharding's text
		// parts of the error, of NewTensorLayout or of Sharding; empty means success
		newErr, shardErr []string
	}{
		{name: "one axis", axes: []string{layout.None, "model"}, m: dataModel, rank: 2,
			text: "(none, model)", want: `[{}, {"model"}]`},
		{name: "both axes", axes: []string{"model", "data"}, m: dataModel, rank: 2,
			text: "(model, data)", want: `[{"model"}, {"data"}]`},
		{name: "two axes, one dim", axes: []string{"data+model", ""}, m: dataModel, rank: 2,
			text: "(data+model, none)", want: `[{"data", "model"}, {}]`},
		{name: "scalar", m: dataModel, text: "()", want: "[]"},
		{name: "no axis and no mesh", axes: []string{"", ""}, rank: 2, text: "(none, none)", want: "[{}, {}]"},
		{name: "no mesh", axes: []string{"model"}, rank: 1, text: "(model)",
			shardErr: []string{"layout (model) has no mesh", "put the layout into a LayoutMap"}},
		{name: "unknown axis", axes: []string{"", "modle"}, m: dataModel,
			newErr: []string{"layout (none, modle)", "dim 1", `unknown axis "modle" (did you mean "model"?)`,
				`the mesh data=2,model=4 has axes "data", "model"`, "use one of these, or None"}},
		{name: "axis twice", axes: []string{"model", "", "model"}, m: dataModel,
			newErr: []string{`layout (model, none, model): axis "model" shards dim 0 and again dim 2`, "may be used once"}},
		{name: "axis twice without a mesh", axes: []string{"x", "x"}, newErr: []string{"dim 0 and again dim 1"}},
		{name: "axis twice in one dim", axes: []string{"data+data"}, m: dataModel, newErr: []string{"dim 0 and again dim 0"}},
		{name: "all faults", axes: []string{"x", "model", "model"}, m: dataModel,
			newErr: []string{`unknown axis "x"`, "dim 1 and again dim 2"}},
		{name: "dangling plus", axes: []string{"data+"}, m: dataModel, newErr: []string{`dim 0 is "data+"`, `such as "data+model"`}},
		{name: "rank too small", axes: []string{"", "model"}, m: dataModel, rank: 1, text: "(none, model)",
			shardErr: []string{"is for 2 dimensions, the tensor has 1", "at most one axis, or None, for each dimension"}},
		{name: "shorter than the tensor", axes: []string{"model"}, m: dataModel, rank: 3, text: "(model)", want: `[{"model"}, {}, {}]`},
		{name: "None in quotes", axes: []string{"None", "model"}, m: dataModel,
			newErr: []string{`dim 0: "None" is the name of no axis: write distribution.None, without quotes`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l, err := layout.NewTensorLayout(tc.axes, tc.m)
			if len(tc.newErr) > 0 {
				requireParts(t, err, tc.newErr)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tc.text, l.String())
			require.Equal(t, len(tc.axes), len(l.Axes()))
			require.Equal(t, tc.m, l.DeviceMesh())
			s, err := l.Sharding(tc.rank)
			if len(tc.shardErr) > 0 {
				requireParts(t, err, tc.shardErr)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tc.want, s.String())
			require.NoError(t, s.Validate(tc.rank))
		})
	}
}

func requireParts(t *testing.T, err error, parts []string) {
	t.Helper()
	for _, p := range parts {
		require.ErrorContains(t, err, p)
	}
}

func TestTensorLayoutKeepsItsMesh(t *testing.T) {
	l, err := layout.NewTensorLayout([]string{"model"}, nil)
	require.NoError(t, err)
	placed, err := l.OnMesh(dataModel)
	require.NoError(t, err)
	require.Nil(t, l.DeviceMesh(), "a layout never changes")
	require.Equal(t, dataModel, placed.DeviceMesh())

	same, err := placed.OnMesh(mesh.MustParse("data=2,model=4"))
	require.NoError(t, err)
	require.True(t, same.Equal(placed))
	require.False(t, l.Equal(placed))
	require.False(t, l.Equal(nil))

	_, err = placed.OnMesh(mesh.MustParse("model=8"))
	requireParts(t, err, []string{"is on the mesh data=2,model=4", "cannot move to the mesh model=8", "make it without a mesh"})
	_, err = l.OnMesh(mesh.MustParse("batch=8"))
	require.ErrorContains(t, err, `unknown axis "model"`)
}

func TestTensorLayoutIsACopy(t *testing.T) {
	axes := []string{"data", ""}
	l, err := layout.NewTensorLayout(axes, dataModel)
	require.NoError(t, err)
	axes[0] = "nonsense"
	l.Axes()[1] = "nonsense"
	require.Equal(t, []string{"data", ""}, l.Axes())
}
