//go:build !cgo

package trace_test

// This file stands for execute_cgo_test.go where no plugin can be loaded.

import (
	"testing"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime"
)

func load(t *testing.T, _ *ir.Module) func(in ...tensor) []tensor {
	t.Helper()
	t.Skipf("not run: %v (this binary is built without cgo)", runtime.ErrNoEngine)
	return nil
}
