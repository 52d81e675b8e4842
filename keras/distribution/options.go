package distribution

// This file defines the options of distributions.

import (
	"fmt"
	"io"
	"os"

	"github.com/gospmd/gospmd/internal/option"
)

type config struct {
	mesh     *DeviceMesh
	devices  []string
	strict   bool
	sharded  bool
	warnings io.Writer
}

// Option configures NewDataParallel or NewModelParallel.
type Option = option.Option[config]

// Mesh makes DataParallel use a mesh of one axis.
func Mesh(m *DeviceMesh) Option {
	return Option{Name: "Mesh", Set: func(c *config) error {
		if len(m.Axes()) == 0 {
			return fmt.Errorf("got a mesh without axes, want one with an axis for the batch, such as NewDeviceMesh([]int{8}, []string{\"batch\"}, nil)")
		}
		c.mesh = m
		return nil
	}}
}

// Devices makes DataParallel use these devices, named as ListDevices does.
func Devices(names ...string) Option {
	return Option{Name: "Devices", Set: func(c *config) error {
		if len(names) == 0 {
			return fmt.Errorf("got no devices: leave the option out for all of the process")
		}
		c.devices = names
		return nil
	}}
}

// Strict makes it an error when a rule of ModelParallel's layout map matches
// no variable and no layer output, else a warning.
func Strict() Option { return option.New("Strict", func(c *config) { c.strict = true }) }

// ShardedUpdate splits the optimizer's slots and its work over the axis of the
// batch: each device updates a part of the weights, which are then gathered
// (ZeRO's first stage). The losses stay the same up to rounding.
func ShardedUpdate() Option { return option.New("ShardedUpdate", func(c *config) { c.sharded = true }) }

// Warnings sets where DataParallel's warnings go, os.Stderr by default.
func Warnings(w io.Writer) Option { return option.New("Warnings", func(c *config) { c.warnings = w }) }

func newConfig(kind string, opts []Option, accepts ...string) (config, error) {
	c := config{warnings: os.Stderr}
	if err := option.Apply(kind, &c, opts, accepts...); err != nil {
		return c, fmt.Errorf("distribution: %w", err)
	}
	return c, nil
}
