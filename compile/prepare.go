package compile

// This file runs the part of the pipeline that does not depend on shardings.

import (
	"context"
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/ir"
)

// Prepare returns m inlined and simplified, with its annotations checked and on one mesh. No pass
// that adds shardings has run. Estimates that propagate one module with many annotations start from
// it. m is not changed.
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
