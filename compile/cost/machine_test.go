package cost_test

// This file tests the costs of sending on the default machine and over several axes, and what
// Machine.Validate refuses.

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/mesh"
)

// On the default machine a byte costs exactly 160 operations, and a collective exactly 4096 bytes,
// whatever their number.
func TestDefaultMachine(t *testing.T) {
	m := cost.Default()
	require.NoError(t, m.Validate(mesh.MustParse("x=2")))
	for _, axes := range [][]mesh.AxisRef{nil, mesh.FullAxes("x"), {mesh.SubAxisRef("x", 1, 2), mesh.FullAxis("y")}} {
		require.Equal(t, 160, m.FlopsPerByte(axes))
		require.Equal(t, 4096, m.LaunchBytes(axes))
		for _, bytes := range []int{0, 1, 4095, 1<<40 + 1} {
			require.Equal(t, (bytes+3*4096)*160, m.SendCost(axes, bytes, 3))
		}
	}
	m.FlopsPerSecond = 1
	require.Equal(t, 160, cost.Default().FlopsPerByte(nil), "a caller's machine is its own")
}

// The cost of a collective over several axes has the largest latency and the smallest bandwidth of
// the axes' links. An axis without a link of its own has the default one. A byte costs at least one
// operation.
func TestMachineAxes(t *testing.T) {
	m := &cost.Machine{
		FlopsPerSecond: 1e12,
		Link:           cost.Link{Latency: 1e-6, Bandwidth: 100e9},
		Axes:           map[string]cost.Link{"host": {Latency: 50e-6, Bandwidth: 10e9}, "far": {Latency: 0, Bandwidth: 5e9}},
	}
	require.NoError(t, m.Validate(mesh.MustParse("x=2,host=2,far=2")))
	for _, tc := range []struct {
		name         string
		axes         []mesh.AxisRef
		flops, bytes int
	}{
		{"no axis in particular", nil, 10, 100_000},
		{"the default link", mesh.FullAxes("x"), 10, 100_000},
		{"an axis of its own", mesh.FullAxes("host"), 100, 500_000},
		{"a part of it", []mesh.AxisRef{mesh.SubAxisRef("host", 1, 2)}, 100, 500_000},
		{"both", mesh.FullAxes("x", "host"), 100, 500_000},
		{"the latency of one, the bandwidth of the other", mesh.FullAxes("far", "host"), 200, 250_000},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.Equal(t, tc.flops, m.FlopsPerByte(tc.axes))
			require.Equal(t, tc.bytes, m.LaunchBytes(tc.axes))
			require.Equal(t, tc.flops*(7+2*tc.bytes), m.SendCost(tc.axes, 7, 2))
		})
	}
	m.FlopsPerSecond = 1
	require.Equal(t, 1, m.FlopsPerByte(nil), "sending is never free")
}

func TestMachineValidate(t *testing.T) {
	good := cost.Link{Latency: 1e-6, Bandwidth: 1e9}
	for _, tc := range []struct {
		name string
		m    cost.Machine
		want string // part of the error
	}{
		{"no flops", cost.Machine{Name: "a", Link: good}, `machine "a": FlopsPerSecond is 0: want a positive number`},
		{"not a number", cost.Machine{FlopsPerSecond: math.NaN(), Link: good}, "FlopsPerSecond is NaN"},
		{"infinite", cost.Machine{FlopsPerSecond: math.Inf(1), Link: good}, "FlopsPerSecond is +Inf"},
		{"no bandwidth", cost.Machine{FlopsPerSecond: 1}, "the bandwidth of Link is 0"},
		{"negative latency", cost.Machine{FlopsPerSecond: 1, Link: cost.Link{Latency: -1, Bandwidth: 1}}, "the latency of Link is -1"},
		{"negative memory", cost.Machine{FlopsPerSecond: 1, MemoryBandwidth: -1, Link: good}, "MemoryBandwidth is -1"},
		{"an axis", cost.Machine{FlopsPerSecond: 1, Link: good, Axes: map[string]cost.Link{"x": {}}}, `the bandwidth of axis "x" is 0`},
		{"no such axis", cost.Machine{FlopsPerSecond: 1, Link: good, Axes: map[string]cost.Link{"z": good}}, `Axes names "z", the mesh has the axes [x y]`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.ErrorContains(t, tc.m.Validate(mesh.MustParse("x=2,y=2")), tc.want)
		})
	}
}
