package pjrtkv

// This file defines Store, what clients of PJRT exchange values through.

import "context"

// Store keeps values that all processes of a job see; coordination.Service is one.
type Store interface {
	Set(ctx context.Context, key string, value []byte) error
	// Get waits until some process has set the key.
	Get(ctx context.Context, key string) ([]byte, error)
	// Lookup does not wait.
	Lookup(ctx context.Context, key string) (value []byte, found bool, err error)
}
