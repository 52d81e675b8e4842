//go:build !cgo

package gloo

// This file stands in for the package where there is no cgo.

import (
	"context"

	"github.com/gospmd/gospmd/runtime/transport"
)

const hasCgo = false

// Open returns an error: this program has no cgo.
func Open(context.Context, Options) (transport.Transport, error) { return nil, errNoCgo }
