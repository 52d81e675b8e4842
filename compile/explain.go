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

// Explain compiles m as Compile does, and explains each of its values: the layout that was asked
// for, the layout that it has in the program, and the reason. If the module can be propagated but
// not partitioned, the explanation ends after propagation, and Explanation.Err says why. Earlier
// errors are returned.
//
// It needs the partitioner SPMD, because the program that XLA's partitioner makes is not known at
// compile time.
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
