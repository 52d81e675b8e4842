//go:build cgo

package runtime

// This file exports functions to the tests of PJRT only.

import (
	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// StartWith starts an execution of e, a program of one vector, with a vector of sizes[i] floats on
// device i, and waits for it. It bypasses the checks of Run.
func StartWith(e *Executable, sizes ...int) error {
	engine := e.client.engine.(*asyncEngine)
	var args []DriverBuffer
	for device, size := range sizes {
		b, err := engine.driver.Put(device, ir.Tensor(dtypes.Float32, size), make([]byte, 4*size))
		if err != nil {
			return err
		}
		args = append(args, b)
	}
	_, execution, err := e.loaded.(*asyncProgram).raw.(startedProgram).Start(args, nil)
	if err != nil {
		return err
	}
	return execution.Wait()
}
