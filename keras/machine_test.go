package keras

// This file tests the choice of the machine that steps are compiled for.

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/cost"
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

// For accelerators, machineOf returns the machine of the target whose chip the devices' kind names,
// or nil if none has that name.
func TestMachineOfAccelerators(t *testing.T) {
	dm, err := mesh.New([]int{2}, []string{"data"}, nil)
	require.NoError(t, err)
	for kind, want := range map[string]string{"NVIDIA H100 80GB HBM3": "h100:2", "NVIDIA GeForce RTX 3060": ""} {
		c := runtime.NewClient(runtime.NewEngine(idle{}, runtime.DriverOptions{Platform: "cuda", Kinds: []string{kind, kind}}))
		m := machineOf(c, dm)
		if want == "" {
			require.Nil(t, m, kind)
		} else {
			require.Equal(t, want, m.Name)
			require.NoError(t, m.Validate(dm))
		}
		require.NoError(t, c.Close())
	}
}
