package compile

// This file runs the part of the pipeline that does not depend on shardings.

import (
	"context"
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/ir"
)

// Prepare returns a copy of m that is inlined and simplified. Its annotations are checked and on
// one mesh, and a donated input and its output have the same one; no other sharding was added.
// Estimates start from it, because they propagate one module with many different annotations.
// Errors are those that Compile has for wrong options and modules.
func Prepare(ctx context.Context, m *ir.Module, o Options) (*ir.Module, error) {
	if err := made.Context(ctx); err != nil {
		return nil, fmt.Errorf("compile: Prepare: %w", err)
	}
	last := slices.IndexFunc(passes, func(p pipelinePass) bool { return p.name == "shard_update" })
	c, err := start(ctx, passes, m, o)
	if err != nil {
		return nil, err
	}
	if err := c.run(passes[:last]); err != nil {
		return nil, fmt.Errorf("compile: %w", err)
	}
	return c.module, nil
}
