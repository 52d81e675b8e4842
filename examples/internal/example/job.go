package example

// This file lets example programs run as one process or as several of a job.

import (
	"os"

	"github.com/gospmd/gospmd/keras/distribution"
)

// Initialize divides the CPU into that many virtual devices, which the processes of a
// job share. The environment variable distribution.DevicesEnv may say another number
// for each process. On another platform ($GOSPMD_PLATFORM) all devices are used.
func Initialize(devices int) error {
	o, err := distribution.Options{}.Complete()
	if err != nil {
		return err
	}
	o.Devices = 0
	if o.Platform == "cpu" && os.Getenv(distribution.DevicesEnv) == "" {
		o.Devices = devices
	}
	err = distribution.Initialize(o)
	if n := distribution.NumProcesses(); err == nil && n > 1 && o.Devices > 0 {
		o.Devices = max(1, devices/n)
		err = distribution.Initialize(o)
	}
	return err
}

// Names returns the names of a mesh's devices.
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
