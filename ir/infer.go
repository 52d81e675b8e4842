package ir

// This file runs the shape rules of the op table.

import "fmt"

// Infer returns the result types that op's operands, attributes and regions
// imply.
func Infer(op *Op) ([]Type, error) {
	info := op.Info()
	if info.Infer == nil {
		return nil, fmt.Errorf("%s: result types cannot be inferred: %s", op.FullName(), info.NoInfer)
	}
	types, err := info.Infer(op)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op.FullName(), err)
	}
	return types, nil
}
