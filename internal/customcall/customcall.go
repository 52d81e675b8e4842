// Package customcall says of custom calls that no engine of gospmd computes what
// the user can do about it. It computes none itself: package lapack does, and the
// engines compute those that concern layouts or single elements.
//
//	file            holds
//	customcall.go   the targets that are known, and Refuse
package customcall

import (
	"fmt"
	"strings"

	"github.com/gospmd/gospmd/ir"
)

// kinds are the targets that are known, by the beginnings of their names, and the
// way out for each.
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

// Refuse returns the error of a custom call that an engine does not compute: where
// it stands, and a way out.
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
