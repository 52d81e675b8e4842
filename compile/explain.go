package compile

// This file defines Explain.

import (
	"context"
	"errors"
	"fmt"

	"github.com/gospmd/gospmd/compile/explain"
	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/ir"
)

// Explain compiles m, as Compile does, and tells the story of each of its values: the layout that
// was asked for, the layout it has in the program, and the reason. If the module propagates but
// cannot be partitioned, the explanation ends there, and Explanation.Err is the reason.
//
// It needs the partitioner SPMD: the program that XLA's partitioner makes is not known at compile
// time.
func Explain(ctx context.Context, m *ir.Module, o Options) (*explain.Explanation, error) {
	if err := made.Context(ctx); err != nil {
		return nil, fmt.Errorf("compile: Explain: %w", err)
	}
	if o.Partitioner != SPMD {
		return nil, errors.New("compile: Explain: what XLA's partitioner makes is not known when it is compiled: use compile.SPMD")
	}
	t := &explain.Trail{}
	t.Program, t.Err = compileBy(ctx, passes, m, o, t)
	if t.Err != nil && t.Propagated == nil {
		return nil, t.Err
	}
	return explain.New(t), nil
}
