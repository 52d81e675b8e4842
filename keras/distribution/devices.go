package distribution

// This file names devices as Keras does, cpu:0, chooses which of the
// machine's devices the process uses, and holds the process' client, on which
// its models run.

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/runtime"
)

// deviceTypes maps platforms of package runtime to Keras' names of their
// devices. Devices of other platforms are named after the platform.
var deviceTypes = map[string]string{"cuda": "gpu", "rocm": "gpu"}

// ListDevices returns the names of the process' devices: cpu:0, cpu:1, … It
// takes at most one type of device, "cpu", "gpu" or "tpu". All devices of a
// process have one type; any other type is an error.
//
// Virtual CPU devices are listed without opening a client.
func ListDevices(deviceType ...string) ([]string, error) {
	typ, n, err := devices()
	if err != nil {
		return nil, err
	}
	return deviceNames(typ, n, deviceType)
}

// deviceNames returns the names of the n devices of type typ, or an error if
// deviceType asks for another type.
func deviceNames(typ string, n int, deviceType []string) ([]string, error) {
	if len(deviceType) > 1 {
		return nil, fmt.Errorf("distribution: got %d device types, want at most one", len(deviceType))
	}
	for _, want := range deviceType {
		if strings.ToLower(want) != typ {
			return nil, fmt.Errorf("distribution: there are no devices of type %q: the process uses %q; another platform is chosen by Initialize, before anything runs",
				want, typ)
		}
	}
	names := make([]string, n)
	for id := range names {
		names[id] = deviceName(typ, id)
	}
	return names, nil
}

// DeviceCount returns the number of devices that ListDevices lists:
// keras.distribution.get_device_count.
func DeviceCount(deviceType ...string) (int, error) {
	names, err := ListDevices(deviceType...)
	return len(names), err
}

// devices returns type and number of the devices that are visible to the
// process.
func devices() (typ string, n int, err error) {
	process.Lock()
	visible := len(process.visible)
	process.Unlock()
	if typ, n, err = physicalDevices(); err == nil && visible > 0 {
		n = visible
	}
	return typ, n, err
}

func deviceName(typ string, id int) string { return typ + ":" + strconv.Itoa(id) }

// deviceID returns the id of a device of the process.
func deviceID(name, typ string, n int) (int, error) {
	kind, number, ok := strings.Cut(name, ":")
	id, err := strconv.Atoi(number)
	if !ok || err != nil || id < 0 {
		return 0, fmt.Errorf("distribution: %q is no name of a device, want a type and an id, such as %q", name, deviceName(typ, 0))
	}
	if kind := strings.ToLower(kind); kind != typ {
		return 0, fmt.Errorf("distribution: there is no device %q%s: the process uses devices of type %q", name, suggest.DidYouMean(kind, []string{typ}), typ)
	}
	if id >= n {
		return 0, fmt.Errorf("distribution: there is no device %q: the process has %d (%s): %s", name, n, deviceRange(typ, n), countAdvice(typ, id+1, n))
	}
	return id, nil
}

func deviceRange(typ string, n int) string {
	if n == 1 {
		return deviceName(typ, 0)
	}
	return deviceName(typ, 0) + " to " + deviceName(typ, n-1)
}

// countAdvice returns the advice for a user who needs want devices and has n.
func countAdvice(typ string, want, n int) string {
	switch {
	case want < n:
		return "list those to use, or change the shape"
	case typ == "cpu":
		return fmt.Sprintf("call distribution.Initialize(distribution.Options{Devices: %d}) before anything runs, or set %s=%d, for that many virtual CPU devices",
			want, DevicesEnv, want)
	}
	return "change the shape or the list of devices"
}

// ListPhysicalDevices returns the names of all devices, including those that
// SetVisibleDevices hides: tf.config.list_physical_devices. Like ListDevices it
// takes at most one type.
func ListPhysicalDevices(deviceType ...string) ([]string, error) {
	typ, n, err := physicalDevices()
	if err != nil {
		return nil, err
	}
	return deviceNames(typ, n, deviceType)
}

// SetVisibleDevices makes the process use only these of its physical devices:
// tf.config.set_visible_devices. In the order given they become devices 0, 1, …
// of ListDevices, meshes and strategies. Call it before the first model runs.
//
// It works for virtual CPU devices only. Drivers of other devices read an
// environment variable when they are loaded; the error names it.
func SetVisibleDevices(names ...string) error {
	typ, n, err := physicalDevices()
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return fmt.Errorf("distribution: SetVisibleDevices got no devices, want some of %s", deviceRange(typ, n))
	}
	for i, name := range names {
		if _, err := deviceID(name, typ, n); err != nil {
			return err
		}
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("distribution: SetVisibleDevices got %q twice, want each device once", name)
		}
	}
	if typ != "cpu" {
		return fmt.Errorf("distribution: SetVisibleDevices cannot choose among devices of type %q: set CUDA_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES or TPU_VISIBLE_CHIPS before the program starts", typ)
	}
	process.Lock()
	defer process.Unlock()
	if process.client != nil && !slices.Equal(names, process.visible) {
		return fmt.Errorf("distribution: SetVisibleDevices comes too late, the process runs on its devices already: call it before anything runs")
	}
	process.visible = slices.Clone(names)
	return nil
}

// physicalDevices returns type and number of all devices. It opens the client
// only for platforms whose number of devices is not known without.
func physicalDevices() (typ string, n int, err error) {
	process.Lock()
	o, err := options()
	process.Unlock()
	if err != nil {
		return "", 0, err
	}
	typ = o.Platform
	if t, ok := deviceTypes[typ]; ok {
		typ = t
	}
	if o.Platform == "cpu" {
		return typ, o.Devices, nil
	}
	var c *runtime.Client
	if c, err = Client(context.Background()); err != nil {
		return "", 0, err
	}
	return typ, len(c.Devices()), nil
}

// Options describe the devices that the process uses. The zero value is the CPU,
// with the number of virtual devices in the environment variable
// GOSPMD_CPU_DEVICES, or one.
type Options = runtime.Options

// DevicesEnv is the environment variable with the number of virtual CPU devices,
// which is used if Options have none.
const DevicesEnv = "GOSPMD_CPU_DEVICES"

var process struct {
	sync.Mutex
	options *Options // of Initialize
	visible []string // of SetVisibleDevices; nil for all
	client  *runtime.Client
}

// Initialize sets which devices the process uses: keras.distribution.initialize.
// It opens no client. Call it before the first model runs; after that, options
// that differ from those in use are an error. Options that differ from the ones
// before make all devices visible again.
func Initialize(o Options) error {
	process.Lock()
	defer process.Unlock()
	o, err := complete(o)
	if err != nil {
		return err
	}
	if process.client != nil && o != *process.options {
		return fmt.Errorf("distribution: the process runs on %s already, Initialize asks for %s: call it before anything runs",
			describe(*process.options), describe(o))
	}
	if before, err := options(); err != nil || o != before {
		process.visible = nil
	}
	process.options = &o
	return nil
}

// UseClient makes c the process' client, instead of one that is opened with the
// options of Initialize: for a client that is open already, or one with an engine
// of your own (runtime.NewClient). The devices are named after its platform. Call
// it before the first model runs; Close closes c.
func UseClient(c *runtime.Client) error {
	process.Lock()
	defer process.Unlock()
	if c == nil {
		return fmt.Errorf("distribution: UseClient got no client, want one, such as runtime.Open returns")
	}
	if process.client != nil && process.client != c {
		return fmt.Errorf("distribution: the process runs on %s already, UseClient brings %s: call it before anything runs",
			describe(*process.options), describe(optionsOf(c)))
	}
	o := optionsOf(c)
	process.client, process.options, process.visible = c, &o, nil
	return nil
}

// optionsOf returns the options that describe a client.
func optionsOf(c *runtime.Client) Options {
	o := Options{Platform: c.Platform()}
	if o.Platform == "cpu" {
		o.Devices = len(c.Devices())
	}
	return o
}

// Client returns the process' client and opens it on the first call. Models
// run on it unless they are compiled with another one.
func Client(ctx context.Context) (*runtime.Client, error) {
	process.Lock()
	defer process.Unlock()
	if process.client != nil {
		return process.client, nil
	}
	o, err := options()
	if err != nil {
		return nil, err
	}
	opened := o
	if process.visible != nil {
		opened.Devices = len(process.visible)
	}
	c, err := runtime.Open(ctx, opened)
	if err != nil {
		return nil, err
	}
	process.client, process.options = c, &o
	return c, nil
}

// Close closes the process' client, if it is open, and drops the settings of
// Initialize and SetVisibleDevices.
func Close() error {
	process.Lock()
	defer process.Unlock()
	c := process.client
	process.client, process.options, process.visible = nil, nil, nil
	if c == nil {
		return nil
	}
	return c.Close()
}

// options returns the options of Initialize, or the default ones. process must
// be locked.
func options() (Options, error) {
	if process.options != nil {
		return *process.options, nil
	}
	return complete(Options{})
}

// complete fills in the defaults of platform and device count.
func complete(o Options) (Options, error) {
	if o.Platform == "" {
		o.Platform = "cpu"
	}
	if o.Devices < 0 {
		return o, fmt.Errorf("distribution: Options ask for %d devices, want at least 1", o.Devices)
	}
	if o.Platform != "cpu" || o.Devices > 0 {
		return o, nil
	}
	o.Devices = 1
	if text := os.Getenv(DevicesEnv); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return o, fmt.Errorf("distribution: the environment variable %s is %q, want the number of virtual CPU devices, such as 8", DevicesEnv, text)
		}
		o.Devices = n
	}
	return o, nil
}

func describe(o Options) string {
	if o.Platform != "cpu" {
		return fmt.Sprintf("platform %s", o.Platform)
	}
	return fmt.Sprintf("%d CPU device(s)", o.Devices)
}
