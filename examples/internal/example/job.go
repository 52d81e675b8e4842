package example

// This file lets example programs run as one process, or as several processes of a job.

import (
	"context"
	"os"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/keras/distribution"
)

// Initialize divides the CPU into that many virtual devices, which the processes of a job share,
// and waits for the other processes. The environment variable distribution.DevicesEnv may set
// another number for each process. On another platform ($GOSPMD_PLATFORM) all devices are used.
func Initialize(ctx context.Context, devices int) error {
	o, err := distribution.Options{}.Complete()
	if err != nil {
		return err
	}
	o.Devices = 0
	if o.Platform == hardware.CPU && os.Getenv(distribution.DevicesEnv) == "" {
		if o, err = o.Detect(os.Getenv); err != nil {
			return err
		}
		o.Devices = max(1, devices/max(1, o.NumProcesses))
	}
	return distribution.Initialize(ctx, o)
}

// Names returns the names of a mesh's devices, such as cpu:0, in the order of the mesh.
func Names(m *distribution.DeviceMesh) ([]string, error) {
	all, err := distribution.ListDevices()
	if err != nil {
		return nil, err
	}
	names := make([]string, m.Size())
	for i, id := range m.Devices() {
		names[i] = all[id]
	}
	return names, nil
}
