package keras

// This file defines the option Memory.

import (
	"fmt"

	"github.com/gospmd/gospmd/internal/texttable"
)

// Memory bounds the memory that each step of the model takes on a device: a size such as "12GB" or
// "16GiB". Where the predicted peak of a step is over it, values of the forward pass are computed
// again in the backward pass in place of keeping them, at the least predicted time
// (compile.Options.MemoryLimit). A step that cannot be made to fit is an error where it is
// compiled: a *report.OverBudgetError that names the least peak and what takes it.
func Memory(size string) CompileOption {
	return CompileOption{compileSetting{Name: "Memory", Set: func(c *compileConfig) (err error) {
		if c.memory, err = texttable.ParseBytes(size); err != nil {
			return fmt.Errorf("the memory of a device: %w", err)
		}
		return nil
	}}}
}
