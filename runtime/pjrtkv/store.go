package pjrtkv

// This file defines Store, through which PJRT clients exchange values.

import "context"

// Store keeps values that all processes of a job can read. coordination.Service implements it.
type Store interface {
	Set(ctx context.Context, key string, value []byte) error
	// Get waits until some process has set the key.
	Get(ctx context.Context, key string) ([]byte, error)
	// Lookup is Get without waiting. found is false if no process has set the key.
	Lookup(ctx context.Context, key string) (value []byte, found bool, err error)
}
