//go:build !cgo

package runtime

// This file stands in for the PJRT driver in binaries built without cgo.

import (
	"context"
	"fmt"
)

// HasPJRT says that this binary can load plugins.
const HasPJRT = false

func openPJRT(context.Context, Options) (Engine, error) {
	return nil, fmt.Errorf("%w PJRT in this binary: it was built without cgo, which XLA's plugins need; install a C compiler and build with CGO_ENABLED=1, or leave Options.Engine (and %s) empty for the engine written in Go", ErrNoEngine, engineVar)
}
