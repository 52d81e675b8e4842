//go:build !cgo

package gomlx

// This file replaces backend.go in binaries without cgo.

import (
	"context"
	"errors"

	"github.com/gomlx/compute"
)

func OpenBackend(context.Context) (compute.Backend, error) {
	return nil, errors.New("GoMLX's backend for XLA needs cgo, and this was built without it: build with CGO_ENABLED=1 and a C compiler")
}
