package inspect

// This file asks a child for a report.

import (
	"context"
	"errors"
	"time"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/reexec"
	"github.com/gospmd/gospmd/runtime/plugin"
)

// Report is what there is of a platform.
type Report struct {
	Platform   string      `json:"platform"`
	Plugin     string      `json:"plugin,omitempty"`     // its file
	API        string      `json:"api,omitempty"`        // the version of PJRT's interface
	StableHLO  string      `json:"stablehlo,omitempty"`  // the newest version that it takes
	Attributes []Attribute `json:"attributes,omitempty"` // all that the plugin says of itself
	Extensions []string    `json:"extensions,omitempty"`
	Devices    []Device    `json:"devices"`
	// Missing and Failed say why there is no plugin, or why it has no devices.
	Missing string `json:"missing,omitempty"`
	Failed  string `json:"failed,omitempty"`
}

// Attribute is a value that a plugin has by name, as text.
type Attribute struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Device is one device of the platform.
type Device struct {
	Kind   string `json:"kind"`
	Memory int    `json:"memory,omitempty"` // bytes; 0 where the plugin does not say
}

// question is what the child is asked.
type question struct{ Platform, Plugin string }

var child = reexec.Child[question, Report]{Name: "plugin"}

// Serve lets this program be the process that loads the plugin. Call it first in main, or
// in TestMain: Platform starts this program's executable once more, and there Serve answers
// and ends the process. Elsewhere it returns at once.
func Serve() { child.Serve(look) }

// limit is how long a plugin may take to make a client.
const limit = 2 * time.Minute

const notServed = "a child process of this program looks at plugins, which the program has not allowed: call inspect.Serve first in main, or use the command gospmd doctor"

// Platform reports on a platform.
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
