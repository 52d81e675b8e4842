package cost_test

// This file tests reading, writing and using machine files, and the errors of wrong ones.

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/mesh"
)

const machineText = `{
  "name": "two hosts",
  "flops": {"f32": 1e12, "bf16": 2e12},
  "exact_flops": 5e11,
  "memory": 1000000,
  "memory_bandwidth": 1e11,
  "overlap": true,
  "links": [
    {"kind": "bus", "latency": 1e-6, "bandwidth": 1e10, "reach": 4},
    {"kind": "net", "latency": 1e-5, "bandwidth": 1e9}
  ],
  "notes": "by hand"
}`

func TestMachineFile(t *testing.T) {
	f, err := cost.ParseMachineFile([]byte(machineText))
	require.NoError(t, err)
	dm := mesh.MustParse("host=2,gpu=4")
	m, err := f.For(dm)
	require.NoError(t, err)
	require.Equal(t, "two hosts", m.Name)
	require.Equal(t, map[dtypes.DType]float64{dtypes.Float32: 1e12, dtypes.BFloat16: 2e12}, m.Flops)
	require.Equal(t, 1e12, m.FlopsPerSecond)
	require.Equal(t, 5e11, m.Exact)
	require.Equal(t, 1000000, m.Memory)
	require.True(t, m.Overlap)
	require.Equal(t, cost.Link{Kind: "bus", Latency: 1e-6, Bandwidth: 1e10}, m.Axes["gpu"])
	require.Equal(t, cost.Link{Kind: "net", Latency: 1e-5, Bandwidth: 1e9}, m.Axes["host"])
	require.Equal(t, 4e9, m.LinkOver(mesh.FullAxes("host", "gpu")).Bandwidth, "four links between the hosts")

	path := filepath.Join(t.TempDir(), "machine.json")
	require.NoError(t, f.Write(path))
	again, err := cost.ReadMachineFile(path)
	require.NoError(t, err)
	require.Equal(t, f, again)
	named, err := cost.MachineNamed(path, dm)
	require.NoError(t, err)
	require.Equal(t, m.Axes, named.Axes)

	require.Empty(t, m.Platform)
	require.NoError(t, m.SetPlatform("tpu"))
	require.Equal(t, "tpu", m.Platform)
	f.Platform = "cuda"
	m, err = f.For(dm)
	require.NoError(t, err)
	require.True(t, m.Overlap)
	require.ErrorContains(t, m.SetPlatform("tpu"), "the machine two hosts has devices of the platform cuda: want one of the platform tpu")
	require.Equal(t, "cuda", m.Platform)

	f.Axes = map[string]cost.FileLink{"gpu": {Kind: "wire", Bandwidth: 5}}
	m, err = f.For(dm)
	require.NoError(t, err)
	require.Equal(t, 5.0, m.LinkOver(mesh.FullAxes("host", "gpu")).Bandwidth, "what the file says of an axis holds")
	f.Axes = map[string]cost.FileLink{"z": {Bandwidth: 5}}
	_, err = f.For(dm)
	require.ErrorContains(t, err, `Axes names "z", the mesh has the axes [host gpu]`)
}

func TestMachineFileErrors(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"nothing", "", "the object is not complete"},
		{"half", `{"name": "a"`, "the object is not complete"},
		{"syntax", "{\n\"name\" \"a\"}", "line 2: "},
		{"more", `{"name": "a", "flops": {"f32": 1}, "links": [{"bandwidth": 1}]} {}`, "something follows the object"},
		{"a misspelt field", `{"nam": "a"}`, `the field "nam" is not known (did you mean "name"?)`},
		{"a misspelt field of a link", `{"links": [{"bandwith": 1}]}`, `the field "bandwith" is not known (did you mean "bandwidth"?)`},
		{"a text for a number", `{"memory": "16GB"}`, `"memory" is a JSON string: want a int`},
		{"no name", `{"flops": {"f32": 1}, "links": [{"bandwidth": 1}]}`, `"name" is missing`},
		{"no flops", `{"name": "a", "links": [{"bandwidth": 1}]}`, `"flops" is missing`},
		{"no such type", `{"name": "a", "flops": {"float": 1}, "links": [{"bandwidth": 1}]}`, `"flops" has "float": want element types such as f32`},
		{"zero flops", `{"name": "a", "flops": {"f32": 0}, "links": [{"bandwidth": 1}]}`, `"flops.f32" is 0: want a positive number`},
		{"negative memory", `{"name": "a", "memory": -1, "flops": {"f32": 1}, "links": [{"bandwidth": 1}]}`, `"memory" is -1: want a positive number`},
		{"no links", `{"name": "a", "flops": {"f32": 1}}`, `"links" has 0: want one, or two`},
		{"no bandwidth", `{"name": "a", "flops": {"f32": 1}, "links": [{"latency": 1}]}`, `"links[0].bandwidth" is 0: want a positive number`},
		{"no reach", `{"name": "a", "flops": {"f32": 1}, "links": [{"bandwidth": 1}, {"bandwidth": 1}]}`, `"links[0].reach" is 0`},
		{"an axis", `{"name": "a", "flops": {"f32": 1}, "links": [{"bandwidth": 1}], "axes": {"x": {"latency": -1, "bandwidth": 1}}}`, `"axes.x.latency" is -1`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := cost.ParseMachineFile([]byte(tc.text))
			require.ErrorContains(t, err, tc.want)
		})
	}
	dm := mesh.MustParse("x=2")
	_, err := cost.MachineNamed("missing.json", dm)
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = cost.MachineNamed("v5x:2x4", dm)
	require.ErrorContains(t, err, "or cpu for virtual devices; or the name of a machine file")
	m, err := cost.MachineNamed("cpu", dm)
	require.NoError(t, err)
	require.Equal(t, cost.Host(), m)
}
