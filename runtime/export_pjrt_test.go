//go:build cgo

package runtime

// This file gives tests of PJRT what programs do not need.

import (
	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// StartWith starts an execution of a program of one vector, with a vector of as many floats on
// each device, past the checks of Run, and waits for it.
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
