package gomlxbackend_test

// This file tests configurations, the programs that are shown to users, and tensors without
// elements and with elements of less than a byte.

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/gomlxbackend"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
)

func TestConfigurations(t *testing.T) {
	rules := filepath.Join(t.TempDir(), "rules")
	require.NoError(t, os.WriteFile(rules, []byte("# none\n\na=data\nb=-,rows\n"), 0o644))
	for _, tc := range []struct{ config, want string }{
		{"mash=2x4", `the key "mash" is not known (did you mean "mesh"?): the keys are mesh, devices, axes, layouts, batch, platform, engine, partitioner`},
		{"2x4", `got "2x4", want key=value`},
		{"mesh=2x4;mesh=8x1", `the key "mesh" is given twice`},
		{"devices=some", `devices: got "some", want the number of devices`},
		{"devices=2,mesh=2x1", "leave out mesh, axes, batch and layouts, or devices"},
		{"mesh=2y4", `shape "2y4"`},
		{"mesh=2x2x2", `want 2, one for each axis; axes=data,fsdp,model names them`},
		{"axes=data", "give mesh, such as mesh=2x4"},
		{"mesh=2x4,batch=rows", `batch: the mesh has no axis "rows"`},
		{"partitioner=shardy", `partitioner: got "shardy", want spmd or xla`},
		{"mesh=2x4,layouts=nowhere.txt", `layouts: there is no file "nowhere.txt"`},
		{"mesh=2x4,layouts=" + rules, rules + ":4: "},
		{"mesh=2x4,platform=abacus", "abacus"},
	} {
		_, err := compute.NewWithConfig("gospmd:" + tc.config)
		require.ErrorContains(t, err, tc.want, tc.config)
	}
}

// configWithRules writes layout rules to a temporary file, and returns the configuration of a
// backend with that file added.
func configWithRules(t *testing.T, config, rules string) string {
	file := filepath.Join(t.TempDir(), "layouts.txt")
	require.NoError(t, os.WriteFile(file, []byte(rules), 0o644))
	return config + ",layouts=" + file
}

// runScaled runs a graph on b that computes a loss of an input, 8x4, and a variable
// /model/dense/weights, 4x4, and a new value of the variable. If donate is true, the new value
// takes over the variable's memory. It returns the error that GoMLX throws in the run.
func runScaled(t *testing.T, b compute.Backend, donate bool) error {
	g := graph.NewGraph(b, "scaled")
	x := graph.Parameter(g, "arg0", matrixShape(8, 4))
	w := graph.Parameter(g, "/model/dense/weights", matrixShape(4, 4))
	require.NoError(t, g.Compile(graph.ReduceAllSum(graph.Dot(x, w).Product()), graph.MulScalar(w, 0.5)))
	buffers := make([]compute.Buffer, 2)
	var err error
	for i, n := range []int{32, 16} {
		buffers[i], err = b.BufferFromFlatData(0, make([]float32, n), []shape{matrixShape(8, 4), matrixShape(4, 4)}[i])
		require.NoError(t, err)
	}
	return tryCatch(func() { g.RunWithBuffers(buffers, []bool{false, donate}, 0) })
}

// When a graph trains, a rule that matches no variable is an error. GoMLX throws it. Other graphs
// may have such rules.
func TestDeadRule(t *testing.T) {
	b := open(t, configWithRules(t, "mesh=2x2,engine=go", "/model/dence/weights=-,model\n"))
	require.NoError(t, runScaled(t, b, false))
	require.ErrorContains(t, runScaled(t, b, true), `layouts: the rule "/model/dence/weights" matches nothing; the nearest paths are`)
}

// OnCompile and $GOSPMD_PROGRAMS show programs. The layers in them are the scopes of variables.
func TestPrograms(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "programs") // the backend makes it
	t.Setenv(gomlxbackend.ProgramsVar, dir)
	var seen []*program.Program
	gomlxbackend.OnCompile(func(p *program.Program) { seen = append(seen, p) })
	b := open(t, configWithRules(t, "mesh=2x2,engine=go", "model/dense/weights=-,model\n"))
	require.NoError(t, runScaled(t, b, true))
	require.Len(t, seen, 1)
	require.Equal(t, "[{}, {\"model\"}]", fmt.Sprint(seen[0].Inputs[1].Sharding))
	require.Equal(t, "[{\"data\"}, {}]", fmt.Sprint(seen[0].Inputs[0].Sharding))
	require.Equal(t, 1, seen[0].Inputs[1].Alias)
	files, err := filepath.Glob(filepath.Join(dir, "*.mlir"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	m, err := ir.Parse(string(text))
	require.NoError(t, err)
	layers := map[string]bool{}
	m.Main().Walk(func(op *ir.Op) { layers[op.Loc.Path] = true })
	require.True(t, layers["model/dense"], "%v", layers)
}

// A tensor without elements can be an input and a result. GoMLX passes no slice for it.
func TestNoElements(t *testing.T) {
	for _, config := range []string{"mesh=single", "mesh=2x2", "devices=2"} {
		b := open(t, config+",engine=go")
		x, err := b.BufferFromFlatData(0, nil, matrixShape(0, 3))
		require.NoError(t, err)
		require.NoError(t, x.ToFlatData(nil))
		g := graph.NewGraph(b, "none")
		require.NoError(t, g.Compile(graph.Neg(graph.Parameter(g, "x", matrixShape(0, 3)))))
		require.Empty(t, g.RunWithBuffers([]compute.Buffer{x}, []bool{false}, 0)[0].Value())
		_, err = b.BufferFromFlatData(0, nil, matrixShape(1, 3))
		require.ErrorContains(t, err, "got <nil> of 0 elements, want []float32 of the 3 elements of tensor<1x3xf32>")
	}
}

// Elements of less than a byte are unpacked, also in constants, which XLA would fold wrongly.
func TestSmallTypes(t *testing.T) {
	for _, engine := range []string{"pjrt", "go"} {
		t.Run(engine, func(t *testing.T) {
			if engine == "pjrt" {
				needs.Cgo(t, runtime.HasPJRT)
			}
			b := open(t, "mesh=2x2,engine="+engine)
			g := graph.NewGraph(b, "nibbles")
			packed := graph.Const(g, [][]uint8{{0xF0, 0x77}, {0x0F, 0x77}})
			require.NoError(t, g.Compile(graph.ConvertDType(graph.Bitcast(packed, dtypes.Int4), dtypes.Float32)))
			require.Equal(t, [][][]float32{{{0, -1}, {7, 7}}, {{-1, 0}, {7, 7}}}, g.Run()[0].Value())
		})
	}
}
