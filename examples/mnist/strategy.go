package main

// This file chooses the strategy.

import (
	"fmt"
	"io"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribute"
	"github.com/gospmd/gospmd/keras/distribution"
)

// devices is the number of virtual devices that the CPU is divided into.
const devices = 8

const strategies = "mirrored, or multi-worker (TF_CONFIG) or multi-gpu, which do the same by other functions, for meshes such as 8x1; model-parallel; auto chooses mirrored or model-parallel by the mesh"

// scope calls f in the scope of the strategy of -mesh and -strategy. f makes the
// model, calls finish, and compiles it.
func (c config) scope(out io.Writer, f func(finish func(*keras.Model) error) error) error {
	nothing := func(*keras.Model) error { return nil }
	if err := distribution.Initialize(distribution.Options{Devices: devices}); err != nil {
		return err
	}
	mesh, err := distribution.ParseMesh(c.mesh, "data", "model")
	if err != nil {
		return err
	}
	if mesh == nil { // one device
		return f(nothing)
	}
	n, sharded := mesh.Size(), mesh.AxisSize("model") > 1
	name := c.strategy
	if name == "auto" {
		name = "mirrored"
		if sharded {
			name = "model-parallel"
		}
	}
	if name != "model-parallel" && sharded {
		return fmt.Errorf("strategy %s shards batches only: want a mesh such as %dx1, or -strategy model-parallel, got the mesh %s", name, n, c.mesh)
	}
	if name == "multi-gpu" {
		return f(func(m *keras.Model) error {
			_, err := distribute.MultiGPUModel(m, n)
			return err
		})
	}
	s, err := strategy(name, mesh)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "Number of devices:", n, "- replicas:", s.NumReplicasInSync())
	return s.Scope(func() error { return f(nothing) })
}

func strategy(name string, mesh *distribution.DeviceMesh) (*distribute.Strategy, error) {
	switch name {
	case "mirrored":
		return mirrored(mesh.Size())
	case "multi-worker":
		return distribute.MultiWorkerMirroredStrategy()
	case "model-parallel":
		return modelParallel(mesh)
	}
	return nil, fmt.Errorf("strategy %q: want %s", name, strategies)
}

// mirrored returns a strategy on the first n devices.
func mirrored(n int) (*distribute.Strategy, error) {
	names, err := distribution.ListDevices()
	if err != nil {
		return nil, err
	}
	return distribute.MirroredStrategy(names[:n]...)
}

// modelParallel shards the units of the hidden layers over the axis model: the columns
// of the first layer's kernel, the rows of the second's.
func modelParallel(mesh *distribution.DeviceMesh) (*distribute.Strategy, error) {
	layouts := distribution.NewLayoutMap(mesh)
	layouts.Set("d1/kernel", distribution.None, "model")
	layouts.Set("d1/bias", "model")
	layouts.Set("d2/kernel", "model", distribution.None)
	d, err := distribution.NewModelParallel(layouts, "data")
	if err != nil {
		return nil, err
	}
	return distribute.NewStrategy(d)
}
