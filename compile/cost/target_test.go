package cost_test

// This file tests which links mesh axes use, against figures computed by hand.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/mesh"
)

func target(t *testing.T, name string) hardware.Target {
	t.Helper()
	out, err := hardware.ParseTarget(name)
	require.NoError(t, err)
	return out
}

// A collective over axes of a mesh has the right kind of link, bandwidth and latency on a target.
// In one direction of an axis, ICI sends 45 GB/s on v5e and 90 GB/s on v5p. Each chip that a
// message passes takes 1 µs.
func TestMachineFor(t *testing.T) {
	full, part := mesh.FullAxes, mesh.SubAxisRef
	for _, tc := range []struct {
		name, target, mesh string
		axes               []mesh.AxisRef
		kind               string
		gigabytes, micros  float64
	}{
		{"a line of 4", "v5e:4x4", "data=4,model=4", full("model"), "ICI", 45, 3},
		{"another line of 4", "v5e:4x4", "data=4,model=4", full("data"), "ICI", 45, 3},
		{"both", "v5e:4x4", "data=4,model=4", full("data", "model"), "ICI", 90, 6},
		{"a ring: both directions, half as many steps", "v5e:16x16", "data=16,model=16", full("data"), "ICI", 90, 8},
		{"two rings", "v5e:16x16", "data=16,model=16", full("model", "data"), "ICI", 180, 16},
		{"an axis of 16, the other of 8: a ring and a line", "v5e:8x16", "data=16,model=8", full("data", "model"), "ICI", 135, 15},
		{"4 of the first 2x2", "v5e:2x4", "data=2,model=4", full("model"), "ICI", 90, 2},
		{"every second: two groups share the line", "v5e:2x4", "data=2,model=4", full("data"), "ICI", 22.5, 2},
		{"axes of two shardings", "v5e:2x4", "data=2,model=4", append(full("model", "data"), full("model")...), "ICI", 90, 4},
		{"an axis and a part of it", "v5e:16x16", "all=256", []mesh.AxisRef{part("all", 1, 16), mesh.FullAxis("all")}, "ICI", 180, 16},
		{"parts that overlap", "v5e:16x16", "all=256", []mesh.AxisRef{part("all", 1, 16), part("all", 8, 4)}, "ICI", 180, 16},
		{"axes of one device", "v5e:2x4", "a=1,b=1,data=8", full("a", "b"), "ICI", 90, 1},
		{"in the order of the torus", "v5e:2x4", "data=4,model=2", full("data"), "ICI", 45, 3},
		{"next to each other", "v5e:2x4", "data=4,model=2", full("model"), "ICI", 45, 1},
		{"all on one axis", "v5e:2x4", "all=8", full("all"), "ICI", 90, 4},
		{"the major part of an axis", "v5e:16x16", "all=256", []mesh.AxisRef{part("all", 1, 16)}, "ICI", 90, 8},
		{"every fourth of a ring", "v5e:16x16", "all=256", []mesh.AxisRef{part("all", 16, 4)}, "ICI", 22.5, 8},
		{"the first four of a ring are a line", "v5e:16x16", "all=256", []mesh.AxisRef{part("all", 64, 4)}, "ICI", 45, 3},
		{"rings from 4x4x4 on", "v5p:4x4x4", "data=16,model=4", full("model"), "ICI", 180, 2},
		{"two of them", "v5p:4x4x4", "data=16,model=4", full("data"), "ICI", 360, 4},
		{"no rings below", "v5p:2x2x4", "data=4,model=4", full("data"), "ICI", 90, 3},
		{"the two devices of a chip", "tpu7x:2x2x1", "data=4,model=2", full("model"), "D2D", 1080, 1},
		{"devices of other chips share the chip's links", "tpu7x:2x2x1", "data=4,model=2", full("data"), "ICI", 90, 2},
		{"all of both", "tpu7x:2x2x1", "data=4,model=2", full("data", "model"), "D2D+ICI", 180, 3},
		{"a host", "h100:8", "data=2,model=4", full("data"), "NVLink", 450, 3},
		{"the GPUs of a host", "h100:2x8", "data=2,model=8", full("model"), "NVLink", 450, 3},
		{"one GPU of each host: its own adapter", "h100:2x8", "data=2,model=8", full("data"), "InfiniBand", 50, 10},
		{"all: eight adapters", "h100:2x8", "data=2,model=8", full("data", "model"), "NVLink+InfiniBand", 400, 13},
		{"two GPUs of each host", "h100:2x8", "data=4,model=4", full("data"), "NVLink+InfiniBand", 100, 13},
		{"a host of PCIe", "l4:8", "data=8", full("data"), "PCIe", 32, 6},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dm := mesh.MustParse(tc.mesh)
			m, err := cost.MachineFor(target(t, tc.target), dm)
			require.NoError(t, err)
			l := m.LinkOver(tc.axes)
			require.Equal(t, tc.kind, l.Kind)
			require.InDelta(t, tc.gigabytes, l.Bandwidth/1e9, 1e-9)
			require.InDelta(t, tc.micros, l.Latency*1e6, 1e-9)
			if len(tc.axes) == 1 && !tc.axes[0].Sub {
				require.Equal(t, l, m.Axes[tc.axes[0].Name])
			}
			require.LessOrEqual(t, m.Link.Bandwidth, m.Axes[dm.AxisNames()[0]].Bandwidth)
		})
	}
}

// If the devices are in another order, axes use other links. A group that is not a box is a ring.
func TestMachineForOrders(t *testing.T) {
	dm, err := mesh.New([]int{2, 4}, []string{"data", "model"}, []int{0, 2, 4, 6, 1, 3, 5, 7})
	require.NoError(t, err)
	m, err := cost.MachineFor(target(t, "v5e:2x4"), dm)
	require.NoError(t, err)
	require.Equal(t, 45e9, m.Axes["model"].Bandwidth, "the line of 4")
	require.Equal(t, 45e9, m.Axes["data"].Bandwidth, "the line of 2")

	dm, err = mesh.New([]int{3}, []string{"x"}, []int{0, 1, 8})
	require.NoError(t, err)
	m, err = cost.MachineFor(target(t, "h100:2x8"), dm)
	require.NoError(t, err)
	require.Equal(t, cost.Link{Kind: "InfiniBand", Bandwidth: 50e9, Latency: 10e-6}, m.Axes["x"])

	m, err = cost.MachineFor(target(t, "v5e:1x1"), mesh.MustParse("x=1"))
	require.NoError(t, err)
	require.Equal(t, "ICI", m.Link.Kind)
}

// Decisions assume the FLOPs per second that the memory can supply, at 32 operations for a byte.
func TestMachineForDecisions(t *testing.T) {
	for _, tc := range []struct {
		target string
		flops  float64
		byte   int
	}{{"v5e:2x4", 32 * 819e9, 291}, {"h100:8", 32 * 3350e9, 238}, {"l4:8", 32 * 300e9, 300}} {
		m, err := cost.MachineFor(target(t, tc.target), mesh.MustParse("x=8"))
		require.NoError(t, err)
		require.Equal(t, tc.flops, m.FlopsPerSecond)
		require.Equal(t, tc.byte, m.FlopsPerByte(mesh.FullAxes("x")))
	}
}

// A machine for one device is for each mesh of device 0 without axes, such as nil.
func TestMachineForOneDevice(t *testing.T) {
	empty, err := mesh.New(nil, nil, nil)
	require.NoError(t, err)
	maximal, err := mesh.Maximal(0)
	require.NoError(t, err)
	meshes := []*mesh.DeviceMesh{nil, empty, maximal}
	for _, of := range meshes {
		m, err := cost.MachineFor(target(t, "h200:1"), of)
		require.NoError(t, err)
		for _, dm := range meshes {
			require.NoError(t, m.Validate(dm))
		}
	}
	other, err := mesh.Maximal(1)
	require.NoError(t, err)
	m, err := cost.MachineFor(target(t, "h200:2"), other)
	require.NoError(t, err)
	require.ErrorContains(t, m.Validate(nil), `machine "h200:2" is of the mesh device 1, the program has the mesh one device`)
}

func TestMachineForErrors(t *testing.T) {
	_, err := cost.MachineFor(target(t, "h100:4"), mesh.MustParse("x=8"))
	require.ErrorContains(t, err, "mesh x=8 has device 4, the target h100:4 has 4 devices")
	m, err := cost.MachineFor(target(t, "h100:8"), mesh.MustParse("x=8"))
	require.NoError(t, err)
	require.ErrorContains(t, m.Validate(mesh.MustParse("x=4")), `machine "h100:8" is of the mesh x=8, the program has the mesh x=4`)
}
