package keras

// This file tests the choice of the machine that steps are compiled for.

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
)

// For devices of the CPU, machineOf returns cost.Host. Virtual devices share processors: arithmetic
// is expensive beside bytes, so that steps are not compiled for the machine that stands for
// accelerators.
func TestMachineOfVirtualDevices(t *testing.T) {
	c, err := runtime.Open(context.Background(), runtime.Options{Platform: "cpu", Engine: runtime.EngineGo, Devices: 2})
	require.NoError(t, err)
	defer c.Close()
	dm, err := mesh.New([]int{2}, []string{"data"}, nil)
	require.NoError(t, err)
	m := machineOf(c, dm)
	require.Equal(t, cost.Host(), m)
	require.NoError(t, m.Validate(dm))
	require.Less(t, m.FlopsPerByte(nil), cost.Default().FlopsPerByte(nil)/10)
	require.Equal(t, cost.Host(), machineOf(c, nil), "one device")
}

// idle is a driver for tests that runs nothing; any call of it panics.
type idle struct{ runtime.Driver }

func (idle) Close() {}

// dividedEngine is an engine whose devices are in several processes, each with the same number of
// them.
type dividedEngine struct {
	runtime.Engine
	processes int
}

func (e dividedEngine) Devices() []runtime.Device {
	out := slices.Clone(e.Engine.Devices())
	for i := range out {
		out[i].Process = i * e.processes / len(out)
	}
	return out
}

// For accelerators, machineOf returns the machine of the target whose chip the devices' kind names:
// that of all processes. The GPUs of each process are those of a host, and TPUs are one torus. If
// no chip has that name, it is the default machine. Its platform, and so the model of memory, is
// that of the devices in each case.
func TestMachineOfAccelerators(t *testing.T) {
	for _, tc := range []struct {
		kind, platform   string
		processes, count int
		want             string
	}{
		{"NVIDIA H100 80GB HBM3", "cuda", 1, 2, "h100:2"},
		{"NVIDIA H100 80GB HBM3", "cuda", 2, 2, "h100:2x1"},
		{"NVIDIA H100 80GB HBM3", "cuda", 2, 16, "h100:2x8"},
		{"TPU v5 lite", "tpu", 2, 8, "v5e:2x4"},
		{"NVIDIA GeForce RTX 3060", "cuda", 1, 2, "default"},
		{"NVIDIA GeForce RTX 3060", "cuda", 2, 2, "default, in several processes"},
	} {
		t.Run(fmt.Sprint(tc.kind, " in ", tc.processes), func(t *testing.T) {
			dm, err := mesh.New([]int{2, tc.count / 2}, []string{"data", "model"}, nil)
			require.NoError(t, err)
			e := runtime.NewEngine(idle{}, runtime.DriverOptions{Platform: tc.platform, Kinds: slices.Repeat([]string{tc.kind}, tc.count)})
			c := runtime.NewClient(dividedEngine{e, tc.processes})
			defer c.Close()
			m := machineOf(c, dm)
			require.Equal(t, tc.want, m.Name)
			require.Equal(t, tc.platform, m.Platform)
			require.NoError(t, m.Validate(dm))
			if target, err := hardware.ParseTarget(tc.want); err == nil {
				of, err := cost.MachineFor(target, dm)
				require.NoError(t, err)
				require.Equal(t, of.Identity(), m.Identity())
			}
		})
	}
}

// All GPUs are in one host if the link between processes is that of one machine. A link that the
// user has set is that of the axis, alone and together with others, and the rest is the chips'.
func TestMachineWithLinks(t *testing.T) {
	devices := make([]runtime.Device, 4)
	for i := range devices {
		devices[i] = runtime.Device{ID: i, Kind: "NVIDIA H100 80GB HBM3", Process: i / 2}
	}
	for link, want := range map[runtime.Link]string{runtime.LocalLink: "h100:4", runtime.NetworkLink: "h100:2x2"} {
		target, ok := targetOf(devices, map[string]runtime.Link{"data": link})
		require.True(t, ok)
		require.Equal(t, want, target.String())
	}
	dm := mesh.MustParse("data=2,model=2")
	target, err := hardware.ParseTarget("h100:2x2")
	require.NoError(t, err)
	chips, err := cost.MachineFor(target, dm)
	require.NoError(t, err)
	own := cost.Link{Latency: 1e-3, Bandwidth: 1e6}
	m := withLinks(chips, map[string]runtime.Link{"data": {Latency: own.Latency, Bandwidth: own.Bandwidth}})
	require.Equal(t, own, m.LinkOver(mesh.FullAxes("data")))
	require.Equal(t, own.Bandwidth, m.LinkOver(mesh.FullAxes("data", "model")).Bandwidth)
	require.Equal(t, chips.LinkOver(mesh.FullAxes("model")), m.LinkOver(mesh.FullAxes("model")))
	require.NotEqual(t, own, chips.LinkOver(mesh.FullAxes("data")), "the machine of the chips is not changed")
	require.Equal(t, chips.Memory, m.Memory)
}
