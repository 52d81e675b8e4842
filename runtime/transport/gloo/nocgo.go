//go:build !cgo

package gloo

// This file replaces the package in binaries without cgo: its functions return an error.

import (
	"context"
	"errors"
	"log/slog"

	"github.com/gospmd/gospmd/runtime/transport"
)

var errNoCgo = errors.New("gloo: this program was built without cgo (CGO_ENABLED=0): build it with cgo, or use the transport tcp")

// CheckAvailable returns an error: this program has no cgo.
func CheckAvailable(context.Context, *slog.Logger) error { return errNoCgo }

// Open returns an error: this program has no cgo.
func Open(context.Context, Options) (transport.Transport, error) { return nil, errNoCgo }
