package transporttest

// This file implements a store of values that several processes share.

import (
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Files is a store of values in a directory, for processes that must find each other. It replaces
// the store of package coordination.
type Files string

func (dir Files) name(key string) string {
	return filepath.Join(string(dir), base64.RawURLEncoding.EncodeToString([]byte(key)))
}

// Set writes the value of a key to a file, in one step, so that Get never reads a part.
func (dir Files) Set(_ context.Context, key string, value []byte) error {
	f, err := os.CreateTemp(string(dir), "new-*")
	if err != nil {
		return err
	}
	if _, err := f.Write(value); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), dir.name(key))
}

// Get waits until a key has a value, and returns it. It fails when ctx ends.
func (dir Files) Get(ctx context.Context, key string) ([]byte, error) {
	for {
		value, err := os.ReadFile(dir.name(key))
		if err == nil {
			return value, nil
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("waiting for %q: %w", key, context.Cause(ctx))
		case <-time.After(2 * time.Millisecond):
		}
	}
}
