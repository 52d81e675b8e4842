package runtime

// This file says which platform a client is of, and what is special about each.

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/runtime/plugin"
)

// PlatformVar is the environment variable that names the platform of programs whose
// Options do not.
const PlatformVar = "GOSPMD_PLATFORM"

const defaultPlatform = hardware.CPU

// platform returns the platform that Open takes: that of the options; else the CPU, if the options
// name the engine written in Go; else $GOSPMD_PLATFORM; else the platform in the file name of the
// plugin that the options or $GOSPMD_PJRT_PLUGIN name; else the CPU. An unknown platform in the
// variable is an error.
func (o Options) platform() (string, error) {
	if o.Platform != "" {
		return o.Platform, nil
	}
	if o.Engine == EngineGo {
		return defaultPlatform, nil
	}
	if name := os.Getenv(PlatformVar); name != "" {
		if !slices.Contains(plugin.Platforms, name) {
			return "", fmt.Errorf("$%s is %q: want one of %s", PlatformVar, name, strings.Join(plugin.Platforms, ", "))
		}
		return name, nil
	}
	path := o.Plugin
	if path == "" {
		path = os.Getenv(plugin.PathVar)
	}
	if of := plugin.PlatformOf(path); of != "" {
		return of, nil
	}
	return defaultPlatform, nil
}

// Complete returns the options with the platform that Open takes and, for the CPU, at least one
// device. A platform that is not known is an error.
func (o Options) Complete() (Options, error) {
	var err error
	if o.Platform, err = o.platform(); err != nil {
		return o, err
	}
	if o.Platform == hardware.CPU {
		o.Devices = max(o.Devices, 1)
	}
	return o, nil
}

// DevicesError is the error of a platform that has another number of devices than Options, or a
// mesh, ask for.
type DevicesError struct {
	Platform   string
	Have, Want int
}

func (e *DevicesError) Error() string {
	text := fmt.Sprintf("the platform %q has %d device(s), Options ask for %d", e.Platform, e.Have, e.Want)
	switch {
	case e.Platform == hardware.CPU:
		return text + ": the plugin does not know the option cpu_device_count; use the one that gospmd installs"
	case e.Have > e.Want:
		return text + ": leave Devices 0 to use all, or hide some (TPU_VISIBLE_CHIPS) before the program starts"
	}
	return text + ": leave Devices 0 to use all that are there"
}

// explain returns err, an error of the plugin at path, and adds what the machine lacks for the
// platform, if it lacks something.
func explain(platform, path string, err error) error {
	switch {
	case platform == hardware.TPU && len(plugin.Devices(hardware.TPU)) == 0:
		return fmt.Errorf("no TPU is in this machine: there is none on its PCI bus; gospmd fit and package runtime/aot compile for TPUs that are elsewhere: %w", err)
	case platform == hardware.CUDA && len(plugin.Devices(hardware.CUDA)) == 0:
		return fmt.Errorf("no NVIDIA GPU is in this machine, or its driver is not loaded: neither /proc/driver/nvidia nor /dev/nvidia0 is there; gospmd fit and package runtime/aot compile for GPUs that are elsewhere: %w", err)
	case platform == hardware.CUDA && len(plugin.Libraries(path)) == 0:
		return fmt.Errorf("%w (NVIDIA's libraries are not beside the plugin: unless the system has them, `gospmd doctor -install %s` installs them)", err, plugin.CUDALibraries)
	}
	return err
}
