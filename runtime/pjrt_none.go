//go:build !cgo

package runtime

// This file replaces the PJRT driver in binaries built without cgo.

import (
	"context"
	"fmt"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/runtime/plugin"
)

// HasPJRT says whether this binary can load PJRT plugins.
const HasPJRT = false

func openPJRT(ctx context.Context, o Options, _ *compilationCache, j *job) (Engine, error) {
	// a name of a plugin that does not exist is an error here too
	if (plugin.Options{Platform: o.Platform}).Named() {
		if _, err := plugin.Find(ctx, plugin.Options{Platform: o.Platform, Logger: o.Logger}); err != nil {
			return nil, err
		}
	}
	const why = "it was built without cgo, which XLA's plugins need; install a C compiler and build with CGO_ENABLED=1"
	switch {
	case o.Plugin != "":
		return nil, fmt.Errorf("Options.Plugin names the PJRT plugin %s, but %w: %s", o.Plugin, ErrNoEngine, why)
	case o.Platform != hardware.CPU:
		return nil, fmt.Errorf("platform %q is not known here, for %w: %s", o.Platform, ErrNoEngine, why)
	}
	return nil, fmt.Errorf("%w: %s, or leave Options.Engine (and %s) empty for the engine written in Go", ErrNoEngine, why, engineVar)
}
