package embedded

// This file registers package store with package coordination.

import (
	"context"
	"io"

	"github.com/gospmd/gospmd/runtime/coordination"
	"github.com/gospmd/gospmd/runtime/coordination/store"
)

func init() {
	coordination.RegisterStore(func(ctx context.Context, o coordination.StoreOptions) (io.Closer, error) {
		return store.Start(ctx, store.Options(o))
	})
}
