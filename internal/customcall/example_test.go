package customcall_test

import (
	"fmt"

	"github.com/gospmd/gospmd/internal/customcall"
	"github.com/gospmd/gospmd/ir"
)

// Refuse returns the error for a custom call that an engine does not compute. For a call of Python
// it tells the user to take it out of the function; for an unknown target, to use ordinary ops.
func Example() {
	b := ir.NewBuilder(ir.NewFunc("main").Body)
	for _, target := range []string{"xla_ffi_python_cpu_callback", "my_kernel"} {
		fmt.Println(customcall.Refuse(b.CustomCall(nil, target, []ir.Type{ir.Token}), "this engine"))
	}
	// Output:
	// this engine does not have the target "xla_ffi_python_cpu_callback": it calls Python (jax.pure_callback, io_callback or jax.debug.print), which is not there when the program runs: take it out of the function that is exported
	// this engine does not have the target "my_kernel": compute the value by ordinary ops
}
