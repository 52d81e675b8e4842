package inspect

// This file starts the child process and reads its report.

import (
	"context"
	"errors"
	"time"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/reexec"
	"github.com/gospmd/gospmd/runtime/plugin"
)

// Report describes a platform on this machine.
type Report struct {
	Platform   string      `json:"platform"`
	Plugin     string      `json:"plugin,omitempty"`     // its file
	API        string      `json:"api,omitempty"`        // version of PJRT's interface
	StableHLO  string      `json:"stablehlo,omitempty"`  // the newest version that it accepts
	Attributes []Attribute `json:"attributes,omitempty"` // all attributes of the plugin
	Extensions []string    `json:"extensions,omitempty"`
	Devices    []Device    `json:"devices"`
	// Missing says why there is no plugin. Failed says why the plugin has no devices.
	Missing string `json:"missing,omitempty"`
	Failed  string `json:"failed,omitempty"`
}

// Attribute is a named value of a plugin, as text.
type Attribute struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Device is one device of the platform.
type Device struct {
	Kind   string `json:"kind"`
	Memory int    `json:"memory,omitempty"` // bytes; 0 if the plugin does not say
}

// question is the question to the child.
type question struct{ Platform, Plugin string }

var child = reexec.Child[question, Report]{Name: "plugin"}

// Serve makes this program usable as the child process that loads the plugin. Call it first in
// main, or in TestMain. Platform starts the program's executable again, and in that process Serve
// answers and exits. In other processes it returns at once.
func Serve() { child.Serve(look) }

// limit is the longest time that a plugin may take to make a client.
const limit = 2 * time.Minute

const notServed = "a child process of this program looks at plugins, which the program has not allowed: call inspect.Serve first in main, or use the command gospmd doctor"

// Platform returns a report about the platform of that name, such as "tpu": its plugin, devices and
// versions, which another process finds out. Failures are in the report.
func Platform(ctx context.Context, name string) Report {
	path, err := plugin.Locate(plugin.Options{Platform: name})
	switch {
	case errors.Is(err, plugin.ErrMissing):
		return Report{Platform: name, Devices: []Device{}, Missing: err.Error()}
	case err != nil:
		return Report{Platform: name, Devices: []Device{}, Failed: err.Error()}
	}
	if !child.IsServed() {
		return Report{Platform: name, Plugin: path, Devices: []Device{}, Failed: notServed}
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	env := reexec.Environment()
	if name == hardware.TPU && len(plugin.Devices(hardware.TPU)) == 0 {
		env = append(env, plugin.WithoutTPU...)
	}
	r, err := child.Ask(ctx, question{name, path}, env)
	r.Platform, r.Plugin = name, path
	if r.Devices == nil {
		r.Devices = []Device{}
	}
	if err != nil {
		r.Failed = err.Error()
	}
	return r
}
