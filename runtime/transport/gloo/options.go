package gloo

// This file defines the options of Open, and the Store that they need.

import (
	"context"
	"log/slog"
)

// Options describe this process and its Store.
type Options struct {
	Rank, Size int
	Host       string // a name or an address of this machine, by which the others reach it
	Store      Store  // the same for all

	// Name distinguishes the keys of several transports of the same processes in the Store. All
	// processes of a transport have the same Name.
	Name string

	// Logger gets a message when Open compiles a part of Gloo. nil is slog.Default.
	Logger *slog.Logger
}

// Store keeps values that all processes can read.
type Store interface {
	Set(ctx context.Context, key string, value []byte) error
	// Get waits until some process has set the key.
	Get(ctx context.Context, key string) ([]byte, error)
}
