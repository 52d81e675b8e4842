package gloo

// This file defines what Open is given.

import (
	"context"
	"log/slog"
)

// Options describe this process among the others.
type Options struct {
	Rank, Size int
	Host       string // a name or an address of this machine, by which the others reach it
	Store      Store  // the same for all

	// Name tells apart what several transports of the same processes keep in the
	// Store; all of a transport's processes have the same.
	Name string

	// Logger hears when Open compiles a part of Gloo. nil is slog.Default.
	Logger *slog.Logger
}

// Store keeps values for all processes.
type Store interface {
	Set(ctx context.Context, key string, value []byte) error
	// Get waits until some process has set the key.
	Get(ctx context.Context, key string) ([]byte, error)
}
