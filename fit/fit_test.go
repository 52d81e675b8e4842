package fit_test

// This file tests tables for programs that JAX exported, as text and as JSON, and for programs that
// do not fit or cannot be compiled; candidate meshes and their order; and errors.

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/fit"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/testing/golden"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
)

// search evaluates the module in a file on the given meshes (a text for fit.ParseMeshes) of a
// target such as "v5e:2x4", by fit.Search, and returns the table. change, which may be nil, may
// change the options before.
func search(t *testing.T, target, file, meshes string, change func(*fit.Options)) *fit.Table {
	t.Helper()
	to, err := hardware.ParseTarget(target)
	require.NoError(t, err)
	m, err := ir.ParseFile(file)
	require.NoError(t, err)
	o := fit.Options{Target: to}
	o.Meshes, err = fit.ParseMeshes(meshes, fit.Axes(m), to.Devices())
	require.NoError(t, err)
	if change != nil {
		change(&o)
	}
	out, err := fit.Search(t.Context(), fit.OnMesh(m, nil), o)
	require.NoError(t, err)
	return out
}

// If the target's compiler fails for a mesh, its row has the error, and the next mesh is tried,
// which has another error here. For one program the compiler's error is that of Of.
func TestCompilerFails(t *testing.T) {
	needs.Cgo(t, runtime.HasPJRT)
	large, err := hardware.ParseTarget("v5e:2x4")
	require.NoError(t, err)
	machine := func(dm *mesh.DeviceMesh) (*cost.Machine, error) { return cost.MachineFor(large, dm) }
	const want = "has device 7, and the target 4 devices"
	var o fit.Options
	table := search(t, "v5e:2x2", step, "2x2", func(x *fit.Options) {
		x.Compiler, x.Machine, x.AOT.Plugin = true, machine, "/nowhere"
		x.Meshes = append([]*mesh.DeviceMesh{mesh.MustParse("data=2,model=4")}, x.Meshes...)
		o = *x
	})
	require.Len(t, table.Rows, 2)
	require.Contains(t, table.Rows[0].Error, want)
	require.Contains(t, table.Rows[1].Error, "/nowhere")
	require.Contains(t, table.String(), want)

	m, err := ir.ParseFile(step)
	require.NoError(t, err)
	m, err = fit.OnMesh(m, nil)(o.Meshes[0])
	require.NoError(t, err)
	on, err := machine(o.Meshes[0])
	require.NoError(t, err)
	p, err := compile.Compile(t.Context(), m, compile.Options{Machine: on, Platform: on.Platform})
	require.NoError(t, err)
	none, err := fit.Of(t.Context(), p, o)
	require.ErrorContains(t, err, want)
	require.Nil(t, none)
}

func TestGolden(t *testing.T) {
	golden.Run(t, "testdata/*.txtar", 3, func(t *testing.T, a *txtar.Archive) map[string]string {
		part := func(i int) string { return strings.TrimSpace(string(a.Files[i].Data)) }
		return map[string]string{"table": search(t, part(0), part(1), part(2), nil).String()}
	})
}

const step = "../cmd/gospmd/testdata/jax/mlp_step.mlir"

// The JSON form has the figures of the table, the best mesh first.
func TestJSON(t *testing.T) {
	table := search(t, "v5e:2x4", step, "all", nil)
	text, err := json.Marshal(table)
	require.NoError(t, err)
	var again fit.Table
	require.NoError(t, json.Unmarshal(text, &again))
	require.Equal(t, table.String(), again.String())
	require.Equal(t, table.Rows[0], table.Best())
	for i, r := range table.Rows[1:] {
		require.GreaterOrEqual(t, r.Prediction.Seconds, table.Rows[i].Prediction.Seconds)
	}
}

// The table names its machine, if that is not the target's.
func TestOtherMachine(t *testing.T) {
	table := search(t, "v5e:2x4", step, "2x4", func(o *fit.Options) {
		o.Machine = func(dm *mesh.DeviceMesh) (*cost.Machine, error) { return cost.MachineNamed("v5p:2x2x2", dm) }
	})
	require.Contains(t, table.String(), " on v5e:2x4, ")
	require.Contains(t, table.String(), "our own estimate for the machine v5p:2x2x2: ")
	require.NotContains(t, search(t, "v5e:2x4", step, "2x4", nil).String(), "for the machine")
}

// A program that is larger than a device's memory does not fit. The meshes that need least memory
// come first.
func TestTooLarge(t *testing.T) {
	table := search(t, "v5e:2x4", step, "all", func(o *fit.Options) {
		o.Machine = func(dm *mesh.DeviceMesh) (*cost.Machine, error) {
			m, err := cost.MachineFor(o.Target, dm)
			m.Memory = 1000
			return m, err
		}
	})
	require.Nil(t, table.Best())
	require.Contains(t, table.String(), "it fits on none of them")
	for i, r := range table.Rows {
		require.False(t, r.Fits)
		require.True(t, i == 0 || r.Memory.Peak >= table.Rows[i-1].Memory.Peak)
	}
}

// Meshes that the program cannot be compiled for come last, with the reason, which may be an error
// of the Build.
func TestNoProgram(t *testing.T) {
	table := search(t, "v5e:2x2", step, "4x1,4x4,2x2", nil)
	require.Contains(t, table.Rows[2].Error, "mesh data=4,model=4 has device 4, the target v5e:2x2 has 4 devices")
	require.True(t, table.Rows[1].Fits)
	m, err := ir.ParseFile(step)
	require.NoError(t, err)
	to, err := hardware.ParseTarget("v5e:2x2")
	require.NoError(t, err)
	out, err := fit.Search(t.Context(), func(*mesh.DeviceMesh) (*ir.Module, error) { return m, errors.New("no") },
		fit.Options{Target: to, Meshes: []*mesh.DeviceMesh{mesh.MustParse("data=4")}})
	require.NoError(t, err)
	require.Contains(t, out.String(), "data=4: no")
}

func TestErrors(t *testing.T) {
	to, err := hardware.ParseTarget("v5e:2x2")
	require.NoError(t, err)
	for _, tc := range []struct {
		o    fit.Options
		want string
	}{
		{fit.Options{}, "Options.Target is not set"},
		{fit.Options{Target: to}, "Options.Meshes is empty"},
		{fit.Options{Machine: func(*mesh.DeviceMesh) (*cost.Machine, error) { return nil, nil }, Compiler: true}, "a machine file has no compiler"},
	} {
		_, err := fit.Search(t.Context(), nil, tc.o)
		require.ErrorContains(t, err, tc.want)
	}
}

func TestParseMeshes(t *testing.T) {
	axes := []string{"data", "model"}
	for _, tc := range []struct {
		text string
		axes []string
		want string
		err  string
	}{
		{"all", axes, "data=8,model=1 data=4,model=2 data=2,model=4 data=1,model=8", ""},
		{"all", []string{"a"}, "a=8", ""},
		{"2x4,8x1", axes, "data=2,model=4 data=8,model=1", ""},
		{"data=2,model=4", nil, "data=2,model=4", ""},
		{"2x2x2", axes, "", `mesh "2x2x2" of the axes data, model`},
		{"2x", axes, "", `mesh "2x" of the axes data, model`},
		{"2x4", nil, "", `the meshes "2x4" have no axes, and neither has the program`},
		{"all", nil, "", "name the axes"},
		{"data=", axes, "", "fit: "},
	} {
		t.Run(tc.text, func(t *testing.T) {
			got, err := fit.ParseMeshes(tc.text, tc.axes, 8)
			if tc.err != "" {
				require.ErrorContains(t, err, tc.err)
				return
			}
			require.NoError(t, err)
			var names []string
			for _, dm := range got {
				names = append(names, dm.String())
			}
			require.Equal(t, tc.want, strings.Join(names, " "))
		})
	}
}
