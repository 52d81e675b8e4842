// Package customcall has advice for custom calls that no engine of gospmd computes. It computes
// none itself: package lapack does, and the engines compute calls that concern layouts or single
// elements.
//
//	file            holds
//	customcall.go   the known targets, and Refuse
package customcall

import (
	"fmt"
	"strings"

	"github.com/gospmd/gospmd/ir"
)

// kinds are the known targets, by the beginning of their names, with the advice for each.
var kinds = []struct {
	targets []string
	way     string
}{
	{[]string{"xla_python_", "xla_ffi_python_", "xla_ffi_partitioned_python_"},
		"it calls Python (jax.pure_callback, io_callback or jax.debug.print), which is not there when the program runs: take it out of the function that is exported"},
	{[]string{"Cholesky", "Eigh", "Qr", "LuDecomposition", "ProductOfElementaryHouseholderReflectors", "cusolver_", "cusparse_", "cublas", "cu_", "hipsolver_", "hipsparse_", "hip_", "magma_"},
		"it is for another platform: export the program for the CPU, as by jax.jit(f).trace(x).lower(lowering_platforms=(\"cpu\",)), whose calls of LAPACK run here"},
	{[]string{"cpu_csr_", "cpu_coo_", "cpu_sparse"},
		"products of sparse matrices are not there: use dense ones, or gather and scatter"},
	{[]string{"shape_assertion", "stablehlo.dynamic_"},
		"sizes must be known when the program is compiled: export it without symbolic shapes"},
	{[]string{"__gpu$", "triton_", "tpu_custom_call", "mosaic"},
		"it holds code for another kind of device: leave Pallas and Triton kernels out of what is exported"},
}

// Refuse returns the error for a custom call that an engine does not compute. It says where the
// call is in the model, and what the user can do.
func Refuse(op *ir.Op, engine string) error {
	target := op.CustomCall().CallTargetName()
	way := "compute the value by ordinary ops"
	for _, k := range kinds {
		for _, prefix := range k.targets {
			if strings.HasPrefix(target, prefix) {
				way = k.way
			}
		}
	}
	return fmt.Errorf("%s does not have the target %q: %s", engine, target, way)
}
