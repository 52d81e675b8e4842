//go:build !cgo

package runtime

// This file stands in for the PJRT engine in binaries built without cgo.

import (
	"context"
	"fmt"
)

func openEngine(context.Context, Options) (Engine, error) {
	return nil, fmt.Errorf("%w: this binary was built without cgo, which XLA's plugins need: install a C compiler and build with CGO_ENABLED=1", ErrNoEngine)
}
