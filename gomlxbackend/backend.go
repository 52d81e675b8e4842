package gomlxbackend

// This file defines Backend, which owns the devices, and puts tensors on them.

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/trace"
)

// Name is the backend's name in GOMLX_BACKEND.
const Name = "gospmd"

func init() {
	compute.Register(Name, func(config string) (compute.Backend, error) { return New(config) })
}

// Backend implements compute.Backend on a mesh of devices. GoMLX sees one device. With devices=N in
// the configuration it sees N devices. All methods may be called from several goroutines.
type Backend struct {
	config    *config
	layouts   *layouts
	client    *runtime.Client
	moves     moves
	finalized atomic.Bool
	// locked while shards of devices are joined to arrays, until the run that takes the arrays has
	// started
	joining sync.Mutex

	put, fetched, moved atomic.Int64
	loaded, cached      atomic.Int64
}

// Transfers has the numbers of tensors that a backend has moved.
type Transfers struct {
	Put     int // from the host to the devices
	Fetched int // from the devices to the host
	Moved   int // number of tensors moved on the devices, from one sharding to another
}

// Transfers returns what was moved so far. A training moves its batches and the results that the
// program reads, but no variables.
func (b *Backend) Transfers() Transfers {
	return Transfers{Put: int(b.put.Load()), Fetched: int(b.fetched.Load()), Moved: int(b.moved.Load())}
}

// Programs returns the number of programs that were loaded so far, and how many of these came from
// the compilation cache.
func (b *Backend) Programs() (loaded, cached int) { return int(b.loaded.Load()), int(b.cached.Load()) }

var _ compute.Backend = (*Backend)(nil)

// New returns a backend for a configuration: the text after "gospmd:" in GOMLX_BACKEND. Under
// `gospmd launch`, or a scheduler that coordination.Detect knows, the mesh spans all processes, and
// New waits for them. A configuration that is wrong or needs more devices than there are is an
// error.
func New(config string) (*Backend, error) {
	c, err := parse(config)
	if err != nil {
		return nil, fmt.Errorf("gospmd: %w", err)
	}
	client, err := open(c)
	if err != nil {
		return nil, fmt.Errorf("gospmd: configuration %q: %w", config, err)
	}
	b := &Backend{config: c, layouts: newLayouts(c), client: client}
	if got, want := len(client.Devices()), c.devices(); got < want {
		b.Finalize()
		return nil, fmt.Errorf("gospmd: configuration %q: it asks for %d devices, platform %s has %d: want at most as many",
			config, want, client.Platform(), got)
	}
	return b, nil
}

// devices returns the number of devices that the configuration needs.
func (c *config) devices() int {
	if c.mesh == nil {
		return max(1, c.explicit)
	}
	return c.mesh.Size()
}

// open opens the devices that the configuration needs. On CPUs it makes as many virtual devices,
// and the same number in each process. It is an error if devices=N is given and there are several
// processes, or if they cannot have equally many devices.
func open(c *config) (*runtime.Client, error) {
	o, err := runtime.Options{Platform: c.platform, Engine: c.engine, Devices: c.devices()}.Detect(os.Getenv)
	if err != nil {
		return nil, err
	}
	if o.NumProcesses > 1 {
		switch {
		case c.explicit > 0:
			return nil, fmt.Errorf("GoMLX reaches the devices of one process only, and there are %d: give mesh instead of devices", o.NumProcesses)
		case o.Devices%o.NumProcesses != 0:
			return nil, fmt.Errorf("the mesh has %d devices, and there are %d processes: want a multiple", o.Devices, o.NumProcesses)
		}
		o.Devices /= o.NumProcesses
	}
	return runtime.Open(context.Background(), o)
}

// Name implements compute.Backend: it returns the name under which the backend is registered.
func (b *Backend) Name() string { return Name }

// String implements compute.Backend: it returns Name.
func (b *Backend) String() string { return Name }

// Description names the devices and the mesh.
func (b *Backend) Description() string {
	if b.config.explicit > 0 {
		return fmt.Sprintf("gospmd: %d devices of platform %s", b.config.explicit, b.client.Platform())
	}
	if b.config.mesh == nil {
		return fmt.Sprintf("gospmd: one device of platform %s", b.client.Platform())
	}
	return fmt.Sprintf("gospmd: the mesh %s on platform %s", b.config.mesh, b.client.Platform())
}

// NumDevices returns 1 for a mesh, or N with devices=N in the configuration.
func (b *Backend) NumDevices() int { return max(1, b.config.explicit) }

// DeviceDescription implements compute.Backend: it names the device and its platform, or with a
// mesh all devices.
func (b *Backend) DeviceDescription(device compute.DeviceNum) string {
	if b.config.explicit > 0 {
		return fmt.Sprintf("gospmd: device %d of platform %s", device, b.client.Platform())
	}
	return b.Description()
}

// Capabilities implements compute.Backend: what package trace can record, with AllReduce only on
// explicit devices.
func (b *Backend) Capabilities() compute.Capabilities {
	c := trace.Capabilities()
	c.Operations[compute.OpTypeAllReduce] = b.config.explicit > 0
	return c
}

// Builder implements compute.Backend: it returns a builder of that name whose program is for the
// backend's mesh.
func (b *Backend) Builder(name string) compute.Builder {
	return &Builder{Builder: trace.NewBuilder(name, b.config.mesh), backend: b}
}

// Finalize closes the devices. In a job of several processes it waits until the others call it too.
func (b *Backend) Finalize() {
	if b.finalized.CompareAndSwap(false, true) {
		// GoMLX accepts no error here; errors of runs are returned where results are read
		_ = b.client.Close()
	}
}

// IsFinalized implements compute.Backend: it reports whether Finalize was called.
func (b *Backend) IsFinalized() bool { return b.finalized.Load() }

// check returns an error if the backend is finalized, or if it has no device of that number.
func (b *Backend) check(device compute.DeviceNum) error {
	switch {
	case b.IsFinalized():
		return fmt.Errorf("gospmd: the backend is finalized: make a new one")
	case int(device) >= 0 && int(device) < b.NumDevices():
	case b.config.explicit > 0:
		return fmt.Errorf("gospmd: there is no device %d: want 0 to %d", device, b.config.explicit-1)
	default:
		return fmt.Errorf("gospmd: there is no device %d: want device 0, which stands for the whole mesh; devices=N makes GoMLX see each", device)
	}
	return nil
}

// BufferFromFlatData implements compute.DataInterface. It copies the elements of flat, a slice of
// the Go type of the shape's elements, row by row. If there are several devices, they stay on the
// host until a graph takes the buffer: the graph determines the sharding. A wrong slice, shape or
// device is an error.
func (b *Backend) BufferFromFlatData(device compute.DeviceNum, flat any, shape shapes.Shape) (compute.Buffer, error) {
	if err := b.check(device); err != nil {
		return nil, err
	}
	t, err := typeOf(shape)
	if err != nil {
		return nil, err
	}
	out := newBuffer(b, t)
	out.device = device
	if b.config.mesh != nil || b.config.explicit > 0 {
		out.host, err = cloneFlat(t, flat)
		return out, err
	}
	if err := checkFlat(t, flat); err != nil {
		return nil, fmt.Errorf("gospmd: BufferFromFlatData: %w", err)
	}
	out.host = flat // the transfer to the device copies it
	if t.Size() == 0 {
		out.host = dtypes.MakeAnySlice(t.DType, 0)
	}
	_, err = out.asArray(nil)
	return out, err
}

// HasSharedBuffers returns false: a buffer has a shard on each device, so that no host memory is
// the whole buffer.
func (b *Backend) HasSharedBuffers() bool { return false }

// NewSharedBuffer returns an error: see HasSharedBuffers.
func (b *Backend) NewSharedBuffer(compute.DeviceNum, shapes.Shape) (compute.Buffer, any, error) {
	return nil, nil, fmt.Errorf("gospmd: NewSharedBuffer: buffers are sharded over devices and have no memory in common with the host: use BufferFromFlatData")
}

// typeOf returns the type of a shape. A shape that is not static, or that of a tuple, is an error.
func typeOf(shape shapes.Shape) (ir.Type, error) {
	if shape.IsDynamic() || len(shape.TupleShapes) > 0 || !shape.Ok() {
		return ir.Type{}, fmt.Errorf("gospmd: got the shape %s, want that of a tensor with fixed dimensions: make a graph for each shape", shape)
	}
	return ir.Tensor(shape.DType, shape.Dimensions...), nil
}
