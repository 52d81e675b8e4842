//go:build cgo

package gomlx

// This file opens GoMLX's backend for XLA.

import (
	"context"

	"github.com/gomlx/compute"
	"github.com/gomlx/go-xla/compute/xla"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/runtime/plugin"
)

// OpenBackend returns GoMLX's XLA backend on this machine's CPU, on the PJRT plugin that gospmd
// uses too. It returns an error if the plugin is not found or does not start.
func OpenBackend(ctx context.Context) (compute.Backend, error) {
	file, err := plugin.Find(ctx, plugin.Options{Platform: hardware.CPU})
	if err != nil {
		return nil, err
	}
	return xla.New(file)
}
